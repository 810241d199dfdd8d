import { setTimeout as sleep } from 'node:timers/promises';

import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';

import { findPending, note, prepareBookkeeping, type Migrations } from './applied-migrations.ts';
import type { Database, Db, Trx } from './database.ts';
import { isDeadlock, isLockTimeout } from './errors.ts';
import type { Migration } from './migration.ts';
import { accounts } from './migrations/0001-accounts.ts';
import { customers } from './migrations/0002-customers.ts';
import { invoices } from './migrations/0003-invoices.ts';
import { delivery } from './migrations/0004-delivery.ts';
import { staff } from './migrations/0005-staff.ts';
import { waitingDeliveries } from './migrations/0006-waiting-deliveries.ts';
import { waitingDeliveryIndexes } from './migrations/0007-waiting-delivery-indexes.ts';
import { documentVersion } from './migrations/0008-document-version.ts';
import { versions } from './migrations/0009-versions.ts';
import { unsent } from './migrations/0010-unsent.ts';
import { unsentIndexes } from './migrations/0011-unsent-indexes.ts';
import { history } from './migrations/0012-history.ts';
import { carriers } from './migrations/0014-carriers.ts';
import { carriersIndexes } from './migrations/0014-carriers-indexes.ts';
import type { Tables } from './tables.ts';
import { UnusableDatabaseError } from './unusable.ts';

/** The migrations that this version of the product knows, oldest first. */
export const MIGRATIONS: Migrations = {
  '0001-accounts': accounts,
  '0002-customers': customers,
  '0003-invoices': invoices,
  '0004-delivery': delivery,
  '0005-staff': staff,
  '0006-waiting-deliveries': waitingDeliveries,
  '0007-waiting-delivery-indexes': waitingDeliveryIndexes,
  '0008-document-version': documentVersion,
  '0009-versions': versions,
  '0010-unsent': unsent,
  '0011-unsent-indexes': unsentIndexes,
  '0012-history': history,
  '0014-carriers': carriers,
  '0014-carriers-indexes': carriersIndexes,
};

/** Their names. */
export const KNOWN_MIGRATIONS: readonly string[] = Object.keys(MIGRATIONS);

/** Any number that no one else takes for an advisory lock: 'faktur' in ASCII, cut to 32 bits. */
const LOCK = 0x66_61_6b_74;

const OLDEST_SERVER = 150_000;
const CONNECT_TIMEOUT = 10_000;
/** How often a process asks whether the one that migrates is done (milliseconds). */
const POLLING_INTERVAL = 200;
/**
 * Whoever comes after a migration that waits for a table waits behind it, so it waits for no longer
 * than this, steps back for that, and tries again for so long in all (milliseconds). PostgreSQL
 * looks for deadlocks after a second: before that, it is the migration that gives way.
 */
const LOCK_TIMEOUT = 500;
const PAUSE = 3000;
const PATIENCE = 10 * 60_000;

interface Options {
  readonly migrations?: Migrations;
  readonly lockTimeout?: number;
  readonly pause?: number;
  readonly patience?: number;
  /** Told what is done and what is waited for, for the log. */
  readonly report?: (message: string) => void;
}

type Settings = Required<Options>;

const DEFAULTS: Settings = {
  migrations: MIGRATIONS,
  lockTimeout: LOCK_TIMEOUT,
  pause: PAUSE,
  patience: PATIENCE,
  report: () => undefined,
};

/**
 * Brings the database up to date, while others may be at work in it. Any number of processes may
 * call it at once: the first does the work and the others wait for it.
 * @throws UnusableDatabaseError for one that is not fit for it
 */
export async function migrate(
  database: Pick<Database, 'db' | 'url'>,
  options: Options = {},
): Promise<void> {
  const settings = { ...DEFAULTS, ...options };
  const pending = await findPending(database.db, settings.migrations);
  if (pending.length === 0) return;
  await requireFit(database.db);
  if (database.url === null) {
    // Nobody else has the embedded database open.
    await database.db
      .connection()
      .execute(async (connection) => migrateAll(connection, false, settings));
    return;
  }
  const db = openConnection(database.url);
  try {
    await db.connection().execute(async (connection) => {
      await sql`SET statement_timeout = 0`.execute(connection);
      await sql`SET lock_timeout = 0`.execute(connection);
      await holdingLock(connection, settings, async () => migrateAll(connection, true, settings));
    });
  } finally {
    await db.destroy();
  }
}

/** Those migrations of this version that the database lacks. @throws UnusableDatabaseError */
export async function pendingMigrations(db: Db): Promise<string[]> {
  return findPending(db, MIGRATIONS);
}

/** Lays the tables of a database as these migrations left them, in a transaction. */
export async function applyMigrations(trx: Trx, names: readonly string[]): Promise<void> {
  await prepareBookkeeping(trx);
  for (const name of names) await applyIn(trx, name, find(MIGRATIONS, name));
}

/** Waits for whoever migrates, and keeps others from it until the transaction ends. */
export async function holdMigrations(trx: Trx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${LOCK})`.execute(trx);
}

/**
 * A connection with no limits but its own: those of the product's pool suit requests. Statements
 * that may run but once need not be prepared.
 */
function openConnection(url: string): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    keepAlive: true,
    application_name: 'faktur-migration',
  });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/**
 * Does the work when no other process is at it. It asks again and again instead of waiting in the
 * lock's queue: CREATE INDEX CONCURRENTLY waits for every statement under way, and one that waits
 * for the lock of whoever creates the index would wait for itself.
 */
async function holdingLock(db: Db, { report }: Settings, work: () => Promise<void>): Promise<void> {
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
  const { rows } = await sql<{ held: boolean }>`
    SELECT pg_try_advisory_lock(${LOCK}) AS held`.execute(db);
  return rows[0]?.held ?? false;
}

async function migrateAll(db: Db, isShared: boolean, settings: Settings): Promise<void> {
  const { migrations, report } = settings;
  await persevere('the table of migrations', settings, async () =>
    inTransaction(db, settings, prepareBookkeeping),
  );
  for (const name of await findPending(db, migrations)) {
    const migration = find(migrations, name);
    await persevere(name, settings, async () =>
      migration.online && isShared
        ? applyOnline(db, name, migration)
        : inTransaction(db, settings, async (trx) => applyIn(trx, name, migration)),
    );
    report(`migrated the database: ${name}`);
  }
}

function find(migrations: Migrations, name: string): Migration {
  const migration = migrations[name];
  if (!migration) throw new Error(`There is no migration ${name}`);
  return migration;
}

async function applyIn(trx: Trx, name: string, migration: Migration): Promise<void> {
  await migration.up(withoutTypes(trx));
  await note(trx, name, migration, 'DONE');
}

async function applyOnline(db: Db, name: string, migration: Migration): Promise<void> {
  await note(db, name, migration, 'BEGUN');
  await migration.up(withoutTypes(db));
  await note(db, name, migration, 'DONE');
}

/** A migration knows no tables by type: they are not yet, or no longer, what the types say. */
function withoutTypes(db: Db): Kysely<unknown> {
  return db as unknown as Kysely<unknown>;
}

async function inTransaction(
  db: Db,
  { lockTimeout }: Settings,
  work: (trx: Trx) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`SET LOCAL lock_timeout = ${sql.lit(lockTimeout)}`.execute(trx);
    await work(trx);
  });
}

/** Tries again while others hold what the work needs. @throws UnusableDatabaseError in the end */
async function persevere(
  name: string,
  { pause, patience, report }: Settings,
  work: () => Promise<void>,
): Promise<void> {
  const deadline = Date.now() + patience;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isLockTimeout(error) && !isDeadlock(error)) throw error;
      if (Date.now() > deadline) {
        throw new UnusableDatabaseError(
          `The database could not be migrated (${name}): another transaction has held its tables for too long. pg_stat_activity shows which; when it has ended, start anew.`,
          { cause: error },
        );
      }
      report(`another transaction holds a table that ${name} changes; trying again`);
      await sleep(pause);
    }
  }
}

async function requireFit(db: Db): Promise<void> {
  const { rows } = await sql<{ number: number; version: string; encoding: string }>`
    SELECT current_setting('server_version_num')::integer AS number,
      current_setting('server_version') AS version,
      current_setting('server_encoding') AS encoding`.execute(db);
  const [server] = rows;
  if (server && server.number < OLDEST_SERVER) {
    throw new UnusableDatabaseError(`PostgreSQL 15 or later is needed; this is ${server.version}.`);
  }
  if (server && server.encoding !== 'UTF8') {
    throw new UnusableDatabaseError(
      `The database has the encoding ${server.encoding}. Create it anew with ENCODING 'UTF8' TEMPLATE template0.`,
    );
  }
}
