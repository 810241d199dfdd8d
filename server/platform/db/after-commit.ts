import type { DatabaseConnection, Driver, Kysely } from 'kysely';

import type { Tables } from './tables.ts';

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
export function callingAfterCommit(driver: Driver): Driver {
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
