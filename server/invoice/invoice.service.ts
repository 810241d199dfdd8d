import type { HistoryEvent } from '../../domain/history/history.schema.ts';
import type { NumberOrUuid } from '../../domain/invoice/invoice.schema.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { findHistory } from '../history/history.service.ts';
import * as repository from './invoice.repository.ts';
import type { InvoiceRow } from './invoice.rows.ts';

export { findDraftCustomerIds, lockInvoice, lockInvoiceById } from './invoice.repository.ts';

/** An invoice or credit note. @throws AppError not_found */
export async function findRow(db: Db, companyId: number, name: NumberOrUuid): Promise<InvoiceRow> {
  const row = await repository.findInvoice(db, companyId, name);
  if (!row) throw new AppError('not_found');
  return row;
}

/** What happened to an invoice or credit note, newest first. @throws AppError not_found */
export async function getHistory(
  db: Db,
  companyId: number,
  name: NumberOrUuid,
): Promise<HistoryEvent[]> {
  const { id } = await findRow(db, companyId, name);
  return findHistory(db, companyId, id);
}
