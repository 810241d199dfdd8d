import type { HistoryEvent } from '../../domain/history/history.schema.ts';
import type { NumberOrUuid } from '../../domain/invoice/invoice.schema.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { findHistory } from '../history/history.service.ts';
import * as repository from './invoice.repository.ts';

export { findDraftCustomerIds, lockInvoice, lockInvoiceById } from './invoice.repository.ts';

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
