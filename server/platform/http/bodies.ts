import { Readable } from 'node:stream';

import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';

import { AppError } from '../../errors.ts';
import { Turns } from '../db/turns.ts';
import { networkOf } from './client-network.ts';

declare module 'fastify' {
  interface FastifyInstance {
    largeBodies: Places;
  }
}

/** Thrown for a body in a format that the call does not accept. */
const UNSUPPORTED = Object.assign(new Error('Unsupported Media Type'), { statusCode: 415 });

/**
 * Reads a JSON body if the call has one, and no body otherwise. A call without a body ignores it, because mail
 * clients post a form to unsubscribe (RFC 8058). An empty body counts as none, because some clients still declare it
 * as JSON.
 */
export function readBodies(app: FastifyInstance): void {
  app.decorate(
    'largeBodies',
    new Turns<number>({ places: PLACES, most: () => 1, mostWaiting: MOST_WAITING }),
  );
  limitOrdinaryBodies(app);
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

/** Bodies up to this size are read at once: those that people and most programs send (bytes). */
const SMALL = 128 * 1024;
/** Larger ones, up to the general limit, in memory at once: of all callers, and of one company or network. */
const ORDINARY_PLACES = 32;
const ORDINARY_OF_ONE = 8;
const ORDINARY_WAITING = 50;

/** Bounds the memory of bodies that are not small, whoever sends them, and also of those that stop before their end. */
function limitOrdinaryBodies(app: FastifyInstance): void {
  const turns = new Turns<number | string>({
    places: ORDINARY_PLACES,
    most: () => ORDINARY_OF_ONE,
    mostWaiting: ORDINARY_WAITING,
  });
  app.addHook('preParsing', async (request, reply, payload) => {
    const isSmall =
      announced(request) <= SMALL && request.headers['transfer-encoding'] === undefined;
    const { endpoint } = request.routeOptions.config;
    const hasOther = endpoint?.largestBody !== undefined || endpoint?.upload !== undefined;
    if (isSmall || hasOther) return payload;
    const owner = request.caller?.company?.companyId ?? networkOf(request.ip);
    await hold(turns, owner, reply);
    return payload;
  });
}

/** Waits for a place, and holds it until the answer has left or the caller has gone. @throws AppError unavailable */
async function hold<Owner>(turns: Turns<Owner>, owner: Owner, reply: FastifyReply): Promise<void> {
  const leave = await turns.enter(owner, { patience: PATIENCE });
  if (reply.raw.closed) leave();
  else reply.raw.once('close', leave);
}

/** Large bodies in memory at once, of all routes together; one of a company. */
const PLACES = 4;
/** Most calls of one company that wait to be read (with one that is read: 12), and their longest wait (milliseconds). */
const MOST_WAITING = 11;
const PATIENCE = 10_000;

/** Those who hold a large body in memory, by company. */
type Places = Turns<number>;

/** Serves a route whose body may exceed the general limit. Waiting bodies are not in memory. */
export function routeLargeBody(app: FastifyInstance, most: number, route: RouteOptions): void {
  app.route({
    ...route,
    bodyLimit: most,
    preParsing: async (request, reply, payload) => {
      // Otherwise a body that is refused anyway would wait for a place.
      if (announced(request) > most) {
        reply.header('connection', 'close');
        throw new AppError('body_too_large');
      }
      await hold(app.largeBodies, request.requireActor().companyId, reply);
      return payload;
    },
  });
}

/** The length that the caller declares, in bytes; 0 when there is none. */
function announced(request: FastifyRequest): number {
  return Number(request.headers['content-length'] ?? 0);
}

/**
 * Serves a route whose body is a file. Nothing of it is read before its handler asks for it (`uploadOf`,
 * `wholeUploadOf`); all other routes keep their parsers and limits.
 */
export function routeUpload(
  app: FastifyInstance,
  { most, types }: { readonly most: number; readonly types: readonly string[] },
  route: RouteOptions,
): void {
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser([...types], (request: FastifyRequest, payload, parsed) => {
      if (announced(request) > most) parsed(new AppError('body_too_large'));
      else parsed(null, readAtMost(payload, most));
    });
    // Node reads a refused body away, since a browser that is cut off while it sends never sees the answer. It cannot
    // do so with one that was begun, and need not with one that is too large.
    scope.addHook('onError', (request, reply, _error, next) => {
      const { complete, readableDidRead } = request.raw;
      const isReadAway = !readableDidRead && announced(request) <= most;
      if (!complete && !isReadAway) reply.header('connection', 'close');
      next();
    });
    scope.route(route);
    done();
  });
}

/**
 * The uploaded file as a stream; empty when there is none. It throws body_too_large, and an error with the status 400
 * when the upload breaks off.
 */
export function uploadOf(request: FastifyRequest): AsyncIterable<Buffer> {
  return (request.body as AsyncIterable<Buffer> | undefined) ?? Readable.from([]);
}

/**
 * A file as a whole, in the only copy of it. It is read when there is a place; until then nothing of it is in memory,
 * so a handler judges first whatever it can judge without the file.
 *
 * @throws AppError unavailable when no place was free in time; and as `uploadOf` does
 */
export async function wholeUploadOf(request: FastifyRequest, reply: FastifyReply): Promise<Buffer> {
  await hold(request.server.largeBodies, request.requireActor().companyId, reply);
  const most = request.routeOptions.config.endpoint?.upload ?? 0;
  const whole = Buffer.allocUnsafeSlow(announced(request) || most);
  let size = 0;
  for await (const chunk of uploadOf(request)) size += chunk.copy(whole, size);
  return whole.subarray(0, size);
}

async function* readAtMost(payload: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let total = 0;
  try {
    for await (const chunk of payload) {
      total += chunk.length;
      if (total > most) throw new AppError('body_too_large');
      yield chunk;
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw Object.assign(new Error('The upload broke off', { cause: error }), { statusCode: 400 });
  }
}
