import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Feature } from '../../domain/api/endpoint.ts';
import type { Actor, Context } from '../context.ts';
import { sentenceOf, statusOf } from '../errors.ts';
import { refusalOf } from '../platform/http/error-answers.ts';
import { isCurrent, untilGone } from '../platform/http/route.ts';
import { Turns } from '../platform/db/turns.ts';
import { JointWork } from '../platform/limits/joint-work.ts';
import { markup } from '../platform/mail/layout.ts';
import { requestContext } from '../platform/log/log.ts';
import { findActor } from '../account/callers.ts';

export interface NamedPdf {
  readonly content: Uint8Array;
  readonly fileName: string;
  readonly etag: string;
}

interface PdfPage<Name> {
  /** Fastify's pattern. */
  readonly url: string;
  /** While this is off, the page does not exist. */
  readonly feature?: Feature;
  /** Reads which PDF is requested. @throws AppError not_found */
  readonly parse: (request: FastifyRequest) => Name;
  /** @throws AppError */
  readonly find: (actor: Actor, name: Name, signal: AbortSignal) => Promise<NamedPdf>;
}

/**
 * A PDF as a page to be opened in a tab: without a session it leads to the login. Callers of the same PDF share a
 * reading that has not begun, so each sees what was there when the call came.
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
      // The first caller may be gone while others wait, so it waits for the database in the name of them all.
      const call = { companyId: actor.companyId, signal };
      return requestContext.run({ requestId: request.id, call }, async () =>
        turns.run(key, begin, { signal }),
      );
    });
  };
  const config = feature ? { feature } : {};
  app.get(url, { config, errorHandler: showInTab }, async (request, reply) => {
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
      .header('content-disposition', fileHeader('inline', fileName))
      .send(Buffer.from(content));
  });
}

/** The header of a file's name. It is ASCII: other characters are written without their marks, and again in full (RFC 8187). */
export function fileHeader(shown: 'inline' | 'attachment', fileName: string): string {
  const plain = fileName.normalize('NFD').replaceAll(/[^ -~]|["\\]/g, '');
  const extended = plain === fileName ? '' : `; filename*=UTF-8''${encodeURIComponent(fileName)}`;
  return `${shown}; filename="${plain}"${extended}`;
}

/** A file at a link, which is made or read when somebody wants it. */
export interface LinkFile {
  readonly name: string;
  readonly mediaType: string;
  open(signal: AbortSignal): Promise<Uint8Array | string>;
}

/** Answers with a file to save. A look at the headers alone makes none. */
export async function sendLinkFile(
  { method }: Pick<FastifyRequest, 'method'>,
  reply: FastifyReply,
  file: LinkFile,
): Promise<FastifyReply> {
  reply.type(file.mediaType).header('content-disposition', fileHeader('attachment', file.name));
  if (method === 'HEAD') return reply.send();
  return reply.send(Buffer.from(await file.open(untilGone(reply))));
}

/** Shows a refusal as a sentence in the browser's tab, and as JSON to programs. A tab retries while the server is busy. */
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
