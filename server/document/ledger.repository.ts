import { sql } from 'kysely';

import type { Db } from '../db/database.ts';

/** A document as it was mailed, and what became of it. */
export interface SentDocumentCheck {
  readonly invoiceId: number;
  readonly format: 'PDF' | 'EHF';
  readonly isUnaltered: boolean;
}

/** What was mailed of these invoices, and whether its bytes are those that its SHA-256 is of. */
export async function checkSentDocuments(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<SentDocumentCheck[]> {
  return db
    .selectFrom('sentDocument')
    .select(['invoiceId', 'format', sql<boolean>`sha256(content) = sha256`.as('isUnaltered')])
    .where('companyId', '=', companyId)
    .where(sql<boolean>`invoice_id = ANY(${[...invoiceIds]}::bigint[])`)
    .execute();
}
