import type { Invoice, NumberOrUuid } from '../../domain/invoice/invoice.schema.ts';
import type { Db } from '../platform/db/database.ts';
import { fromJson } from '../delivery/delivery.rows.ts';
import { AppError } from '../errors.ts';
import { findAnswerRow, type AnswerRow } from './invoice-answer.repository.ts';
import { presentInvoice } from './invoice.presenter.ts';

/** An invoice or credit note as the API shows it. @throws AppError not_found */
export async function describeInvoice(
  db: Db,
  companyId: number,
  name: NumberOrUuid,
): Promise<Invoice> {
  const row = await findAnswerRow(db, companyId, name);
  if (!row) throw new AppError('not_found');
  return describe(row);
}

/** As the API shows it. */
export function describe(row: AnswerRow): Invoice {
  return presentInvoice(row, row.deliveries.map(fromJson));
}
