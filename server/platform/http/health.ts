import type { FastifyInstance } from 'fastify';

import type { Database } from '../db/database.ts';
import { AppError } from '../../errors.ts';

/** For monitoring: whether the process runs, and whether it reaches its database. */
export function healthRoutes(app: FastifyInstance, database: Database): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async () => {
    try {
      await database.ping();
      return { status: 'ok' };
    } catch (error) {
      app.log.error({ err: error }, 'the database is out of reach');
      throw new AppError('unavailable', { cause: error });
    }
  });
}
