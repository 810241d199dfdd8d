import type { Columns, ListedRow, RowKind } from './import-kind.ts';
import type { Line } from './list-file.ts';

/** A record of the list with its line number, after corrections. */
export interface SourcedRow<R> {
  /** The line number in the spreadsheet. */
  readonly line: number;
  readonly row: R;
}

/** Values typed by the user in place of cells, by `cellKey`. */
export type Corrections = ReadonlyMap<string, string>;

export function cellKey(line: number, field: string): string {
  return `${line} ${field}`;
}

interface RowOptions {
  readonly columns: Columns;
  readonly corrections: Corrections;
  /** Line numbers that are left out. */
  readonly skipped: ReadonlySet<number>;
}

export function toRows<R extends ListedRow>(
  kind: RowKind,
  lines: readonly Line[],
  options: RowOptions,
): SourcedRow<R>[] {
  return lines
    .filter(({ number }) => !options.skipped.has(number))
    .map((line) => ({ line: line.number, row: toRow(kind, line, options) as R }));
}

function toRow(kind: RowKind, { number, cells }: Line, options: RowOptions) {
  const typed = (target: string) => options.corrections.get(cellKey(number, target));
  const cell = (target: string) =>
    kind.tidy(typed(target) ?? cells[options.columns.indexOf(target)] ?? '', target);
  const joined = kind.join(cell);
  const row: Record<string, unknown> = {};
  for (const field of kind.fields) {
    const value = typed(field) === undefined ? (joined[field] ?? cell(field)) : cell(field);
    if (value !== '') row[field] = kind.valueOf(field, value);
  }
  return row;
}

/** The text of a cell on one line. */
export function oneLine(cell: string, separator = ' '): string {
  return cell
    .replaceAll(/\s*[\r\n]+\s*/g, separator)
    .replaceAll(/[\s\u00A0]+/g, ' ')
    .trim();
}

const ANSWERS: ReadonlyMap<string, boolean> = new Map([
  ...'ja j yes y x 1 sann true'.split(' ').map((yes) => [yes, true] as const),
  ...'nei n no 0 usann false'.split(' ').map((no) => [no, false] as const),
]);

/** Whether a cell says yes or no, as people and programs write it. */
export function answerIn(text: string): boolean | undefined {
  return ANSWERS.get(text.toLowerCase());
}
