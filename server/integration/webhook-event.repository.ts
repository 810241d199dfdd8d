import { sql } from 'kysely';

import type { EventType, MessageType } from '../../domain/integration/webhook.schema.ts';
import type { InvoiceKind } from '../../domain/invoice/invoice.status.ts';
import type { Ore } from '../../domain/money.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { disable, type WebhookId } from './webhook.repository.ts';

/** An event with the invoice that it is about. */
export interface EventRow {
  readonly id: number;
  readonly type: EventType;
  readonly at: Date;
  /** Written by the trigger that made the event. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly webhookIds: readonly number[];
  /** Null for money on no invoice. */
  readonly invoice: EventInvoice | null;
  /** The quote that the details name. */
  readonly quote: { readonly uuid: string; readonly number: number } | null;
  /** The amount of the credit note that the details name. */
  readonly noteAmount: Ore | null;
}

interface EventInvoice {
  readonly uuid: string;
  readonly number: number;
  readonly kind: InvoiceKind;
  readonly customerNumber: number;
  readonly grossAmount: Ore;
  readonly dueDate: string;
}

/** An event beside the columns of its invoice. */
type JoinedRow = Omit<EventRow, 'invoice' | 'quote'> & {
  readonly quoteUuid: string | null;
  readonly quoteNumber: number | null;
} & {
  readonly [Column in keyof EventInvoice]: EventInvoice[Column] | null;
};

/** The companies that have events, of which messages are still to be made. */
export async function findCompaniesWithEvents(db: Db): Promise<number[]> {
  const { rows } = await sql<{ companyId: number }>`
    SELECT DISTINCT company_id FROM webhook_event LIMIT 100`.execute(db);
  return rows.map(({ companyId }) => companyId);
}

/** Takes so many events of a company, the oldest first, that no other worker has taken. */
export async function takeEvents(trx: Trx, companyId: number, most: number): Promise<EventRow[]> {
  const { rows } = await sql<JoinedRow>`
    WITH taken AS (
      DELETE FROM webhook_event WHERE company_id = ${companyId} AND id = ANY (ARRAY(
        SELECT id FROM webhook_event WHERE company_id = ${companyId}
        ORDER BY id LIMIT ${most} FOR UPDATE SKIP LOCKED))
      RETURNING id, type, at, invoice_id, details, webhook_ids
    )
    SELECT taken.id, taken.type, taken.at, taken.details, taken.webhook_ids, invoice.uuid,
      invoice.invoice_number AS number, invoice.kind, (invoice.buyer ->> 'customerNumber')::int AS customer_number,
      invoice.gross_amount, invoice.due_date, note.gross_amount AS note_amount,
      quote.uuid AS quote_uuid, quote.quote_number
    FROM taken
    LEFT JOIN invoice ON invoice.company_id = ${companyId} AND invoice.id = taken.invoice_id
    LEFT JOIN invoice note ON note.company_id = ${companyId}
      AND note.uuid = (taken.details -> 'creditNote' ->> 'uuid')::uuid
    LEFT JOIN quote ON quote.company_id = ${companyId} AND quote.id = (taken.details ->> 'quoteId')::bigint
    ORDER BY taken.id`.execute(trx);
  return rows.map(toEvent);
}

/** The driver reads a list of ids as texts. */
function toEvent({
  id,
  type,
  at,
  details,
  webhookIds,
  noteAmount,
  quoteUuid,
  quoteNumber,
  ...invoice
}: JoinedRow): EventRow {
  return {
    id,
    type,
    at,
    details,
    webhookIds: webhookIds.map(Number),
    noteAmount,
    quote:
      quoteUuid === null || quoteNumber === null ? null : { uuid: quoteUuid, number: quoteNumber },
    invoice: invoice.uuid === null ? null : (invoice as EventInvoice),
  };
}

/** A message to a webhook. */
export interface NewMessage {
  readonly webhookId: number;
  readonly type: MessageType;
  readonly body: string;
  readonly isSingle?: boolean;
  readonly isCancelled?: boolean;
}

/** Locks those of these webhooks that still exist, in one order; with whether they are active. */
export async function lockWebhooks(
  trx: Trx,
  companyId: number,
  ids: readonly number[],
): Promise<Map<number, boolean>> {
  const rows = await trx
    .selectFrom('webhook')
    .select(['id', 'active'])
    .where('companyId', '=', companyId)
    .where(sql<boolean>`id = ANY(${[...ids]}::bigint[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return new Map(rows.map(({ id, active }) => [id, active]));
}

/** Adds messages that are due now. The caller holds their webhooks. Returns their uuids. */
export async function insertMessages(
  trx: Trx,
  companyId: number,
  messages: readonly NewMessage[],
): Promise<string[]> {
  const records = messages.map(({ webhookId, type, body, isSingle, isCancelled }) => ({
    webhook_id: webhookId,
    type,
    body,
    is_single: isSingle === true,
    is_cancelled: isCancelled === true,
  }));
  const { rows } = await sql<{ uuid: string }>`
    INSERT INTO webhook_delivery (company_id, webhook_id, type, body, is_single, state, next_attempt_at)
    SELECT ${companyId}::bigint, webhook_id, type, body, is_single,
      CASE WHEN is_cancelled THEN 'CANCELLED' ELSE 'WAITING' END, CASE WHEN NOT is_cancelled THEN now() END
    FROM json_to_recordset(${JSON.stringify(records)}::json)
      AS message (webhook_id bigint, type text, body text, is_single boolean, is_cancelled boolean)
    RETURNING uuid`.execute(trx);
  const ids = [...new Set(messages.map(({ webhookId }) => webhookId))];
  await lookAt(trx, companyId, ids);
  return rows.map(({ uuid }) => uuid);
}

/** Lets a worker look for the messages of these webhooks at once. The caller holds them. */
export async function lookAt(trx: Trx, companyId: number, ids: readonly number[]): Promise<void> {
  await trx
    .updateTable('webhook')
    .set({ dueAt: sql<Date>`now()` })
    .where('companyId', '=', companyId)
    .where(sql<boolean>`id = ANY(${[...ids]}::bigint[])`)
    .execute();
}

/** Turns a webhook off for which more than so many messages wait; false when there are fewer. The caller holds it. */
export async function disableWhenFull(
  trx: Trx,
  webhook: WebhookId,
  most: number,
): Promise<boolean> {
  const { companyId, webhookId } = webhook;
  const { waiting } = await trx
    .selectFrom('webhookDelivery')
    .select(sql<number>`count(*)::int`.as('waiting'))
    .where('companyId', '=', companyId)
    .where('webhookId', '=', webhookId)
    .where('state', '=', 'WAITING')
    .executeTakeFirstOrThrow();
  if (waiting <= most) return false;
  await disable(trx, webhook, 'TOO_MANY');
  return true;
}

/** Drops the events of a company of which no message was made, and cancels the messages that wait. */
export async function dropEvents(trx: Trx, companyId: number): Promise<void> {
  await trx.deleteFrom('webhookEvent').where('companyId', '=', companyId).execute();
  await trx
    .updateTable('webhookDelivery')
    .set({ state: 'CANCELLED', nextAttemptAt: null })
    .where('companyId', '=', companyId)
    .where('state', '=', 'WAITING')
    .execute();
}
