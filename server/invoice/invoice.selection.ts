import { jsonArrayFrom } from '../db/json-rows.ts';

import type { Db } from '../db/database.ts';
import { INVOICE_COLUMNS, LINE_COLUMNS } from './invoice.rows.ts';

/** Every invoice with its lines, what credits it and what it credits. */
export function selectInvoices(db: Db) {
  return db
    .selectFrom('invoice')
    .leftJoin('invoice as note', (join) =>
      join
        .onRef('note.companyId', '=', 'invoice.companyId')
        .onRef('note.creditsInvoiceId', '=', 'invoice.id'),
    )
    .leftJoin('invoice as original', (join) =>
      join
        .onRef('original.companyId', '=', 'invoice.companyId')
        .onRef('original.id', '=', 'invoice.creditsInvoiceId'),
    )
    .select(INVOICE_COLUMNS.map((column) => `invoice.${column}` as const))
    .select([
      'note.uuid as noteUuid',
      'note.invoiceNumber as noteNumber',
      'original.uuid as originalUuid',
      'original.invoiceNumber as originalNumber',
      'original.issueDate as originalIssueDate',
    ])
    .select((invoice) =>
      jsonArrayFrom(
        invoice
          .selectFrom('invoiceLine as line')
          .select(LINE_COLUMNS.map((column) => `line.${column}` as const))
          .whereRef('line.companyId', '=', 'invoice.companyId')
          .whereRef('line.invoiceId', '=', 'invoice.id')
          .orderBy('line.position'),
      ).as('lines'),
    );
}
