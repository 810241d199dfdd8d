import { setTimeout as sleep } from 'node:timers/promises';

import type { PGlite } from '@electric-sql/pglite';
import {
  CamelCasePlugin,
  Kysely,
  PostgresDialect,
  sql,
  type Dialect,
  type Transaction,
} from 'kysely';
import pg from 'pg';

import {
  byTurns,
  CALL_LIMITS,
  EmbeddedDialect,
  openPool,
  POOL_SIZE,
  poolConfig,
  turnsFor,
} from './connections.ts';
import { openEmbeddedDatabase, type EmbeddedDatabase } from './embedded.ts';
import { PreparingClient, type PreparingConfig } from './prepared-statements.ts';
import type { Tables } from './tables.ts';
import type { TimeLimits } from './watched-client.ts';

/** Where queries go: the database, or a transaction in it. Always a function's first argument. */
export type Db = Kysely<Tables>;
export type Trx = Transaction<Tables>;

/** An open database, embedded or on a server. */
export interface Database {
  readonly db: Db;
  /** Asks the database for an answer, on a connection of its own. @throws when there is none */
  ping(): Promise<void>;
  /** The embedded instance, for the job queue; null on a server. */
  readonly pglite: PGlite | null;
  /** The connection string for what needs a session of its own: jobs, migrations; null when embedded. */
  readonly directUrl: string | null;
  /** Whether a pooler is between `db` and PostgreSQL, so that nothing lasts longer than a transaction. */
  readonly isPooled: boolean;
  close(): Promise<void>;
}

/** A database that is there answers at once (milliseconds). */
const PING_LIMITS: TimeLimits = { ...CALL_LIMITS, statement: 2000 };
/** An embedded database that has not answered by then is busy (milliseconds). */
const EMBEDDED_PING = 1000;

interface ServerOptions {
  /** What statements of `db` may take; nothing limits an operator's command. */
  readonly limits?: TimeLimits | undefined;
  /** The way around a pooler; there is none when it is absent or that of `db`. */
  readonly databaseDirectUrl?: string | null;
  /** Whether statements are prepared by name; they are when absent. */
  readonly preparesStatements?: boolean;
}

interface Options extends ServerOptions {
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** Hears of connections that were lost, and of a pooler that does not suit the settings (PoolerError). */
  readonly onError: (error: Error) => void;
}

/** Opens the database that the settings name. */
export async function openDatabase(options: Options): Promise<Database> {
  if (options.databaseUrl === null)
    return wrapEmbedded(await openEmbeddedDatabase(options.dataDir));
  return openServer(options.databaseUrl, options.onError, options);
}

/** A database of ours on top of an open embedded instance. */
export function wrapEmbedded(embedded: EmbeddedDatabase): Database {
  const { pglite } = embedded;
  const db = onDialect(byTurns(new EmbeddedDialect({ pglite }), turnsFor(1)));
  return {
    db,
    async ping() {
      const answer = pglite.query('SELECT 1');
      // It runs in this process, so it is there, though it may be busy.
      answer.catch(() => undefined);
      await Promise.race([answer, sleep(EMBEDDED_PING)]);
    },
    pglite,
    directUrl: null,
    isPooled: false,
    close: async () => embedded.close(),
  };
}

/** A database of ours on a PostgreSQL server. */
export function openServer(
  url: string,
  onError: (error: Error) => void,
  { limits, databaseDirectUrl, preparesStatements = true }: ServerOptions = {},
): Database {
  const directUrl = databaseDirectUrl ?? url;
  const isPooled = directUrl !== url;
  const open = (max: number, time: TimeLimits | undefined) => {
    const config: PreparingConfig = {
      ...poolConfig(url, time, isPooled),
      Client: PreparingClient,
      prepares: preparesStatements,
      onPoolerError: onError,
      max,
      application_name: 'faktur',
      types: { getTypeParser },
    };
    return openPool(config, onError);
  };
  const db = onDialect(
    byTurns(new PostgresDialect({ pool: open(POOL_SIZE, limits) }), turnsFor(POOL_SIZE)),
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
  return new Kysely<Tables>({
    dialect,
    // What is nested has its names already: see json-rows.ts.
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
}

/** Amounts and ids fit in a double, as the schemas require. Dates stay text, without a time zone. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === pg.types.builtins.INT8) return Number;
  if (oid === pg.types.builtins.DATE) return (date: string) => date;
  return pg.types.getTypeParser(oid, format) as (text: string) => unknown;
}
