import { sql } from 'kysely';

import { ore } from '../../domain/money.ts';
import type { Db } from '../platform/db/database.ts';
import { PAYMENT_COLUMNS, type PaymentRow } from './payment.repository.ts';
import { inForce, isReleased } from './payment.selection.ts';

/** The money of these entries of the bank's files that is in the books, in the order in which it came. */
export async function findInForce(
  db: Db,
  companyId: number,
  entryIds: readonly number[],
): Promise<PaymentRow[]> {
  return db
    .selectFrom('payment')
    .select(PAYMENT_COLUMNS)
    .where('companyId', '=', companyId)
    .where(sql<boolean>`entry_id = ANY(${[...entryIds]}::bigint[])`)
    .where(inForce)
    .orderBy('id')
    .execute();
}

/** Whether any reversal waits, unplaced, for the payment that it takes back. */
export async function hasWaitingReversal(db: Db, companyId: number): Promise<boolean> {
  const row = await db
    .selectFrom('payment')
    .select('id')
    .where('companyId', '=', companyId)
    .where('kind', '=', 'REVERSAL')
    .where('undoesId', 'is', null)
    .where('invoiceId', 'is', null)
    .where('undone', '=', false)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** A reversal that has taken back a payment, with that. */
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
  return db
    .selectFrom('payment')
    .select(PAYMENT_COLUMNS)
    .where('companyId', '=', companyId)
    .where(sql<boolean>`entry_id = ANY(${[...entryIds]}::bigint[])`)
    .where('kind', '=', 'REFUND')
    .where('undone', '=', false)
    .execute();
}

/** Payments that a person has placed on these invoices though they take back, the last first. */
export async function findTakingBack(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<PaymentRow[]> {
  return db
    .selectFrom('payment')
    .select(PAYMENT_COLUMNS)
    .where('companyId', '=', companyId)
    .where(sql<boolean>`invoice_id = ANY(${[...invoiceIds]}::bigint[])`)
    .where('amount', '<', ore(0))
    .where(inForce)
    .orderBy('id', 'desc')
    .execute();
}

/** What reversals of these entries have taken back, and by what these entries were taken back. */
export async function findTakenBack(
  db: Db,
  companyId: number,
  entryIds: readonly number[],
): Promise<TakenBack[]> {
  const reversals = await db
    .selectFrom('payment')
    .select(PAYMENT_COLUMNS)
    .where('companyId', '=', companyId)
    .where(sql<boolean>`(entry_id = ANY(${[...entryIds]}::bigint[]) OR undoes_id IN (
      SELECT id FROM payment original
      WHERE original.company_id = ${companyId} AND original.undone
        AND original.entry_id = ANY(${[...entryIds]}::bigint[])))`)
    .where('kind', '=', 'REVERSAL')
    .where('undoesId', 'is not', null)
    .where('undone', '=', false)
    .where(sql<boolean>`NOT ${isReleased('payment')}`)
    .execute();
  const originals = await db
    .selectFrom('payment')
    .select(PAYMENT_COLUMNS)
    .where('companyId', '=', companyId)
    .where(sql<boolean>`id = ANY(${reversals.map(({ undoesId }) => undoesId)}::bigint[])`)
    .execute();
  const byId = new Map(originals.map((original) => [original.id, original]));
  return reversals.flatMap((reversal) => {
    const original = reversal.undoesId === null ? undefined : byId.get(reversal.undoesId);
    return original ? [{ reversal, original }] : [];
  });
}
