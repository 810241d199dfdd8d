import { sql } from 'kysely';

import type { IsoDate } from '../../domain/date.ts';
import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import { bareKid } from '../../domain/kid.ts';
import type { ClaimLeft } from '../../domain/late-payment/claim-left.ts';
import type { Settlement } from '../../domain/late-payment/interest.ts';
import { ore, type Ore } from '../../domain/money.ts';
import type { PaymentKind, PaymentSource } from '../../domain/payment/payment.schema.ts';
import { hexOf } from '../platform/crypto.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { insertAll, type OwnedRow } from '../platform/db/frequent-statements.ts';
import type { StoredSuggestion } from '../platform/db/payment-tables.ts';
import type { Row } from '../platform/db/tables.ts';

export const PAYMENT_COLUMNS = [
  'id',
  'uuid',
  'invoiceId',
  'customerId',
  'amount',
  'reminderAmount',
  'paidOn',
  'source',
  'kind',
  'account',
  'kid',
  'text',
  'payer',
  'payerAccountHash',
  'reference',
  'entryId',
  'possibleCopy',
  'suggestion',
  'undoesId',
  'fromId',
  'undone',
] as const;

export type PaymentRow = Row<'payment', (typeof PAYMENT_COLUMNS)[number]>;

/** A payment to add. Absent fields are null. */
export interface NewPayment {
  /** Null leaves it unplaced. */
  readonly invoiceId: number | null;
  /** For unplaced money: the customer whose credit it is. */
  readonly customerId?: number | null;
  /** Øre; negative takes a payment back. */
  readonly amount: Ore;
  /** The part of the amount that pays reminder claims; absent is 0. */
  readonly reminderAmount?: Ore;
  readonly paidOn: IsoDate;
  readonly source: PaymentSource;
  readonly kind: PaymentKind;
  readonly account?: string | null;
  readonly kid?: string | null;
  readonly text?: string | null;
  readonly payer?: string | null;
  readonly payerAccountHash?: Uint8Array | null;
  readonly reference?: string | null;
  readonly entryId?: number | null;
  readonly possibleCopy?: boolean;
  readonly suggestion?: StoredSuggestion | null;
  /** The opposite row that this one takes back. */
  readonly undoesId?: number | null;
  /** The row that this money comes from. */
  readonly fromId?: number | null;
}

/** The part of a row that pays the invoice itself, without reminder claims (øre). */
export function principalOf({
  amount,
  reminderAmount = ore(0),
}: Pick<NewPayment, 'amount' | 'reminderAmount'>): Ore {
  return ore(amount - reminderAmount);
}

/** The row that takes another one back, at the same place. */
export function oppositeOf(payment: PaymentRow, kind: NewPayment['kind']): NewPayment {
  return {
    ...moneyOf(payment),
    kind,
    invoiceId: payment.invoiceId,
    amount: ore(0 - payment.amount),
    reminderAmount: ore(0 - payment.reminderAmount),
    possibleCopy: payment.possibleCopy,
    undoesId: payment.id,
  };
}

/** Another row of the same money. */
export function partOf(payment: PaymentRow): Omit<NewPayment, 'invoiceId'> {
  return { ...moneyOf(payment), kind: payment.kind, fromId: payment.id };
}

/** The fields that rows of the same money share. */
export function moneyOf(payment: PaymentRow): Omit<NewPayment, 'invoiceId' | 'kind'> {
  const { customerId, amount, paidOn, source, account, kid, text } = payment;
  const { payer, payerAccountHash, reference, entryId } = payment;
  const bank = { account, kid, text, payer, payerAccountHash, reference, entryId };
  return { customerId, amount, paidOn, source, ...bank };
}

/** Current money: rows that are not taken back and do not take another row back. */
export const inForce = sql<boolean>`NOT payment.undone
  AND (payment.undoes_id IS NULL OR payment.kind = 'PAYMENT')`;

/** Must equal the predicate of the index of unplaced payments. */
export const unplaced = sql<boolean>`payment.invoice_id IS NULL AND ${inForce}`;

const EMPTY = {
  customerId: null,
  reminderAmount: ore(0),
  account: null,
  kid: null,
  text: null,
  payer: null,
  reference: null,
  entryId: null,
  possibleCopy: false,
  suggestion: null,
  undoesId: null,
  fromId: null,
};

/** Adds payments of a company; the database derives the sums of their invoices and customers. */
export async function insertPayments(
  trx: Trx,
  companyId: number,
  { type: byType, name: byName }: HistoryAuthor,
  rows: readonly NewPayment[],
): Promise<Pick<PaymentRow, 'uuid'>[]> {
  const records = rows.map(({ payerAccountHash: hash, ...row }): OwnedRow<'payment'> => {
    // Rows travel as JSON, which cannot hold bytes.
    const payerAccountHash = hash ? (`\\x${hexOf(hash)}` as unknown as Uint8Array) : null;
    return { ...EMPTY, ...row, payerAccountHash, byType, byName };
  });
  return insertAll(trx, { companyId, table: 'payment' }, records, ['uuid']);
}

/** Places an unplaced payment. */
export async function setInvoice(
  trx: Trx,
  companyId: number,
  id: number,
  { invoiceId, reminderAmount }: { readonly invoiceId: number; readonly reminderAmount: Ore },
): Promise<void> {
  await trx
    .updateTable('payment')
    .set({ invoiceId, reminderAmount })
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .execute();
}

export function selectPayments(db: Db, companyId: number) {
  return db.selectFrom('payment').select(PAYMENT_COLUMNS).where('companyId', '=', companyId);
}

/** A payment by its uuid or its id. */
export async function findPayment(
  db: Db,
  companyId: number,
  key: string | number,
): Promise<PaymentRow | null> {
  const row = await selectPayments(db, companyId)
    .where(typeof key === 'number' ? 'id' : 'uuid', '=', key)
    .executeTakeFirst();
  return row ?? null;
}

/** The current payments on these invoices, in the order in which they were placed. */
export async function findOnInvoices(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<PaymentRow[]> {
  return selectPayments(db, companyId)
    .where(sql<boolean>`invoice_id = ANY(${[...invoiceIds]}::bigint[])`)
    .where(inForce)
    .orderBy('id')
    .execute();
}

/** The payments that reduce these invoices' claims, by invoice id and date; absent without any. */
export async function findSettlements(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<Map<number, Settlement[]>> {
  if (invoiceIds.length === 0) return new Map();
  const { rows } = await sql<Settlement & { readonly invoiceId: number }>`
    SELECT invoice_id, paid_on AS date, amount - reminder_amount AS amount FROM payment
    WHERE company_id = ${companyId} AND invoice_id = ANY(${[...invoiceIds]}::bigint[]) AND ${inForce}
    ORDER BY date`.execute(db);
  return Map.groupBy(rows, ({ invoiceId }) => invoiceId);
}

interface Named {
  readonly id: number;
  readonly kid: string | null;
}

/** Up to this many invoices are looked up one by one; for more, all unplaced money is read in one pass. */
const FEW = 20;

/**
 * Finds which of these invoices unplaced money may be for: it has the KID, or was suggested for it when it came. Only
 * the owner can decide.
 */
export async function findUnplacedFor(
  db: Db,
  companyId: number,
  invoices: readonly Named[],
): Promise<(invoice: Named) => boolean> {
  const rows = await db
    .selectFrom('payment')
    .select(['kid', 'suggestion'])
    .where('companyId', '=', companyId)
    .where(unplaced)
    .where('amount', '>', ore(0))
    .$if(invoices.length > 0 && invoices.length <= FEW, (query) => query.where(names(invoices)))
    .where((payment) =>
      payment.or([payment('kid', 'is not', null), payment('suggestion', 'is not', null)]),
    )
    .execute();
  const kids = new Set(rows.map(({ kid }) => bareKid(kid ?? '')));
  const ids = new Set(rows.flatMap(({ suggestion }) => suggestion?.invoiceIds ?? []));
  return ({ id, kid }) => ids.has(id) || (kid !== null && kids.has(bareKid(kid)));
}

/** Must equal the expressions of the indexes of unplaced money; the KID is normalised as by `bareKid`. */
function names(invoices: readonly Named[]) {
  return sql<boolean>`(${sql.join(
    invoices.flatMap(({ id, kid }) => [
      sql`(payment.suggestion -> 'invoiceIds') @> ${String(id)}::jsonb`,
      ...(kid === null
        ? []
        : [sql`ltrim(regexp_replace(payment.kid, '[^0-9-]', '', 'g'), '0') = ${bareKid(kid)}`]),
    ]),
    sql` OR `,
  )})`;
}

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
