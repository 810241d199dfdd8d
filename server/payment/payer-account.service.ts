import { keyedHash } from '../platform/crypto.ts';
import type { Trx } from '../platform/db/database.ts';
import { insertPayers, type Payer } from './payer-account.repository.ts';

export { findPayers } from './payer-account.repository.ts';

/**
 * A keyed hash of a payer's account, different for each company (BANK-21). It reveals neither the account nor that
 * two companies were paid from the same one.
 */
export function hashPayerAccount(secretKey: string, companyId: number, account: string): Buffer {
  return keyedHash(secretKey, 'payer-account', `${companyId}\0${account}`);
}

/** Stores for which customers these accounts (hashes, hex) have paid. */
export async function rememberPayers(
  trx: Trx,
  companyId: number,
  payers: readonly Payer[],
): Promise<void> {
  const each = new Map(payers.map((payer) => [`${payer.hash} ${payer.customerId}`, payer]));
  if (each.size > 0) await insertPayers(trx, companyId, [...each.values()]);
}
