import { sql } from 'kysely';
import pg from 'pg';

import { CALL_LIMITS, poolConfig } from './connections.ts';
import type { Database, Db } from './database.ts';
import {
  explainDatabaseFailure,
  UnusableDatabaseError,
  type DatabaseSetting,
} from './database-errors.ts';

const NO_SESSION =
  'leads to a pooler that lends a connection for one transaction at a time, and jobs, migrations and commands need one that stays theirs: set DATABASE_DIRECT_URL to PostgreSQL itself (docs/operations.md, With a pooler).';

const NO_LIMITS =
  'The pooler of DATABASE_URL sets no statement_timeout or no lock_timeout, so a statement by itself may hold a connection for as long as it likes: set both in its connect_query, or for the user in DATABASE_URL (docs/operations.md, With a pooler).';

/**
 * Checks that jobs and migrations have a real session, and that time limits hold behind a pooler.
 *
 * @param warn receives problems that do not prevent the start
 * @throws UnusableDatabaseError when jobs and migrations would share their session with other clients
 */
export async function checkPooler(
  { db, directUrl, isPooled }: Database,
  warn: (advice: string) => void,
): Promise<void> {
  if (directUrl === null) return;
  const setting = isPooled ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL';
  if (!(await keepsSessions(directUrl, setting))) {
    throw new UnusableDatabaseError(`${setting} ${NO_SESSION}`);
  }
  if (isPooled && !(await hasLimits(db))) warn(NO_LIMITS);
}

/**
 * Whether two concurrent connections are two sessions of PostgreSQL. While one is in a transaction, a transaction
 * pooler serves the other from the same process or from changing ones.
 */
async function keepsSessions(url: string, setting: DatabaseSetting): Promise<boolean> {
  const pool = new pg.Pool({
    // Set nothing for a session that may belong to another client.
    ...poolConfig(url, CALL_LIMITS, true),
    max: 2,
    application_name: 'faktur',
  });
  pool.on('error', () => undefined);
  const clients: pg.PoolClient[] = [];
  const connect = async () => {
    const client = await pool.connect();
    client.on('error', () => undefined);
    clients.push(client);
    return client;
  };
  try {
    const idle = await connect();
    const before = await processOf(idle);
    const busy = await connect();
    await busy.query('BEGIN');
    const other = await processOf(busy);
    const after = await processOf(idle);
    await busy.query('COMMIT');
    return other !== before && after === before;
  } catch (error) {
    throw explainDatabaseFailure(error, url, setting) ?? error;
  } finally {
    for (const client of clients) client.release(true);
    await pool.end();
  }
}

async function processOf(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid ?? 0;
}

async function hasLimits(db: Db): Promise<boolean> {
  const { rows } = await sql<{ statement: string; lock: string }>`
    SELECT current_setting('statement_timeout') AS statement,
      current_setting('lock_timeout') AS lock`.execute(db);
  return rows[0]?.statement !== '0' && rows[0]?.lock !== '0';
}
