import { sql } from 'kysely';

import type { IsoDate } from '../../domain/date.ts';
import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import { bareKid } from '../../domain/kid.ts';
import type { Settlement } from '../../domain/late-payment/interest.ts';
import { ore, type Ore } from '../../domain/money.ts';
import type { PaymentKind, PaymentSource } from '../../domain/payment/payment.schema.ts';
import { hexOf } from '../platform/crypto.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { insertAll, type OwnedRow } from '../platform/db/frequent-statements.ts';
import type { StoredSuggestion } from '../platform/db/columns.ts';
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

/** Money that was marked by hand as paid on an invoice; a credit note may have split and moved it since. */
export interface ByHandRow extends PaymentRow {
  /** The invoice that was marked. */
  readonly markedId: number;
  /** The number of another invoice on which the money is now. */
  readonly usedOn: number | null;
  readonly isRefunded: boolean;
}

/** The current and the refunded money that was marked by hand on these invoices, in the order in which it was added. */
export async function findByHand(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<ByHandRow[]> {
  if (invoiceIds.length === 0) return [];
  const columns = (table: string) =>
    sql.join(PAYMENT_COLUMNS.map((column) => sql.ref(`${table}.${column}`)));
  const { rows } = await sql<ByHandRow>`
    WITH RECURSIVE by_hand AS (
      SELECT ${columns('payment')}, invoice_id AS marked_id FROM payment
      WHERE company_id = ${companyId} AND invoice_id = ANY(${[...invoiceIds]}::bigint[])
        AND source = 'MANUAL' AND kind = 'PAYMENT' AND from_id IS NULL AND undoes_id IS NULL
      UNION ALL
      SELECT ${columns('part')}, by_hand.marked_id FROM by_hand
      JOIN payment part ON part.company_id = ${companyId} AND part.from_id = by_hand.id
    )
    SELECT by_hand.*, elsewhere.invoice_number AS used_on, refund.id IS NOT NULL AS is_refunded
    FROM by_hand
    LEFT JOIN invoice elsewhere ON elsewhere.company_id = ${companyId}
      AND elsewhere.id = by_hand.invoice_id AND elsewhere.id <> by_hand.marked_id
    LEFT JOIN payment refund ON refund.company_id = ${companyId}
      AND refund.undoes_id = by_hand.id AND refund.kind = 'REFUND' AND NOT refund.undone
    WHERE NOT by_hand.undone OR refund.id IS NOT NULL
    ORDER BY by_hand.id`.execute(db);
  return rows;
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

/** The id of a company's last payment, and the latest day of one; null without payments. */
export async function findLastPayment(
  db: Db,
  companyId: number,
): Promise<{ readonly id: number | null; readonly paidOn: IsoDate | null }> {
  return db
    .selectFrom('payment')
    .select((payment) => [payment.fn.max('id').as('id'), payment.fn.max('paidOn').as('paidOn')])
    .where('companyId', '=', companyId)
    .executeTakeFirstOrThrow();
}
