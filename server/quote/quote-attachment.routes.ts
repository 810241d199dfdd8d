import type { FastifyInstance } from 'fastify';

import * as endpoints from '../../domain/quote/quote-attachment.endpoints.ts';
import type { Context } from '../context.ts';
import { fileHeader } from '../document/serve-pdf.ts';
import { wholeUploadOf } from '../platform/http/bodies.ts';
import { route } from '../platform/http/route.ts';
import { createPictureMaker } from '../platform/pictures/picture-maker.ts';
import * as attachments from './quote-attachment.service.ts';

/** The files that are sent along with quotes. */
export function quoteAttachmentRoutes(app: FastifyInstance, context: Context): void {
  const pictures = createPictureMaker('attachment', context);
  route(app, endpoints.listQuoteAttachments, async ({ actor, params }) =>
    attachments.listQuoteAttachments(context, actor, params.quoteUuid),
  );
  route(
    app,
    endpoints.addQuoteAttachment,
    async ({ actor, params, query: { name } }, { request, reply }) => {
      const read = async () => wholeUploadOf(request, reply);
      return attachments.addQuoteAttachment(context, pictures, actor, { ...params, name, read });
    },
  );
  route(app, endpoints.getQuoteAttachment, async ({ actor, params }, { reply }) => {
    const file = await attachments.getQuoteAttachment(context, actor, params);
    reply.type(file.mediaType).header('content-disposition', fileHeader('attachment', file.name));
    return Buffer.from(file.content);
  });
  route(app, endpoints.removeQuoteAttachment, async ({ actor, params }) => {
    await attachments.removeQuoteAttachment(context, actor, params);
    return undefined;
  });
}
