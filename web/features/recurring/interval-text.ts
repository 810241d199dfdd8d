import type { IsoDate } from '../../../domain/date.ts';
import { monthName } from '../../../domain/recurring/placeholders.ts';
import { firstDateOf, LAST_DAY, type Series } from '../../../domain/recurring/recurring-dates.ts';
import { weekdayOf } from '../../lib/date-text.ts';

export type Interval = Series['interval'];

/** The repetition of an assignment. `firstDate` may be invalid while the user types. */
export type Rhythm = Pick<Series, 'interval' | 'day' | 'firstDate'>;

const YEAR = 12;

/** 'Hver uke', 'Hver 3. måned', 'Hvert år'. */
export function intervalName({ unit, count }: Interval): string {
  if (unit === 'MONTH' && count === YEAR) return 'Hvert år';
  const name = unit === 'WEEK' ? 'uke' : 'måned';
  return count === 1 ? `Hver ${name}` : `Hver ${count}. ${name}`;
}

/** 'Hver 2. uke på mandager', 'Hver 3. måned den 15.', 'Hvert år siste dag i februar'. */
export function intervalText({ interval, day, firstDate }: Rhythm): string {
  const name = intervalName(interval);
  const isDate = !Number.isNaN(Date.parse(firstDate));
  if (interval.unit === 'WEEK') return isDate ? weekText(interval, firstDate) : name;
  if (interval.count === YEAR) {
    return isDate ? `${name} ${dayOfYear({ interval, day, firstDate })}` : name;
  }
  if (typeof day === 'number') return `${name} den ${day}.`;
  return `Siste dag i ${name.toLowerCase()}`;
}

function weekText(interval: Interval, first: IsoDate): string {
  const weekday = weekdayOf(first);
  return interval.count === 1 ? `Hver ${weekday}` : `${intervalName(interval)} på ${weekday}er`;
}

/** 'den 15. november'. In a month without that day, it is the last day. */
function dayOfYear({ interval, day, firstDate }: Rhythm): string {
  const first = firstDateOf({ interval, day, firstDate, lastDate: null, occurrences: null });
  const month = monthName(first);
  const isCut = day === 29 ? first.slice(5, 7) === '02' : day !== Number(first.slice(8));
  return day === LAST_DAY || isCut ? `siste dag i ${month}` : `den ${day}. ${month}`;
}
