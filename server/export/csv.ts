import type { Cell, Column, Table } from '../../domain/export/table.ts';
import { oreToDecimal, type Ore } from '../../domain/money.ts';
import { zipOf, type ZipEntry } from './zip.ts';

/** Excel reads UTF-8 by it. */
const MARK = '\uFEFF';
/** A spreadsheet takes a text for a formula that begins so, also after a line break (OWASP, CSV injection). */
const FORMULA = /(^|\n)(?=[\s\u00A0]*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20])/g;
/** Characters of control but tab and line breaks, and what is no character. */
const CONTROLS = /[^\t\n\r\u0020-\u007E\u00A0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** A ZIP with a CSV file for each table, in parts: `;`, decimal comma, and lines that end as RFC 4180 has it. */
export function printCsv(tables: readonly Table[], modifiedAt: Date): AsyncGenerator<Uint8Array> {
  return zipOf(filesOf(tables, modifiedAt));
}

async function* filesOf(tables: readonly Table[], modifiedAt: Date): AsyncGenerator<ZipEntry> {
  for (const table of tables) {
    yield { path: `${table.name}.csv`, content: linesOf(table), modifiedAt };
  }
}

async function* linesOf({ columns, ...table }: Table): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  yield encoder.encode(`${MARK}${columns.map(({ name }) => quoted(name)).join(';')}\r\n`);
  for await (const rows of table.rows()) {
    yield encoder.encode(rows.map((row) => `${lineOf(row, columns)}\r\n`).join(''));
  }
}

function lineOf(row: readonly Cell[], columns: readonly Column[]): string {
  return row.map((cell, index) => fieldOf(cell, columns[index]?.type ?? 'TEXT')).join(';');
}

function fieldOf(cell: Cell, type: Column['type']): string {
  if (cell === null) return '';
  if (type === 'MONEY') return oreToDecimal(Number(cell) as Ore).replace('.', ',');
  if (type === 'NUMBER') return String(cell).replace('.', ',');
  return quoted(
    String(cell).replaceAll(/\r\n?/g, '\n').replaceAll(CONTROLS, '').replaceAll(FORMULA, "$1'"),
  );
}

function quoted(text: string): string {
  return /[;"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
