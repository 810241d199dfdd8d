import { sql } from 'kysely';

import type { Db } from './database.ts';
import type { Migration } from './migration.ts';
import { UnusableDatabaseError } from './unusable.ts';

/** Migrations by name, oldest first. */
export type Migrations = Readonly<Record<string, Migration>>;

/** A migration that the database has seen. */
interface Applied {
  readonly name: string;
  /** BEGUN: an online migration that runs now, or was cut off. */
  readonly state: 'BEGUN' | 'DONE';
  readonly runsBeside: string | null;
}

/** A row of the table `migration`; version 1.0 knew only the first two columns. */
interface Row {
  readonly name: string;
  readonly timestamp: string;
  readonly state?: 'BEGUN' | 'DONE';
  readonly runs_beside?: string | null;
}

/** Creates or completes the table of the migrations that the database has seen. */
export async function createMigrationTable(db: Db): Promise<void> {
  await sql`
    CREATE TABLE IF NOT EXISTS migration (
      name varchar(255) PRIMARY KEY,
      "timestamp" varchar(255) NOT NULL
    )`.execute(db);
  await sql`
    ALTER TABLE migration
    ADD COLUMN IF NOT EXISTS state text NOT NULL DEFAULT 'DONE' CHECK (state IN ('BEGUN', 'DONE')),
    ADD COLUMN IF NOT EXISTS runs_beside text`.execute(db);
  // Version 1.0 kept its own lock; ours is PostgreSQL's.
  await sql`DROP TABLE IF EXISTS migration_lock`.execute(db);
}

/** Records how far a migration has come. */
export async function recordMigration(
  db: Db,
  name: string,
  { runsBeside }: Migration,
  state: Applied['state'],
): Promise<void> {
  await sql`
    INSERT INTO migration (name, "timestamp", state, runs_beside)
    VALUES (${name}, ${new Date().toISOString()}, ${state}, ${runsBeside})
    ON CONFLICT (name) DO UPDATE SET "timestamp" = excluded."timestamp", state = excluded.state
  `.execute(db);
}

/** The migrations that the database has gone through, oldest first; none for an empty one. */
export async function appliedMigrations(db: Db): Promise<string[]> {
  const applied = await readApplied(db);
  return applied.filter(({ state }) => state === 'DONE').map(({ name }) => name);
}

/**
 * The given migrations that the database has not gone through, oldest first.
 * @throws UnusableDatabaseError when it has seen one that they cannot run beside
 */
export async function findPending(db: Db, migrations: Migrations): Promise<string[]> {
  const applied = await readApplied(db);
  const foreign = applied.filter(
    ({ name, runsBeside }) =>
      !Object.hasOwn(migrations, name) &&
      (runsBeside === null || !Object.hasOwn(migrations, runsBeside)),
  );
  if (foreign.length > 0) {
    const names = foreign.map(({ name }) => name).join(', ');
    throw new UnusableDatabaseError(
      `The database belongs to a newer version of Faktur (${names}). Start that version, or restore a backup of this one.`,
    );
  }
  const done = new Set(applied.filter(({ state }) => state === 'DONE').map(({ name }) => name));
  return Object.keys(migrations)
    .filter((name) => !done.has(name))
    .toSorted();
}

async function readApplied(db: Db): Promise<Applied[]> {
  const { rows: tables } = await sql<{ there: boolean }>`
    SELECT to_regclass('public.migration') IS NOT NULL AS there`.execute(db);
  if (!tables[0]?.there) return [];
  // As JSON, because a table of version 1.0 lacks two of the columns; as text, because some callers'
  // handle renames what is in JSON and some's does not.
  const { rows } = await sql<{ text: string }>`
    SELECT to_jsonb(migration)::text AS text FROM migration ORDER BY name`.execute(db);
  return rows.map(({ text }) => {
    const row = JSON.parse(text) as Row;
    return { name: row.name, state: row.state ?? 'DONE', runsBeside: row.runs_beside ?? null };
  });
}
