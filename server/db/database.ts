import type { PGlite } from '@electric-sql/pglite';
import { CamelCasePlugin, Kysely, PGliteDialect, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';

import { openEmbeddedDatabase, type EmbeddedDatabase } from './embedded.ts';
import { PreparingClient } from './prepared-statements.ts';
import type { Tables } from './tables.ts';

/** Where queries go: the database, or a transaction in it. Always a function's first argument. */
export type Db = Kysely<Tables>;
export type Trx = Transaction<Tables>;

/** An open database, embedded or on a server. */
export interface Database {
  readonly db: Db;
  /** The embedded instance, for the job queue; null on a server. */
  readonly pglite: PGlite | null;
  /** The connection string; null when embedded. */
  readonly url: string | null;
  close(): Promise<void>;
}

const POOL_SIZE = 10;
/** A client that waits longer for a connection is told to come back (milliseconds). */
const CONNECT_TIMEOUT = 10_000;

interface Options {
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  readonly onIdleError: (error: Error) => void;
}

/** Opens the database that the settings name. */
export async function openDatabase(options: Options): Promise<Database> {
  if (options.databaseUrl === null)
    return wrapEmbedded(await openEmbeddedDatabase(options.dataDir));
  return openServer(options.databaseUrl, options.onIdleError);
}

/** A database of ours on top of an open embedded instance. */
export function wrapEmbedded(embedded: EmbeddedDatabase): Database {
  const db = new Kysely<Tables>({
    dialect: new PGliteDialect({ pglite: embedded.pglite }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  return { db, pglite: embedded.pglite, url: null, close: () => embedded.close() };
}

/** A database of ours on a PostgreSQL server. */
export function openServer(url: string, onIdleError: (error: Error) => void): Database {
  const pool = new pg.Pool({
    Client: PreparingClient,
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    application_name: 'faktur',
    types: { getTypeParser },
  });
  // Without listeners, a connection that breaks would end the process: while it is idle, or while
  // it is in use with no statement under way, as between two of a transaction.
  pool.on('error', onIdleError);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  return { db, pglite: null, url, close: () => db.destroy() };
}

/** Amounts and ids fit in a double (the schemas see to it); dates stay dates without a time zone. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === pg.types.builtins.INT8) return Number;
  if (oid === pg.types.builtins.DATE) return (date: string) => date;
  return pg.types.getTypeParser(oid, format) as (text: string) => unknown;
}
