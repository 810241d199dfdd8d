import type { AGES } from '../../../domain/overview/overview.schema.ts';
import { formatKroner, isKroner } from '../../../domain/money.ts';
import { showCount } from '../../lib/count.ts';

const MONTHS = [
  'Januar',
  'Februar',
  'Mars',
  'April',
  'Mai',
  'Juni',
  'Juli',
  'August',
  'September',
  'Oktober',
  'November',
  'Desember',
] as const;

/** '2026-03' → 'Mars'. */
export function monthName(month: string): string {
  return MONTHS[Number(month.slice(5, 7)) - 1] ?? month;
}

/** '2026-3', the third term → 'Mai–juni'. */
export function termName(term: string): string {
  const second = Number(term.slice(5)) * 2;
  return `${MONTHS[second - 2]}–${MONTHS[second - 1]?.toLowerCase()}`;
}

export const AGE_NAMES: Readonly<Record<(typeof AGES)[number], string>> = {
  NOT_DUE: 'Ikke forfalt',
  DAYS_1_14: '1–14 dager',
  DAYS_15_30: '15–30 dager',
  DAYS_31_60: '31–60 dager',
  DAYS_61_90: '61–90 dager',
  OVER_90: 'Over 90 dager',
};

/** Kroner with øre; whole kroner where the sum is too large for øre. */
export function showSum(kroner: number): string {
  return isKroner(kroner) ? formatKroner(kroner) : showCount(Math.round(kroner));
}

/** '23,5 dager'. */
export function showDays(days: number): string {
  return `${String(days).replace('.', ',')} ${days === 1 ? 'dag' : 'dager'}`;
}
