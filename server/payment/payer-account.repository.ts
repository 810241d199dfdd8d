import { sql } from 'kysely';

import { keyedHash } from '../platform/crypto.ts';
import type { Db, Trx } from '../platform/db/database.ts';

/** A customer for whom an account has paid; of the account only a keyed hash (hex) is stored (BANK-21). */
export interface Payer {
  readonly hash: string;
  readonly customerId: number;
}

/** Limit for accounts that pay for many customers, such as a debt collector's. */
const CUSTOMERS_OF_ACCOUNT = 10;

/**
 * A keyed hash of a payer's account, different for each company (BANK-21). It reveals neither the account nor that
 * two companies were paid from the same one.
 */
export function hashPayerAccount(secretKey: string, companyId: number, account: string): Buffer {
  return keyedHash(secretKey, 'payer-account', `${companyId}\0${account}`);
}

/** Stores for which customers these accounts (hashes, hex) have paid; existing pairs are kept. */
export async function rememberPayers(
  trx: Trx,
  companyId: number,
  payers: readonly Payer[],
): Promise<void> {
  if (payers.length === 0) return;
  await sql`
    INSERT INTO payer_account (company_id, hash, customer_id)
    SELECT ${companyId}::bigint, decode(given.hash, 'hex'), given.customer_id
    FROM unnest(${payers.map(({ hash }) => hash)}::text[],
      ${payers.map(({ customerId }) => customerId)}::bigint[]) AS given (hash, customer_id)
    ORDER BY 2, 3
    ON CONFLICT DO NOTHING`.execute(trx);
}

/** The customers for whom these accounts have paid. */
export async function findPayers(
  db: Db,
  companyId: number,
  hashes: readonly string[],
): Promise<Payer[]> {
  const { rows } = await sql<Payer>`
    SELECT given.hash, payer.customer_id
    FROM unnest(${[...hashes]}::text[]) AS given (hash)
    CROSS JOIN LATERAL (
      SELECT customer_id FROM payer_account
      WHERE company_id = ${companyId} AND hash = decode(given.hash, 'hex')
      ORDER BY customer_id LIMIT ${sql.lit(CUSTOMERS_OF_ACCOUNT)}
    ) payer`.execute(db);
  return rows;
}
