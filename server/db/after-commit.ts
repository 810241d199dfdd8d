import type { DatabaseConnection, Driver, Kysely } from 'kysely';

import type { Tables } from './tables.ts';

/** What waits for the transaction of a connection. */
const waiting = new WeakMap<DatabaseConnection, Set<() => void>>();

/** Calls `run` once the transaction is committed, or at once outside of one. What is rolled back calls nothing. */
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

/** The same driver, which calls what waits for a transaction when it ends. */
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
