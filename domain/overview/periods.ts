import { addDays, type IsoDate } from '../date.ts';
import { workingDayFrom } from '../late-payment/working-days.ts';

/** Days, with both ends in the period. */
export interface Period {
  readonly from: IsoDate;
  readonly to: IsoDate;
}

/** A month of a period, cut where the period begins and ends, and the same days of the year before. */
export interface Month extends Period {
  /** YYYY-MM. */
  readonly month: string;
  readonly lastYear: Period;
}

/** The months of a period. */
export function monthsOf(period: Period): Month[] {
  return partsOf(period, 1).map(({ from, to }) => ({
    month: from.slice(0, 7),
    from,
    to,
    lastYear: yearEarlier({ from, to }),
  }));
}

/** A VAT term of a period, cut where the period begins and ends. */
export interface Term extends Period {
  /** The year and the number of the two months, from 1: '2026-3'. */
  readonly term: string;
  readonly dueDate: IsoDate;
}

/** Days on which terms are due, and how many years later (skatteforvaltningsforskriften § 8-3-10). */
const DUE_DAYS = [
  ['04-10', 0],
  ['06-10', 0],
  ['08-31', 0],
  ['10-10', 0],
  ['12-10', 0],
  ['02-10', 1],
] as const;

/** The VAT terms of a period: two months each (OVER-3). */
export function termsOf(period: Period): Term[] {
  return partsOf(period, 2).map(({ from, to }) => {
    const year = Number(from.slice(0, 4));
    const number = Math.ceil(Number(from.slice(5, 7)) / 2);
    const [day, later] = DUE_DAYS[number - 1] ?? DUE_DAYS[5];
    return {
      term: `${year}-${number}`,
      from,
      to,
      dueDate: workingDayFrom(`${yearText(year + later)}-${day}`),
    };
  });
}

/** Cuts a period at the months that begin a year, or every second of them. */
function partsOf({ from, to }: Period, months: 1 | 2): Period[] {
  const parts: Period[] = [];
  for (let start = from; start <= to;) {
    const month = Number(start.slice(5, 7));
    const end = lastDay(start, (months - (month % months)) % months);
    parts.push({ from: start, to: end < to ? end : to });
    start = addDays(end, 1);
  }
  return parts;
}

/** The last day of the month of a day, or of one of the months after it. */
function lastDay(day: IsoDate, monthsLater = 0): IsoDate {
  const first = new Date(`${day.slice(0, 7)}-01T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() + monthsLater + 1);
  return addDays(first.toISOString().slice(0, 10), -1);
}

/** The same days of the year before. A month's last day stays the last one, in February too. */
function yearEarlier({ from, to }: Period): Period {
  const end = sameDayOfYear(to, -1);
  return { from: sameDayOfYear(from, -1), to: to === lastDay(to) ? lastDay(end) : end };
}

/** The calendar year of a day. */
export function yearOf(day: IsoDate): Period {
  const year = day.slice(0, 4);
  return { from: `${year}-01-01`, to: `${year}-12-31` };
}

/** The 12 months that end on a day (OVER-6). */
export function twelveMonthsTo(day: IsoDate): Period {
  return { from: addDays(sameDayOfYear(day, -1), 1), to: day };
}

/** The same day of another year; of a year without 29 February the 28th. */
export function sameDayOfYear(day: IsoDate, years: number): IsoDate {
  const same = `${yearText(Number(day.slice(0, 4)) + years)}${day.slice(4)}`;
  const end = lastDay(`${same.slice(0, 7)}-01`);
  return same < end ? same : end;
}

function yearText(year: number): string {
  return String(year).padStart(4, '0');
}
