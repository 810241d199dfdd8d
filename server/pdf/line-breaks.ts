import { lettersOf } from './printable-text.ts';

/** Where a word may break. The template puts a space without width there, which nobody copies along. */
const BREAK_HERE = '\u200B';
/** Letters between two such places. */
const PIECE = 5;
/** What Typst breaks a line after by itself. */
const BREAKS = /(?<=[\s\u200B]|[-/](?=\p{L}))/u;

/** Widths in Space Grotesk Bold as parts of the type size, the widest letter of each kind. */
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/^[\sijlI.,:;'’|!·]$/u, 0.31],
  [/^[frt1()/-]$/u, 0.46],
  [/^[mwMWæÆ@%]$/u, 1.03],
  [/^[\p{Script=Latin}\p{N}\p{P}]/u, 0.68],
];
/** Chinese characters and emoji are square; others are narrower. */
const SQUARE = 1.1;

/**
 * Gives words that are too long for their column places to break at, never within what a reader sees
 * as one character.
 *
 * @param width of the column, in sizes of the type
 */
export function breakable(text: string, width: number): string {
  if (text.length * SQUARE <= width) return text;
  return text
    .split(BREAKS)
    .map((word) => (fits(word, width) ? word : inPieces(word)))
    .join('');
}

/** The text, or as much of its beginning as has room on one line of that width. */
export function oneLine(text: string, width: number): string {
  if (fits(text, width)) return text;
  let room = width - SQUARE;
  let line = '';
  for (const letter of lettersOf(text)) {
    room -= letterWidth(letter);
    if (room < 0) break;
    line += letter;
  }
  return `${line.trimEnd()}…`;
}

function fits(text: string, width: number): boolean {
  if (text.length * SQUARE <= width) return true;
  return lettersOf(text).reduce((sum, letter) => sum + letterWidth(letter), 0) <= width;
}

function inPieces(word: string): string {
  return lettersOf(word)
    .map((letter, index) => (index > 0 && index % PIECE === 0 ? BREAK_HERE + letter : letter))
    .join('');
}

function letterWidth(letter: string): number {
  return WIDTHS.find(([kind]) => kind.test(letter))?.[1] ?? SQUARE;
}
