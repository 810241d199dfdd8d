import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { sql, type Kysely, type RawBuilder } from 'kysely';

/** One step of the tables towards the present version. */
export interface Migration {
  up(db: Kysely<unknown>): Promise<void>;
  /**
   * For changes that take long on large tables: indexes by `createIndex`, `VALIDATE CONSTRAINT`, filling a column piece by
   * piece. On a server it runs outside a transaction, while others write, and may be cut off and started again: each of
   * its statements must be safe to repeat. Where nobody else works (the embedded database, a restore) it runs in a
   * transaction all the same.
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
  // An index that was cut off stays behind, invalid and unused.
  const { rows } = await sql`
    SELECT FROM pg_index WHERE indexrelid = to_regclass(${name}) AND NOT indisvalid`.execute(db);
  if (rows.length > 0) await sql`DROP INDEX CONCURRENTLY ${sql.ref(name)}`.execute(db);
  await sql`CREATE ${kind} CONCURRENTLY IF NOT EXISTS ${sql.ref(name)} ON ${on}`.execute(db);
}

const SCHEMA = join(import.meta.dirname, 'schema');
/** A statement ends with a semicolon that is neither in a comment nor in the body of a function. */
const STATEMENT = /(?:--[^\n]*\n|\$\$[^$]*\$\$|[^;])+;/g;

/** Makes all tables of `server/db/schema/`, in an empty database. */
export const baseline: Migration = {
  up: async (db) => {
    for (const file of (await readdir(SCHEMA)).toSorted()) {
      const text = await readFile(join(SCHEMA, file), 'utf8');
      for (const [statement] of text.matchAll(STATEMENT)) await sql.raw(statement).execute(db);
    }
  },
};
