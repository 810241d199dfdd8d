import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import type { RequestOf } from '../../../domain/api/endpoint.ts';
import {
  getBankFile,
  listBankEntries,
  listBankFiles,
  listOpenAccounts,
} from '../../../domain/bank-file/bank-file.endpoints.ts';
import type { BankFileBrief, EntryOutcome } from '../../../domain/bank-file/bank-file.schema.ts';
import { call } from '../../lib/client.ts';

/** Leaves out the entries, up to half a million; screens fetch them by page. */
export const WITHOUT_ENTRIES = {
  entries: 'false',
} as const satisfies RequestOf<typeof getBankFile>['query'];

export const bankFileKeys = {
  list: ['bank-files', 'list'] as const,
  detail: (uuid: string) => ['bank-files', 'detail', uuid] as const,
  entries: (uuid: string) => ['bank-files', 'entries', uuid] as const,
};

/** How often the progress of a job is polled. */
const PROGRESS_POLL_MS = 1_000;

/** The bank files, newest first. */
export const bankFilesQuery = queryOptions({
  queryKey: bankFileKeys.list,
  queryFn: async ({ signal }) => call(listBankFiles, {}, signal),
  refetchInterval: ({ state: { data } }) => (data?.some(isUnderWay) ? PROGRESS_POLL_MS : false),
});

/** Whether a job is booking or undoing a file. */
export function isUnderWay({ progress }: Pick<BankFileBrief, 'progress'>): boolean {
  return progress !== null;
}

/** The bank accounts that open invoices are to be paid to. */
export const openAccountsQuery = queryOptions({
  queryKey: ['bank-files', 'accounts'] as const,
  queryFn: async ({ signal }) => call(listOpenAccounts, {}, signal),
});

/** A bank file without its entries. */
export function bankFileQuery(uuid: string) {
  return queryOptions({
    queryKey: bankFileKeys.detail(uuid),
    queryFn: async ({ signal }) =>
      call(getBankFile, { params: { fileUuid: uuid }, query: WITHOUT_ENTRIES }, signal),
    refetchInterval: ({ state: { data } }) => (data && isUnderWay(data) ? PROGRESS_POLL_MS : false),
  });
}

/** A page of a file's entries with the given outcome. */
export function bankEntriesQuery(uuid: string, outcome: EntryOutcome, page = 1) {
  return queryOptions({
    queryKey: [...bankFileKeys.entries(uuid), outcome, page] as const,
    queryFn: async ({ signal }) =>
      call(listBankEntries, { params: { fileUuid: uuid }, query: { outcome, page } }, signal),
    placeholderData: keepPreviousData,
  });
}
