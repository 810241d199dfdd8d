import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';

import type { Db, Trx } from './database.ts';
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

/**
 * Brings the database up to date. Any number of processes may call it at once: the first does the
 * work and the others wait for it.
 */
export async function migrate(db: Db): Promise<void> {
  // Kysely looks through the whole catalogue; on the embedded database that takes longer than
  // opening it, at every start.
  if (await isCurrent(db)) return;
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
  return rows.map(({ name }) => name).join() === KNOWN_MIGRATIONS.toSorted().join();
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
