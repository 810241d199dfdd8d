import type { FontCoverage } from './fonts.ts';

/** Stands for a character that no font can show. */
const REPLACEMENT = '\uFFFD';

// Controls and line separators become spaces. Bidirectional overrides could make a name read as
// another; the rest has no look of its own and only some fonts know it.
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]/gu;
const INVISIBLE =
  /[\u00AD\u061C\u180E\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|\p{Noncharacter_Code_Point}|[\u{E0000}-\u{E007F}]/gu;
/** The characters of Space Grotesk: a fast path for nearly all texts. */
const PLAIN_LATIN =
  /^[\u0020-\u007E\u00A0-\u00AC\u00AE-\u00FF\u2013\u2014\u2018-\u201A\u201C-\u201E]*$/;
const JOINERS = new Set(
  ['\u200B', '\u200C', '\u200D', '\uFE0E', '\uFE0F'].map((it) => it.codePointAt(0)),
);

const graphemes = new Intl.Segmenter('nb', { granularity: 'grapheme' });

/** Makes texts printable, and remembers what could not be shown. */
export interface TextCleaner {
  /** The text as it can be set in type: in NFC, on one line, what no font has in NFKC or else replaced. */
  readonly clean: (text: string) => string;
  /** The characters that were replaced or left out so far, each once, as 'U+13000'. */
  readonly replaced: ReadonlySet<string>;
}

/** @param fonts which characters each font has */
export function textCleaner(fonts: readonly FontCoverage[]): TextCleaner {
  const replaced = new Set<string>();
  const clean = (text: string) => {
    const plain = text
      .toWellFormed()
      .normalize('NFC')
      .replaceAll(CONTROLS, ' ')
      .replaceAll(INVISIBLE, '')
      .replaceAll(/ {2,}/g, ' ')
      .trim();
    if (PLAIN_LATIN.test(plain)) return plain;
    return lettersOf(plain)
      .map((letter) => shown(letter, fonts, replaced))
      .join('');
  };
  return { clean, replaced };
}

/**
 * The printable form of one character as a reader sees it. A letter and its marks must come from the
 * same font, or Typst finds none for the letter.
 */
function shown(letter: string, fonts: readonly FontCoverage[], replaced: Set<string>): string {
  if (isShownBy(fonts, letter)) return letter;
  // Mathematical bold, Roman numerals in one sign and the like: another look of letters that fonts have.
  const plain = letter.normalize('NFKC');
  if (lettersOf(plain).every((it) => isShownBy(fonts, it))) return plain;
  const points = pointsOf(letter);
  const [base = 0] = points;
  const font = fonts.find((it) => it.has(base));
  const kept = points.filter((it) => font?.has(it));
  for (const point of points) {
    if (kept.includes(point) || JOINERS.has(point)) continue;
    replaced.add(`U+${point.toString(16).toUpperCase().padStart(4, '0')}`);
  }
  return kept.length > 0 ? String.fromCodePoint(...kept) : REPLACEMENT;
}

function isShownBy(fonts: readonly FontCoverage[], letter: string): boolean {
  const points = pointsOf(letter);
  return fonts.some((font) => points.every((it) => JOINERS.has(it) || font.has(it)));
}

function pointsOf(letter: string): number[] {
  return Array.from(letter, (it) => it.codePointAt(0) ?? 0);
}

/** A text as a reader sees it: each letter with its marks, each emoji as one. */
function lettersOf(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}
