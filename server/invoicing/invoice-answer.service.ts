import type { Invoice, NumberOrUuid } from '../../domain/invoice/invoice.schema.ts';
import type { Db } from '../db/database.ts';
import { fromJson } from '../delivery/delivery-list.service.ts';
import { AppError } from '../errors.ts';
import { findParts } from '../invoice/invoice-content.service.ts';
import { findAnswerRow, type AnswerRow } from './invoice-answer.repository.ts';
import { presentInvoice } from './invoice.presenter.ts';

/** An invoice or credit note as the API shows it. @throws AppError not_found */
export async function describeInvoice(
  db: Db,
  companyId: number,
  name: NumberOrUuid,
): Promise<Invoice> {
  const row = await findAnswerRow(db, companyId, name);
  const [invoice] = await describeInvoices(db, companyId, row ? [row] : []);
  if (!invoice) throw new AppError('not_found');
  return invoice;
}

/** Invoices as the API shows them, in the same order. */
export async function describeInvoices(
  db: Db,
  companyId: number,
  rows: readonly AnswerRow[],
): Promise<Invoice[]> {
  const contents = await findParts(db, companyId, rows);
  return contents.map((content) => presentInvoice(content, content.row.deliveries.map(fromJson)));
}
