import type { HistoryEvent } from '../../domain/history/history.schema.ts';
import type { NumberOrUuid } from '../../domain/invoice/invoice.schema.ts';
import type { Db } from '../db/database.ts';
import { findHistory } from '../history/history.service.ts';
import { requireInvoice } from './invoice.repository.ts';

export {
  findDraftCustomerIds,
  lockInvoice,
  lockInvoiceById,
  requireInvoice,
} from './invoice.repository.ts';

/** What happened to an invoice or credit note, newest first. @throws AppError not_found */
export async function getHistory(
  db: Db,
  companyId: number,
  name: NumberOrUuid,
): Promise<HistoryEvent[]> {
  const { id } = await requireInvoice(db, companyId, name);
  return findHistory(db, companyId, id);
}
