import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';

import {
  getAssignment,
  listAssignmentRuns,
  listAssignments,
  previewAssignment,
} from '../../domain/recurring/recurring.endpoints.ts';
import {
  RUNS_PAGE_SIZE,
  type AssignmentRun,
  type previewBody,
} from '../../domain/recurring/recurring.schema.ts';
import { call } from '../api/client.ts';

const POLL_MS = 2_000;

export const assignmentKeys = {
  all: ['recurring'] as const,
  list: () => [...assignmentKeys.all, 'list'] as const,
  detail: (uuid: string) => [...assignmentKeys.all, 'detail', uuid] as const,
  runs: (uuid: string) => [...assignmentKeys.all, 'runs', uuid] as const,
  preview: (body: PreviewInput) => [...assignmentKeys.all, 'preview', body] as const,
};

/** What a preview is of, as far as it is filled in. */
export type PreviewInput = z.input<typeof previewBody>;

export function assignmentsQuery() {
  return queryOptions({
    queryKey: assignmentKeys.list(),
    queryFn: async ({ signal }) => call(listAssignments, {}, signal),
  });
}

export function assignmentQuery(uuid: string) {
  return queryOptions({
    queryKey: assignmentKeys.detail(uuid),
    queryFn: async ({ signal }) =>
      call(getAssignment, { params: { assignmentUuid: uuid } }, signal),
  });
}

/** What was made, newest first, a page at a time. Asked for again while more is being made. */
export function assignmentRunsQuery(uuid: string) {
  return infiniteQueryOptions({
    queryKey: assignmentKeys.runs(uuid),
    queryFn: async ({ pageParam, signal }) =>
      call(
        listAssignmentRuns,
        { params: { assignmentUuid: uuid }, query: { page: String(pageParam) } },
        signal,
      ),
    initialPageParam: 1,
    getNextPageParam: (page: readonly AssignmentRun[], pages) =>
      page.length < RUNS_PAGE_SIZE ? null : pages.length + 1,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.flat().some(({ state }) => state === 'RUNNING') ? POLL_MS : false,
  });
}

/** The next dates, which are those of the choice before until they are known. */
export function previewQuery(body: PreviewInput) {
  return queryOptions({
    queryKey: assignmentKeys.preview(body),
    queryFn: async ({ signal }) => call(previewAssignment, { body }, signal),
    placeholderData: keepPreviousData,
    retry: false,
  });
}
