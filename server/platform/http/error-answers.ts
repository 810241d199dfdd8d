import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { toSnakeKey } from '../../../domain/api/case.ts';
import { uploadTypesOf, type Endpoint } from '../../../domain/api/endpoint.ts';
import type { ErrorBody } from '../../../domain/api/error.ts';
import { inEnglish } from '../../../domain/api/rules.ts';
import type { ErrorReports } from '../log/error-reports.ts';
import { isUnavailable } from '../db/database-errors.ts';
import { AppError, detailOf, statusOf } from '../../errors.ts';
import { languageOf } from './route.ts';
import { ObjectStoreAway } from '../object-store/object-store.ts';

/** Messages for Fastify's own refusals, before our code sees the request. */
const PLAIN: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'The request took too long',
  413: 'The body is too large',
  414: 'The address is too long',
  415: 'Content-Type must be application/json',
  431: 'The headers are too large',
  500: 'Something went wrong on our side',
  503: 'The server is not ready; try again',
};

/** Default Retry-After of a 503 (seconds). */
const RETRY_AFTER = 2;
const STORE_RETRY_AFTER = 10;

/** Answers every error of the API in one form, without internal details. */
export function answerErrors(app: FastifyInstance, reports: ErrorReports): void {
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    const refusal = refusalOf(error, request);
    if (refusal) return answerAppError(refusal, request, reply);
    // Fastify's and Node's own have a status, such as that of a caller who hung up in the middle of a body (ECONNRESET).
    if (error.statusCode === undefined && isUnavailable(error)) {
      request.log.error({ err: error }, 'the database could not answer');
      return answerAppError(new AppError('unavailable'), request, reply);
    }
    const status = error.statusCode ?? 500;
    if (status >= 500) {
      request.log.error({ err: error }, 'request failed');
      reports.report(error, { requestId: request.id, route: request.routeOptions.url ?? 'none' });
    } else {
      request.log.info({ err: error }, 'request refused');
    }
    const { endpoint } = request.routeOptions.config;
    const isUpload = endpoint?.upload !== undefined;
    return answer(reply, status, status === 415 && isUpload ? notBytes(endpoint) : bodyOf(status));
  });
}

/** The refusal that the user sees for an error; null for an internal error. */
export function refusalOf(error: Error, { log }: FastifyRequest): AppError | null {
  if (error instanceof AppError) return error;
  if (!(error instanceof ObjectStoreAway)) return null;
  log[error.isUrgent ? 'error' : 'warn']({ reason: error.message }, error.advice);
  return new AppError('document_out_of_reach', { retryAfter: STORE_RETRY_AFTER });
}

/** The 415 message of a call that takes a file. */
function notBytes(endpoint: Endpoint): ErrorBody {
  const types = uploadTypesOf(endpoint).join(' or ');
  return { detail: [{ message: inEnglish('', 'Content-Type must be {1}', types) }] };
}

function bodyOf(status: number): ErrorBody {
  return { detail: [{ message: PLAIN[status] ?? 'Bad Request' }] };
}

type Headers = Readonly<Record<string, string>>;

/** Answers a URL that cannot be parsed, which is refused before any route or hook. */
export function answerUnreadable(headers: Headers) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    // The error itself quotes the URL, whose query may contain a token.
    request.log.info({ code: error.code }, 'request refused');
    void answer(
      reply.headers(headers).header('x-request-id', request.id),
      error.statusCode ?? 400,
      bodyOf(error.statusCode ?? 400),
    );
  };
}

/** Node's codes of requests that cannot be parsed, with their status. */
const BROKEN: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

/** Answers bytes that are not a request, or that arrive too slowly, when there is only a socket. */
export function answerBrokenConnection(headers: Headers) {
  return function answerSocket(this: FastifyInstance, error: ClientError, socket: Socket): void {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    // The error itself contains the bytes of the request, with its cookies.
    this.log.debug({ code: error.code }, 'connection refused');
    if (socket.writable) socket.write(rawAnswer(BROKEN[error.code] ?? 400, headers));
    socket.destroy();
  };
}

interface ClientError extends Error {
  readonly code: string;
}

function rawAnswer(status: number, headers: Headers): string {
  const body = JSON.stringify(bodyOf(status));
  const lines = Object.entries({
    ...headers,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

/** Answers 404 on a server without pages. */
export function answerUnknownAddresses(app: FastifyInstance): void {
  app.setNotFoundHandler(() => {
    throw new AppError('not_found');
  });
}

function answerAppError(error: AppError, request: FastifyRequest, reply: FastifyReply) {
  const status = statusOf(error);
  request.log.info({ code: error.code, err: error.cause }, 'request refused');
  if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter);
  const detail = detailOf(error, languageOf(request));
  return answer(reply, status, {
    detail,
    ...(error.code === 'proof_needed' && { [toSnakeKey('proofNeeded')]: true }),
    ...(error.faults && { faults: [...error.faults] }),
    ...(error.obstacles && { obstacles: [...error.obstacles] }),
  });
}

function answer(reply: FastifyReply, status: number, body: ErrorBody) {
  if (status === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', RETRY_AFTER);
  return reply.status(status).header('cache-control', 'no-store').send(body);
}
