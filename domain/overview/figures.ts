import { addDays, daysBetween, type IsoDate } from '../date.ts';
import { ore, oreToKroner } from '../money.ts';
import { AGES, type Overview } from './overview.schema.ts';
import { monthsOf, termsOf, type Period } from './periods.ts';

/** Sums of the documents of a day (øre, less credit notes). */
export interface DaySums {
  readonly day: IsoDate;
  readonly net: number;
  readonly vat: number;
}

/** The amount owed of the invoices that are due on a day (øre). */
export interface DueSums {
  readonly dueDate: IsoDate;
  readonly amount: number;
  readonly count: number;
}

/** The count of invoices that were paid after so many days. */
export interface DaysToPayment {
  readonly days: number;
  readonly count: number;
}

/** Turnover by month, beside the year before (OVER-2). */
export function turnoverOf(days: readonly DaySums[], period: Period): Overview['turnover'] {
  return monthsOf(period).map(({ month, lastYear, ...part }) => ({
    month,
    net: sumIn(days, part, 'net'),
    lastYear: sumIn(days, lastYear, 'net'),
  }));
}

/** Turnover as tables show it: without last year's months before its first turnover, when the company may not have been there (OVER-2). */
export function shownTurnover(turnover: Overview['turnover']) {
  const first = turnover.findIndex(({ lastYear }) => lastYear !== 0);
  return turnover.map(({ month, net, lastYear }, index) => ({
    month,
    net,
    lastYear: index < first ? null : lastYear,
  }));
}

/** Outgoing VAT by term (OVER-3). */
export function vatOf(days: readonly DaySums[], period: Period): Overview['vat'] {
  return termsOf(period).map((term) => ({
    term: term.term,
    from: term.from,
    to: term.to,
    dueDate: term.dueDate,
    vat: sumIn(days, term, 'vat'),
  }));
}

function sumIn(days: readonly DaySums[], { from, to }: Period, column: 'net' | 'vat'): number {
  const sum = days.reduce(
    (total, sums) => (sums.day >= from && sums.day <= to ? total + sums[column] : total),
    0,
  );
  return oreToKroner(ore(sum));
}

/** The names of the groups by age. */
export const AGE_NAMES: Readonly<Record<(typeof AGES)[number], string>> = {
  NOT_DUE: 'Ikke forfalt',
  DAYS_1_14: '1–14 dager',
  DAYS_15_30: '15–30 dager',
  DAYS_31_60: '31–60 dager',
  DAYS_61_90: '61–90 dager',
  OVER_90: 'Over 90 dager',
};

/** Most days after the due date of each group but the last. */
const LAST_DAYS = [0, 14, 30, 60, 90];

/** The amounts owed on a day, by age (OVER-4). */
export function outstandingOf(owed: readonly DueSums[], asOf: IsoDate): Overview['outstanding'] {
  const groups = Map.groupBy(owed, ({ dueDate }) => {
    const late = daysBetween(dueDate, asOf);
    return LAST_DAYS.filter((last) => late > last).length;
  });
  const ages = AGES.map((age, index) => {
    const { amount, count } = sumOf(groups.get(index) ?? []);
    return { age, amount, count };
  });
  return { total: sumOf(owed).amount, ages };
}

/** The due dates of a group on a day; the first and the last group have one bound. */
export function dueDatesOf(age: (typeof AGES)[number], asOf: IsoDate): Partial<Period> {
  const index = AGES.indexOf(age);
  const [first, last] = [LAST_DAYS[index - 1], LAST_DAYS[index]];
  return {
    ...(last !== undefined && { from: addDays(asOf, -last) }),
    ...(first !== undefined && { to: addDays(asOf, -first - 1) }),
  };
}

/** The sum owed after its due date (OVER-5). */
export function overdueOf(owed: readonly DueSums[], asOf: IsoDate): Overview['overdue'] {
  const late = owed.filter(({ dueDate }) => dueDate < asOf);
  const dates = late.filter(({ count }) => count > 0).map(({ dueDate }) => dueDate);
  return { ...sumOf(late), oldest: dates.toSorted()[0] ?? null };
}

function sumOf(owed: readonly DueSums[]): { readonly amount: number; readonly count: number } {
  const sum = (column: 'amount' | 'count') => owed.reduce((total, sums) => total + sums[column], 0);
  return { amount: oreToKroner(ore(sum('amount'))), count: sum('count') };
}

/** The median of days from issue to payment; null without payments (OVER-7). */
export function medianOf(groups: readonly DaysToPayment[]): number | null {
  const sorted = groups.toSorted((one, other) => one.days - other.days);
  const total = sorted.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  const at = (rank: number) => {
    let before = 0;
    return sorted.find(({ count }) => (before += count) > rank)?.days ?? 0;
  };
  return (at(Math.floor((total - 1) / 2)) + at(Math.floor(total / 2))) / 2;
}
