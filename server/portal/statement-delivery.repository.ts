import { sql } from 'kysely';

import type { Period } from '../../domain/overview/periods.ts';
import type { StatementRecipient } from '../../domain/portal/statement-delivery.ts';
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
  recipients: readonly StatementRecipient[],
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

/** Keeps what became of each address; the time is that of the first that got it. */
export async function saveRecipients(
  db: Db,
  { companyId, id }: Pick<StatementDeliveryRow, 'companyId' | 'id'>,
  recipients: readonly StatementRecipient[],
): Promise<void> {
  const hasArrived = recipients.some(({ status }) => status === 'SENT');
  await db
    .updateTable('statementDelivery')
    .set({
      recipients: JSON.stringify(recipients),
      ...(hasArrived && { sentAt: sql<Date>`COALESCE(sent_at, now())` }),
    })
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .execute();
}

/** Whether a company has a statement that is being mailed. */
export async function hasQueued(db: Db, companyId: number): Promise<boolean> {
  const row = await db
    .selectFrom('statementDelivery')
    .select('id')
    .where('companyId', '=', companyId)
    .where(sql<boolean>`recipients @> '[{"status": "QUEUED"}]'`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
