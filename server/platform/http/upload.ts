import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';

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
