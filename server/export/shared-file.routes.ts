import type { FastifyInstance, FastifyReply } from 'fastify';
import { Readable } from 'node:stream';

import { EXPORT_DOWNLOAD } from '../../domain/export/export.schema.ts';
import type { Context } from '../context.ts';
import { fileHeader } from '../document/serve-pdf.ts';
import { AppError, sentenceOf } from '../errors.ts';
import { networkOf } from '../platform/http/client-network.ts';
import { countAgainst } from '../platform/limits/rate-limit.ts';
import { markup } from '../platform/mail/layout.ts';
import { fileOf } from './export-formats.ts';
import { openShared } from './shared-file.service.ts';

/** Uses of links by one address (EXP-12). */
const MOST_USES = 60;
const SECONDS = 600;

/** For whatever is at a link: nobody keeps it, lists it or tells where it was. */
const HEADERS = {
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow, noarchive',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
};

/**
 * The file of an export for whoever has its link (EXP-12). It reads no session and sets none. A link that is wrong,
 * ended or revoked gets one answer.
 */
export function sharedFileRoute(app: FastifyInstance, context: Context): void {
  app.route<{ Params: { token: string } }>({
    method: ['GET', 'HEAD'],
    url: '/delt/eksport/:token/',
    config: { wholeAnswer: EXPORT_DOWNLOAD },
    handler: async (request, reply) => {
      reply.headers(HEADERS);
      try {
        const key = `export-link:${networkOf(request.ip)}`;
        await countAgainst(context.db, { key, most: MOST_USES, seconds: SECONDS });
        // A look at the headers makes no file.
        const shared = await openShared(context, request.params.token, request.method === 'GET');
        const { name, mediaType } = fileOf(shared.row);
        reply.type(mediaType).header('content-disposition', fileHeader('attachment', name));
        if (shared.chunks === null) return await reply.send();
        return await reply.send(Readable.from(shared.chunks, { objectMode: false }));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return refuse(reply, error);
      }
    },
  });
}

function refuse(reply: FastifyReply, error: AppError): FastifyReply {
  const { code, retryAfter } = error;
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  const isGone = code === 'not_found';
  const sentence = isGone
    ? 'Lenken virker ikke. Den kan være feil, utløpt eller trukket tilbake. Be om en ny fra den som sendte den.'
    : sentenceOf(error, 'nb');
  const page = markup`<!doctype html><html lang="nb"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>Faktur</title></head>
<body><p>${sentence}</p></body></html>`;
  const status = { not_found: 404, too_many_requests: 429 }[code as string] ?? 503;
  return reply.status(status).type('text/html; charset=utf-8').send(page.source);
}
