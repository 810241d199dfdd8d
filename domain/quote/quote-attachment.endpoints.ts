import { z } from 'zod/mini';

import { defineEndpoint } from '../api/endpoint.ts';
import { attachment, ATTACHMENT_LIMITS } from '../attachment/attachment.schema.ts';
import { requiredText } from '../text.ts';
import { quoteParams } from './quote.schema.ts';

const fileParams = z.extend(quoteParams, { uuid: z.uuid() });

export const listQuoteAttachments = defineEndpoint({
  id: 'listQuoteAttachments',
  method: 'GET',
  path: '/api/quotes/{quoteUuid}/attachments/',
  summary: 'The files that are sent along with a quote; with the feature attachments',
  permission: 'see',
  feature: 'quotes',
  params: quoteParams,
  response: z.array(attachment),
  errors: [404],
});

export const addQuoteAttachment = defineEndpoint({
  id: 'addQuoteAttachment',
  method: 'POST',
  path: '/api/quotes/{quoteUuid}/attachments/',
  summary: 'Send a file along with a draft, with the limits of those of invoices',
  permission: 'edit',
  feature: 'quotes',
  params: quoteParams,
  query: z.object({ name: requiredText(1000) }),
  upload: ATTACHMENT_LIMITS.bytesOfFile,
  response: attachment,
  status: 201,
  errors: [404, 409],
});

export const getQuoteAttachment = defineEndpoint({
  id: 'getQuoteAttachment',
  method: 'GET',
  path: '/api/quotes/{quoteUuid}/attachments/{uuid}/',
  summary: 'The bytes of a file of a quote, to be saved as a file',
  permission: 'see',
  feature: 'quotes',
  params: fileParams,
  response: z.instanceof(Uint8Array<ArrayBufferLike>),
  contentType: 'application/octet-stream',
  errors: [404],
});

export const removeQuoteAttachment = defineEndpoint({
  id: 'removeQuoteAttachment',
  method: 'DELETE',
  path: '/api/quotes/{quoteUuid}/attachments/{uuid}/',
  summary: 'Take a file away from a draft',
  permission: 'edit',
  feature: 'quotes',
  params: fileParams,
  errors: [404, 409],
});
