import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';

import type { Db } from '../db/database.ts';

/** For whoever watches over the process: it lives, and it reaches its database. */
export function healthRoutes(app: FastifyInstance, db: Db): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (request, reply) => {
    try {
      await sql`SELECT 1`.execute(db);
      return { status: 'ok' };
    } catch (error) {
      request.log.error({ err: error }, 'the database is out of reach');
      return reply.status(503).send({ status: 'database unreachable' });
    }
  });
}
