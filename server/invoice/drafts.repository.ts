import { sql } from 'kysely';

import { TERMS_OF_DRAFT } from '../../domain/invoice/invoice.schema.ts';
import type { InvoiceLine } from '../../domain/invoice/invoice.totals.ts';
import { compiledOnce } from '../platform/db/compiled-once.ts';
import type { Trx } from '../platform/db/database.ts';
import { partsOf, toRecords } from '../platform/db/insert-all.ts';
import { toStoredLine } from '../platform/db/columns.ts';
import type { Row } from '../platform/db/tables.ts';
import { INVOICE_COLUMNS, type InvoiceRow } from './invoice.rows.ts';

/** The columns that the caller sets on a new invoice; the database sets the others. */
const GIVEN = [
  'customerId',
  'kind',
  'creditsInvoiceId',
  'buyer',
  'deliveryType',
  'deliveryStatus',
  'dueDays',
  'netAmount',
  'vatAmount',
  'grossAmount',
  ...TERMS_OF_DRAFT,
] as const;
const GIVEN_OF_LINE = [
  'position',
  'quantity',
  'thousandths',
  'unit',
  'description',
  'netUnitAmount',
  'vatRate',
] as const;

export type NewInvoice = Row<'invoice', (typeof GIVEN)[number]>;

/** The columns of the invoice itself, without buyer and links. */
export interface InsertedInvoice extends Pick<InvoiceRow, (typeof INVOICE_COLUMNS)[number]> {
  /** In the order of the lines. */
  readonly lineIds: readonly number[];
}

/** Adds invoices of a company as drafts, in the given order, each with the given lines. */
export async function insertInvoices(
  trx: Trx,
  companyId: number,
  invoices: readonly NewInvoice[],
  lines: readonly InvoiceLine[],
): Promise<InsertedInvoice[]> {
  const given = toLineRecords(lines);
  const inserted: InsertedInvoice[] = [];
  for (const part of partsOf(invoices)) {
    inserted.push(...(await insertWithLines(trx, companyId, toRecords(part), given)));
  }
  return inserted;
}

function toLineRecords(lines: readonly InvoiceLine[]): string {
  return toRecords(lines.map((line, position) => Object.assign(toStoredLine(line), { position })));
}

/** Adds the lines of a draft that has none. */
export async function insertLines(
  trx: Trx,
  { companyId, invoiceId }: Row<'invoiceLine', 'companyId' | 'invoiceId'>,
  lines: readonly InvoiceLine[],
): Promise<void> {
  await insertGivenLines(trx, companyId, invoiceId, toLineRecords(lines));
}

const insertGivenLines = compiledOnce((db, companyId: number, invoiceId: number, lines: string) =>
  db
    .insertInto('invoiceLine')
    .columns(['companyId', 'invoiceId', ...GIVEN_OF_LINE])
    .expression((from) =>
      from
        .selectFrom(givenLines(lines).as('given'))
        .select([
          sql<number>`${companyId}::bigint`.as('companyId'),
          sql<number>`${invoiceId}::bigint`.as('invoiceId'),
        ])
        .select(GIVEN_OF_LINE),
    ),
);

function givenLines(lines: string) {
  return sql<
    Row<'invoiceLine', (typeof GIVEN_OF_LINE)[number]>
  >`json_populate_recordset(NULL::invoice_line, ${lines})`;
}

const insertWithLines = compiledOnce((db, companyId: number, invoices: string, lines: string) =>
  db
    .with('made', (part) =>
      part
        .insertInto('invoice')
        .columns(['companyId', ...GIVEN])
        .expression((from) =>
          from
            .selectFrom(
              sql<NewInvoice>`json_populate_recordset(NULL::invoice, ${invoices})`.as('given'),
            )
            .select(sql<number>`${companyId}::bigint`.as('companyId'))
            .select(GIVEN),
        )
        .returning(INVOICE_COLUMNS),
    )
    .with('madeLine', (part) =>
      part
        .insertInto('invoiceLine')
        .columns(['companyId', 'invoiceId', ...GIVEN_OF_LINE])
        .expression((from) =>
          from
            .selectFrom(['made', givenLines(lines).as('given')])
            .select(['made.companyId', 'made.id'])
            .select(GIVEN_OF_LINE.map((column) => `given.${column}` as const)),
        )
        .returning(['id', 'invoiceId', 'position']),
    )
    .with('lineIds', (part) =>
      part
        .selectFrom('madeLine')
        .select('invoiceId')
        .select(sql<number[]>`json_agg(id ORDER BY position)`.as('lineIds'))
        .groupBy('invoiceId'),
    )
    .selectFrom('made')
    .innerJoin('lineIds', 'lineIds.invoiceId', 'made.id')
    .select(INVOICE_COLUMNS.map((column) => `made.${column}` as const))
    .select('lineIds.lineIds')
    .orderBy('made.id'),
);
