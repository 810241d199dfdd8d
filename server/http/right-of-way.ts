import type { FastifyInstance } from 'fastify';

import type { RightOfWay } from '../right-of-way.ts';

/** Has background work stand back while a call of the API is answered. */
export function holdRightOfWay(app: FastifyInstance, rightOfWay: RightOfWay): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.endpoint) {
      rightOfWay.enter();
      // Also when the caller hangs up before there is an answer.
      reply.raw.once('close', () => rightOfWay.leave());
    }
    done();
  });
}
