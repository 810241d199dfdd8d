import type { FastifyInstance, FastifyRequest } from 'fastify';

import { AppError } from '../../errors.ts';

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
