import Papa from 'papaparse';

import { cellText } from '../../../domain/api/list-import.ts';
import { UnreadableFile } from './file-text.ts';

export const DELIMITERS = [';', ',', '\t'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** A line of a list: its cells and its line number in the spreadsheet, where headings and empty lines count. */
export interface Line {
  readonly number: number;
  readonly cells: readonly string[];
}

export interface Table {
  readonly delimiter: Delimiter;
  /** Without empty lines. */
  readonly lines: readonly Line[];
  /** The number of cells in the longest line. */
  readonly width: number;
}

/** Messages for the parser's error codes. */
const QUOTE_FAULTS: Readonly<Record<string, string>> = {
  MissingQuotes: 'Et anførselstegn åpnes og lukkes aldri.',
  InvalidQuotes:
    'En celle begynner med et anførselstegn, men slutter ikke med det. Anførselstegn inni en slik celle skrives dobbelt.',
};

/**
 * Reads lines of cells. Quoted cells may contain line breaks.
 *
 * @param delimiter guessed when absent
 * @throws UnreadableFile when there are no lines, or when a quote is never closed or closed before the end of its
 * cell: the parser would take the following lines into the cell
 */
export function readTable(text: string, delimiter?: Delimiter): Table {
  const whole = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  // Excel writes a `sep=;` line, and hides it when it opens the file.
  const named = /^sep=(.)\n/i.exec(whole);
  const rest = named ? whole.slice(named[0].length) : whole;
  const usedDelimiter =
    delimiter ?? DELIMITERS.find((known) => known === named?.[1]) ?? guess(rest);
  const { data, errors } = Papa.parse<string[]>(rest, { delimiter: usedDelimiter, newline: '\n' });
  const [fault] = errors.flatMap(({ code, row = 0 }) => {
    const message = QUOTE_FAULTS[code];
    return message === undefined ? [] : [`Rad ${row + 1}: ${message} Rett det og prøv igjen.`];
  });
  if (fault !== undefined) throw new UnreadableFile(fault);
  const lines = data
    .map((cells, index) => ({ number: index + 1, cells: cells.map(cellText) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  if (lines.length === 0) throw new UnreadableFile('Det er ingen rader her.');
  return {
    delimiter: usedDelimiter,
    lines,
    width: lines.reduce((width, { cells }) => Math.max(width, cells.length), 0),
  };
}

const LINES_EXAMINED = 50;

/**
 * Guesses the delimiter: the one that splits most lines into the same number of cells, and the most cells on a tie.
 * Papa Parse's own guess is misled by empty lines.
 */
function guess(text: string): Delimiter {
  const shares = DELIMITERS.map((delimiter) => {
    const { data } = Papa.parse<string[]>(text, {
      delimiter,
      newline: '\n',
      preview: LINES_EXAMINED,
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
