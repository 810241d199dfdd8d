import type { FastifyInstance } from 'fastify';

import type { OpenRequests } from '../open-requests.ts';

/** Counts each call of the API as open until it is answered. */
export function countOpenRequests(app: FastifyInstance, openRequests: OpenRequests): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.endpoint) {
      openRequests.begin();
      // Also when the caller disconnects before there is an answer.
      reply.raw.once('close', () => openRequests.end());
    }
    done();
  });
}
