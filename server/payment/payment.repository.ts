import { sql, type RawBuilder } from 'kysely';

import type { IsoDate } from '../../domain/date.ts';
import { bareKid } from '../../domain/kid.ts';
import { ore, type Ore } from '../../domain/money.ts';
import type { PaymentKind, PaymentSource } from '../../domain/payment/payment.schema.ts';
import { hexOf } from '../platform/crypto.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { insertAll, type OwnedRow } from '../platform/db/insert-all.ts';
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

/**
 * For a reversal: its file was undone when the invoice took no payment any more, for example after crediting. The
 * reversal stays on the invoice, and its money is a row of its own that comes from it.
 */
export function isReleased(reversal: string): RawBuilder<boolean> {
  const its = (column: string) => sql.ref(`${reversal}.${column}`);
  return sql<boolean>`((
    SELECT count(*) FROM payment taken JOIN payment again
      ON again.company_id = taken.company_id AND again.entry_id = taken.entry_id
    WHERE taken.company_id = ${its('company_id')} AND taken.id = ${its('undoes_id')}
      AND again.from_id = ${its('id')} AND again.kind = 'PAYMENT' AND again.undoes_id IS NULL) > 0)`;
}

/** Must equal the predicate of the index of unplaced payments. */
export const unplaced = sql<boolean>`payment.invoice_id IS NULL AND ${inForce}`;

/** Adds payments of a company; the database derives the sums of their invoices and customers. */
export async function insertPayments(
  trx: Trx,
  companyId: number,
  rows: readonly OwnedRow<'payment'>[],
): Promise<Pick<PaymentRow, 'id' | 'uuid'>[]> {
  return insertAll(trx, { companyId, table: 'payment' }, rows.map(toRecord), ['id', 'uuid']);
}

/** Rows travel as JSON, which cannot hold bytes. */
function toRecord(row: OwnedRow<'payment'>): OwnedRow<'payment'> {
  const { payerAccountHash: hash } = row;
  if (!hash) return row;
  const text = `\\x${hexOf(hash)}`;
  return { ...row, payerAccountHash: text as unknown as Uint8Array };
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

export async function findPayment(
  db: Db,
  companyId: number,
  uuid: string,
): Promise<PaymentRow | null> {
  const row = await db
    .selectFrom('payment')
    .select(PAYMENT_COLUMNS)
    .where('companyId', '=', companyId)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return row ?? null;
}

/** The day of a payment. */
export async function findPaidOn(db: Db, companyId: number, id: number): Promise<string> {
  const { paidOn } = await db
    .selectFrom('payment')
    .select('paidOn')
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return paidOn;
}

/** The current payments on these invoices, in the order in which they were placed. */
export async function findOnInvoices(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<PaymentRow[]> {
  return db
    .selectFrom('payment')
    .select(PAYMENT_COLUMNS)
    .where('companyId', '=', companyId)
    .where(sql<boolean>`invoice_id = ANY(${[...invoiceIds]}::bigint[])`)
    .where(inForce)
    .orderBy('id')
    .execute();
}

/** The current payments on these invoices, by date. */
export async function findPaid(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<{ invoiceId: number; date: IsoDate; amount: Ore }[]> {
  return db
    .selectFrom('payment')
    .select(['invoiceId', 'paidOn as date'])
    .select(sql<Ore>`amount - reminder_amount`.as('amount'))
    .where('companyId', '=', companyId)
    .where(sql<boolean>`invoice_id = ANY(${[...invoiceIds]}::bigint[])`)
    .where(inForce)
    .orderBy('paidOn')
    .orderBy('id')
    .$narrowType<{ invoiceId: number }>()
    .execute();
}

/** A KID normalised as by `bareKid`. */
const BARE_KID = sql<string>`ltrim(regexp_replace(payment.kid, '[^0-9-]', '', 'g'), '0')`;

/** Must equal the expressions of the indexes of migration 0050. */
function names(invoices: readonly { readonly id: number; readonly kid: string | null }[]) {
  return sql<boolean>`(${sql.join(
    invoices.flatMap(({ id, kid }) => [
      sql`(payment.suggestion -> 'invoiceIds') @> ${String(id)}::jsonb`,
      ...(kid === null ? [] : [sql`${BARE_KID} = ${bareKid(kid)}`]),
    ]),
    sql` OR `,
  )})`;
}

/** Unplaced money that names an invoice (null: any), by the KID or by the suggestion made when it came. */
export async function findUnplacedNaming(
  db: Db,
  companyId: number,
  invoices: readonly { readonly id: number; readonly kid: string | null }[] | null,
): Promise<Pick<PaymentRow, 'kid' | 'suggestion'>[]> {
  return db
    .selectFrom('payment')
    .select(['kid', 'suggestion'])
    .where('companyId', '=', companyId)
    .where(unplaced)
    .where('amount', '>', ore(0))
    .$if(invoices !== null && invoices.length > 0, (query) => query.where(names(invoices ?? [])))
    .where((payment) =>
      payment.or([payment('kid', 'is not', null), payment('suggestion', 'is not', null)]),
    )
    .execute();
}
