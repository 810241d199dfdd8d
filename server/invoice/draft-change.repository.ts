import type { InvoiceLine } from '../../domain/invoice/invoice.totals.ts';
import type { Trx } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';
import { insertLines, type NewInvoice } from './drafts.repository.ts';

/** The values of a draft to save; the database increments the version. */
export type SavedDraft = Omit<NewInvoice, 'companyId' | 'kind' | 'creditsInvoiceId' | 'buyer'>;

/** Saves a draft and replaces its lines. The caller holds the company lock. */
export async function saveDraft(
  trx: Trx,
  { companyId, id }: Row<'invoice', 'companyId' | 'id'>,
  draft: SavedDraft,
  lines: readonly InvoiceLine[],
): Promise<void> {
  await trx
    .updateTable('invoice')
    .set(draft)
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .execute();
  await trx
    .deleteFrom('invoiceLine')
    .where('companyId', '=', companyId)
    .where('invoiceId', '=', id)
    .execute();
  await insertLines(trx, { companyId, invoiceId: id }, lines);
}
