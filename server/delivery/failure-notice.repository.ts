import { sql } from 'kysely';

import type { Db, Trx } from '../platform/db/database.ts';
import { IS_UNCONFIRMED, type DeliveryRow } from './delivery.rows.ts';

/** A mail that has not left yet, with the uuid of its Message-ID. */
export interface UnsentNotice {
  readonly uuid: string;
  readonly deliveryIds: readonly number[];
  /** Mails of quotes. */
  readonly quoteDeliveryIds: readonly number[];
}

/** Matches its partial index: failed, not stopped, and not reported. */
const unreportedFailure = sql<boolean>`status = 'FAILED' AND stopped_by IS NULL AND NOT owner_told`;
/** Likewise: an address failed that was not reported yet, though another got it. */
const unreportedAddress = sql<boolean>`status <> 'FAILED' AND unreached <> '{}' AND NOT owner_told`;
const unreportedUnconfirmed = sql<boolean>`${IS_UNCONFIRMED} AND NOT owner_told`;

/** The companies with something to report whose last mail is older than this many seconds. @param others have something else */
export async function findCompaniesToNotify(
  db: Db,
  seconds: number,
  others: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ companyId: number }>`
    SELECT company_id FROM (
      SELECT company_id FROM failure_notice WHERE uuid IS NOT NULL
      UNION
      SELECT company_id FROM delivery WHERE ${unreportedFailure}
      UNION
      SELECT company_id FROM delivery WHERE ${unreportedAddress}
      UNION
      SELECT company_id FROM delivery WHERE ${unreportedUnconfirmed}
      UNION
      SELECT unnest(${[...others]}::bigint[])
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
  const { uuid, deliveryIds, quoteDeliveryIds, isEarly } = await trx
    .selectFrom('failureNotice')
    .select(['uuid', 'deliveryIds', 'quoteDeliveryIds'])
    .select(
      sql<boolean>`COALESCE(sent_at > now() - make_interval(secs => ${seconds}), false)`.as(
        'isEarly',
      ),
    )
    .where('companyId', '=', companyId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const isUnsent = uuid !== null && deliveryIds !== null;
  return { unsent: isUnsent ? { uuid, deliveryIds, quoteDeliveryIds } : null, isEarly };
}

export interface Failed extends Pick<
  DeliveryRow,
  'id' | 'invoiceId' | 'forced' | 'reminderPrincipal'
> {
  /** Whether no later delivery of the document exists. */
  readonly isLatest: boolean;
}

/** Takes the next deliveries that failed, also at one address, or are unconfirmed, and were not reported yet. Oldest first. */
export async function takeUnreported(trx: Trx, companyId: number, most: number): Promise<Failed[]> {
  const { rows } = await sql<Failed>`
    WITH taken AS (
      UPDATE delivery SET owner_told = true
      WHERE company_id = ${companyId} AND id IN (
        SELECT id FROM delivery
        WHERE company_id = ${companyId}
          AND (${unreportedFailure} OR ${unreportedAddress} OR ${unreportedUnconfirmed})
        ORDER BY id LIMIT ${sql.lit(most)})
      RETURNING id, invoice_id, document_id, forced, reminder_principal)
    SELECT id, invoice_id, forced, reminder_principal, (
      SELECT count(*) FROM delivery later
      WHERE later.company_id = ${companyId} AND later.invoice_id = taken.invoice_id
        AND later.document_id = taken.document_id AND later.id > taken.id) = 0 AS is_latest
    FROM taken ORDER BY id`.execute(trx);
  return rows;
}

/** Records a mail before it leaves. */
export async function saveUnsent(
  trx: Trx,
  companyId: number,
  { uuid, deliveryIds, quoteDeliveryIds }: UnsentNotice,
): Promise<void> {
  await trx
    .updateTable('failureNotice')
    .set({ uuid, deliveryIds: [...deliveryIds], quoteDeliveryIds: [...quoteDeliveryIds] })
    .where('companyId', '=', companyId)
    .execute();
}

/** Records that a mail has left. */
export async function noteSent(db: Db, companyId: number, uuid: string): Promise<void> {
  await db
    .updateTable('failureNotice')
    .set({ uuid: null, deliveryIds: null, quoteDeliveryIds: [], sentAt: sql<Date>`now()` })
    .where('companyId', '=', companyId)
    .where('uuid', '=', uuid)
    .execute();
}

/** A failed delivery with its reason. */
export interface Reason extends Pick<
  DeliveryRow,
  | 'invoiceId'
  | 'deliveryType'
  | 'status'
  | 'failureReason'
  | 'reminderPrincipal'
  | 'refused'
  | 'unreached'
> {
  /** Whether it was sent and may have been read. */
  readonly hasArrived: boolean;
  readonly isUnconfirmed: boolean;
}

/** Deliveries with the reasons why they failed. */
export async function findReasons(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<Reason[]> {
  return db
    .selectFrom('delivery')
    .select(['invoiceId', 'deliveryType', 'status', 'failureReason', 'reminderPrincipal'])
    .select(['refused', 'unreached'])
    .select(sql<boolean>`sent_time IS NOT NULL AND may_have_arrived`.as('hasArrived'))
    .select(IS_UNCONFIRMED.as('isUnconfirmed'))
    .where('companyId', '=', companyId)
    .where(sql<boolean>`id = ANY(${[...ids]}::bigint[])`)
    .orderBy('id')
    .execute();
}
