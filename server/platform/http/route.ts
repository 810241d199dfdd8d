import { Readable } from 'node:stream';

import type { z } from 'zod/mini';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';

import { toCamelCase, toWireText, wirePath } from '../../../domain/api/case.ts';
import {
  successStatus,
  withFeatures,
  uploadTypesOf,
  type Endpoint,
  type ParsedOf,
  type ResponseOf,
  type Feature,
} from '../../../domain/api/endpoint.ts';
import { validate } from '../../../domain/api/validation.ts';
import type { Actor, Caller } from '../../context.ts';
import { AppError, type Language } from '../../errors.ts';
import { Streamed } from './streamed.ts';
import { routeLargeBody, routeUpload } from './bodies.ts';
import { answerOnce, keyOf, type Answer, type AnswerStore } from './idempotency.ts';

declare module 'fastify' {
  interface FastifyInstance {
    features: ReadonlySet<Feature>;
    /** Where answers are kept for an `Idempotency-Key`; absent where no key is taken. */
    answers?: AnswerStore;
  }
  interface FastifyContextConfig {
    /** The endpoint that a route serves; absent on pages and files. */
    endpoint?: Endpoint;
    /** The feature that a page or a file belongs to; an endpoint names its own. */
    feature?: Feature;
  }
}

/** Passed to every handler beside its own input. */
interface Call {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

type Handler<E extends Endpoint> = (
  input: ParsedOf<E> & { actor: Actor },
  call: Call,
) => Promise<Result<E>>;
type AccountHandler<E extends Endpoint> = (
  input: ParsedOf<E> & { caller: Caller },
  call: Call,
) => Promise<Result<E>>;
type PublicHandler<E extends Endpoint> = (input: ParsedOf<E>, call: Call) => Promise<Result<E>>;
/** The result of a handler: the answer, or one that is written while it is read. */
type Result<E extends Endpoint> = ResponseOf<E> | Streamed<ResponseOf<E>>;

/** Serves an endpoint to members of a company. */
export function route<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: Handler<E>,
): void {
  if (endpoint.access) throw new TypeError(`${endpoint.id} belongs to no company`);
  serve(app, endpoint, (input, call) =>
    handler({ ...input, actor: call.request.requireActor() } as never, call),
  );
}

/** Serves an endpoint to accounts, also those without a company (or to staff, where it says so). */
export function accountRoute<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: AccountHandler<E>,
): void {
  serve(app, endpoint, (input, call) =>
    handler({ ...input, caller: call.request.requireCaller() } as never, call),
  );
}

/** Serves an endpoint to everybody. */
export function publicRoute<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: PublicHandler<E>,
): void {
  if (endpoint.access !== 'public') throw new TypeError(`${endpoint.id} is not public`);
  serve(app, endpoint, (input, call) => handler(input as never, call));
}

function serve(
  app: FastifyInstance,
  endpoint: Endpoint,
  handler: (input: object, call: Call) => Promise<unknown>,
): void {
  const served = withFeatures(endpoint, app.features);
  const { wholeAnswer } = endpoint;
  const options: RouteOptions = {
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { endpoint, ...(wholeAnswer !== undefined && { wholeAnswer }) },
    handler: async (request, reply) => {
      const input = parseInput(served, request);
      const key = app.answers && !isDry(input) ? keyOf(endpoint, request) : null;
      if (app.answers && key !== null) {
        const { status, body } = await answerOnce(app.answers, request, key, async () => {
          const result = await handler(input, { request, reply });
          if (result === null) return { status: 204, body: '' };
          return { status: statusOf(endpoint, input, result), body: textOf(result) };
        });
        reply.status(status).type(JSON_TYPE);
        return reply.send(typeof body === 'string' ? body : Readable.from(body));
      }
      const result = await handler(input, { request, reply });
      reply.status(statusOf(endpoint, input, result));
      if (isCurrent(request, reply)) return reply.status(304).send();
      return answer(endpoint, reply, result);
    },
  };
  if (endpoint.largestBody !== undefined) routeLargeBody(app, endpoint.largestBody, options);
  else if (endpoint.upload === undefined) app.route(options);
  else routeUpload(app, { most: endpoint.upload, types: uploadTypesOf(endpoint) }, options);
}

const JSON_TYPE = 'application/json; charset=utf-8';

function statusOf(endpoint: Endpoint, input: Input, result: unknown): number {
  const isOld = result instanceof Streamed && result.isOld;
  return (
    (isOld ? endpoint.statusOfExisting : undefined) ??
    (isDry(input) ? endpoint.statusOfDryRun : undefined) ??
    successStatus(endpoint)
  );
}

function isDry({ query }: Input): boolean {
  return query?.['dryRun'] === true;
}

/** The JSON of a result. */
function textOf(result: unknown): Answer['body'] {
  return result instanceof Streamed ? result.chunks : toWireText(result);
}

function answer(endpoint: Endpoint, reply: FastifyReply, result: unknown): unknown {
  if (!endpoint.response) return reply.send();
  if (result === null) return reply.status(204).send();
  if (endpoint.contentType) {
    // A handler that knows the type of the bytes has set it.
    if (!reply.hasHeader('content-type')) reply.type(endpoint.contentType);
    return reply.send(
      result instanceof Streamed ? Readable.from(result.chunks, { objectMode: false }) : result,
    );
  }
  const text = textOf(result);
  return reply.type(JSON_TYPE).send(typeof text === 'string' ? text : Readable.from(text));
}

interface Input {
  params?: unknown;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
}

function parseInput(endpoint: Endpoint, request: FastifyRequest): Input {
  const input: Input = {};
  if (endpoint.params) input.params = parseParams(endpoint, request.params);
  if (endpoint.query) {
    input.query = parse(endpoint.query, withoutBlanks(request.query)) as Record<string, unknown>;
  }
  if (endpoint.body) input.body = parse(endpoint.body, request.body);
  return input;
}

/** The query of a page that is no endpoint. @throws AppError validation_failed */
export function parseQuery<S extends NonNullable<Endpoint['query']>>(
  schema: S,
  query: unknown,
): z.output<S> {
  return parse(schema, withoutBlanks(query)) as z.output<S>;
}

/** An empty parameter such as `?status=` counts as absent (WIRE-8). */
function withoutBlanks(query: unknown): object {
  return Object.fromEntries(Object.entries(query ?? {}).filter(([, value]) => value !== ''));
}

/** An impossible path parameter gives 404. */
function parseParams(endpoint: Endpoint, params: unknown): unknown {
  const result = endpoint.params?.safeParse(params);
  if (!result?.success) throw new AppError('not_found');
  return result.data;
}

/** More faults would turn a small request into a large answer (WIRE-13). */
const FAULTS_MAX = 100;

function parse(schema: NonNullable<Endpoint['body']>, input: unknown): unknown {
  const result = validate(schema, toCamelCase(input), wirePath);
  if (result.ok) return result.value;
  throw new AppError('validation_failed', {
    detail: result.faults
      .slice(0, FAULTS_MAX)
      .map(({ field, message }) => (field === '' ? { message } : { message, field })),
  });
}

/**
 * Whether the caller already has this answer, by its ETag. A proxy that compresses makes the same ETag weak, and a
 * caller may send several (RFC 9110 § 13.1.2).
 */
export function isCurrent(request: FastifyRequest, reply: FastifyReply): boolean {
  const etag = reply.getHeader('etag');
  const { 'if-none-match': ifNoneMatch } = request.headers;
  const known = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return typeof etag === 'string' && known.includes(etag);
}

/** A signal that is aborted when nobody waits for the answer any more. */
export function untilGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  // It is also closed after the answer, when nobody waits any more.
  const hangUp = () => {
    if (!raw.writableFinished) gone.abort(callerHasGone());
  };
  // The client may have gone before this call: then the event has already fired.
  if (raw.destroyed) hangUp();
  else raw.once('close', hangUp);
  return gone.signal;
}

/** Nobody reads the status (nginx's own), but it keeps the log from reporting an internal error. */
function callerHasGone(): Error {
  return Object.assign(new Error('The caller has gone'), { statusCode: 499 });
}

/** Norwegian for callers that prefer it (RFC 9110 § 12.5.4), as the product's screens do; else English. */
export function languageOf(request: FastifyRequest): Language {
  return /^\s*(nb|no|nn)\b/i.test(request.headers['accept-language'] ?? '') ? 'nb' : 'en';
}
