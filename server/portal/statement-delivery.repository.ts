import type { Period } from '../../domain/overview/periods.ts';
import type { MailRecipient } from '../../domain/delivery/mail-recipients.ts';
import { mailsIn } from '../platform/db/addressed-mails.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';

/** How many are listed (PORT-40). */
const LISTED = 50;

export type StatementDeliveryRow = Row<
  'statementDelivery',
  | 'companyId'
  | 'id'
  | 'uuid'
  | 'customerId'
  | 'fromDate'
  | 'toDate'
  | 'recipients'
  | 'sentAt'
  | 'createdAt'
>;

export async function insertDelivery(
  trx: Trx,
  { companyId, id: customerId }: { readonly companyId: number; readonly id: number },
  { from: fromDate, to: toDate }: Period,
  recipients: readonly MailRecipient[],
): Promise<StatementDeliveryRow> {
  return trx
    .insertInto('statementDelivery')
    .values({ companyId, customerId, fromDate, toDate, recipients: JSON.stringify(recipients) })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The latest deliveries to a customer, the latest first. */
export async function listDeliveries(
  db: Db,
  companyId: number,
  customerId: number,
): Promise<StatementDeliveryRow[]> {
  return db
    .selectFrom('statementDelivery')
    .selectAll()
    .where('companyId', '=', companyId)
    .where('customerId', '=', customerId)
    .orderBy('id', 'desc')
    .limit(LISTED)
    .execute();
}

/** Null after its customer was deleted. */
export async function findDelivery(
  db: Db,
  companyId: number,
  id: number,
): Promise<StatementDeliveryRow | null> {
  const row = await db
    .selectFrom('statementDelivery')
    .selectAll()
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

export const { saveRecipients, hasQueued } = mailsIn('statement_delivery');
