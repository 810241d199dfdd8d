import type { InvoiceListQuery } from '../../domain/invoice/invoice.schema.ts';
import type { Db } from '../db/database.ts';
import { findParts, type InvoiceContent } from './invoice-content.service.ts';
import * as repository from './invoice-list.repository.ts';
import type { InvoiceCounts } from './invoice.rows.ts';

export { countDraftsByOrganisation } from './invoice-list.repository.ts';
export type { InvoiceCounts } from './invoice.rows.ts';

/** A page of the list with the counts of the whole account. */
export interface Page {
  readonly counts: InvoiceCounts;
  readonly contents: readonly InvoiceContent[];
  /** How many a search finds; null without one. */
  readonly found: number | null;
}

/** A page of a company's invoices: drafts first, then the highest number first. */
export async function findPage(
  db: Db,
  companyId: number,
  { page, status, query }: InvoiceListQuery,
): Promise<Page> {
  const filter = { status, query };
  const [{ invoices, ...counts }, found] = await Promise.all([
    repository.findPage(db, companyId, page, filter),
    query === '' ? null : repository.countFound(db, companyId, filter),
  ]);
  return { counts, contents: await findParts(db, companyId, invoices), found };
}
