import { sql, type Kysely, type RawBuilder } from 'kysely';

/** One step of the tables towards the present version. */
export interface Migration {
  up(db: Kysely<unknown>): Promise<void>;
  /**
   * For changes that take long: they run outside of a transaction and while others write, such as indexes by
   * `createIndex`, `VALIDATE CONSTRAINT`, filling a column piece by piece. Such a migration may be cut off anywhere
   * and started again, so each of its statements must be safe to repeat. Where nobody else can be at
   * work (the embedded database, a restore) it runs in a transaction all the same.
   */
  readonly online?: true;
  /**
   * The newest migration that a process must know to work beside this one: older ones refuse to
   * start. Null when none can that does not know this one: then all must be stopped before it runs.
   */
  readonly runsBeside: string | null;
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
