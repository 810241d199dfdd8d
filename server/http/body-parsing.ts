import type { FastifyInstance, FastifyRequest } from 'fastify';

import { AppError } from '../errors.ts';

/** Thrown for a body in a format that the call does not take. */
const UNSUPPORTED = Object.assign(new Error('Unsupported Media Type'), { statusCode: 415 });

/**
 * How bodies are read: JSON where the call takes one, and nothing otherwise. A call without a body
 * ignores what comes, because mail clients post a form to unsubscribe (RFC 8058) and some clients
 * send an empty JSON body. Amazon SNS sends its JSON as text/plain.
 */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const asText = { parseAs: 'string' } as const;
  app.addContentTypeParser(
    'application/json',
    asText,
    async (request: FastifyRequest, body: string) =>
      takesBody(request) ? parseBody(body) : undefined,
  );
  app.addContentTypeParser('*', asText, async (request: FastifyRequest, body: string) => {
    if (!takesBody(request)) return undefined;
    if (request.routeOptions.config.endpoint?.crossOrigin) return parseBody(body);
    throw UNSUPPORTED;
  });
}

function takesBody(request: FastifyRequest): boolean {
  return request.routeOptions.config.endpoint?.body !== undefined;
}

/** Deeper than any input of ours; deeper still is meant to exhaust the stack. */
const DEPTH_MAX = 32;

function parseBody(text: string): unknown {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // The parser's own message quotes the body, which may hold a code; it must not reach the log.
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
