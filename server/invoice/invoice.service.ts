import type { HistoryEvent } from '../../domain/history/history.schema.ts';
import type { NumberOrUuid } from '../../domain/invoice/invoice.schema.ts';
import type { Db, Trx } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { findHistory } from '../history/history.service.ts';
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
