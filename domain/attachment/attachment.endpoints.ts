import { z } from 'zod/mini';

import { defineEndpoint } from '../api/endpoint.ts';
import { invoiceUuidParams } from '../invoice/invoice.schema.ts';
import { requiredText } from '../text.ts';
import { attachment, ATTACHMENT_LIMITS } from './attachment.schema.ts';

const attachmentParams = z.extend(invoiceUuidParams, { uuid: z.uuid() });

export const listAttachments = defineEndpoint({
  id: 'listAttachments',
  method: 'GET',
  path: '/api/invoices/{invoiceUuid}/attachments/',
  summary: 'The files that are sent along with an invoice, in the order in which they were added',
  permission: 'see',
  feature: 'attachments',
  params: invoiceUuidParams,
  response: z.array(attachment),
  errors: [404],
});

export const addAttachment = defineEndpoint({
  id: 'addAttachment',
  method: 'POST',
  path: '/api/invoices/{invoiceUuid}/attachments/',
  summary:
    'Send a file along with a draft: PDF, PNG, JPEG, CSV, XLSX or ODS, at most ten of 5 MB and 9 MB ' +
    'in all. The content decides the type; a picture is made anew, without what its camera wrote',
  permission: 'edit',
  feature: 'attachments',
  params: invoiceUuidParams,
  query: z.object({ name: requiredText(1000) }),
  upload: ATTACHMENT_LIMITS.bytesOfFile,
  response: attachment,
  status: 201,
  errors: [404, 409],
});

export const getAttachment = defineEndpoint({
  id: 'getAttachment',
  method: 'GET',
  path: '/api/invoices/{invoiceUuid}/attachments/{uuid}/',
  summary: 'The bytes of an attachment, to be saved as a file',
  permission: 'see',
  feature: 'attachments',
  params: attachmentParams,
  response: z.instanceof(Uint8Array<ArrayBufferLike>),
  contentType: 'application/octet-stream',
  errors: [404],
});

export const deleteAttachment = defineEndpoint({
  id: 'deleteAttachment',
  method: 'DELETE',
  path: '/api/invoices/{invoiceUuid}/attachments/{uuid}/',
  summary: 'Take a file away from a draft',
  permission: 'edit',
  feature: 'attachments',
  params: attachmentParams,
  errors: [404, 409],
});
