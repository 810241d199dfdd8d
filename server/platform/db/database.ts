import { setTimeout as sleep } from 'node:timers/promises';

import type { PGlite } from '@electric-sql/pglite';
import {
  CamelCasePlugin,
  Kysely,
  PostgresDialect,
  sql,
  type Dialect,
  type Transaction,
  type TransactionBuilder,
} from 'kysely';
import pg from 'pg';

import { requestContext } from '../log/log.ts';
import type { TimeLimits, WatchedConfig } from './client.ts';
import {
  byTurns,
  CALL_LIMITS,
  EmbeddedDialect,
  openPool,
  KEPT_OPEN,
  POOL_SIZE,
  poolConfig,
  turnsFor,
} from './connections.ts';
import { openEmbeddedDatabase, type EmbeddedDatabase } from './embedded.ts';
import type { Tables } from './tables.ts';

/** The database or a transaction. Always a function's first argument. */
export type Db = Kysely<Tables>;
export type Trx = Transaction<Tables>;

declare module '../log/log.ts' {
  interface Call {
    /** Called when a transaction of the call is about to commit; an error rolls it back. */
    beforeCommit?(trx: Trx): Promise<void>;
  }
}

/** An open database, embedded or on a server. */
export interface Database {
  readonly db: Db;
  /** Runs a query on its own connection. @throws when the database does not answer */
  ping(): Promise<void>;
  /** The embedded instance, for the job queue; null for a server. */
  readonly pglite: PGlite | null;
  /** Connection string for work that needs its own session (jobs, migrations); null when embedded. */
  readonly directUrl: string | null;
  /** Whether there is a pooler between `db` and PostgreSQL, so that session state ends with each transaction. */
  readonly isPooled: boolean;
  close(): Promise<void>;
}

/** A working database answers at once (milliseconds). */
const PING_LIMITS: TimeLimits = { ...CALL_LIMITS, statement: 2000 };
/** An embedded database that has not answered after this time is busy (milliseconds). */
const EMBEDDED_PING = 1000;

interface ServerOptions {
  /** Time limits for statements of `db`; an operator's command has none. */
  readonly limits?: TimeLimits | undefined;
  /** A URL that bypasses the pooler; absent or equal to that of `db` when there is no pooler. */
  readonly databaseDirectUrl?: string | null;
  /** Whether statements are prepared by name; true when absent. */
  readonly preparesStatements?: boolean;
  /** Most connections of `db`; those of a server's process when absent. */
  readonly connections?: number;
}

interface Options extends ServerOptions {
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** Receives lost connections, and a PoolerError when the pooler does not fit the settings. */
  readonly onError: (error: Error) => void;
}

/** Opens the configured database. */
export async function openDatabase(options: Options): Promise<Database> {
  if (options.databaseUrl === null)
    return wrapEmbedded(await openEmbeddedDatabase(options.dataDir));
  return openServer(options.databaseUrl, options.onError, options);
}

/** Wraps an open embedded instance. */
export function wrapEmbedded(embedded: EmbeddedDatabase): Database {
  const { pglite } = embedded;
  const db = onDialect(byTurns(new EmbeddedDialect({ pglite }), turnsFor(1)));
  return {
    db,
    async ping() {
      const answer = pglite.query('SELECT 1');
      // It runs in this process, so it exists, though it may be busy.
      answer.catch(() => undefined);
      await Promise.race([answer, sleep(EMBEDDED_PING)]);
    },
    pglite,
    directUrl: null,
    isPooled: false,
    close: async () => embedded.close(),
  };
}

/** Opens a database on a PostgreSQL server. */
export function openServer(
  url: string,
  onError: (error: Error) => void,
  {
    limits,
    databaseDirectUrl,
    preparesStatements = true,
    connections = POOL_SIZE,
  }: ServerOptions = {},
): Database {
  const directUrl = databaseDirectUrl ?? url;
  const isPooled = directUrl !== url;
  const open = (max: number, time: TimeLimits | undefined) => {
    const config: WatchedConfig = {
      ...poolConfig(url, time, isPooled),
      prepares: preparesStatements,
      onPoolerError: onError,
      max,
      min: Math.min(max, KEPT_OPEN),
      application_name: 'faktur',
      types: { getTypeParser },
    };
    return openPool(config, onError);
  };
  const db = onDialect(
    byTurns(new PostgresDialect({ pool: open(connections, limits) }), turnsFor(connections)),
  );
  const pinging = onDialect(new PostgresDialect({ pool: open(1, PING_LIMITS) }));
  return {
    db,
    ping: async () => void (await sql`SELECT 1`.execute(pinging)),
    pglite: null,
    directUrl,
    isPooled,
    close: async () => {
      await db.destroy();
      await pinging.destroy();
    },
  };
}

function onDialect(dialect: Dialect): Db {
  return new DatabaseOfCalls({ dialect, plugins: [new CamelCasePlugin()] });
}

class DatabaseOfCalls extends Kysely<Tables> {
  /** Transactions with an isolation level of their own only read, and are not judged. */
  override transaction(): TransactionBuilder<Tables> {
    const builder = super.transaction();
    const execute = builder.execute.bind(builder);
    builder.execute = async (work) =>
      execute(async (trx) => {
        const result = await work(trx);
        await requestContext.getStore()?.call?.beforeCommit?.(trx);
        return result;
      });
    return builder;
  }
}

/** Amounts and ids fit in a double, as the schemas require. Dates stay text, without a time zone. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === pg.types.builtins.INT8) return Number;
  if (oid === pg.types.builtins.DATE) return (date: string) => date;
  return pg.types.getTypeParser(oid, format) as (text: string) => unknown;
}
