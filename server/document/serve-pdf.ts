import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Feature } from '../../domain/api/endpoint.ts';
import type { Actor, Context } from '../context.ts';
import { AppError, sentenceOf, statusOf } from '../errors.ts';
import { refusalOf } from '../platform/http/error-answers.ts';
import { isCurrent, untilGone } from '../platform/http/route.ts';
import { JointWork } from '../platform/limits/joint-work.ts';
import { markup } from '../platform/mail/markup.ts';
import { requestContext } from '../platform/log/log.ts';
import { findActor } from '../account/callers.ts';
import { Turns } from '../platform/db/turns.ts';

/** A PDF to be shown, and what it is called. */
interface NamedPdf {
  readonly content: Uint8Array;
  readonly fileName: string;
  readonly etag: string;
}

interface PdfPage<Name> {
  /** As Fastify has it. */
  readonly url: string;
  /** Where this is off, the page is unknown. */
  readonly feature?: Feature;
  /** Which PDF is asked for. @throws AppError not_found */
  readonly parse: (request: FastifyRequest) => Name;
  /** @throws AppError */
  readonly find: (actor: Actor, name: Name, signal: AbortSignal) => Promise<NamedPdf>;
}

/**
 * A PDF as a page to be opened in a tab: without a session it leads to the login. One reading serves all who ask for
 * the same PDF before it begins, and each sees what was there when the call came.
 */
export function servePdf<Name>(
  app: FastifyInstance,
  context: Context,
  { url, feature, parse, find }: PdfPage<Name>,
): void {
  const readings = new JointWork<NamedPdf>();
  const turns = new Turns<string>({ places: Infinity, most: () => 1 });
  const read = async (actor: Actor, name: Name, request: FastifyRequest, caller: AbortSignal) => {
    const key = JSON.stringify([actor.companyId, name]);
    return readings.join({ key, signal: caller }, async (signal, close) => {
      const begin = async () => {
        close();
        return find(actor, name, signal);
      };
      // The first who asked may be gone while others wait, so it waits for the database in the name of them all.
      const call = { companyId: actor.companyId, signal };
      return requestContext.run({ requestId: request.id, call }, async () =>
        turns.run(key, begin, { signal }),
      );
    });
  };
  app.get(url, { errorHandler: showInTab }, async (request, reply) => {
    if (feature && !context.config.features.has(feature)) throw new AppError('not_found');
    const actor = await findActor(request, reply, context);
    if (!actor) return reply.redirect('/auth/login/');
    const { content, fileName, etag } = await read(
      actor,
      parse(request),
      request,
      untilGone(reply),
    );
    reply.header('etag', etag).header('cache-control', 'no-store');
    if (isCurrent(request, reply)) return reply.status(304).send();
    return reply
      .type('application/pdf')
      .header('content-disposition', inline(fileName))
      .send(Buffer.from(content));
  });
}

/** A header is ASCII: what is not stands in it once without its rings and once as RFC 8187 has it. */
function inline(fileName: string): string {
  const plain = fileName.normalize('NFD').replaceAll(/[^ -~]/g, '');
  const extended = plain === fileName ? '' : `; filename*=UTF-8''${encodeURIComponent(fileName)}`;
  return `inline; filename="${plain}"${extended}`;
}

/**
 * A tab of its own shows a sentence that says what is wrong, where a program gets JSON. If the server is only busy, the
 * tab tries again by itself.
 */
function showInTab(error: FastifyError, request: FastifyRequest, reply: FastifyReply): unknown {
  const isTab = request.headers.accept?.includes('text/html') ?? false;
  const refusal = isTab ? refusalOf(error, request) : null;
  if (!refusal) throw error;
  const { code, retryAfter } = refusal;
  request.log.info({ code, err: refusal.cause }, 'request refused');
  if (retryAfter !== undefined) {
    const again = code === 'too_many_pdfs' ? { refresh: retryAfter } : {};
    reply.headers({ 'retry-after': retryAfter, ...again });
  }
  const page = markup`<!doctype html><html lang="nb"><head><meta charset="utf-8"><title>PDF</title></head>
<body><p>${sentenceOf(refusal, 'nb')}</p><p><a href="">Prøv igjen</a></p></body></html>`;
  return reply
    .status(statusOf(refusal))
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(page.source);
}
