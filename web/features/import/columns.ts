import { numberIn } from '../../lib/number-text.ts';
import type { ColumnKind } from './import-kind.ts';
import type { Line, Table } from './list-file.ts';

/** The target of each column; null for columns that are not imported. */
export type Columns = readonly (string | null)[];

export function targetOf({ headings }: ColumnKind, heading: string): string | null {
  const letters = ` ${lettersOf(heading)} `;
  return Object.keys(headings).find((target) => ` ${headings[target]} `.includes(letters)) ?? null;
}

function lettersOf(heading: string): string {
  return heading
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/[^a-z0-9æøå]/g, '');
}

function targetsOf(kind: ColumnKind, headings: readonly string[]): Columns {
  const targets = headings.map((heading) => targetOf(kind, heading));
  return headings.map((heading, column) => {
    const target = targets[column] ?? null;
    const beside = kind.beside.get(lettersOf(heading));
    const isTwice = targets.some((other, index) => other === target && index !== column);
    return beside && isTwice ? beside : target;
  });
}

const TITLE_LINES_MAX = 10;

/** Counts the lines above the headings, such as a title of the list. */
export function countTitleLines(kind: ColumnKind, { lines }: Table): number {
  const at = lines.slice(0, TITLE_LINES_MAX + 1).findIndex((line) => countHeadings(kind, line) > 1);
  const [heading] = lines.slice(Math.max(at, 0));
  const isTitle = (line: Line) => heading && filledIn(line).length < filledIn(heading).length;
  return at > 0 && lines.slice(0, at).every(isTitle) ? at : 0;
}

const SUM = /^(sum|total(t|sum|er)?|i alt|til sammen|grand total)\s*:?$/i;

/** Counts the lines of sums at the end: a word for a sum, and beside it numbers alone. */
export function countSumLines({ lines }: Table): number {
  const last = lines.findLastIndex((line) => !isSumLine(line));
  // A list of sums alone is a list.
  return last < 0 ? 0 : lines.length - 1 - last;
}

function isSumLine(line: Line): boolean {
  const [word = '', ...others] = filledIn(line);
  return SUM.test(word) && others.length > 0 && others.every((cell) => numberIn(cell) !== null);
}

function countHeadings(kind: ColumnKind, line: Line): number {
  return filledIn(line).filter((cell) => targetOf(kind, cell) !== null).length;
}

function filledIn({ cells }: Line): string[] {
  return cells.filter((cell) => cell !== '');
}

/** Whether the first line has column headings rather than a record. */
export function hasHeading(kind: ColumnKind, { lines: [first] }: Table): boolean {
  if (!first) return false;
  const known = countHeadings(kind, first);
  // A single match may be a record's name. With two, numbers are headings too, such as a year.
  return known > 1 || (known === 1 && !filledIn(first).some(kind.isOfRecord));
}

const LINES_EXAMINED = 50;

/** Recognises the columns by their headings, or by their content when there are no headings. */
export function findColumns(kind: ColumnKind, table: Table, isHeaded: boolean): Columns {
  const [first] = table.lines;
  const taken = new Set<string>();
  const take = (target: string | null): string | null => {
    if (target === null || taken.has(target)) return null;
    taken.add(target);
    return target;
  };
  const guess = (column: number) => {
    const lines = table.lines.slice(0, LINES_EXAMINED);
    const cells = lines.map((line) => line.cells[column] ?? '').filter((cell) => cell !== '');
    return cells.length === 0 ? null : kind.guess(cells, taken);
  };
  const headed = isHeaded ? targetsOf(kind, first?.cells ?? []) : [];
  return Array.from({ length: table.width }, (_, column) =>
    take(isHeaded ? (headed[column] ?? null) : guess(column)),
  );
}

/** Whether most cells of a column are of a form. */
export function mostAre(cells: readonly string[], is: (cell: string) => boolean): boolean {
  return cells.filter(is).length > cells.length * 0.7;
}

/** Sets the target of a column. A column that had the same target loses it. */
export function setColumn(columns: Columns, column: number, target: string | null): Columns {
  return columns.map((other, index) =>
    index === column ? target : other === target ? null : other,
  );
}
