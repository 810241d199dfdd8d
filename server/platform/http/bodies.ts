import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';

import { AppError } from '../../errors.ts';
import { Turns } from '../db/turns.ts';

/** Thrown for a body in a format that the call does not accept. */
const UNSUPPORTED = Object.assign(new Error('Unsupported Media Type'), { statusCode: 415 });

/**
 * Reads a JSON body if the call has one, and no body otherwise. A call without a body ignores it, because mail
 * clients post a form to unsubscribe (RFC 8058). An empty body counts as none, because some clients still declare it
 * as JSON.
 */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  // As bytes: in a text Fastify would replace invalid UTF-8 by U+FFFD, and so change names.
  const asBytes = { parseAs: 'buffer' } as const;
  app.addContentTypeParser('application/json', asBytes, readBody);
  app.addContentTypeParser('*', asBytes, async (request: FastifyRequest, bytes: Buffer) => {
    const endpoint = request.routeOptions.config.endpoint;
    if (endpoint?.body && !endpoint.crossOrigin) throw UNSUPPORTED;
    return readBody(request, bytes);
  });
}

async function readBody(request: FastifyRequest, bytes: Buffer): Promise<unknown> {
  const endpoint = request.routeOptions.config.endpoint;
  if (!endpoint?.body || bytes.length === 0) return undefined;
  // Amazon SNS sends its JSON as text/plain; it is parsed where its signature is checked.
  return endpoint.crossOrigin ? bytes.toString() : parseBody(bytes);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Deeper than any of our inputs. A deeper body is an attack on the stack. */
const DEPTH_MAX = 32;

function parseBody(bytes: Buffer): unknown {
  let body: unknown;
  try {
    body = JSON.parse(utf8.decode(bytes));
  } catch {
    // The parser's own message quotes the body, which may contain a code; it must not reach the log.
    throw new AppError('validation_failed', {
      detail: [{ message: 'The body is not valid JSON' }],
    });
  }
  if (!isShallow(body, DEPTH_MAX)) {
    throw new AppError('validation_failed', {
      detail: [{ message: 'The body is nested too deep' }],
    });
  }
  return body;
}

function isShallow(value: unknown, depth: number): boolean {
  if (value === null || typeof value !== 'object') return true;
  return depth > 0 && Object.values(value).every((item) => isShallow(item, depth - 1));
}

/** Most large bodies in memory at once. */
const PLACES = 4;
/** Most calls of one company that wait to be read, and their longest wait (milliseconds). */
const MOST_WAITING = 4;
const PATIENCE = 10_000;

/**
 * Serves a route whose body may exceed the general limit. Few are read at once, and one per company; waiting bodies
 * are not in memory.
 */
export function routeLargeBody(app: FastifyInstance, most: number, route: RouteOptions): void {
  const turns = new Turns<number>({ places: PLACES, most: () => 1, mostWaiting: MOST_WAITING });
  app.route({
    ...route,
    bodyLimit: most,
    preParsing: async (request, reply, payload) => {
      const { companyId } = request.requireActor();
      const leave = await turns.enter(companyId, { patience: PATIENCE });
      if (reply.raw.closed) leave();
      else reply.raw.once('close', leave);
      return payload;
    },
  });
}

/**
 * Serves a route whose body is a file. It arrives as a stream (`uploadOf`) and is never stored whole; all other
 * routes keep their parsers and limits.
 */
export function routeUpload(
  app: FastifyInstance,
  { most, types }: { readonly most: number; readonly types: readonly string[] },
  route: RouteOptions,
): void {
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser([...types], (request: FastifyRequest, payload, parsed) => {
      const announced = Number(request.headers['content-length'] ?? 0);
      if (announced > most) parsed(tooLarge());
      else parsed(null, readAtMost(payload, most));
    });
    // The rest of a refused body is not read, so the connection cannot be reused.
    scope.addHook('onError', (request, reply, _error, next) => {
      if (!request.raw.complete) reply.header('connection', 'close');
      next();
    });
    scope.route(route);
    done();
  });
}

/**
 * The uploaded file as a stream; empty when there is none. It throws errors with an HTTP status: 413 when it is too
 * large, 400 when it breaks off.
 */
export function uploadOf(request: FastifyRequest): AsyncIterable<Buffer> {
  return (request.body as AsyncIterable<Buffer> | undefined) ?? Readable.from([]);
}

/** A small file as a whole. @throws as `uploadOf` does */
export async function wholeUploadOf(request: FastifyRequest): Promise<Buffer> {
  return buffer(uploadOf(request));
}

async function* readAtMost(payload: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let total = 0;
  try {
    for await (const chunk of payload) {
      total += chunk.length;
      if (total > most) throw tooLarge();
      yield chunk;
    }
  } catch (error) {
    if (error instanceof Error && 'statusCode' in error) throw error;
    throw Object.assign(new Error('The upload broke off', { cause: error }), { statusCode: 400 });
  }
}

function tooLarge(): Error {
  return Object.assign(new Error('The file is too large'), { statusCode: 413 });
}
