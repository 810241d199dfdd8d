import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';

import {
  PGliteAdapter,
  PGliteDialect,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type PostgresPool,
} from 'kysely';
import pg from 'pg';

import { requestContext } from '../log/log.ts';
import { claimingKeys } from './call-key.ts';
import { Turns } from './turns.ts';
import { limitsStatement, WatchedClient, type TimeLimits, type WatchedConfig } from './client.ts';
import { SilentDatabaseError } from './database-errors.ts';
import type { Tables } from './tables.ts';

/** Connections of one process, for requests and jobs. */
export const POOL_SIZE = 10;
/**
 * Connections that stay open however long nothing is asked; the others end after ten seconds. A new one plans each
 * statement anew, and a person who looks now and then would wait for that.
 */
export const KEPT_OPEN = 4;
/** Most connections for the calls of one company, so that it cannot use them all. */
const MOST_OF_COMPANY = 4;
/** Most connections for everything else: jobs, and callers whose company is not known yet. */
const MOST_OF_OTHERS = 8;
/** Most waiting calls of one company; each keeps its request in memory. */
const MOST_WAITING = 200;
/** Longest wait of a call for a connection (milliseconds). Jobs wait without limit. */
const CALL_TIMEOUT = 6000;
/** Longest time to open a connection without limits (milliseconds). */
const CONNECT_TIMEOUT = 10_000;
/** The operating system probes an idle connection after this time (milliseconds). */
const KEEP_ALIVE = 10_000;

/**
 * Limits of statements that a caller waits for. The lock limit is shorter than the statement limit, so that the error
 * names the cause. Both are below ten seconds, the longest wait for an answer.
 */
export const CALL_LIMITS: TimeLimits = {
  connect: 3000,
  statement: 5000,
  statementOfTransaction: 60_000,
  lock: 4000,
  idleInTransaction: 30_000,
};

/** Overrides the defaults of the role or the database in PostgreSQL. */
const NO_LIMITS = { statement: 0, lock: 0, idleInTransaction: 0 };

/**
 * pg's settings for a pool of watched connections. Without `limits` a statement may take any time.
 *
 * @param isPooled whether a pooler may lend a connection for one transaction at a time. The limits are then set in
 * each transaction, and the pooler must set those of single statements.
 */
export function poolConfig(
  url: string,
  limits: TimeLimits | undefined,
  isPooled = false,
): WatchedConfig {
  return {
    Client: WatchedClient,
    limits,
    isPooled,
    connectionString: url,
    connectionTimeoutMillis: limits?.connect ?? CONNECT_TIMEOUT,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE,
    ...(!isPooled && {
      // In a statement of its own: poolers refuse it in the startup parameters.
      // oxlint-disable-next-line typescript/no-misused-promises -- pg awaits it, against its type
      onConnect: async (client) => client.query(limitsStatement('SESSION', limits ?? NO_LIMITS)),
    }),
  };
}

/** A pool for Kysely. After a connection fell silent, it hands out only connections that have answered since. */
export function openPool(config: WatchedConfig, onIdleError: (error: Error) => void): PostgresPool {
  const pool = new pg.Pool(config);
  let silentSince = 0;
  pool.on('error', onIdleError);
  // Without a listener, a connection that breaks between two statements of a transaction would end the process.
  pool.on('connect', (client) =>
    client.on('error', (error: Error) => {
      if (error instanceof SilentDatabaseError) silentSince = performance.now();
    }),
  );
  return {
    Client: pg.Client,
    options: pool.options,
    end: async () => pool.end(),
    async connect() {
      for (;;) {
        const client = (await pool.connect()) as pg.PoolClient & WatchedClient;
        if (client.heardAt >= silentSince) return client;
        const error = new SilentDatabaseError('Another connection fell silent');
        client.giveUp(error);
        client.release(error);
      }
    },
  };
}

/** The user of a connection: a company, unidentified callers, the look-up of a caller, or background work. */
type Whose = number | 'callers' | 'look-up' | 'background';

/** Shares the connections fairly among companies. */
export function turnsFor(places: number): Turns<Whose> {
  return new Turns<Whose>({
    places,
    most: (whose) => Math.min(places, typeof whose === 'number' ? MOST_OF_COMPANY : MOST_OF_OTHERS),
    mostWaiting: MOST_WAITING,
  });
}

/** A dialect whose connections are granted in turns. */
export function byTurns(dialect: Dialect, turns: Turns<Whose>): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () =>
      takingTurns(
        claimingKeys(callingAfterCommit(dialect.createDriver())),
        turns,
        dialect instanceof EmbeddedDialect,
      ),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}

function takingTurns(driver: Driver, turns: Turns<Whose>, isEmbedded: boolean): Driver {
  const acquire = driver.acquireConnection.bind(driver);
  const release = driver.releaseConnection.bind(driver);
  const leaving = new WeakMap<DatabaseConnection, () => void>();
  driver.acquireConnection = async (options) => {
    const call = requestContext.getStore()?.call;
    const whose = call ? (call.companyId ?? 'callers') : 'background';
    const patience = call ? CALL_TIMEOUT : Infinity;
    const leave = await turns.enter(whose, { patience, signal: call?.signal });
    try {
      // PGlite's answers never yield to the event loop; yield here so that others can take their turn.
      if (isEmbedded) await nextTurnOfTheLoop();
      const connection = await acquire(options);
      leaving.set(connection, leave);
      return connection;
    } catch (error) {
      leave();
      throw error;
    }
  };
  driver.releaseConnection = async (connection, options) => {
    const leave = leaving.get(connection);
    try {
      await release(connection, options);
    } finally {
      leave?.();
    }
  };
  return driver;
}

/** The embedded database. Turns share its one connection instead of Kysely's mutex. */
export class EmbeddedDialect extends PGliteDialect {
  override createAdapter(): PGliteAdapter {
    return new TurnsAdapter();
  }
}

class TurnsAdapter extends PGliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** Callbacks that wait for a connection's transaction. */
const waiting = new WeakMap<DatabaseConnection, Set<() => void>>();

/** Calls `run` once the transaction is committed, or at once outside a transaction. A rollback drops it. */
export async function afterCommit(db: Kysely<Tables>, run: () => void): Promise<void> {
  if (!db.isTransaction) {
    run();
    return;
  }
  await db.getExecutor().provideConnection(async (connection) => {
    const calls = waiting.get(connection) ?? new Set();
    waiting.set(connection, calls.add(run));
  });
}

/** Wraps a driver so that it calls the waiting callbacks when a transaction ends. */
function callingAfterCommit(driver: Driver): Driver {
  const commit = driver.commitTransaction.bind(driver);
  const rollback = driver.rollbackTransaction.bind(driver);
  driver.commitTransaction = async (connection) => {
    const calls = waiting.get(connection) ?? [];
    waiting.delete(connection);
    await commit(connection);
    for (const call of calls) call();
  };
  driver.rollbackTransaction = async (connection) => {
    waiting.delete(connection);
    await rollback(connection);
  };
  return driver;
}
