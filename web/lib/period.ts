import type { IsoDate } from '../../domain/date.ts';

/** The periods to choose from, in the order in which they are offered. */
export const PERIOD_LABELS = {
  THIS_MONTH: 'Denne måneden',
  LAST_MONTH: 'Forrige måned',
  THIS_TERM: 'Denne mva-terminen',
  LAST_TERM: 'Forrige mva-termin',
  THIS_YEAR: 'I år',
  LAST_YEAR: 'I fjor',
  SINCE_LAST: 'Siden forrige eksport',
  DATES: 'Fra–til',
} as const;

export type PeriodName = keyof typeof PERIOD_LABELS;
export const PERIOD_NAMES = Object.keys(PERIOD_LABELS) as PeriodName[];

/** Both ends are in the period. */
export interface Dates {
  readonly from: IsoDate;
  readonly to: IsoDate;
}

/** A VAT term is two calendar months: January and February, and so on (skatteforvaltningsforskriften § 8-3-1). */
const TERM_MONTHS = 2;

/** The dates of a period with a name; undefined for those that have no dates of their own. */
export function datesOf(name: PeriodName, today: IsoDate): Dates | undefined {
  const year = Number(today.slice(0, 4));
  // From 0.
  const month = Number(today.slice(5, 7)) - 1;
  const term = month - (month % TERM_MONTHS);
  switch (name) {
    case 'THIS_MONTH':
      return monthsFrom(year, month, 1);
    case 'LAST_MONTH':
      return monthsFrom(year, month - 1, 1);
    case 'THIS_TERM':
      return monthsFrom(year, term, TERM_MONTHS);
    case 'LAST_TERM':
      return monthsFrom(year, term - TERM_MONTHS, TERM_MONTHS);
    case 'THIS_YEAR':
      return monthsFrom(year, 0, 12);
    case 'LAST_YEAR':
      return monthsFrom(year - 1, 0, 12);
    default:
      return undefined;
  }
}

/** The name of a period that has just these dates. */
export function periodOf(dates: Partial<Dates>, today: IsoDate): PeriodName | undefined {
  return PERIOD_NAMES.find((name) => {
    const named = datesOf(name, today);
    return named && named.from === dates.from && named.to === dates.to;
  });
}

/** @param month from 0; a negative one is in the year before */
function monthsFrom(year: number, month: number, count: number): Dates {
  return { from: dayOf(year, month, 1), to: dayOf(year, month + count, 0) };
}

/** @param day 0 is the last day of the month before */
function dayOf(year: number, month: number, day: number): IsoDate {
  return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
}
