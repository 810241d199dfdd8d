import { useMutation } from '@tanstack/react-query';

import {
  addAttachment,
  deleteAttachment,
  listAttachments,
} from '../../../domain/attachment/attachment.endpoints.ts';
import { ask, call } from '../../lib/client.ts';
import { upload } from '../../lib/upload.ts';

export function attachmentsQuery(invoiceUuid: string) {
  return ask('attachments', listAttachments, { params: { invoiceUuid } });
}

interface Added {
  readonly file: File;
  /** Called with the share that is sent, from 0 to 1. */
  readonly onProgress: (share: number) => void;
}

export function useAddAttachment(invoiceUuid: string) {
  return useMutation({
    mutationFn: async ({ file, onProgress }: Added) => {
      const request = { params: { invoiceUuid }, query: { name: file.name } };
      return (await upload(addAttachment, request, file, { onProgress })).answer;
    },
    meta: { changes: 'attachments', isShownInPlace: true },
  });
}

export function useDeleteAttachment(invoiceUuid: string) {
  return useMutation({
    mutationFn: async (uuid: string) => call(deleteAttachment, { params: { invoiceUuid, uuid } }),
    meta: { changes: 'attachments' },
  });
}
