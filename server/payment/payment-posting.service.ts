import type { IsoDate } from '../../domain/date.ts';
import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import { amountDue, partForReminders } from '../../domain/invoice/amount-due.ts';
import { ore, oreToKroner, type Ore } from '../../domain/money.ts';
import type { PaymentKind, PaymentSource } from '../../domain/payment/payment.schema.ts';
import type { Trx } from '../db/database.ts';
import type { StoredSuggestion } from '../db/payment-tables.ts';
import { recordEvents, type NewEvent } from '../history/history.service.ts';
import { findStatuses, type Payable } from '../invoice/invoice-payable.service.ts';
import * as repository from './payment.repository.ts';

/** A payment to be added. What is absent is null. */
export interface NewPayment {
  /** Null leaves it unplaced. */
  readonly invoiceId: number | null;
  /** Of what is unplaced: whose credit it is. */
  readonly customerId?: number | null;
  /** Negative takes back. */
  readonly amount: Ore;
  /** So much of the amount is for what reminders ask for; absent is nothing. */
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
  /** The row that this one, its opposite, takes back. */
  readonly undoesId?: number | null;
  /** The row whose money this is. */
  readonly fromId?: number | null;
}

const NOTHING = ore(0);

/** The invoices that payments are put on or taken off, as they were when they were locked. */
type Payables = ReadonlyMap<number, Pick<Payable, 'status'>>;

/**
 * Adds any number of payments, in one statement for a few thousand, and tells of them in the history of
 * their invoices; the database derives what is paid of these, and the credit of customers. Returns ids in
 * the order of the rows.
 *
 * The caller holds the company (`lockCompany`) when a row is unplaced and has a customer, and after that
 * the invoices: `payables` are all that rows name (`lockPayables`).
 */
export async function addPayments(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  { rows, payables }: { readonly rows: readonly NewPayment[]; readonly payables: Payables },
): Promise<Pick<repository.PaymentRow, 'id' | 'uuid'>[]> {
  if (rows.length === 0) return [];
  const added = await repository.insertPayments(
    trx,
    companyId,
    rows.map((row) => toRow(author, row)),
  );
  await tellOfPayments(trx, companyId, author, { rows, payables });
  return added;
}

/** Places an unplaced payment on an invoice that takes as much. The caller holds as above. */
export async function placeWhole(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  { payment, invoice }: { payment: repository.PaymentRow; invoice: Payable },
): Promise<void> {
  await repository.setInvoice(trx, companyId, payment.id, {
    invoiceId: invoice.id,
    reminderAmount: partForReminders(payment.amount, amountDue(invoice)),
  });
  const rows = [{ ...payment, invoiceId: invoice.id }];
  await tellOfPayments(trx, companyId, author, {
    rows,
    payables: new Map([[invoice.id, invoice]]),
  });
}

async function tellOfPayments(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  { rows, payables }: { readonly rows: readonly NewPayment[]; readonly payables: Payables },
): Promise<void> {
  const events = rows.flatMap((row) => toEvent(companyId, row));
  if (events.length === 0) return;
  const after = await findStatuses(trx, companyId, [
    ...new Set(events.map(({ invoiceId }) => invoiceId)),
  ]);
  for (const { id, status, paidDate } of after) {
    const before = payables.get(id)?.status;
    if (before === undefined) throw new Error(`Invoice ${id} was not locked before it was paid`);
    if (status === before) continue;
    events.push(
      paidDate === null
        ? { companyId, invoiceId: id, kind: 'UNPAID' }
        : { companyId, invoiceId: id, kind: 'PAID', details: { paidDate } },
    );
  }
  await recordEvents(trx, author, events);
}

function toEvent(
  companyId: number,
  { invoiceId, amount, paidOn, source, kind }: NewPayment,
): NewEvent[] {
  if (invoiceId === null) return [];
  const details = {
    amount: oreToKroner(amount),
    date: paidOn,
    source,
    ...(kind === 'PAYMENT' ? {} : { takenBack: true }),
  };
  return [{ companyId, invoiceId, kind: 'PAYMENT', details }];
}

/** Rows of one statement have the same columns. */
function toRow(author: HistoryAuthor, row: NewPayment) {
  return {
    invoiceId: row.invoiceId,
    customerId: row.customerId ?? null,
    amount: row.amount,
    reminderAmount: row.reminderAmount ?? NOTHING,
    paidOn: row.paidOn,
    source: row.source,
    kind: row.kind,
    account: row.account ?? null,
    kid: row.kid ?? null,
    text: row.text ?? null,
    payer: row.payer ?? null,
    payerAccountHash: row.payerAccountHash ?? null,
    reference: row.reference ?? null,
    entryId: row.entryId ?? null,
    possibleCopy: row.possibleCopy ?? false,
    suggestion: row.suggestion ?? null,
    undoesId: row.undoesId ?? null,
    fromId: row.fromId ?? null,
    byType: author.type,
    byName: author.name,
  };
}
