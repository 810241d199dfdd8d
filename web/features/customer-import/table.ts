import Papa from 'papaparse';

import { cellText } from '../../../domain/customer/customer-import.schema.ts';
import { UnreadableFile } from './file-text.ts';

export const DELIMITERS = [';', ',', '\t'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** A line of a list: its cells, and its number in the spreadsheet, which counts headings and empty lines. */
export interface Line {
  readonly number: number;
  readonly cells: readonly string[];
}

/** A list as it was given. */
export interface Table {
  readonly delimiter: Delimiter;
  /** Without those that are empty. */
  readonly lines: readonly Line[];
  /** Cells of the longest line. */
  readonly width: number;
}

/** What the parser's codes say. */
const QUOTE_FAULTS: Readonly<Record<string, string>> = {
  MissingQuotes: 'Et anførselstegn åpnes og lukkes aldri.',
  InvalidQuotes:
    'En celle begynner med et anførselstegn, men slutter ikke med det. Anførselstegn inni en slik celle skrives dobbelt.',
};

/**
 * Reads lines of cells, which may be quoted and then have line breaks in them.
 *
 * @param delimiter what is between cells; found out when absent
 * @throws UnreadableFile when a quote that was opened is never closed or not at the end of its cell, which would
 * take the lines after it into the cell, or when nothing is there
 */
export function readTable(text: string, delimiter?: Delimiter): Table {
  const whole = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  // Excel writes such a line, and leaves it out when it opens the file.
  const named = /^sep=(.)\n/i.exec(whole);
  const rest = named ? whole.slice(named[0].length) : whole;
  const told = delimiter ?? DELIMITERS.find((known) => known === named?.[1]) ?? guess(rest);
  const { data, errors } = Papa.parse<string[]>(rest, { delimiter: told, newline: '\n' });
  const [fault] = errors.flatMap(({ code, row = 0 }) => {
    const said = QUOTE_FAULTS[code];
    return said === undefined ? [] : [`Rad ${row + 1}: ${said} Rett det og prøv igjen.`];
  });
  if (fault !== undefined) throw new UnreadableFile(fault);
  const lines = data
    .map((cells, index) => ({ number: index + 1, cells: cells.map(cellText) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  if (lines.length === 0) throw new UnreadableFile('Det er ingen rader her.');
  return {
    delimiter: told,
    lines,
    width: lines.reduce((width, { cells }) => Math.max(width, cells.length), 0),
  };
}

/** So many lines tell what is between cells. */
const LOOKED_AT = 50;

/**
 * What cuts most lines into several cells, as many in each of them, the more the better. The parser's own guess
 * is misled by empty lines.
 */
function guess(text: string): Delimiter {
  const shares = DELIMITERS.map((delimiter) => {
    const { data } = Papa.parse<string[]>(text, {
      delimiter,
      newline: '\n',
      preview: LOOKED_AT,
      skipEmptyLines: 'greedy',
    });
    const several = data.filter((cells) => cells.length > 1);
    const byWidth = Map.groupBy(several, (cells) => cells.length);
    const scores = [...byWidth].map(([width, alike]) => alike.length / data.length + width / 1000);
    return { delimiter, score: Math.max(0, ...scores) };
  });
  const [best] = shares.toSorted((one, other) => other.score - one.score);
  return best?.delimiter ?? ';';
}
