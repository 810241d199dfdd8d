import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import { documentFileName } from '../../domain/invoice/invoice-document.ts';
import type { Context } from '../context.ts';
import { findPdf } from '../delivery/invoice-pdf.service.ts';
import { AppError } from '../errors.ts';
import { findActor } from '../http/session.ts';

const params = z.object({ uuid: z.uuid() });

/** The PDF of an invoice, as a page to be opened in a tab: without a session it leads to the login. */
export function invoicePdfRoutes(app: FastifyInstance, context: Context): void {
  app.get('/invoices/:uuid/pdf/', async (request, reply) => {
    const actor = await findActor(request, reply, context);
    if (!actor) return reply.redirect('/auth/login/');
    const parsed = params.safeParse(request.params);
    if (!parsed.success) throw new AppError('not_found');
    const { content, document, etag } = await findPdf(context, actor, parsed.data.uuid);
    // Whoever comes to this browser after a logout finds nothing; a program may ask by the tag.
    reply.header('etag', etag).header('cache-control', 'no-store');
    if (isCurrent(request.headers['if-none-match'], etag)) return reply.status(304).send();
    return reply
      .type('application/pdf')
      .header('content-disposition', `inline; filename="${documentFileName(document, 'pdf')}"`)
      .send(Buffer.from(content));
  });
}

/** A proxy that compresses calls the same bytes weak, and a caller may name several (RFC 9110 § 13.1.2). */
function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return known.includes(etag);
}
