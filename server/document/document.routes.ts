import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';

import { getEfaktura } from '../../domain/document/document.endpoints.ts';
import { documentFileName } from '../../domain/document/invoice-document.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { sentenceOf, statusOf } from '../http/error-table.ts';
import { route } from '../http/route.ts';
import { findActor } from '../session/callers.ts';
import { markup } from '../mail/markup.ts';
import { findEhf } from './document-ehf.service.ts';
import { findPdf } from './document-pdf.service.ts';

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

/**
 * The PDF of an invoice, as a page to be opened in a tab: without a session it leads to the login. With
 * `?original=true` never a stamped copy.
 */
function pdfRoute(app: FastifyInstance, context: Context): void {
  app.get('/invoices/:uuid/pdf/', { errorHandler: showInTab }, async (request, reply) => {
    const actor = await findActor(request, reply, context);
    if (!actor) return reply.redirect('/auth/login/');
    const parsed = params.safeParse(request.params);
    if (!parsed.success) throw new AppError('not_found');
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const wanted = {
      uuid: parsed.data.uuid,
      original: query.safeParse(request.query).data?.original === 'true',
    };
    const found = await findPdf(context, actor, wanted, gone.signal).catch((error: unknown) => {
      if (gone.signal.aborted) return null;
      throw error;
    });
    // There is nobody left to answer.
    if (!found) return reply.hijack();
    const { content, document, etag } = found;
    reply.header('etag', etag).header('cache-control', 'no-store');
    if (isCurrent(request.headers['if-none-match'], etag)) return reply.status(304).send();
    return reply
      .type('application/pdf')
      .header('content-disposition', `inline; filename="${documentFileName(document, 'pdf')}"`)
      .send(Buffer.from(content));
  });
}

/**
 * In a tab of its own a sentence says what is wrong, where a program gets JSON. What is only busy is
 * tried again by the tab itself.
 */
function showInTab(error: FastifyError, request: FastifyRequest, reply: FastifyReply): unknown {
  const isTab = request.headers.accept?.includes('text/html') ?? false;
  if (!isTab || !(error instanceof AppError)) throw error;
  const { retryAfter } = error;
  request.log.info({ code: error.code, err: error.cause }, 'request refused');
  if (retryAfter !== undefined) {
    const again = error.code === 'too_many_pdfs' ? { refresh: retryAfter } : {};
    reply.headers({ 'retry-after': retryAfter, ...again });
  }
  const page = markup`<!doctype html><html lang="nb"><head><meta charset="utf-8"><title>PDF</title></head>
<body><p>${sentenceOf(error, 'nb')}</p><p><a href="">Prøv igjen</a></p></body></html>`;
  return reply
    .status(statusOf(error))
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(page.source);
}

/** A proxy that compresses calls the same bytes weak, and a caller may name several (RFC 9110 § 13.1.2). */
function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return known.includes(etag);
}
