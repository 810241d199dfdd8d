import type { FastifyInstance, RouteOptions } from 'fastify';

import { Turns } from '../db/turns.ts';

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
