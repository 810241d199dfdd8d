import { addDays, daysBetween, todayInOslo, type IsoDate } from '../date.ts';

/** The last day of each month, 28th to 31st. */
export const LAST_DAY = 'LAST';

/** A recurring series of civil dates in Oslo. */
export interface Series {
  readonly interval: { readonly unit: 'WEEK' | 'MONTH'; readonly count: number };
  /** The day of the month, or the month's last day if it is shorter; null for weeks. */
  readonly day: number | typeof LAST_DAY | null;
  /** The series begins on the first fitting day on or after this date. */
  readonly firstDate: IsoDate;
  /** No period begins after this date. */
  readonly lastDate: IsoDate | null;
  /** Total number of periods. */
  readonly occurrences: number | null;
}

/** The period that an invoice covers: both dates inclusive. */
export interface Period {
  readonly from: IsoDate;
  readonly to: IsoDate;
}

export interface Progress {
  /** The last day of the last period made. */
  readonly madeThrough: IsoDate | null;
  /** The day of resuming. Periods that begin before it are not made. */
  readonly owedFrom: IsoDate | null;
  readonly timesMade: number;
}

const NOTHING_MADE: Progress = { madeThrough: null, owedFrom: null, timesMade: 0 };
const DAYS_OF_WEEK = 7;
const MONTHS_OF_YEAR = 12;

/** The first date of a series. */
export function firstDateOf(series: Series): IsoDate {
  return nthDate(series, 0);
}

/** The next periods (REC-4, REC-5). Each ends the day before the next date, also when the series ends in between. */
export function nextPeriods(
  series: Series,
  most: number,
  progress: Progress = NOTHING_MADE,
): Period[] {
  const { lastDate, occurrences } = series;
  const left = occurrences === null ? most : Math.min(most, occurrences - progress.timesMade);
  const start = indexOnOrAfter(series, earliestOwed(series, progress));
  const periods: Period[] = [];
  for (let index = start; periods.length < left; index += 1) {
    const from = nthDate(series, index);
    if (lastDate !== null && from > lastDate) break;
    periods.push({ from, to: addDays(nthDate(series, index + 1), -1) });
  }
  return periods;
}

/** The next period, or null when the series has ended. */
export function nextPeriod(series: Series, progress: Progress): Period | null {
  return nextPeriods(series, 1, progress)[0] ?? null;
}

/**
 * The state and the next date of an assignment after its progress: at its next period, or at its end. A paused one
 * stays paused.
 */
export function standingOf({
  state,
  ...assignment
}: Series & Progress & { readonly state: 'ACTIVE' | 'PAUSED' | 'ENDED' }): {
  state: 'ACTIVE' | 'PAUSED' | 'ENDED';
  nextDate: IsoDate | null;
} {
  if (state === 'PAUSED') return { state, nextDate: null };
  const next = nextPeriod(assignment, assignment);
  return { state: next ? 'ACTIVE' : 'ENDED', nextDate: next?.from ?? null };
}

/** Prevents overlapping periods after a change of the interval. */
function earliestOwed({ firstDate }: Series, { madeThrough, owedFrom }: Progress): IsoDate {
  const afterMade = madeThrough === null ? firstDate : addDays(madeThrough, 1);
  return [firstDate, afterMade, owedFrom ?? firstDate].toSorted().at(-1) ?? firstDate;
}

/**
 * The n-th date, from 0. Computed from the first month, not from the previous date, which may have been cut to a
 * shorter month.
 */
function nthDate({ interval: { unit, count }, day, firstDate }: Series, index: number): IsoDate {
  if (unit === 'WEEK') return addDays(firstDate, index * count * DAYS_OF_WEEK);
  return dayOfMonth(firstMonth(day, firstDate) + index * count, day);
}

/** Index of the first date on or after the given date. */
function indexOnOrAfter(series: Series, date: IsoDate): number {
  const { interval, day, firstDate } = series;
  if (date <= firstDate) return 0;
  if (interval.unit === 'WEEK') {
    return Math.ceil(daysBetween(firstDate, date) / (interval.count * DAYS_OF_WEEK));
  }
  const months = monthOf(date) - firstMonth(day, firstDate);
  const index = Math.max(0, Math.floor(months / interval.count));
  return nthDate(series, index) < date ? index + 1 : index;
}

function firstMonth(day: Series['day'], firstDate: IsoDate): number {
  const month = monthOf(firstDate);
  return dayOfMonth(month, day) < firstDate ? month + 1 : month;
}

/** A month as a number: months since year 0. */
function monthOf(date: IsoDate): number {
  return Number(date.slice(0, 4)) * MONTHS_OF_YEAR + Number(date.slice(5, 7)) - 1;
}

function dayOfMonth(month: number, day: Series['day']): IsoDate {
  const last = lastDayOf(month);
  const cut = typeof day === 'number' ? Math.min(day, last) : last;
  const year = Math.floor(month / MONTHS_OF_YEAR);
  return [padded(year, 4), padded((month % MONTHS_OF_YEAR) + 1, 2), padded(cut, 2)].join('-');
}

function lastDayOf(month: number): number {
  // Day 0 of a month is the last day of the previous month.
  return new Date(
    Date.UTC(Math.floor(month / MONTHS_OF_YEAR), (month % MONTHS_OF_YEAR) + 1, 0),
  ).getUTCDate();
}

function padded(number: number, digits: number): string {
  return String(number).padStart(digits, '0');
}

/** Whether the next period of an assignment has begun. */
export function isDue({ nextDate }: { readonly nextDate: IsoDate | null }): boolean {
  return nextDate !== null && nextDate <= todayInOslo();
}
