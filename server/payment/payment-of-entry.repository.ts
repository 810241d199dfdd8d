import { sql } from 'kysely';

import { ore } from '../../domain/money.ts';
import type { Db } from '../platform/db/database.ts';
import { PAYMENT_COLUMNS, type PaymentRow } from './payment.repository.ts';
import { inForce, isReleased } from './payment.selection.ts';

/** The current money of these bank entries, in the order in which it was added. */
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

/** Whether any reversal is unplaced and waits for its payment. */
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
  return db
    .selectFrom('payment')
    .select(PAYMENT_COLUMNS)
    .where('companyId', '=', companyId)
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

/** The payments that reversals of these entries took back, and the reversals that took these entries back. */
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
