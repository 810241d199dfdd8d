import { sql } from 'kysely';

import type { IsoDate } from '../../domain/date.ts';
import type { ClaimLeft } from '../../domain/late-payment/claim-left.ts';
import type { Ore } from '../../domain/money.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { PAYMENT_COLUMNS, inForce, type PaymentRow } from './payment.repository.ts';

/** A reminder with a claim beside its invoice, and the rest of it after the last recount. */
interface AskedRow extends ClaimLeft {
  readonly reminderId: number;
  readonly invoiceId: number;
  readonly sentOn: IsoDate;
  readonly asked: Ore;
  readonly deadline: IsoDate;
  readonly grossAmount: Ore;
  readonly principal: Ore;
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
      COALESCE(claim.payment_deadline, invoice.due_date) AS deadline, invoice.gross_amount
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
  await sql`
    INSERT INTO reminder_recount (company_id, reminder_id, invoice_id, interest, fee_waived)
    SELECT ${companyId}, row.reminder_id, row.invoice_id, row.interest, row.fee_waived
    FROM jsonb_to_recordset(${JSON.stringify(
      recounts.map(({ reminderId, invoiceId, interest, feeWaived }) => ({
        reminder_id: reminderId,
        invoice_id: invoiceId,
        interest,
        fee_waived: feeWaived,
      })),
    )}::jsonb) AS row(reminder_id bigint, invoice_id bigint, interest bigint, fee_waived boolean)
    ON CONFLICT (company_id, reminder_id)
    DO UPDATE SET interest = EXCLUDED.interest, fee_waived = EXCLUDED.fee_waived`.execute(trx);
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
): Promise<PaymentRow[]> {
  return trx
    .selectFrom('payment')
    .select(PAYMENT_COLUMNS)
    .where('companyId', '=', companyId)
    .where(sql<boolean>`invoice_id = ANY(${[...invoiceIds]}::bigint[])`)
    .where(inForce)
    .where('reminderAmount', '>', 0 as Ore)
    .orderBy('paidOn', 'desc')
    .orderBy('id', 'desc')
    .execute();
}
