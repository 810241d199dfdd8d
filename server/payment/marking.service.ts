import { todayInOslo, type IsoDate } from '../../domain/date.ts';
import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import { amountDue } from '../../domain/invoice/amount-due.ts';
import type { Trx } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { lockPayablesByUuid, type Payable } from '../invoice/invoice-payable.service.ts';
import { lockCompany } from '../profile/profile.service.ts';
import { addPayments, type NewPayment } from './payment-posting.service.ts';
import { findOnInvoices, type PaymentRow } from './payment.repository.ts';
import { byHand, takenOffByHand } from './payment.service.ts';

/** What was marked, and what was not, in the order in which it was named. */
export interface Marked {
  readonly updated: readonly string[];
  readonly skipped: readonly { readonly uuid: string; readonly reason: AppError }[];
}

interface Marking {
  /** In small letters, each once. */
  readonly uuids: readonly string[];
  readonly status: 'PAID' | 'REGISTERED';
  /** Null is today. */
  readonly paidDate: IsoDate | null;
}

/** As `markInvoice`, many at once: what cannot be marked stays as it is. */
export async function markMany(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  { uuids, status, paidDate }: Marking,
): Promise<Marked> {
  // What was credit is its customer's again when it is taken off: see `placePayment`.
  if (status === 'REGISTERED') await lockCompany(trx, companyId);
  const found = await lockPayablesByUuid(trx, companyId, uuids);
  const rowsOf =
    status === 'PAID'
      ? (invoice: Payable) => payWhole(invoice, paidDate)
      : await takeBack(trx, companyId, [...found.values()]);
  const judged = uuids.map((uuid) => {
    const invoice = found.get(uuid);
    return { uuid, invoice, rows: invoice ? rowsOf(invoice) : new AppError('not_found') };
  });
  const marked = judged.flatMap(({ uuid, invoice, rows }) =>
    invoice && !(rows instanceof AppError) ? [{ uuid, invoice, rows }] : [],
  );
  await addPayments(trx, companyId, author, {
    rows: marked.flatMap(({ rows }) => rows),
    payables: new Map(marked.map(({ invoice }) => [invoice.id, invoice])),
  });
  return {
    updated: marked.map(({ uuid }) => uuid),
    skipped: judged.flatMap(({ uuid, rows }) =>
      rows instanceof AppError ? [{ uuid, reason: rows }] : [],
    ),
  };
}

function payWhole(invoice: Payable, paidDate: IsoDate | null): AppError | NewPayment[] {
  if (invoice.kind === 'CREDIT_NOTE') return new AppError('credit_note_stays');
  if (invoice.status === 'DRAFT') return new AppError('draft_unpaid');
  if (invoice.status === 'CANCELLED') return new AppError('already_cancelled');
  if (invoice.status === 'PAID') return new AppError('already_paid');
  return [byHand(invoice, amountDue(invoice), paidDate ?? todayInOslo())];
}

/** What takes back the manual payments of each of these invoices. */
async function takeBack(
  trx: Trx,
  companyId: number,
  invoices: readonly Payable[],
): Promise<(invoice: Payable) => AppError | NewPayment[]> {
  const onInvoices = await findOnInvoices(
    trx,
    companyId,
    invoices.map(({ id }) => id),
  );
  const byInvoice = Map.groupBy(onInvoices, ({ invoiceId }) => invoiceId);
  return (invoice) => takeBackOf(invoice, byInvoice.get(invoice.id) ?? []);
}

function takeBackOf(invoice: Payable, onInvoice: readonly PaymentRow[]): AppError | NewPayment[] {
  if (invoice.kind === 'CREDIT_NOTE') return new AppError('credit_note_stays');
  if (invoice.status === 'CANCELLED') return new AppError('already_cancelled');
  if (invoice.status !== 'PAID') return new AppError('not_paid');
  return takenOffByHand(invoice, onInvoice);
}
