import type { RowFault } from '../../../domain/api/error.ts';
import { fillIn, type Sentence } from '../../../domain/api/rules.ts';
import { readRule } from '../../lib/explanations.ts';
import { numberIn } from '../../lib/number-text.ts';
import type { ChangeKind, Subject } from '../../lib/query-client.ts';
import type { Sending } from '../../lib/upload.ts';
import type { Line, Table } from './list-file.ts';

/** A record in the API's format, without empty fields. A value that cannot be read is text; the API names the fault. */
export interface ListedRow {
  readonly name?: string;
}

/** The API's answer to an import, or to its dry run. Rows count from 1. */
export interface Found {
  readonly created: number;
  readonly updated: number;
  readonly faults: readonly RowFault[];
  readonly known: readonly {
    readonly row: number;
    readonly name: string;
    readonly changes: readonly string[];
  }[];
}

/** How a list is read as records of one kind, and the words for them. */
export interface ImportKind<R extends ListedRow, F extends Found> {
  readonly words: Words;
  readonly columns: ColumnKind;
  readonly rows: RowKind;
  readonly preview: readonly PreviewColumn<R, F['known'][number]>[];
  readonly nameOfKnown: (known: F['known'][number]) => string;
  /** Translates a fault of a value; null when the message is Norwegian already, or has no translation. */
  readonly explain: (field: string, message: string, text: string) => string | null;
  readonly send: (request: ImportRequest<R>, sending: Sending) => Promise<F>;
  readonly subject: Subject;
  readonly changes: ChangeKind;
  /** The screen with all records of the kind. */
  readonly list: string;
}

export interface ImportRequest<R> {
  readonly query: { readonly dryRun?: 'true' };
  readonly body: { readonly rows: R[]; readonly updateKnown?: boolean };
}

/** 'kunde', 'kunder', 'Kunden', 'kundene', and 'ny' and 'Én' in the same gender. */
export interface Words {
  readonly one: string;
  readonly many: string;
  readonly theOne: string;
  readonly theMany: string;
  readonly fresh: 'ny' | 'nytt';
  readonly oneOf: 'Én' | 'Ett';
  /** The programs that have such lists. */
  readonly programs: string;
  readonly example: string;
  readonly facts: readonly string[];
  /** The explanation of a 409. */
  readonly conflict: { readonly title: string; readonly help: string };
}

export interface ColumnKind {
  /**
   * The targets of columns with their labels, in the order of the menu. A target is a field, or a part that is joined
   * with another column into a field.
   */
  readonly labels: Readonly<Record<string, string>>;
  /** Headings from people and other programs for each target, in lower case, without spaces and punctuation. */
  readonly headings: Readonly<Record<string, string>>;
  /** Headings that mean another target when a further column has the target that they usually mean. */
  readonly beside: ReadonlyMap<string, string>;
  /** Whether a cell has the value of a record, and so is no heading. */
  readonly isOfRecord: (cell: string) => boolean;
  /** Recognises a column by its cells, none of them empty, after the columns before it. */
  readonly guess: (cells: readonly string[], taken: ReadonlySet<string>) => string | null;
}

export interface RowKind {
  readonly fields: readonly string[];
  /** Normalises a cell for its target. */
  readonly tidy: (cell: string, target: string) => string;
  /** Fields that are made from several columns, each with the user's correction where there is one. */
  readonly join: (cell: (target: string) => string) => Readonly<Record<string, string>>;
  readonly valueOf: (field: string, text: string) => unknown;
}

interface PreviewColumn<R, K> {
  readonly heading: string;
  readonly width?: string;
  readonly roomy?: boolean;
  readonly numeric?: boolean;
  readonly align?: 'end';
  /** @param known the record that is known by this row, if any */
  readonly cell: (row: R, known?: K) => React.ReactNode;
}

/** The explanation of every fault of a number such as '7,03801E+12'. */
export const SHORTENED =
  'Regnearket har kortet ned tallet, så de siste sifrene mangler. Skriv hele tallet, eller gjør kolonnen om til tall uten desimaler i regnearket';

const RULES: Partial<Record<Sentence, string>> = {
  '{0} must be a boolean': 'Skriv ja eller nei',
  '{0} must be at most {1} characters': 'Teksten er for lang; det er plass til {1} tegn',
  '{0} must not contain control characters': 'Teksten har tegn som ikke kan skrives ut',
  '{0} must be valid Unicode text': 'Teksten har ødelagte tegn',
  '{0} was shortened by a spreadsheet, and lacks its last digits': SHORTENED,
};

/**
 * Translates a fault of a row to Norwegian; null when the message is Norwegian already, or has no translation.
 *
 * @param message from the API; in English when it is a rule of the contract
 * @param translate the Norwegian of a rule that concerns records of the kind
 */
export function explainRule(
  message: string,
  label: string | undefined,
  translate: (sentence: Sentence) => string | undefined,
): string | null {
  const rule = readRule(message);
  if (!rule) return null;
  const [sentence] = rule;
  const isMissing = sentence === '{0} is a required field';
  const norwegian = isMissing ? `${label} mangler` : (translate(sentence) ?? RULES[sentence]);
  return norwegian === undefined ? null : fillIn(norwegian, rule);
}

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
