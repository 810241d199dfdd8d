import { sql } from 'kysely';

import type { Buyer, Seller } from '../../domain/parties.ts';
import type { Trx } from '../db/database.ts';
import { findInvoicesByIds } from './invoice.repository.ts';
import type { InvoiceRow } from './invoice.rows.ts';

/** What a draft receives when it is registered. */
export interface Registration {
  readonly id: number;
  readonly invoiceNumber: number;
  readonly kid: string | null;
  readonly buyer: Buyer;
  readonly searchText: string;
}

/** The next drafts in the order they were made, held until the transaction ends. */
export async function lockDrafts(
  trx: Trx,
  companyId: number,
  { afterId, most }: { afterId: number; most: number },
): Promise<InvoiceRow[]> {
  const held = await trx
    .selectFrom('invoice')
    .select('id')
    .where('companyId', '=', companyId)
    .where('status', '=', 'DRAFT')
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(most)
    .forNoKeyUpdate()
    .execute();
  const ids = held.map((row) => row.id);
  return ids.length === 0 ? [] : findInvoicesByIds(trx, companyId, ids);
}

/** Registers drafts in one statement, as the check on the series wants it. */
export async function saveRegistrations(
  trx: Trx,
  companyId: number,
  { seller, bankAccountNumber }: { seller: Seller; bankAccountNumber: string },
  registrations: readonly Registration[],
): Promise<void> {
  await sql`
    UPDATE invoice SET
      status = 'REGISTERED',
      delivery_status = CASE WHEN delivery_type <> 'NONE' THEN 'PENDING' END,
      invoice_number = given.invoice_number,
      kid = given.kid,
      seller = ${JSON.stringify(seller)}::jsonb,
      buyer = given.buyer,
      bank_account_number = ${bankAccountNumber},
      search_text = given.search_text,
      registered_at = now()
    FROM json_to_recordset(${JSON.stringify(registrations.map(toRecord))}::json) AS given (
      id bigint, invoice_number bigint, kid text, buyer jsonb, search_text text
    )
    WHERE invoice.company_id = ${companyId} AND invoice.id = given.id`.execute(trx);
}

function toRecord({ id, invoiceNumber, kid, buyer, searchText }: Registration) {
  return { id, invoice_number: invoiceNumber, kid, buyer, search_text: searchText };
}
