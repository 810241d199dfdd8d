import { daysBetween } from '../../domain/date.ts';
import type { Cell, Column, Table } from '../../domain/export/table.ts';
import { oreToDecimal, type Ore } from '../../domain/money.ts';
import {
  sheetFoot,
  sheetHead,
  STYLE_OF,
  STYLES,
  xmlText,
  type SheetName,
} from './workbook-parts.ts';
import * as parts from './workbook-parts.ts';
import { zipOf, type ZipEntry } from './zip.ts';

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** Rows of a sheet below its heading. */
const ROWS_MAX = 1_048_575;
/** Serial numbers of dates count from here (ECMA-376 part 1, § 18.17.4.1). */
const DAY_ZERO = '1899-12-30';
/** Any time, so that the same tables give the same bytes. */
const MODIFIED_AT = new Date('2000-01-01T00:00:00Z');

/** A workbook with a sheet for each table, in parts. A table that is too long goes on in another sheet. */
export function printWorkbook(tables: readonly Table[]): AsyncGenerator<Uint8Array> {
  return zipOf(entriesOf(tables));
}

async function* entriesOf(tables: readonly Table[]): AsyncGenerator<ZipEntry> {
  const sheets: SheetName[] = [];
  for (const table of tables) {
    const sheet = new SheetWriter(table);
    for (let part = 1; !sheet.isDone; part++) {
      const name = part === 1 ? table.name : `${table.name} ${part}`;
      sheets.push({ name, columns: table.columns.length });
      yield file(`xl/worksheets/sheet${sheets.length}.xml`, sheet.next());
    }
  }
  const encoder = new TextEncoder();
  const texts: Readonly<Record<string, string>> = {
    'xl/styles.xml': STYLES,
    'xl/workbook.xml': parts.workbookOf(sheets),
    'xl/_rels/workbook.xml.rels': parts.relationsOf(sheets),
    '_rels/.rels': parts.RELATIONS,
    '[Content_Types].xml': parts.contentTypesOf(sheets),
  };
  for (const [path, text] of Object.entries(texts)) yield file(path, encoder.encode(text));
}

function file(path: string, content: ZipEntry['content']): ZipEntry {
  return { path, content, modifiedAt: MODIFIED_AT };
}

/** Writes one table, as several sheets where it is longer than one may be. */
class SheetWriter {
  isDone = false;
  readonly #table: Table;
  readonly #rows: AsyncIterator<readonly (readonly Cell[])[]>;
  /** Rows that were read and not yet written. */
  #left: readonly (readonly Cell[])[] = [];

  constructor(table: Table) {
    this.#table = table;
    this.#rows = table.rows()[Symbol.asyncIterator]();
  }

  async *next(): AsyncGenerator<Uint8Array> {
    const { columns } = this.#table;
    const encoder = new TextEncoder();
    yield encoder.encode(sheetHead(columns) + rowOf(headingOf(columns), columns, 1));
    let written = 0;
    while (written < ROWS_MAX) {
      if (this.#left.length === 0 && !(await this.#readMore())) break;
      const rows = this.#left.slice(0, ROWS_MAX - written);
      this.#left = this.#left.slice(rows.length);
      const first = written + 2;
      yield encoder.encode(rows.map((row, index) => rowOf(row, columns, first + index)).join(''));
      written += rows.length;
    }
    this.isDone ||= this.#left.length === 0 && !(await this.#readMore());
    yield encoder.encode(sheetFoot(columns.length, written + 1));
  }

  /** Whether there is a row to write. */
  async #readMore(): Promise<boolean> {
    while (!this.isDone && this.#left.length === 0) {
      const read = await this.#rows.next();
      this.isDone = read.done === true;
      this.#left = read.done === true ? [] : read.value;
    }
    return this.#left.length > 0;
  }
}

function headingOf(columns: readonly Column[]): Cell[] {
  return columns.map(({ name }) => name);
}

function rowOf(cells: readonly Cell[], columns: readonly Column[], row: number): string {
  let written = '';
  for (const [index, cell] of cells.entries()) {
    const type = columns[index]?.type ?? 'TEXT';
    written += cellOf(cell, row > 1 ? type : type === 'TEXT' ? 'HEADING' : 'HEADING_RIGHT');
  }
  return `<row r="${row}">${written}</row>`;
}

function cellOf(cell: Cell, style: Style): string {
  if (cell === null) return '<c/>';
  switch (style) {
    case 'MONEY':
      return `${BEGIN.MONEY}${oreToDecimal(Number(cell) as Ore)}</v></c>`;
    case 'DATE':
      return `${BEGIN.DATE}${daysBetween(DAY_ZERO, String(cell))}</v></c>`;
    case 'NUMBER':
      return `${BEGIN.NUMBER}${cell}</v></c>`;
    default:
      return `${BEGIN[style]}${xmlText(String(cell))}</t></is></c>`;
  }
}

type Style = keyof typeof STYLE_OF;

/** The beginnings of cells. A text is never a formula: only an element of its own would be one. */
const BEGIN: Readonly<Record<Style, string>> = {
  NUMBER: value(STYLE_OF.NUMBER),
  MONEY: value(STYLE_OF.MONEY),
  DATE: value(STYLE_OF.DATE),
  TEXT: inline(STYLE_OF.TEXT),
  HEADING: inline(STYLE_OF.HEADING),
  HEADING_RIGHT: inline(STYLE_OF.HEADING_RIGHT),
};

function value(style: number): string {
  return `<c s="${style}"><v>`;
}

function inline(style: number): string {
  return `<c s="${style}" t="inlineStr"><is><t xml:space="preserve">`;
}
