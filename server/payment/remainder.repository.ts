import { sql } from 'kysely';

import type { Db } from '../platform/db/database.ts';
import { PAYMENT_COLUMNS, type PaymentRow } from './payment.repository.ts';
import { inForce } from './payment.selection.ts';

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
