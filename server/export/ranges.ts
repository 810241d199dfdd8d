import { addDays, type IsoDate } from '../../domain/date.ts';
import type { Moment, Range } from './books.ts';

// Rectangles of moments and dates. Moments of one company are ordered: a later one has no smaller number or id.

const BEGINNING: Moment = { number: 0, paymentId: 0 };

/** Everything through a moment. */
export function allThrough(through: Moment): Range {
  return { after: BEGINNING, through, from: null, to: null };
}

/** Everything through a moment that is dated after a day. */
export function datedAfter(day: IsoDate, through: Moment): Range {
  return { ...allThrough(through), from: addDays(day, 1) };
}

/** The parts of a range that none of the others has. */
export function without(range: Range, others: readonly Range[]): Range[] {
  return others.reduce<Range[]>((left, other) => left.flatMap((part) => cut(part, other)), [range]);
}

/** The parts of one range outside of another: before and after it by moment, then by date. */
function cut(range: Range, other: Range): Range[] {
  const after = later(range.after, other.after);
  const through = compare(range.through, other.through) < 0 ? range.through : other.through;
  const common = { ...range, after, through };
  const before =
    other.from === null ? [] : [{ ...common, to: earlierDay(range.to, addDays(other.from, -1)) }];
  const beyond =
    other.to === null ? [] : [{ ...common, from: laterDay(range.from, addDays(other.to, 1)) }];
  const inDates = { ...range, ...daysIn(range, other) };
  if (isEmpty(common) || isEmpty(inDates)) return [range];
  const outside = [
    { ...range, through: after },
    { ...range, after: through },
    ...before,
    ...beyond,
  ];
  return outside.filter((part) => !isEmpty(part));
}

function daysIn(range: Range, other: Range): Pick<Range, 'from' | 'to'> {
  const from = other.from === null ? range.from : laterDay(range.from, other.from);
  return { from, to: other.to === null ? range.to : earlierDay(range.to, other.to) };
}

function isEmpty({ after, through, from, to }: Range): boolean {
  return compare(after, through) >= 0 || (from !== null && to !== null && from > to);
}

function later(one: Moment, other: Moment): Moment {
  return compare(one, other) < 0 ? other : one;
}

function compare(one: Moment, other: Moment): number {
  return one.number - other.number || one.paymentId - other.paymentId;
}

function laterDay(one: IsoDate | null, other: IsoDate): IsoDate {
  return one !== null && one > other ? one : other;
}

function earlierDay(one: IsoDate | null, other: IsoDate): IsoDate {
  return one !== null && one < other ? one : other;
}
