import { sql, type RawBuilder } from 'kysely';

import { ore } from '../../domain/money.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { PAYMENT_COLUMNS, inForce, selectPayments, type PaymentRow } from './payment.repository.ts';

/** The current money of these bank entries, in the order in which it was added. */
export async function findInForce(
  db: Db,
  companyId: number,
  entryIds: readonly number[],
): Promise<PaymentRow[]> {
  return selectPayments(db, companyId)
    .where(sql<boolean>`entry_id = ANY(${[...entryIds]}::bigint[])`)
    .where(inForce)
    .orderBy('id')
    .execute();
}

/** Whether any reversal is unplaced and waits for its payment. */
export async function hasWaitingReversal(db: Db, companyId: number): Promise<boolean> {
  const row = await selectPayments(db, companyId)
    .where('kind', '=', 'REVERSAL')
    .where('undoesId', 'is', null)
    .where('invoiceId', 'is', null)
    .where('undone', '=', false)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** A reversal with the payment that it took back. */
export interface TakenBack {
  readonly reversal: PaymentRow;
  readonly original: PaymentRow;
}

/** Refunds of the money of these entries. */
export async function findRefunds(
  db: Db,
  companyId: number,
  entryIds: readonly number[],
): Promise<PaymentRow[]> {
  return selectPayments(db, companyId)
    .where(sql<boolean>`entry_id = ANY(${[...entryIds]}::bigint[])`)
    .where('kind', '=', 'REFUND')
    .where('undone', '=', false)
    .execute();
}

/** Reversals that a person placed on these invoices, the last first. */
export async function findTakingBack(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<PaymentRow[]> {
  return selectPayments(db, companyId)
    .where(sql<boolean>`invoice_id = ANY(${[...invoiceIds]}::bigint[])`)
    .where('amount', '<', ore(0))
    .where(inForce)
    .orderBy('id', 'desc')
    .execute();
}

/** The payments that reversals of these entries took back, and the reversals that took these entries back. */
export async function findTakenBack(
  db: Db,
  companyId: number,
  entryIds: readonly number[],
): Promise<TakenBack[]> {
  const reversals = await selectPayments(db, companyId)
    .where(sql<boolean>`(entry_id = ANY(${[...entryIds]}::bigint[]) OR undoes_id IN (
      SELECT id FROM payment original
      WHERE original.company_id = ${companyId} AND original.undone
        AND original.entry_id = ANY(${[...entryIds]}::bigint[])))`)
    .where('kind', '=', 'REVERSAL')
    .where('undoesId', 'is not', null)
    .where('undone', '=', false)
    .where(sql<boolean>`NOT ${isReleased('payment')}`)
    .execute();
  const originals = await selectPayments(db, companyId)
    .where(sql<boolean>`id = ANY(${reversals.map(({ undoesId }) => undoesId)}::bigint[])`)
    .execute();
  const byId = new Map(originals.map((original) => [original.id, original]));
  return reversals.flatMap((reversal) => {
    const original = reversal.undoesId === null ? undefined : byId.get(reversal.undoesId);
    return original ? [{ reversal, original }] : [];
  });
}

/**
 * For a reversal: its file was undone when the invoice took no payment any more, for example after crediting. The
 * reversal stays on the invoice, and its money is a row of its own that comes from it.
 */
function isReleased(reversal: string): RawBuilder<boolean> {
  const its = (column: string) => sql.ref(`${reversal}.${column}`);
  return sql<boolean>`((
    SELECT count(*) FROM payment taken JOIN payment again
      ON again.company_id = taken.company_id AND again.entry_id = taken.entry_id
    WHERE taken.company_id = ${its('company_id')} AND taken.id = ${its('undoes_id')}
      AND again.from_id = ${its('id')} AND again.kind = 'PAYMENT' AND again.undoes_id IS NULL) > 0)`;
}

/** A payment or a remainder, with the invoice whose KID and account it has. */
export interface NamedPayment {
  readonly payment: PaymentRow;
  readonly invoiceId: number;
}

/** Remainders of payments with exactly the KID and account of these invoices, the oldest first. */
export async function findRemainders(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<NamedPayment[]> {
  const rows = await selectNamed(db, companyId, invoiceIds)
    .where('payment.invoiceId', 'is', null)
    .where('payment.possibleCopy', '=', false)
    .where('invoice.status', '=', 'REGISTERED')
    .orderBy('payment.paidOn')
    .orderBy('payment.id')
    .execute();
  return rows.map(toNamed);
}

/** Payments on the invoices whose KID and account they have, the last first. */
export async function findOnOwn(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<NamedPayment[]> {
  const rows = await selectNamed(db, companyId, invoiceIds)
    .whereRef('payment.invoiceId', '=', 'invoice.id')
    .orderBy('payment.id', 'desc')
    .execute();
  return rows.map(toNamed);
}

/** Only bank files and Faktur itself placed the money; no person did. */
const isAsBooked = (row: string) => sql<boolean>`${sql.ref(`${row}.byType`)} IN ('BANK', 'SYSTEM')`;

function selectNamed(db: Db, companyId: number, invoiceIds: readonly number[]) {
  return (
    db
      .selectFrom('invoice')
      .innerJoin('payment', (join) =>
        join
          .onRef('payment.companyId', '=', 'invoice.companyId')
          .onRef('payment.kid', '=', 'invoice.kid')
          .onRef('payment.account', '=', 'invoice.bankAccountNumber'),
      )
      // A restored payment counts as placed by whoever placed the reversed one.
      .leftJoin('payment as before', (join) =>
        join
          .onRef('before.companyId', '=', 'payment.companyId')
          .onRef('before.id', '=', 'payment.fromId')
          .on('payment.undoesId', 'is not', null),
      )
      .select(PAYMENT_COLUMNS.map((column) => `payment.${column}` as const))
      .select('invoice.id as ofInvoiceId')
      .where('invoice.companyId', '=', companyId)
      .where(sql<boolean>`invoice.id = ANY(${[...invoiceIds]}::bigint[])`)
      .where('invoice.kind', '=', 'INVOICE')
      .where('payment.companyId', '=', companyId)
      .where('payment.kid', 'is not', null)
      .where(inForce)
      .where('payment.kind', '=', 'PAYMENT')
      .where('payment.source', '=', 'BANK')
      .where(sql<boolean>`(${isAsBooked('payment')} OR ${isAsBooked('before')})`)
  );
}

function toNamed({ ofInvoiceId, ...payment }: PaymentRow & { ofInvoiceId: number }): NamedPayment {
  return { payment, invoiceId: ofInvoiceId };
}

/** A payment, with the kind of the row that took it back. */
type GonePayment = Pick<PaymentRow, 'kind' | 'paidOn' | 'amount' | 'payer' | 'kid'> & {
  readonly customerName: string | null;
};

/** The first payment of a file that was refunded or reversed by another file. */
export async function findGoneElsewhere(
  db: Db,
  companyId: number,
  fileId: number,
): Promise<GonePayment | null> {
  const { rows } = await sql<GonePayment>`
    SELECT opposite.kind, original.paid_on::text, original.amount, original.payer, original.kid,
      customer.name AS customer_name
    FROM bank_entry entry
    JOIN payment original ON original.company_id = ${companyId} AND original.entry_id = entry.id
    JOIN payment opposite ON opposite.company_id = ${companyId}
      AND opposite.undoes_id = original.id AND NOT opposite.undone
    LEFT JOIN customer ON customer.company_id = ${companyId} AND customer.id = original.customer_id
    LEFT JOIN bank_entry taker ON taker.company_id = ${companyId} AND taker.id = opposite.entry_id
    WHERE entry.company_id = ${companyId} AND entry.file_id = ${fileId}
      AND entry.booked_key IS NOT NULL AND original.undone
      AND (opposite.kind = 'REFUND' OR opposite.kind = 'REVERSAL'
        AND taker.file_id <> ${fileId} AND NOT ${isReleased('opposite')})
    ORDER BY entry.position LIMIT 1`.execute(db);
  return rows[0] ?? null;
}

/** A customer for whom an account has paid; of the account only a keyed hash (hex) is stored (BANK-21). */
export interface Payer {
  readonly hash: string;
  readonly customerId: number;
}

/** Limit for accounts that pay for many customers, such as a debt collector's. */
const CUSTOMERS_OF_ACCOUNT = 10;

/** Stores for which customers these accounts have paid; existing pairs are kept. The caller holds the company. */
export async function rememberPayers(
  trx: Trx,
  companyId: number,
  payers: readonly Payer[],
): Promise<void> {
  if (payers.length === 0) return;
  await trx
    .insertInto('payerAccount')
    .values(
      payers.map(({ hash, customerId }) => ({
        companyId,
        hash: Buffer.from(hash, 'hex'),
        customerId,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The customers for whom these accounts have paid. */
export async function findPayers(
  db: Db,
  companyId: number,
  hashes: readonly string[],
): Promise<Payer[]> {
  const { rows } = await sql<Payer>`
    SELECT given.hash, payer.customer_id
    FROM unnest(${[...hashes]}::text[]) AS given (hash)
    CROSS JOIN LATERAL (
      SELECT customer_id FROM payer_account
      WHERE company_id = ${companyId} AND hash = decode(given.hash, 'hex')
      ORDER BY customer_id LIMIT ${sql.lit(CUSTOMERS_OF_ACCOUNT)}
    ) payer`.execute(db);
  return rows;
}
