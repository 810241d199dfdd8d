import { addDays, formatDate, type IsoDate } from '../date.ts';
import type { Period } from './recurring-dates.ts';

const MONTHS = [
  'januar',
  'februar',
  'mars',
  'april',
  'mai',
  'juni',
  'juli',
  'august',
  'september',
  'oktober',
  'november',
  'desember',
] as const;

/** Placeholders in texts of an assignment, with the text that replaces each (REC-11). */
const PLACEHOLDERS: Readonly<Record<string, (period: Period) => string>> = {
  måned: ({ from }) => monthName(from),
  år: ({ from }) => yearOf(from),
  periode: describePeriod,
  fra: ({ from }) => formatDate(from),
  til: ({ to }) => formatDate(to),
};

/** The period with the longest texts: 'september', 'september 2026 – februar 2027'. */
const LONGEST: Period = { from: '2026-09-01', to: '2027-02-28' };

const PLACEHOLDER = /\{([^{}]+)\}/g;

/**
 * Replaces {måned} and {år} (of the period's first day), {periode}, {fra} and {til}. Other text in braces stays
 * unchanged.
 */
export function fillIn(text: string, period: Period): string {
  return text.replaceAll(PLACEHOLDER, (found, name: string) => {
    // 'å' may arrive as one character or as two.
    const placeholder = name.normalize('NFC');
    return Object.hasOwn(PLACEHOLDERS, placeholder)
      ? (PLACEHOLDERS[placeholder]?.(period) ?? found)
      : found;
  });
}

/** The text in braces that no run fills in, such as '{maaned}'. */
export function unknownPlaceholders(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)]
    .filter(([, name = '']) => !Object.hasOwn(PLACEHOLDERS, name.normalize('NFC')))
    .map(([found]) => found);
}

/** Longest length of a text after replacement, for any period. */
export function longestFilledIn(text: string): number {
  return fillIn(text, LONGEST).length;
}

/**
 * 'januar 2026', 'januar–mars 2026' or 'desember 2026 – februar 2027' for whole months,
 * '15.01.2026–14.02.2026' for anything else.
 */
export function describePeriod({ from, to }: Period): string {
  if (!isWholeMonths({ from, to })) return `${formatDate(from)}–${formatDate(to)}`;
  const last = `${monthName(to)} ${yearOf(to)}`;
  if (from.slice(0, 7) === to.slice(0, 7)) return last;
  if (yearOf(from) === yearOf(to)) return `${monthName(from)}–${last}`;
  return `${monthName(from)} ${yearOf(from)} – ${last}`;
}

function isWholeMonths({ from, to }: Period): boolean {
  return from.endsWith('-01') && addDays(to, 1).endsWith('-01');
}

/** '2026-11-21' → 'november'. */
export function monthName(date: IsoDate): string {
  return MONTHS[Number(date.slice(5, 7)) - 1] ?? '';
}

function yearOf(date: IsoDate): string {
  return date.slice(0, 4);
}
