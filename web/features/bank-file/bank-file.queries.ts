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

/** There may be half a million of them; a screen asks for a page at a time. */
export const WITHOUT_ENTRIES = {
  entries: 'false',
} as const satisfies RequestOf<typeof getBankFile>['query'];

export const bankFileKeys = {
  list: ['bank-files', 'list'] as const,
  detail: (uuid: string) => ['bank-files', 'detail', uuid] as const,
  entries: (uuid: string) => ['bank-files', 'entries', uuid] as const,
};

/** How often it is looked how far a job has come with a file. */
const LOOK_EVERY_MS = 1_000;

/** The files that were read, the latest first. */
export const bankFilesQuery = queryOptions({
  queryKey: bankFileKeys.list,
  queryFn: async ({ signal }) => call(listBankFiles, {}, signal),
  refetchInterval: ({ state: { data } }) => (data?.some(isUnderWay) ? LOOK_EVERY_MS : false),
});

/** Whether a job is booking a file, or undoing it. */
export function isUnderWay({ progress }: Pick<BankFileBrief, 'progress'>): boolean {
  return progress !== null;
}

/** The accounts that open invoices name. */
export const openAccountsQuery = queryOptions({
  queryKey: ['bank-files', 'accounts'] as const,
  queryFn: async ({ signal }) => call(listOpenAccounts, {}, signal),
});

/** A file without its entries. */
export function bankFileQuery(uuid: string) {
  return queryOptions({
    queryKey: bankFileKeys.detail(uuid),
    queryFn: async ({ signal }) =>
      call(getBankFile, { params: { fileUuid: uuid }, query: WITHOUT_ENTRIES }, signal),
    refetchInterval: ({ state: { data } }) => (data && isUnderWay(data) ? LOOK_EVERY_MS : false),
  });
}

/** A page of those entries of a file that have an outcome. */
export function bankEntriesQuery(uuid: string, outcome: EntryOutcome, page = 1) {
  return queryOptions({
    queryKey: [...bankFileKeys.entries(uuid), outcome, page] as const,
    queryFn: async ({ signal }) =>
      call(listBankEntries, { params: { fileUuid: uuid }, query: { outcome, page } }, signal),
    placeholderData: keepPreviousData,
  });
}
