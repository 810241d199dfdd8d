import type { RowFault } from '../../../domain/api/error.ts';
import { fillIn, type Sentence } from '../../../domain/api/rules.ts';
import type { Sending } from '../../lib/upload.ts';
import type { ChangeKind, Subject } from '../../lib/query-client.ts';
import { readRule } from '../../lib/explanations.ts';

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
