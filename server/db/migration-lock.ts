import { setTimeout as sleep } from 'node:timers/promises';

import { sql } from 'kysely';

import type { Db, Trx } from './database.ts';

/** The number of our advisory lock: 'faktur' in ASCII, cut to 32 bits. */
const LOCK = 0x66_61_6b_74;
/** How often a process asks whether the one that migrates is done (milliseconds). */
const POLLING_INTERVAL = 200;

/** Waits until no process migrates, and keeps others from it until the transaction ends. */
export async function lockMigrations(trx: Trx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${LOCK})`.execute(trx);
}

/**
 * Does the work while no other process migrates. It polls for the lock instead of waiting in its
 * queue: CREATE INDEX CONCURRENTLY waits for every statement that runs, so a statement that waits for
 * the lock of the process that creates the index would be a deadlock.
 */
export async function withMigrationLock(
  db: Db,
  report: (message: string) => void,
  work: () => Promise<void>,
): Promise<void> {
  let isFirst = true;
  while (!(await tryLock(db))) {
    if (isFirst) report('waiting for another process, which migrates the database');
    isFirst = false;
    await sleep(POLLING_INTERVAL);
  }
  try {
    await work();
  } finally {
    await sql`SELECT pg_advisory_unlock(${LOCK})`.execute(db);
  }
}

async function tryLock(db: Db): Promise<boolean> {
  const { rows } = await sql<{ isLocked: boolean }>`
    SELECT pg_try_advisory_lock(${LOCK}) AS "isLocked"`.execute(db);
  return rows[0]?.isLocked ?? false;
}
