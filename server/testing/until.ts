import { setTimeout as sleep } from 'node:timers/promises';

import { sql } from 'kysely';

import type { Db } from '../platform/db/database.ts';

const POLL = 50;
/** Milliseconds. Longer than a busy machine takes, and shorter than a test may. */
const PATIENCE = 240_000;

/** Polls until the value matches, seldom where a look is dear. @throws Error with the last value after the timeout */
export async function until<T>(
  look: () => Promise<T> | T,
  isWanted: (found: T) => boolean,
  timeout = PATIENCE,
  poll = POLL,
): Promise<T> {
  for (const deadline = Date.now() + timeout; ; await sleep(poll)) {
    const found = await look();
    if (isWanted(found)) return found;
    if (Date.now() > deadline) throw new Error(`Not in time; last seen: ${JSON.stringify(found)}`);
  }
}

/** Polls until there is a value. @throws Error with a description after the timeout */
export async function eventually<T>(
  look: () => T | undefined | Promise<T | undefined>,
  what: string,
  timeout = PATIENCE,
): Promise<T> {
  for (const deadline = Date.now() + timeout; Date.now() < deadline; await sleep(POLL)) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error(`Waited ${timeout / 1000} s in vain for ${what}`);
}

/** Polls until so many sessions of this database wait for a lock that another has. */
export async function untilBlocked(db: Db, many = 1): Promise<void> {
  await until(
    async () =>
      (
        await sql`SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db)
      ).rows.length,
    (waiting) => waiting >= many,
  );
}
