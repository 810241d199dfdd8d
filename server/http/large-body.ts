import type { FastifyInstance, RouteOptions } from 'fastify';

import { Turns } from '../turns.ts';

/** Bodies that are in memory at once, and so what they take of it. */
const PLACES = 4;
/** How many calls of one company may wait until theirs is read, and how long (milliseconds). */
const MOST_WAITING = 4;
const PATIENCE = 10_000;

/**
 * Serves a route whose body may be larger than those of other calls. Few are read at once, and one of each
 * company: what waits is not in memory.
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
