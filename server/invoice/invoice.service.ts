import { todayInOslo } from '../../domain/date.ts';
import type { HistoryAuthor, HistoryEvent } from '../../domain/history/history.schema.ts';
import type { NumberOrUuid } from '../../domain/invoice/invoice.schema.ts';
import { canBecome, type InvoiceStatus } from '../../domain/invoice/invoice.status.ts';
import type { Db, Trx } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { findHistory, recordEvents } from '../history/history.service.ts';
import * as repository from './invoice.repository.ts';
import type { InvoiceRow } from './invoice.rows.ts';

export { findDraftCustomerIds } from './invoice.repository.ts';

/** What happened to an invoice or credit note, newest first. @throws AppError not_found */
export async function getHistory(
  db: Db,
  companyId: number,
  name: NumberOrUuid,
): Promise<HistoryEvent[]> {
  const invoice = await repository.findInvoice(db, companyId, name);
  if (!invoice) throw new AppError('not_found');
  return findHistory(db, companyId, invoice.id);
}

/**
 * Marks a registered invoice as paid today, or a paid one as not paid. Returns its id.
 * @throws AppError not_found, credit_note_stays, status_not_possible
 */
export async function markInvoice(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  { uuid, status }: { uuid: string; status: InvoiceStatus },
): Promise<number> {
  const invoice = await repository.lockInvoice(trx, companyId, uuid);
  if (!invoice) throw new AppError('not_found');
  if (invoice.kind === 'CREDIT_NOTE') throw new AppError('credit_note_stays');
  const isByHand = status === 'PAID' || invoice.status === 'PAID';
  if (!isByHand || !canBecome(invoice.status, status)) {
    throw new AppError('status_not_possible', { subject: `${invoice.status} to ${status}` });
  }
  const paidDate = status === 'PAID' ? todayInOslo() : null;
  await repository.setStatus(trx, companyId, invoice.id, status, paidDate);
  await recordEvents(trx, author, [
    paidDate === null
      ? { companyId, invoiceId: invoice.id, kind: 'UNPAID' }
      : { companyId, invoiceId: invoice.id, kind: 'PAID', details: { paidDate } },
  ]);
  return invoice.id;
}

/** As `lockInvoice`, by the id that other tables name it by. */
export async function lockInvoiceById(
  trx: Trx,
  companyId: number,
  id: number,
): Promise<InvoiceRow | null> {
  return repository.lockInvoiceById(trx, companyId, id);
}

/** An invoice held until the transaction ends; null when it is not the company's. */
export async function lockInvoice(
  trx: Trx,
  companyId: number,
  uuid: string,
): Promise<InvoiceRow | null> {
  return repository.lockInvoice(trx, companyId, uuid);
}
