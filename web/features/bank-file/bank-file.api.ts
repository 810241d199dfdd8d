import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';

import type { RequestOf } from '../../../domain/api/endpoint.ts';
import {
  bookBankFile,
  deleteBankFile,
  getBankFile,
  listBankEntries,
  listBankFiles,
  listOpenAccounts,
  undoBankFile,
  uploadBankFile,
} from '../../../domain/bank-file/bank-file.endpoints.ts';
import type { BankFileBrief, EntryOutcome } from '../../../domain/bank-file/bank-file.schema.ts';
import { ask, call } from '../../lib/client.ts';
import { upload } from '../../lib/upload.ts';
import { showSuccess } from '../../lib/toasts.ts';

/** Leaves out the entries, up to half a million; screens fetch them by page. */
const WITHOUT_ENTRIES = {
  entries: 'false',
} as const satisfies RequestOf<typeof getBankFile>['query'];

const PROGRESS_POLL_MS = 1_000;

export const bankFilesQuery = queryOptions({
  ...ask('bank-files', listBankFiles, {}),
  refetchInterval: ({ state: { data } }) => (data?.some(isUnderWay) ? PROGRESS_POLL_MS : false),
});

export function isUnderWay({ progress }: Pick<BankFileBrief, 'progress'>): boolean {
  return progress !== null;
}

export const openAccountsQuery = ask('bank-files', listOpenAccounts, {});

export function bankFileQuery(uuid: string) {
  return queryOptions({
    ...ask('bank-files', getBankFile, { params: { fileUuid: uuid }, query: WITHOUT_ENTRIES }),
    refetchInterval: ({ state: { data } }) => (data && isUnderWay(data) ? PROGRESS_POLL_MS : false),
  });
}

export function bankEntriesQuery(uuid: string, outcome: EntryOutcome, page = 1) {
  const request = { params: { fileUuid: uuid }, query: { outcome, page } };
  const asked = ask('bank-files', listBankEntries, request);
  return queryOptions({ ...asked, placeholderData: keepPreviousData });
}

interface FileToRead {
  readonly file: File;
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

export function useReadBankFile() {
  return useMutation({
    mutationFn: async ({ file, ...sending }: FileToRead) =>
      upload(uploadBankFile, { query: { name: file.name, ...WITHOUT_ENTRIES } }, file, sending),
    meta: { changes: 'bank-files', renewal: 'after', isShownInPlace: true },
  });
}

/** Books a file. The state of a large file is then BOOKING until a job finishes it. */
export function useBookBankFile(uuid: string) {
  return useStateChange(bookBankFile, uuid);
}

/** Undoes the booking of a file. The state of a large file is then UNDOING until a job finishes it. */
export function useUndoBankFile(uuid: string) {
  return useStateChange(undoBankFile, uuid);
}

function useStateChange(endpoint: typeof bookBankFile, fileUuid: string) {
  return useMutation({
    mutationFn: async () => call(endpoint, { params: { fileUuid }, query: WITHOUT_ENTRIES }),
    meta: {
      changes: 'payments',
      isShownInPlace: true,
      answers: bankFileQuery(fileUuid).queryKey,
    },
  });
}

export function useForgetBankFile(uuid: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => call(deleteBankFile, { params: { fileUuid: uuid } }),
    meta: { changes: 'bank-files', renewal: 'nextScreen', isShownInPlace: true },
    onSuccess: () => {
      showSuccess('Filen er forkastet.', { follows: true });
      // Updates the cached list, which the next screen shows before it is refetched.
      queryClient.setQueryData(bankFilesQuery.queryKey, (files) =>
        files?.filter((file) => file.uuid !== uuid),
      );
    },
  });
}
