import { IMPORTED_FIELDS } from '../../../domain/customer/customer-import.schema.ts';
import { tidyOrgNumber, tidyPhoneNumber, visibleText } from '../../../domain/text.ts';
import type { Columns, Target } from './columns.ts';
import type { Line } from './table.ts';

export type ImportedField = (typeof IMPORTED_FIELDS)[number];

/** A customer of the list as the API takes it: empty fields are left out. */
type Row = Readonly<Partial<Record<ImportedField, string | number>>>;

/** Where a row comes from, and what was typed in place of what the list has. */
export interface SourcedRow {
  /** Its number in the spreadsheet. */
  readonly line: number;
  readonly row: Row;
}

/** What a person has typed in place of a cell, by `cellKey`. */
export type Corrections = ReadonlyMap<string, string>;

export function cellKey(line: number, field: ImportedField): string {
  return `${line} ${field}`;
}

interface RowOptions {
  readonly columns: Columns;
  readonly corrections: Corrections;
  /** Lines that are left out. */
  readonly skipped: ReadonlySet<number>;
}

/** The customers of a list. */
export function toRows(lines: readonly Line[], options: RowOptions): SourcedRow[] {
  return lines
    .filter(({ number }) => !options.skipped.has(number))
    .map((line) => ({ line: line.number, row: toRow(line, options) }));
}

function toRow({ number, cells }: Line, options: RowOptions): Row {
  const cell = (target: Target) => tidy(cells[options.columns.indexOf(target)] ?? '', target);
  const whole = [cell('firstName'), cell('lastName')].filter(Boolean).join(' ');
  // More digits are a code of another country, which stays with its city.
  const [, code = '', place = ''] =
    /^(?:(\d{3,4})(?!\s*\d))?\s*(.*)$/.exec(cell('postalPlace')) ?? [];
  const given: Partial<Record<ImportedField, string>> = {
    name: cell('name') || whole,
    postalCode: cell('postalCode') || code,
    city: cell('city') || place,
  };
  const row: Partial<Record<ImportedField, string | number>> = {};
  for (const field of IMPORTED_FIELDS) {
    const typed = options.corrections.get(cellKey(number, field));
    const value = typed === undefined ? (given[field] ?? cell(field)) : tidy(typed, field);
    if (value !== '') row[field] = valueOf(field, value);
  }
  return row;
}

function valueOf(field: ImportedField, value: string): string | number {
  return field === 'customerNumber' && /^\d{1,9}$/.test(value) ? Number(value) : value;
}

/** Whether a postal code looks as if a spreadsheet had taken its zero away: '150' for '0150'. */
export function isCut({ row }: SourcedRow): boolean {
  return /^\d{3}$/.test(String(row.postalCode ?? ''));
}

/** The same rows with such postal codes made whole. */
export function padPostalCodes(rows: readonly SourcedRow[]): readonly SourcedRow[] {
  return rows.map((source) => {
    if (!isCut(source)) return source;
    const postalCode = String(source.row.postalCode).padStart(4, '0');
    return { line: source.line, row: { ...source.row, postalCode } };
  });
}

/**
 * New customers whom another import of the same list would add once more: nothing in their rows says who they are. A
 * number, an organisation number, or an address that no other row has, would.
 *
 * @param known the rows whose customers are known already, from 1
 */
export function countUnrecognisable(
  rows: readonly SourcedRow[],
  known: ReadonlySet<number>,
): number {
  const addresses = Map.groupBy(rows, ({ row }) => String(row.email ?? '').toLowerCase());
  const isUnrecognisable = ({ row }: SourcedRow) =>
    row.customerNumber === undefined &&
    row.orgNumber === undefined &&
    (row.email === undefined || addresses.get(String(row.email).toLowerCase())?.length !== 1);
  return rows.filter((source, index) => !known.has(index + 1) && isUnrecognisable(source)).length;
}

/** Writes a cell as its field takes it. */
function tidy(cell: string, target: Target): string {
  const separator = target === 'address1' || target === 'address2' ? ', ' : ' ';
  const text = cell
    .replaceAll(/\s*[\r\n]+\s*/g, separator)
    .replaceAll(/[\s\u00A0]+/g, ' ')
    .trim();
  switch (target) {
    case 'phoneNumber':
      return tidyPhoneNumber(text);
    case 'orgNumber':
      return tidyOrgNumber(text);
    case 'postalCode':
      return visibleText(text);
    case 'customerNumber':
      return visibleText(text).replaceAll(/[\s.](?=\d{3})/g, '');
    case 'email':
      return visibleText(text).replace(/^mailto:/i, '');
    default:
      return text;
  }
}
