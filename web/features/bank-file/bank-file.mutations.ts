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

/** Uploads and reads a file, without booking it. */
export function useReadBankFile() {
  return useMutation({
    mutationFn: async ({ file, ...sending }: FileToRead) =>
      upload(uploadBankFile, { query: { name: file.name, ...WITHOUT_ENTRIES } }, file, sending),
    meta: { changes: 'bank-files', renewal: 'after', isShownInPlace: true },
  });
}

/** Books a file. The state of a large file is then BOOKING until a job finishes it. */
export function useBookBankFile(uuid: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () =>
      call(bookBankFile, { params: { fileUuid: uuid }, query: WITHOUT_ENTRIES }),
    meta: { changes: 'payments', isShownInPlace: true },
    onSuccess: (file) => queryClient.setQueryData(bankFileKeys.detail(uuid), file),
  });
}

/** Undoes the booking of a file. The state of a large file is then UNDOING until a job finishes it. */
export function useUndoBankFile(uuid: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () =>
      call(undoBankFile, { params: { fileUuid: uuid }, query: WITHOUT_ENTRIES }),
    meta: { changes: 'payments', isShownInPlace: true },
    onSuccess: (file) => queryClient.setQueryData(bankFileKeys.detail(uuid), file),
  });
}

/** Deletes a file without booked entries. */
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
