import type { MailRecipient } from '../../domain/delivery/mail-recipients.ts';
import { mailsIn } from '../platform/db/addressed-mails.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';

/** The reason of a mail that was given up, where there is no other. */
export const NOT_SENT = 'E-posten kunne ikke sendes';

/** A mail of a document of a quote. */
export type QuoteDeliveryRow = Row<'quoteDelivery'>;

/** Adds a mail of a document. */
export async function insertQuoteDelivery(
  trx: Trx,
  { companyId, documentId }: Pick<QuoteDeliveryRow, 'companyId' | 'documentId'>,
  recipients: readonly MailRecipient[],
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

export const { saveRecipients, hasQueued } = mailsIn('quote_delivery');
