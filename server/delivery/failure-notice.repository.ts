import { sql } from 'kysely';

import type { Db, Trx } from '../platform/db/database.ts';
import { IS_UNCONFIRMED, type DeliveryRow } from './delivery.rows.ts';

/** A mail that is to leave, by the uuid that it is known by. */
export interface UnsentNotice {
  readonly uuid: string;
  readonly deliveryIds: readonly number[];
}

/** As its index has it: what failed, and was not stopped because nobody needed it. */
const untoldFailure = sql<boolean>`status = 'FAILED' AND stopped_by IS NULL AND NOT owner_told`;
const untoldUnconfirmed = sql<boolean>`${IS_UNCONFIRMED} AND NOT owner_told`;

/** The companies that are to be told of something, and were told of nothing for so many seconds. */
export async function findCompaniesToTell(db: Db, seconds: number): Promise<number[]> {
  const { rows } = await sql<{ companyId: number }>`
    SELECT company_id FROM (
      SELECT company_id FROM failure_notice WHERE uuid IS NOT NULL
      UNION
      SELECT company_id FROM delivery WHERE ${untoldFailure}
      UNION
      SELECT company_id FROM delivery WHERE ${untoldUnconfirmed}
    ) waiting
    WHERE NOT EXISTS (
      SELECT FROM failure_notice last WHERE last.company_id = waiting.company_id
        AND last.sent_at > now() - make_interval(secs => ${seconds}))
    ORDER BY company_id`.execute(db);
  return rows.map(({ companyId }) => companyId);
}

/** The notice of a company, locked until the transaction ends. */
export async function lockNotice(
  trx: Trx,
  companyId: number,
  seconds: number,
): Promise<{ readonly unsent: UnsentNotice | null; readonly isEarly: boolean }> {
  await trx
    .insertInto('failureNotice')
    .values({ companyId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { uuid, deliveryIds, isEarly } = await trx
    .selectFrom('failureNotice')
    .select(['uuid', 'deliveryIds'])
    .select(
      sql<boolean>`COALESCE(sent_at > now() - make_interval(secs => ${seconds}), false)`.as(
        'isEarly',
      ),
    )
    .where('companyId', '=', companyId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return { unsent: uuid !== null && deliveryIds !== null ? { uuid, deliveryIds } : null, isEarly };
}

export interface Failed extends Pick<
  DeliveryRow,
  'id' | 'invoiceId' | 'forced' | 'reminderPrincipal'
> {
  /** Whether the document was not sent once more since. */
  readonly isLatest: boolean;
}

/** Takes the next failures, and what nobody knows the end of, that the owner was not told of, oldest first. */
export async function takeUntold(trx: Trx, companyId: number, most: number): Promise<Failed[]> {
  const { rows } = await sql<Failed>`
    WITH taken AS (
      UPDATE delivery SET owner_told = true
      WHERE company_id = ${companyId} AND id IN (
        SELECT id FROM delivery WHERE company_id = ${companyId} AND (${untoldFailure} OR ${untoldUnconfirmed})
        ORDER BY id LIMIT ${sql.lit(most)})
      RETURNING id, invoice_id, document_id, forced, reminder_principal)
    SELECT id, invoice_id, forced, reminder_principal, (
      SELECT count(*) FROM delivery later
      WHERE later.company_id = ${companyId} AND later.invoice_id = taken.invoice_id
        AND later.document_id = taken.document_id AND later.id > taken.id) = 0 AS is_latest
    FROM taken ORDER BY id`.execute(trx);
  return rows;
}

/** Notes a mail before it leaves. */
export async function saveUnsent(
  trx: Trx,
  companyId: number,
  { uuid, deliveryIds }: UnsentNotice,
): Promise<void> {
  await trx
    .updateTable('failureNotice')
    .set({ uuid, deliveryIds: [...deliveryIds] })
    .where('companyId', '=', companyId)
    .execute();
}

/** Notes that a mail has left. */
export async function noteSent(db: Db, companyId: number, uuid: string): Promise<void> {
  await db
    .updateTable('failureNotice')
    .set({ uuid: null, deliveryIds: null, sentAt: sql<Date>`now()` })
    .where('companyId', '=', companyId)
    .where('uuid', '=', uuid)
    .execute();
}

/** The document and carrier of a failed delivery, and the reason. */
export interface Reason extends Pick<
  DeliveryRow,
  'invoiceId' | 'deliveryType' | 'failureReason' | 'reminderPrincipal'
> {
  /** Whether it was sent, and may have been read. */
  readonly hasArrived: boolean;
  readonly isUnconfirmed: boolean;
}

/** The documents of deliveries, and the reasons why they failed. */
export async function findReasons(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<Reason[]> {
  return db
    .selectFrom('delivery')
    .select(['invoiceId', 'deliveryType', 'failureReason', 'reminderPrincipal'])
    .select(sql<boolean>`sent_time IS NOT NULL AND may_have_arrived`.as('hasArrived'))
    .select(IS_UNCONFIRMED.as('isUnconfirmed'))
    .where('companyId', '=', companyId)
    .where(sql<boolean>`id = ANY(${[...ids]}::bigint[])`)
    .orderBy('id')
    .execute();
}
