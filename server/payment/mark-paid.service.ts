import { todayInOslo, type IsoDate } from '../../domain/date.ts';
import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import { amountDue } from '../../domain/invoice/claim.ts';
import type { AffectedPayment } from '../../domain/invoice/invoice-bulk.schema.ts';
import { oreToKroner } from '../../domain/money.ts';
import type { Trx } from '../platform/db/database.ts';
import { AppError } from '../errors.ts';
import { type Payable, lockPayablesByUuid } from '../invoice/invoice.service.ts';
import { lockCompany } from '../company/profile.service.ts';
import { addPayments, type NewPayment } from './payment-posting.service.ts';
import { findOnInvoices, type PaymentRow } from './payment.repository.ts';
import { byHand, takenOffByHand } from './payment.service.ts';

/** The marked and the skipped invoices, in the order of the request. */
export interface Marked {
  readonly updated: readonly string[];
  readonly skipped: readonly { readonly uuid: string; readonly reason: AppError }[];
  /** With REGISTERED: the payments taken back from the marked invoices. */
  readonly payments: readonly AffectedPayment[];
}

interface Marking {
  /** Lower case, without duplicates. */
  readonly uuids: readonly string[];
  readonly status: 'PAID' | 'REGISTERED';
  /** Null means today. */
  readonly paidDate: IsoDate | null;
  /** Only judge, write nothing. */
  readonly dryRun: boolean;
}

/** As `markInvoice`, for many: an invoice that cannot be marked is listed as skipped. */
export async function markMany(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  { uuids, status, paidDate, dryRun }: Marking,
): Promise<Marked> {
  // For the reason see `markInvoice`.
  await lockCompany(trx, companyId);
  const found = await lockPayablesByUuid(trx, companyId, uuids);
  const ids = [...found.values()].map(({ id }) => id);
  const onInvoices = status === 'PAID' ? [] : await findOnInvoices(trx, companyId, ids);
  const paidOf = Map.groupBy(onInvoices, ({ invoiceId }) => invoiceId);
  const rowsOf = (invoice: Payable) =>
    status === 'PAID'
      ? payWhole(invoice, paidDate)
      : takeBackOf(invoice, paidOf.get(invoice.id) ?? []);
  const judged = uuids.map((uuid) => {
    const invoice = found.get(uuid);
    return { uuid, invoice, rows: invoice ? rowsOf(invoice) : new AppError('not_found') };
  });
  const marked = judged.flatMap(({ uuid, invoice, rows }) =>
    invoice && !(rows instanceof AppError) ? [{ uuid, invoice, rows }] : [],
  );
  if (!dryRun) {
    await addPayments(trx, companyId, author, {
      rows: marked.flatMap(({ rows }) => rows),
      payables: new Map(marked.map(({ invoice }) => [invoice.id, invoice])),
    });
  }
  return {
    updated: marked.map(({ uuid }) => uuid),
    skipped: judged.flatMap(({ uuid, rows }) =>
      rows instanceof AppError ? [{ uuid, reason: rows }] : [],
    ),
    payments: marked.flatMap(({ uuid, invoice }) =>
      (paidOf.get(invoice.id) ?? []).map((payment) => toAffected(uuid, payment)),
    ),
  };
}

function toAffected(
  invoiceUuid: string,
  { uuid, paidOn: date, amount, source }: PaymentRow,
): AffectedPayment {
  const takenBack = source === 'MANUAL';
  return { uuid, invoiceUuid, date, amount: oreToKroner(amount), source, takenBack };
}

function payWhole(invoice: Payable, paidDate: IsoDate | null): AppError | NewPayment[] {
  if (invoice.kind === 'CREDIT_NOTE') return new AppError('credit_note_stays');
  if (invoice.status === 'DRAFT') return new AppError('draft_unpaid');
  if (invoice.status === 'CANCELLED') return new AppError('already_cancelled');
  if (invoice.status === 'PAID') return new AppError('already_paid');
  return [byHand(invoice, amountDue(invoice), paidDate ?? todayInOslo())];
}

function takeBackOf(invoice: Payable, onInvoice: readonly PaymentRow[]): AppError | NewPayment[] {
  if (invoice.kind === 'CREDIT_NOTE') return new AppError('credit_note_stays');
  if (invoice.status === 'CANCELLED') return new AppError('already_cancelled');
  if (invoice.status !== 'PAID') return new AppError('not_paid');
  return takenOffByHand(invoice, onInvoice);
}
