import {
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';

import {
  addAttachment,
  deleteAttachment,
  listAttachments,
} from '../../../domain/attachment/attachment.endpoints.ts';
import type { Attachment } from '../../../domain/attachment/attachment.schema.ts';
import { ask, call } from '../../lib/client.ts';
import { paths } from '../../lib/paths.ts';
import { upload } from '../../lib/upload.ts';

export interface Added {
  readonly file: File;
  /** Called with the share that is sent, from 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/** The files of an invoice or of a quote, and the calls that change them. */
export interface Attached {
  readonly query: UseQueryResult<Attachment[]>;
  /** The files as they are now, also between two renderings. */
  readonly latest: () => readonly Attachment[];
  readonly add: UseMutationResult<unknown, Error, Added>;
  /** Takes a file away by its uuid. */
  readonly remove: UseMutationResult<unknown, Error, string>;
  readonly pathOf: (uuid: string) => string;
}

export function useInvoiceFiles(invoiceUuid: string): Attached {
  const params = { invoiceUuid };
  const files = ask('attachments', listAttachments, { params });
  const queryClient = useQueryClient();
  return {
    query: useQuery(files),
    latest: () => queryClient.getQueryData(files.queryKey) ?? [],
    add: useMutation({
      mutationFn: async ({ file, onProgress }: Added) =>
        upload(addAttachment, { params, query: { name: file.name } }, file, { onProgress }),
      meta: { changes: 'attachments', isShownInPlace: true },
    }),
    remove: useMutation({
      mutationFn: async (uuid: string) => call(deleteAttachment, { params: { ...params, uuid } }),
      meta: { changes: 'attachments' },
    }),
    pathOf: (uuid) => paths.attachment('invoices', invoiceUuid, uuid),
  };
}
