import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { sql, type Kysely, type RawBuilder } from 'kysely';

/** One step of the schema towards the current version. */
export interface Migration {
  up(db: Kysely<unknown>): Promise<void>;
  /**
   * For slow changes to large tables: indexes by `createIndex`, `VALIDATE CONSTRAINT`, filling a column in parts. On
   * a server it runs outside a transaction, while others write, and may be interrupted and started again: each of its
   * statements must be safe to repeat. Where nobody else works (the embedded database, a restore) it still runs in a
   * transaction.
   */
  readonly online?: true;
}

interface Index {
  readonly name: string;
  /** Table, columns and condition, as after ON. */
  readonly on: RawBuilder<unknown>;
  readonly unique?: boolean;
}

/** Creates an index in an online migration, without blocking writes to its table. */
export async function createIndex(
  db: Kysely<unknown>,
  { name, on, unique = false }: Index,
): Promise<void> {
  const kind = sql.raw(unique ? 'UNIQUE INDEX' : 'INDEX');
  if (db.isTransaction) {
    await sql`CREATE ${kind} IF NOT EXISTS ${sql.ref(name)} ON ${on}`.execute(db);
    return;
  }
  // An interrupted index stays behind, invalid and unused.
  const { rows } = await sql`
    SELECT FROM pg_index WHERE indexrelid = to_regclass(${name}) AND NOT indisvalid`.execute(db);
  if (rows.length > 0) await sql`DROP INDEX CONCURRENTLY ${sql.ref(name)}`.execute(db);
  await sql`CREATE ${kind} CONCURRENTLY IF NOT EXISTS ${sql.ref(name)} ON ${on}`.execute(db);
}

const SCHEMA = join(import.meta.dirname, 'schema');
/** A statement ends with a semicolon outside comments and function bodies. */
const STATEMENT = /(?:--[^\n]*\n|\$\$[^$]*\$\$|[^;])+;/g;

/** Creates all tables of `server/platform/db/schema/` in an empty database. */
export const baseline: Migration = {
  up: async (db) => {
    for (const file of (await readdir(SCHEMA)).toSorted()) {
      const text = await readFile(join(SCHEMA, file), 'utf8');
      for (const [statement] of text.matchAll(STATEMENT)) await sql.raw(statement).execute(db);
    }
  },
};
