import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useMutation,
} from '@tanstack/react-query';
import type { z } from 'zod/mini';

import { isDue } from '../../../domain/recurring/recurring-dates.ts';
import {
  createAssignment,
  deleteAssignment,
  getAssignment,
  listAssignmentRuns,
  listAssignments,
  pauseAssignment,
  previewAssignment,
  resumeAssignment,
  runAssignment,
  updateAssignment,
} from '../../../domain/recurring/recurring.endpoints.ts';
import {
  assignmentNeeds,
  RUNS_PAGE_SIZE,
  type Assignment,
  type AssignmentRun,
  type previewBody,
} from '../../../domain/recurring/recurring.schema.ts';
import type { Versioned } from '../../forms/Form.tsx';
import { ask, call } from '../../lib/client.ts';
import { showSuccess } from '../../lib/toasts.ts';
import { useRenewalAtEnd } from '../../lib/useRenewalAtEnd.ts';
import { useCan } from '../session/session.api.ts';
import { toBody, type AssignmentFields } from './assignment-form.ts';
import { runText } from './recurring-labels.ts';

const POLL_MS = 2_000;
const SLOW_POLL_MS = 10_000;

/** The input of a preview, possibly incomplete. */
export type PreviewInput = z.input<typeof previewBody>;

export const assignmentsQuery = ask('recurring', listAssignments, { query: {} });

/** One assignment. Polled while a date has passed and its invoices are not made yet. */
export function assignmentQuery(assignmentUuid: string) {
  return queryOptions({
    ...ask('recurring', getAssignment, { params: { assignmentUuid } }),
    refetchInterval: ({ state: { data } }) =>
      data && isDue(data) && data.waitingReason === null ? SLOW_POLL_MS : false,
  });
}

/** Tells which assignments the user may change and start: one that sends takes the permission to register too (MEM-4). */
export function useMayChange(): (assignment: Pick<Assignment, 'mode'>) => boolean {
  const may = { edit: useCan('edit'), issue: useCan('issue') };
  return (assignment) => may.edit && may[assignmentNeeds(assignment)];
}

/**
 * The runs of an assignment by page, newest first. Polled while a run is in progress. The key changes with the state
 * and the next date, so a new run is fetched.
 */
export function assignmentRunsQuery({ uuid, state: standing, nextDate }: Assignment) {
  return infiniteQueryOptions({
    queryKey: ['recurring', 'runs', uuid, standing, nextDate] as const,
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
    placeholderData: keepPreviousData,
  });
}

/** The run of an assignment that is being made; undefined without one. Reads the assignment again when it is done. */
export function useRunUnderWay(assignment: Assignment): AssignmentRun | undefined {
  const { data } = useInfiniteQuery(assignmentRunsQuery(assignment));
  const run = data?.pages.flat().find(({ state }) => state === 'RUNNING');
  useRenewalAtEnd(run !== undefined, 'assignment-runs');
  return run;
}

/**
 * The next dates. The previous result is shown until the new one arrives.
 *
 * @param nextDate of a saved assignment; part of the key, so the preview is refetched when it changes
 */
export function previewQuery(body: PreviewInput, nextDate: string | null = null) {
  return queryOptions({
    ...ask('recurring', previewAssignment, { body }, nextDate),
    placeholderData: keepPreviousData,
    retry: false,
  });
}

export function useCreateAssignment() {
  return useMutation({
    mutationFn: async ({ values }: Versioned<AssignmentFields>) =>
      call(createAssignment, { body: toBody(values) }),
    meta: { changes: 'recurring' },
    onSuccess: () => showSuccess('Fast oppdrag opprettet!', { follows: true }),
  });
}

export function useUpdateAssignment(assignmentUuid: string) {
  return useMutation({
    mutationFn: async ({ values, version }: Versioned<AssignmentFields>) =>
      call(updateAssignment, { params: { assignmentUuid }, body: { ...toBody(values), version } }),
    meta: { changes: 'recurring', answers: assignmentQuery(assignmentUuid).queryKey },
    onSuccess: () => showSuccess('Fast oppdrag oppdatert!', { follows: true }),
  });
}

export function useDeleteAssignment() {
  return useMutation({
    mutationFn: async (assignmentUuid: string) =>
      call(deleteAssignment, { params: { assignmentUuid } }),
    meta: { changes: 'recurring', renewal: 'nextScreen' },
    onSuccess: () => showSuccess('Fast oppdrag slettet!', { follows: true }),
  });
}

/** Pauses an assignment, or resumes it. */
export function usePauseAssignment(assignmentUuid: string) {
  return useMutation({
    mutationFn: async (pauses: boolean) =>
      call(pauses ? pauseAssignment : resumeAssignment, { params: { assignmentUuid } }),
    // The response updates the screen, so the reverse button is ready before the refetch ends.
    meta: {
      changes: 'recurring',
      renewal: 'after',
      answers: assignmentQuery(assignmentUuid).queryKey,
    },
    onSuccess: (_, pauses) =>
      showSuccess(pauses ? 'Oppdraget er satt på pause.' : 'Oppdraget er i gang igjen.'),
  });
}

export function useRunAssignment() {
  return useMutation({
    mutationFn: async (assignmentUuid: string) =>
      call(runAssignment, { params: { assignmentUuid } }),
    meta: { changes: 'assignment-runs' },
    onSuccess: (run) => showSuccess(runText(run)),
  });
}
