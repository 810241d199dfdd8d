import { setTimeout as sleep } from 'node:timers/promises';

import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';

import type { Database, Db, Trx } from './database.ts';
import { isDeadlock, isLockTimeout, UnusableDatabaseError } from './database-errors.ts';
import { baseline, type Migration } from './migration.ts';
import { authorsAreAccounts } from './migrations/0093-authors-are-accounts.ts';
import { accessCounted } from './migrations/0094-access-counted.ts';
import { remindersBeforeCredit } from './migrations/0095-reminders-before-credit.ts';
import {
  addressesTriedAgain,
  addressesTriedAgainIndexes,
} from './migrations/0099-addresses-tried-again.ts';
import { creditAsRecorded } from './migrations/0102-credit-as-recorded.ts';
import { earlierExportsFetched, exportsHandedOut } from './migrations/0103-exports-handed-out.ts';
import { idempotencyKeys } from './migrations/0105-idempotency-keys.ts';
import { invoiceWords } from './migrations/0106-invoice-words.ts';
import { memberNames } from './migrations/0107-member-names.ts';
import { fewerTriggers } from './migrations/0108-fewer-triggers.ts';
import { deliveriesInOrder } from './migrations/0109-deliveries-in-order.ts';
import { einvoice, einvoiceValidated } from './migrations/0110-einvoice.ts';
import { invoiceLinks } from './migrations/0112-invoice-links.ts';
import { passkeys } from './migrations/0122-passkeys.ts';
import { proofs } from './migrations/0121-proofs.ts';
import { sessionsShown } from './migrations/0120-sessions-shown.ts';
import { apiKeys } from './migrations/0130-api-keys.ts';
import { statementDeliveries } from './migrations/0150-statement-deliveries.ts';
import { webhooks } from './migrations/0151-webhooks.ts';
import { quotes } from './migrations/0160-quotes.ts';
import { quotePapers } from './migrations/0161-quote-papers.ts';
import { quoteLinks } from './migrations/0166-quote-links.ts';
import { quoteEvents } from './migrations/0167-quote-events.ts';
import { quoteParts, quotePartsValidated } from './migrations/0169-quote-parts.ts';
import { closing, closingIndexes } from './migrations/0180-closing.ts';
import { quoteCounts } from './migrations/0185-quote-counts.ts';
import { quotePartsByKey } from './migrations/0186-quote-parts-by-key.ts';
import { quoteFiles } from './migrations/0195-quote-files.ts';
import { quoteFailures } from './migrations/0196-quote-failures.ts';
import { notArrived, notArrivedFilled } from './migrations/0197-not-arrived.ts';
import type { Tables } from './tables.ts';

/** Migrations by name, oldest first. */
export type Migrations = Readonly<Record<string, Migration>>;

/** The migration whose tables `schema/` has. A database or backup that has it, or those before it too, is taken over. */
const BASELINE = '0090-exports-as-asked-for';

/** The migrations that this version knows, oldest first. */
export const MIGRATIONS: Migrations = {
  [BASELINE]: baseline,
  '0093-authors-are-accounts': authorsAreAccounts,
  '0094-access-counted': accessCounted,
  '0095-reminders-before-credit': remindersBeforeCredit,
  '0099-addresses-tried-again': addressesTriedAgain,
  '0100-addresses-tried-again-indexes': addressesTriedAgainIndexes,
  '0102-credit-as-recorded': creditAsRecorded,
  '0103-exports-handed-out': exportsHandedOut,
  '0104-earlier-exports-fetched': earlierExportsFetched,
  '0105-idempotency-keys': idempotencyKeys,
  '0106-invoice-words': invoiceWords,
  '0107-member-names': memberNames,
  '0108-fewer-triggers': fewerTriggers,
  '0109-deliveries-in-order': deliveriesInOrder,
  '0110-einvoice': einvoice,
  '0111-einvoice-validated': einvoiceValidated,
  '0112-invoice-links': invoiceLinks,
  '0120-sessions-shown': sessionsShown,
  '0121-proofs': proofs,
  '0122-passkeys': passkeys,
  '0130-api-keys': apiKeys,
  '0150-statement-deliveries': statementDeliveries,
  '0151-webhooks': webhooks,
  '0160-quotes': quotes,
  '0161-quote-papers': quotePapers,
  '0166-quote-links': quoteLinks,
  '0167-quote-events': quoteEvents,
  '0169-quote-parts': quoteParts,
  '0170-quote-parts-validated': quotePartsValidated,
  '0180-closing': closing,
  '0181-closing-indexes': closingIndexes,
  '0185-quote-counts': quoteCounts,
  '0186-quote-parts-by-key': quotePartsByKey,
  '0195-quote-files': quoteFiles,
  '0196-quote-failures': quoteFailures,
  '0197-not-arrived': notArrived,
  '0198-not-arrived-filled': notArrivedFilled,
};

const OLDEST_SERVER = 150_000;
const CONNECT_TIMEOUT = 10_000;
/** The id of our advisory lock: 'faktur' in ASCII, cut to 32 bits. */
const LOCK = 0x66_61_6b_74;
/** Interval at which a process checks whether another one has finished migrating (milliseconds). */
const POLLING_INTERVAL = 200;
/**
 * A migration that waits for a table blocks every later statement on it. So it waits at most this long, pauses, and
 * tries again until its total time is up (milliseconds). PostgreSQL looks for deadlocks only after a second; the
 * migration gives way before that.
 */
const LOCK_TIMEOUT = 500;
const PAUSE = 3000;
const TRY_FOR = 10 * 60_000;

interface Options {
  readonly migrations?: Migrations;
  readonly lockTimeout?: number;
  readonly pause?: number;
  readonly tryFor?: number;
  /** Logs what is done and what is waited for. */
  readonly report?: (message: string) => void;
}

type Settings = Required<Options>;

const DEFAULTS: Settings = {
  migrations: MIGRATIONS,
  lockTimeout: LOCK_TIMEOUT,
  pause: PAUSE,
  tryFor: TRY_FOR,
  report: () => undefined,
};

/**
 * Migrates the database to this version, also while others work in it. When several processes call it at once, the
 * first migrates and the others wait.
 * @throws UnusableDatabaseError for a database that cannot be used
 */
export async function migrate(
  database: Pick<Database, 'db' | 'directUrl'>,
  options: Options = {},
): Promise<void> {
  const settings = { ...DEFAULTS, ...options };
  const pending = await pendingMigrations(database.db, settings.migrations);
  if (pending.length === 0) return;
  await requireSupportedServer(database.db);
  if (database.directUrl === null) {
    // Nobody else has the embedded database open.
    await database.db.connection().execute(async (db) => migrateAll(db, false, settings));
    return;
  }
  const db = openConnection(database.directUrl);
  try {
    await db.connection().execute(async (connection) => {
      await sql`SET statement_timeout = 0`.execute(connection);
      await sql`SET lock_timeout = 0`.execute(connection);
      await lock(connection, settings.report);
      await migrateAll(connection, true, settings);
    });
  } finally {
    // Ends the session, which releases the lock.
    await db.destroy();
  }
}

/**
 * The migrations that the database lacks, oldest first.
 * @throws UnusableDatabaseError when it has a migration that this version does not know
 */
export async function pendingMigrations(
  db: Db,
  migrations: Migrations = MIGRATIONS,
): Promise<string[]> {
  const applied = await appliedMigrations(db);
  const foreign = applied.filter((name) => !Object.hasOwn(migrations, name));
  if (foreign.length > 0) {
    throw new UnusableDatabaseError(
      `The database belongs to a newer version of Faktur (${foreign.join(', ')}). Start that version, or restore a backup of this one.`,
    );
  }
  return Object.keys(migrations).filter((name) => !applied.includes(name));
}

/** The migrations applied to the database, oldest first; none for an empty one. */
export async function appliedMigrations(db: Db): Promise<string[]> {
  const { rows: tables } = await sql<{ there: boolean }>`
    SELECT to_regclass('public.migration') IS NOT NULL AS there`.execute(db);
  if (!tables[0]?.there) return [];
  const { rows } = await sql<{ name: string }>`SELECT name FROM migration ORDER BY name`.execute(
    db,
  );
  return withBaseline(rows.map(({ name }) => name));
}

/**
 * The names from the baseline on.
 * @param names of the migrations of a database or a backup
 * @throws UnusableDatabaseError when they end before the baseline
 */
export function withBaseline(names: readonly string[]): string[] {
  const earlier = names.filter((name) => name < BASELINE);
  if (earlier.length > 0 && !names.includes(BASELINE)) {
    throw new UnusableDatabaseError(
      `The tables are those of an older version of Faktur (${earlier.at(-1)}), which this one does not take over. Bring them up to date by the last version with ${BASELINE}.`,
    );
  }
  return names.filter((name) => name >= BASELINE);
}

/** Applies these migrations in a transaction. */
export async function applyMigrations(trx: Trx, names: readonly string[]): Promise<void> {
  await createMigrationTable(trx);
  for (const name of names) await applyIn(trx, name, find(MIGRATIONS, name));
}

/** Waits until no process migrates, and prevents migrations until the transaction ends. */
export async function lockMigrations(trx: Trx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${LOCK})`.execute(trx);
}

/**
 * Takes the lock of migrations for the session. It polls instead of waiting in PostgreSQL: CREATE INDEX CONCURRENTLY
 * waits for every running statement, so a statement waiting for this lock would be a deadlock.
 */
async function lock(db: Db, report: Settings['report']): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const { rows } = await sql<{ isLocked: boolean }>`
      SELECT pg_try_advisory_lock(${LOCK}) AS "isLocked"`.execute(db);
    if (rows[0]?.isLocked) return;
    if (tries === 0) report('waiting for another process, which migrates the database');
    await sleep(POLLING_INTERVAL);
  }
}

/** A connection without the time limits of the product's pool, which are for requests. */
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

async function migrateAll(db: Db, isShared: boolean, settings: Settings): Promise<void> {
  const { migrations, report } = settings;
  await createMigrationTable(db);
  for (const name of await pendingMigrations(db, migrations)) {
    const migration = find(migrations, name);
    if (migration.online && isShared) await applyIn(db, name, migration);
    else await applyWhenFree(db, name, migration, settings);
    report(`migrated the database: ${name}`);
  }
}

function find(migrations: Migrations, name: string): Migration {
  const migration = migrations[name];
  if (!migration) throw new Error(`There is no migration ${name}`);
  return migration;
}

async function createMigrationTable(db: Db): Promise<void> {
  await sql`
    CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY, "timestamp" text NOT NULL)
  `.execute(db);
}

async function applyIn(db: Db, name: string, migration: Migration): Promise<void> {
  // A migration does not use the table types, which describe the current version.
  await migration.up(db as unknown as Kysely<unknown>);
  await sql`
    INSERT INTO migration (name, "timestamp") VALUES (${name}, ${new Date().toISOString()})
  `.execute(db);
}

/**
 * Applies a migration in a transaction, and tries again while others lock its tables.
 * @throws UnusableDatabaseError when the time is up
 */
async function applyWhenFree(
  db: Db,
  name: string,
  migration: Migration,
  { lockTimeout, pause, tryFor, report }: Settings,
): Promise<void> {
  const deadline = Date.now() + tryFor;
  for (;;) {
    try {
      await db.transaction().execute(async (trx) => {
        await sql`SET LOCAL lock_timeout = ${sql.lit(lockTimeout)}`.execute(trx);
        await applyIn(trx, name, migration);
      });
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

async function requireSupportedServer(db: Db): Promise<void> {
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
