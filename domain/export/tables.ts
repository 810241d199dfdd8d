import { ore } from '../money.ts';
import { aboutSheet } from './about-table.ts';
import { collectPostings, customerSheet, openSheet, type Postings } from './customer-tables.ts';
import { documentSheet, lineSheet, vatSheet, type VatSums } from './document-tables.ts';
import { journalSheet, paymentSheet } from './journal-tables.ts';
import type { Counted, Sheet, Table, TableSource } from './table.ts';

/** All sheets (EXP-2), in their order. Each is read once, and the last one tells what was in the others. */
export function tablesOf(source: TableSource): readonly Table[] {
  const counts = new Map<string, Counted>();
  const vat: VatSums = new Map();
  const postings: Postings = new Map();
  const sheets = [
    documentSheet(source, vat),
    lineSheet(source),
    paymentSheet(source),
    journalSheet(source, (vouchers) => collectPostings(vouchers, postings)),
    vatSheet(vat),
    customerSheet(source, postings),
    openSheet(source),
  ].map((sheet) => counting(sheet, counts));
  return [...sheets, aboutSheet(source, counts)];
}

function counting(sheet: Sheet, counts: Map<string, Counted>): Table {
  const { name, columns, summed } = sheet;
  const index = columns.findIndex((column) => column.name === summed);
  return {
    name,
    columns,
    async *rows() {
      let count = 0;
      let sum = 0;
      for await (const rows of sheet.rows()) {
        count += rows.length;
        for (const row of rows) sum += Number(row[index] ?? 0);
        yield rows;
      }
      counts.set(name, { name, summed, count, sum: ore(sum) });
    },
  };
}
