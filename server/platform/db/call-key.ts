import { CompiledQuery, type DatabaseConnection, type Driver } from 'kysely';

import { AppError } from '../../errors.ts';
import { requestContext } from '../log/log.ts';
import { isLockTimeout } from './database-errors.ts';

/** The key of a call that is done once, which is claimed in the call's first transaction (WIRE-22). */
export interface CallKey {
  readonly id: Buffer;
  readonly accountId: number;
  /** A hash of the method, address and body; null while the upload is not read. */
  readonly requestHash: Buffer | null;
  /** Whether a transaction of the call has the key. */
  isClaimed: boolean;
}

declare module '../log/log.ts' {
  interface Call {
    /** Absent when the call has no key. */
    key?: CallKey;
  }
}

/** How long a key is kept (hours). */
export const KEPT_HOURS = 24;
/** Seconds after which the first call with a key has ended, as a rule. */
const RETRY_AFTER = 2;

/** Ends the work of a call whose key another call has; its route answers by the key. */
class KeyOfOthers extends Error {
  override readonly name = 'KeyOfOthers';
}

/** The same call is under way elsewhere. */
export function underWay(): AppError {
  return new AppError('idempotency_key_under_way', { retryAfter: RETRY_AFTER });
}

/**
 * Wraps a driver so that the first transaction of a call with a key claims it: what the transaction writes and the key
 * are there together, or neither. Two calls with one key come one after the other.
 */
export function claimingKeys(driver: Driver): Driver {
  const begin = driver.beginTransaction.bind(driver);
  const commit = driver.commitTransaction.bind(driver);
  const rollback = driver.rollbackTransaction.bind(driver);
  const claims = new WeakMap<DatabaseConnection, CallKey>();
  driver.beginTransaction = async (connection, settings) => {
    await begin(connection, settings);
    const key = requestContext.getStore()?.call?.key;
    if (!key || key.isClaimed) return;
    try {
      await claim(connection, key);
    } catch (error) {
      await rollback(connection);
      throw isLockTimeout(error) ? underWay() : error;
    }
    claims.set(connection, key);
  };
  driver.commitTransaction = async (connection) => {
    // The key is not claimed again, even if the commit fails.
    claims.delete(connection);
    await commit(connection);
  };
  driver.rollbackTransaction = async (connection) => {
    const key = claims.get(connection);
    claims.delete(connection);
    if (key) key.isClaimed = false;
    await rollback(connection);
  };
  return driver;
}

/** Waits for another transaction that claims the key. @throws KeyOfOthers */
async function claim(connection: DatabaseConnection, key: CallKey): Promise<void> {
  const { rows } = await connection.executeQuery(
    CompiledQuery.raw(
      `INSERT INTO idempotency_key (id, account_id, request_hash) VALUES ($1, $2, $3)
       ON CONFLICT (id) DO UPDATE
         SET request_hash = excluded.request_hash, status = NULL, answer = NULL, created_at = now()
         WHERE idempotency_key.created_at < now() - interval '${KEPT_HOURS} hours'
       RETURNING id`,
      [key.id, key.accountId, key.requestHash],
    ),
  );
  if (rows.length === 0) throw new KeyOfOthers('Another call has the key');
  key.isClaimed = true;
}
