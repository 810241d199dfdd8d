import { sql, type RawBuilder } from 'kysely';

import { soughtInvoice } from '../../domain/invoice/sought-invoice.ts';
import type { InvoiceStatus } from '../../domain/invoice/invoice.status.ts';
import type { Ore } from '../../domain/money.ts';
import { hasLine } from '../invoice/invoice.selection.ts';
import { matches } from '../platform/db/search.ts';

/** Which invoices are searched, and how. */
interface Sought {
  readonly query: string;
  readonly isDraft: boolean;
  /** Whether all of the company's invoices are read because they are few. */
  readonly readsAll: boolean;
}

/**
 * Conditions each of which finds drafts, or invoices with a number, by an index of its own (INV-44): an OR of them could
 * use none. Where all are read, it is this OR, for both.
 */
export function waysToFind(companyId: number, sought: Sought): RawBuilder<unknown>[] {
  const { query, isDraft, readsAll } = sought;
  const { invoiceNumber, text, words, amount } = soughtInvoice(query);
  if (invoiceNumber !== null) return [sql`invoice.invoice_number = ${invoiceNumber}`];
  const either = [
    sql`invoice.reference IS NOT NULL
      AND ${matches(sql`searched_text(invoice.reference)`, words, readsAll)}`,
    hasLine(companyId, matches(sql`searched_text(line.description)`, words, readsAll)),
  ];
  const drafts = [isDraftTo(companyId, text, readsAll), ...ofAmount(amount, 'DRAFT')];
  const numbered = [
    matches('invoice.searchText', text, readsAll),
    ...ofAmount(amount, 'REGISTERED', 'PAID', 'CANCELLED'),
    ...ofRest(amount),
  ];
  if (readsAll) return [sql`((${sql.join([...numbered, ...drafts, ...either], sql`) OR (`)}))`];
  return [...(isDraft ? drafts : numbered), ...either];
}

/** A draft has no text of its own: its customer may still change. */
function isDraftTo(companyId: number, text: string, readsAll: boolean): RawBuilder<unknown> {
  return sql`invoice.status = 'DRAFT' AND invoice.customer_id IN (
    SELECT customer.id FROM customer WHERE customer.company_id = ${companyId}
      AND ${matches('customer.searchText', text, readsAll)})`;
}

/** The index of sums begins with the status. */
function ofAmount(amount: Ore | null, ...statuses: InvoiceStatus[]): RawBuilder<unknown>[] {
  if (amount === null) return [];
  return [
    sql`invoice.status IN (${sql.join(statuses.map((status) => sql.lit(status)))})
      AND invoice.gross_amount = ${amount}::bigint`,
  ];
}

/** Due after a part was paid or credited. */
function ofRest(amount: Ore | null): RawBuilder<unknown>[] {
  if (amount === null) return [];
  return [sql`(invoice.paid_amount > 0 OR invoice.credited_amount > 0) AND ${isDue(amount)}`];
}

/** Whether just so much of a registered invoice is due. */
export function isDue(amount: Ore): RawBuilder<unknown> {
  return sql`invoice.kind = 'INVOICE' AND invoice.status = 'REGISTERED'
    AND invoice.gross_amount - invoice.credited_amount - invoice.paid_amount = ${amount}::bigint`;
}
