import { sql } from 'kysely';

import type { StatementRecipient } from '../../domain/portal/statement-delivery.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';

/** A mail of a document of a quote. */
export type QuoteDeliveryRow = Row<'quoteDelivery'>;

/** Adds a mail of a document. */
export async function insertQuoteDelivery(
  trx: Trx,
  { companyId, documentId }: Pick<QuoteDeliveryRow, 'companyId' | 'documentId'>,
  recipients: readonly StatementRecipient[],
): Promise<QuoteDeliveryRow> {
  return trx
    .insertInto('quoteDelivery')
    .values({ companyId, documentId, recipients: JSON.stringify(recipients) })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A mail of a document; null when there is none. */
export async function findQuoteDelivery(
  db: Db,
  companyId: number,
  id: number,
): Promise<QuoteDeliveryRow | null> {
  const row = await db
    .selectFrom('quoteDelivery')
    .selectAll()
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** Whether a company has a quote or an order confirmation that is being mailed. */
export async function hasQueued(db: Db, companyId: number): Promise<boolean> {
  const row = await db
    .selectFrom('quoteDelivery')
    .select('id')
    .where('companyId', '=', companyId)
    .where(sql<boolean>`recipients @> '[{"status": "QUEUED"}]'`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Keeps what became of each address; the time is that of the first that got it. */
export async function saveQuoteRecipients(
  trx: Trx,
  { companyId, id }: Pick<QuoteDeliveryRow, 'companyId' | 'id'>,
  recipients: readonly StatementRecipient[],
): Promise<void> {
  const hasArrived = recipients.some(({ status }) => status === 'SENT');
  await trx
    .updateTable('quoteDelivery')
    .set({
      recipients: JSON.stringify(recipients),
      ...(hasArrived && { sentAt: sql<Date>`COALESCE(sent_at, now())` }),
    })
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .execute();
}
