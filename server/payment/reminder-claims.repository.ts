import { sql } from 'kysely';

import type { IsoDate } from '../../domain/date.ts';
import type { ClaimLeft } from '../../domain/late-payment/claim-left.ts';
import { ore, type Ore } from '../../domain/money.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { inForce, selectPayments, type PaymentRow } from './payment.repository.ts';

/** A reminder with a claim beside its invoice, and the rest of it after the last recount. */
interface AskedRow extends ClaimLeft {
  readonly reminderId: number;
  readonly invoiceId: number;
  readonly sentOn: IsoDate;
  readonly asked: Ore;
  readonly deadline: IsoDate;
  readonly principal: Ore;
  readonly claim: Ore;
  readonly claimThen: Ore;
}

/** The reminders of these invoices that ask for a fee, compensation or interest and were not stopped. */
export async function findAsked(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<AskedRow[]> {
  const { rows } = await sql<AskedRow>`
    SELECT claim.reminder_id, claim.invoice_id, claim.sent_on, claim.principal, claim.asked,
      claim.interest, claim.fee_waived,
      COALESCE(claim.payment_deadline, invoice.due_date) AS deadline,
      invoice.gross_amount - invoice.credited_amount AS claim,
      invoice.gross_amount - COALESCE((
        SELECT sum(note.gross_amount) FROM invoice note
        WHERE note.company_id = claim.company_id AND note.credits_invoice_id = claim.invoice_id
          AND note.registered_at < claim.created_at), 0)::bigint AS claim_then
    FROM claims_of_reminders claim
    JOIN invoice ON invoice.company_id = claim.company_id AND invoice.id = claim.invoice_id
    WHERE claim.company_id = ${companyId} AND claim.invoice_id = ANY(${[...invoiceIds]}::bigint[])`.execute(
    db,
  );
  return rows;
}

interface Recount extends ClaimLeft {
  readonly reminderId: number;
  readonly invoiceId: number;
}

/** Stores the rest of each reminder's claim; the database derives what is owed on the invoices. */
export async function saveRecounts(
  trx: Trx,
  companyId: number,
  recounts: readonly Recount[],
): Promise<void> {
  if (recounts.length === 0) return;
  await trx
    .insertInto('reminderRecount')
    .values(recounts.map((recount) => ({ companyId, ...recount })))
    .onConflict((conflict) =>
      conflict.columns(['companyId', 'reminderId']).doUpdateSet((row) => ({
        interest: row.ref('excluded.interest'),
        feeWaived: row.ref('excluded.feeWaived'),
      })),
    )
    .execute();
}

/**
 * Whether the rest of what an invoice's reminders ask for was waived when it was paid (REM-20), or is gone because the
 * invoice is credited.
 */
export async function isRestWaived(db: Db, companyId: number, invoiceId: number): Promise<boolean> {
  const { rows } = await sql<{ isWaived: boolean }>`
    SELECT status = 'CANCELLED' OR (reminder_waived AND (
      SELECT amount FROM asked_by_reminders WHERE company_id = ${companyId} AND invoice_id = invoice.id
    ) > COALESCE((
      SELECT sum(reminder_amount) FROM payment
      WHERE payment.company_id = ${companyId} AND payment.invoice_id = invoice.id), 0)) AS is_waived
    FROM invoice WHERE company_id = ${companyId} AND id = ${invoiceId}`.execute(db);
  return rows[0]?.isWaived ?? false;
}

/** Øre by which the payments of these invoices for reminders exceed the reminders' claims. */
export async function findExcess(
  trx: Trx,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<Map<number, number>> {
  const { rows } = await sql<{ invoiceId: number; excess: number }>`
    SELECT paid.invoice_id, paid.amount - GREATEST(0, asked.amount) AS excess
    FROM (
      SELECT company_id, invoice_id, sum(reminder_amount)::bigint AS amount FROM payment
      WHERE company_id = ${companyId} AND invoice_id = ANY(${[...invoiceIds]}::bigint[])
      GROUP BY company_id, invoice_id
    ) paid
    JOIN asked_by_reminders asked
      ON asked.company_id = ${companyId} AND asked.invoice_id = paid.invoice_id
    WHERE paid.amount > GREATEST(0, asked.amount)`.execute(trx);
  return new Map(rows.map(({ invoiceId, excess }) => [invoiceId, excess]));
}

/** The money on these invoices that pays reminder claims, the last first. */
export async function findForReminders(
  trx: Trx,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<(PaymentRow & { readonly invoiceId: number })[]> {
  return selectPayments(trx, companyId)
    .where(sql<boolean>`invoice_id = ANY(${[...invoiceIds]}::bigint[])`)
    .where(inForce)
    .where('reminderAmount', '>', ore(0))
    .orderBy('paidOn', 'desc')
    .orderBy('id', 'desc')
    .$narrowType<{ invoiceId: number }>()
    .execute();
}
