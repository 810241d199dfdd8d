import { sql } from 'kysely';

import type { Db, Trx } from '../platform/db/database.ts';
import type { QuoteDeliveryRow } from './quote-delivery.repository.ts';

/** Matches its partial index: an address failed, and the company does not know. */
const unreported = sql<boolean>`recipients @> '[{"status": "FAILED"}]' AND NOT owner_told`;

/** The companies with mails of quotes that failed, and that they were not told of. */
export async function findCompaniesToTell(db: Db): Promise<number[]> {
  const { rows } = await sql<{ companyId: number }>`
    SELECT DISTINCT company_id FROM quote_delivery WHERE ${unreported}`.execute(db);
  return rows.map(({ companyId }) => companyId);
}

/** Adds a mail to the next notice, also when an address fails after others did. */
export async function markUnreported(
  trx: Trx,
  { companyId, id }: Pick<QuoteDeliveryRow, 'companyId' | 'id'>,
): Promise<void> {
  await trx
    .updateTable('quoteDelivery')
    .set({ ownerTold: false })
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .execute();
}

/**
 * Takes the next mails that failed at an address, the oldest first. Returns those that still matter: the last ones of
 * their document, of an order confirmation or of a quote that can be answered.
 */
export async function takeUnreported(trx: Trx, companyId: number, most: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    WITH taken AS (
      UPDATE quote_delivery SET owner_told = true
      WHERE company_id = ${companyId} AND id IN (
        SELECT id FROM quote_delivery WHERE company_id = ${companyId} AND ${unreported}
        ORDER BY id LIMIT ${sql.lit(most)})
      RETURNING id, document_id)
    SELECT taken.id FROM taken
    JOIN quote_document issued ON issued.company_id = ${companyId} AND issued.id = taken.document_id
    JOIN quote ON quote.company_id = ${companyId} AND quote.id = issued.quote_id
    WHERE (issued.kind = 'ORDER_CONFIRMATION'
        OR quote.sent_revision = issued.revision AND 'SENT' IN (quote.state, quote.sent_state))
      AND (SELECT count(*) FROM quote_delivery later
        WHERE later.company_id = ${companyId} AND later.document_id = taken.document_id AND later.id > taken.id) = 0
    ORDER BY taken.id`.execute(trx);
  return rows.map(({ id }) => id);
}
