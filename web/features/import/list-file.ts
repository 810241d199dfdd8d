import Papa from 'papaparse';

import { cellText } from '../../../domain/api/list-import.ts';
import { showCount } from '../../lib/number-text.ts';

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

/** Bytes. A list of ten thousand rows is smaller. */
const FILE_BYTES_MAX = 10 * 1024 * 1024;

/** The encodings of a file. Older Excel for Mac writes CSV as 'macintosh'. */
export const ENCODINGS = ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be', 'macintosh'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** A file that cannot be read as a list. The message is shown to the user. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

const SAVE_AS_CSV =
  'Åpne den i regnearket og lagre som CSV, eller kopier cellene og lim dem inn her.';

/** First bytes of common files that are not lists, and the message for each. */
const NO_LISTS: readonly (readonly [bytes: readonly number[], message: string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], `Dette er en Excel-fil eller en annen pakket fil. ${SAVE_AS_CSV}`],
  [[0x1f, 0x8b], 'Dette er en pakket fil. Pakk den ut først.'],
  [[0xd0, 0xcf, 0x11, 0xe0], `Dette er en eldre Excel-fil. ${SAVE_AS_CSV}`],
  [
    [0x25, 0x50, 0x44, 0x46],
    'Dette er en PDF. Her trengs en CSV-fil, eller celler fra et regneark.',
  ],
];

/** Detects the encoding: byte order mark, then UTF-16 without one, then valid UTF-8, else Windows-1252. */
export function encodingOf(bytes: Uint8Array): Encoding {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const unmarked = unmarkedUtf16(bytes);
  if (unmarked) return unmarked;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/** Detects UTF-16 without a byte order mark: every second byte of Latin letters is zero. */
function unmarkedUtf16(bytes: Uint8Array): Encoding | null {
  const start = bytes.subarray(0, 200);
  const zeros = (parity: number) =>
    start.filter((byte, index) => byte === 0 && index % 2 === parity).length;
  const most = start.length / 2;
  if (most < 2) return null;
  if (zeros(1) > most * 0.7 && zeros(0) === 0) return 'utf-16le';
  return zeros(0) > most * 0.7 && zeros(1) === 0 ? 'utf-16be' : null;
}

/**
 * Decodes a file, without its byte order mark.
 * @throws UnreadableFile when the file is not text
 */
export function textOf(bytes: Uint8Array, encoding: Encoding): string {
  if (bytes.length === 0) throw new UnreadableFile('Filen er tom.');
  const known = NO_LISTS.find(([start]) => start.every((byte, index) => bytes[index] === byte));
  if (known) throw new UnreadableFile(known[1]);
  const text = new TextDecoder(encoding).decode(bytes);
  if (text.trim() === '') throw new UnreadableFile('Filen er tom.');
  if (text.includes('\u0000')) {
    throw new UnreadableFile(`Dette er ikke en tekstfil. ${SAVE_AS_CSV}`);
  }
  return text;
}

/** Reads the bytes of a file. @throws UnreadableFile when the file is too large or cannot be read */
export async function bytesOf(file: File): Promise<Uint8Array> {
  if (file.size > FILE_BYTES_MAX) {
    const megabytes = showCount(Math.ceil(file.size / 1024 / 1024));
    throw new UnreadableFile(
      `Filen er på ${megabytes} MB. Det er plass til 10 MB, som er langt mer enn 10 000 rader tar.`,
    );
  }
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch (error) {
    throw new UnreadableFile('Filen kunne ikke leses. Er den flyttet eller en mappe?', {
      cause: error,
    });
  }
}
