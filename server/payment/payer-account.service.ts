import { keyedHash } from '../platform/crypto.ts';
import type { Trx } from '../platform/db/database.ts';
import { insertPayers, type Payer } from './payer-account.repository.ts';

export { findPayers } from './payer-account.repository.ts';

/**
 * What is kept of an account that a company was paid from: it tells nobody the account, and not that
 * another company was paid from the same one.
 */
export function hashPayerAccount(secretKey: string, companyId: number, account: string): Buffer {
  return keyedHash(secretKey, 'payer-account', `${companyId}\0${account}`);
}

/** Remembers for which customers was paid from which accounts (hashes, hex). */
export async function rememberPayers(
  trx: Trx,
  companyId: number,
  payers: readonly Payer[],
): Promise<void> {
  const each = new Map(payers.map((payer) => [`${payer.hash} ${payer.customerId}`, payer]));
  if (each.size > 0) await insertPayers(trx, companyId, [...each.values()]);
}
