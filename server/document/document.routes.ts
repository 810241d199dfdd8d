import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import {
  addAttachment,
  deleteAttachment,
  getAttachment,
  listAttachments,
} from '../../domain/attachment/attachment.endpoints.ts';
import { getEfaktura } from '../../domain/invoice/invoice.endpoints.ts';
import { documentFileName } from '../../domain/document/invoice-document.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { wholeUploadOf } from '../platform/http/bodies.ts';
import { route, untilGone } from '../platform/http/route.ts';
import { createPictureMaker } from '../platform/pictures/picture-maker.ts';
import * as attachments from './attachment.service.ts';
import { findEhf, findPdf } from './show-document.service.ts';
import { fileHeader, servePdf } from './serve-pdf.ts';

const params = z.object({ uuid: z.uuid() });
const query = z.object({ original: z.literal('true').optional() });

/** Documents as PDF and as EHF. */
export function documentRoutes(app: FastifyInstance, context: Context): void {
  pdfRoute(app, context);
  attachmentRoutes(app, context);
  route(app, getEfaktura, async ({ actor, params: { pk } }, { reply }) => {
    const { xml, document } = await findEhf(context, actor, pk, untilGone(reply));
    const fileName = documentFileName(document, 'xml');
    reply.header('content-disposition', `attachment; filename="${fileName}"`);
    return xml;
  });
}

function attachmentRoutes(app: FastifyInstance, context: Context): void {
  const pictures = createPictureMaker('attachment', context);
  route(app, listAttachments, async ({ actor, params }) =>
    attachments.listAttachments(context, actor, params.invoiceUuid),
  );
  route(app, addAttachment, async ({ actor, params, query: { name } }, { request, reply }) => {
    const read = async () => wholeUploadOf(request, reply);
    return attachments.addAttachment(context, pictures, actor, params.invoiceUuid, { name, read });
  });
  route(app, getAttachment, async ({ actor, params }, { reply }) => {
    const file = await attachments.getAttachment(context, actor, params);
    reply.type(file.mediaType).header('content-disposition', fileHeader('attachment', file.name));
    return Buffer.from(file.content);
  });
  route(app, deleteAttachment, async ({ actor, params }) => {
    await attachments.deleteAttachment(context, actor, params);
    return undefined;
  });
}

/** With `?original=true` never a stamped copy. */
function pdfRoute(app: FastifyInstance, context: Context): void {
  servePdf(app, context, {
    url: '/invoices/:uuid/pdf/',
    parse: (request) => {
      const parsed = params.safeParse(request.params);
      if (!parsed.success) throw new AppError('not_found');
      const original = query.safeParse(request.query).data?.original === 'true';
      return { uuid: parsed.data.uuid, original };
    },
    find: async (actor, name, signal) => {
      const { content, document, etag } = await findPdf(context, actor, name, signal);
      return { content, fileName: documentFileName(document, 'pdf'), etag };
    },
  });
}
