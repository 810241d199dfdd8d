import { useMutation, useQueryClient } from '@tanstack/react-query';

import {
  bookBankFile,
  deleteBankFile,
  undoBankFile,
  uploadBankFile,
} from '../../../domain/bank-file/bank-file.endpoints.ts';
import { call, upload } from '../../lib/client.ts';
import { showSuccess } from '../../lib/toasts.ts';
import { bankFileKeys, bankFilesQuery, WITHOUT_ENTRIES } from './bank-file.queries.ts';

interface FileToRead {
  readonly file: File;
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** Has a file read. Nothing is booked by that. */
export function useReadBankFile() {
  return useMutation({
    mutationFn: async ({ file, ...sending }: FileToRead) =>
      upload(uploadBankFile, { query: { name: file.name, ...WITHOUT_ENTRIES } }, file, sending),
    meta: { changes: 'bank-files', renewal: 'after', isToldInPlace: true },
  });
}

/** Books what a file tells; a large one is BOOKING afterwards, and a job does the rest. */
export function useBookBankFile(uuid: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () =>
      call(bookBankFile, { params: { fileUuid: uuid }, query: WITHOUT_ENTRIES }),
    meta: { changes: 'payments', isToldInPlace: true },
    onSuccess: (file) => queryClient.setQueryData(bankFileKeys.detail(uuid), file),
  });
}

/** Takes back all that a file has booked; a large one is UNDOING afterwards, and a job does the rest. */
export function useUndoBankFile(uuid: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () =>
      call(undoBankFile, { params: { fileUuid: uuid }, query: WITHOUT_ENTRIES }),
    meta: { changes: 'payments', isToldInPlace: true },
    onSuccess: (file) => queryClient.setQueryData(bankFileKeys.detail(uuid), file),
  });
}

/** Forgets a file of which nothing is booked. */
export function useForgetBankFile(uuid: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => call(deleteBankFile, { params: { fileUuid: uuid } }),
    meta: { changes: 'bank-files', renewal: 'nextScreen', isToldInPlace: true },
    onSuccess: () => {
      showSuccess('Filen er forkastet.', { follows: true });
      // The next screen is the list, which is shown before it is asked for again.
      queryClient.setQueryData(bankFilesQuery.queryKey, (files) =>
        files?.filter((file) => file.uuid !== uuid),
      );
    },
  });
}
