import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import { getEfaktura } from '../../domain/invoice/invoice.endpoints.ts';
import { documentFileName } from '../../domain/document/invoice-document.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { route } from '../platform/http/route.ts';
import { findEhf, findPdf } from './show-document.service.ts';
import { servePdf } from './serve-pdf.ts';

const params = z.object({ uuid: z.uuid() });
const query = z.object({ original: z.literal('true').optional() });

/** Documents as PDF and as EHF. */
export function documentRoutes(app: FastifyInstance, context: Context): void {
  pdfRoute(app, context);
  route(app, getEfaktura, async ({ actor, params: { pk } }, { reply }) => {
    const { xml, document } = await findEhf(context, actor, pk);
    const fileName = documentFileName(document, 'xml');
    reply.header('content-disposition', `attachment; filename="${fileName}"`);
    return xml;
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
