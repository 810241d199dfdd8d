import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';

import type { Db, Trx } from './database.ts';
import { UnusableDatabaseError } from './unusable.ts';
import { accounts } from './migrations/0001-accounts.ts';
import { customers } from './migrations/0002-customers.ts';
import { invoices } from './migrations/0003-invoices.ts';
import { delivery } from './migrations/0004-delivery.ts';
import { staff } from './migrations/0005-staff.ts';

const MIGRATIONS = {
  '0001-accounts': accounts,
  '0002-customers': customers,
  '0003-invoices': invoices,
  '0004-delivery': delivery,
  '0005-staff': staff,
};

/** Any number that no one else takes for an advisory lock: 'faktur' in ASCII, cut to 32 bits. */
const LOCK = 0x66_61_6b_74;

const OLDEST_SERVER = 150_000;

/**
 * Brings the database up to date. Any number of processes may call it at once: the first does the
 * work and the others wait for it. @throws UnusableDatabaseError for one that is not fit for it
 */
export async function migrate(db: Db): Promise<void> {
  // Kysely looks through the whole catalogue; on the embedded database that takes longer than
  // opening it, at every start.
  if (await isCurrent(db)) return;
  await requireFit(db);
  await db.connection().execute(async (connection) => {
    await sql`SELECT pg_advisory_lock(${LOCK})`.execute(connection);
    try {
      const { error } = await migratorOf(connection).migrateToLatest();
      if (error) throw new Error('The database could not be migrated', { cause: error });
    } finally {
      await sql`SELECT pg_advisory_unlock(${LOCK})`.execute(connection);
    }
  });
}

/**
 * Brings the database to an earlier version, or to any, inside a transaction that holds off every
 * process that is about to start.
 */
export async function migrateTo(trx: Trx, version: string): Promise<void> {
  const { error } = await migratorOf(trx).migrateTo(version);
  if (error) throw new Error('The database could not be migrated', { cause: error });
}

/** Waits for whoever migrates, and keeps others from it until the transaction ends. */
export async function holdMigrations(trx: Trx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${LOCK})`.execute(trx);
}

/** The migrations that this version of the product knows, oldest first. */
export const KNOWN_MIGRATIONS: readonly string[] = Object.keys(MIGRATIONS);

async function isCurrent(db: Db): Promise<boolean> {
  const { rows: tables } = await sql<{ there: boolean }>`
    SELECT to_regclass('public.migration') IS NOT NULL AS there`.execute(db);
  if (!tables[0]?.there) return false;
  const { rows } = await sql<{ name: string }>`SELECT name FROM migration ORDER BY name`.execute(
    db,
  );
  const applied = rows.map(({ name }) => name);
  requireKnown(applied);
  return applied.join() === KNOWN_MIGRATIONS.toSorted().join();
}

function requireKnown(applied: readonly string[]): void {
  const unknown = applied.filter((name) => !KNOWN_MIGRATIONS.includes(name));
  if (unknown.length === 0) return;
  throw new UnusableDatabaseError(
    `The database belongs to a newer version of Faktur (${unknown.join(', ')}). Start that version, or restore a backup of this one.`,
  );
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

/** The migrations that the database has seen, oldest first; none for an empty one. */
export async function appliedMigrations(db: Db): Promise<string[]> {
  const migrations = await migratorOf(db).getMigrations();
  return migrations.filter(({ executedAt }) => executedAt !== undefined).map(({ name }) => name);
}

function migratorOf(db: Db): Migrator {
  return new Migrator({
    db,
    provider: { getMigrations: async () => MIGRATIONS },
    migrationTableName: 'migration',
    migrationLockTableName: 'migration_lock',
  });
}
