import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import { rule } from '../api/rules.ts';
import { needs, optional, wholeNumber } from '../api/validation.ts';
import { dateText } from '../date.ts';
import { firstDateOf, LAST_DAY, type Series } from './recurring-dates.ts';

export const INTERVAL_UNITS = ['WEEK', 'MONTH'] as const;
export type IntervalUnit = (typeof INTERVAL_UNITS)[number];

/** Allowed numbers of weeks or months between two dates. */
export const INTERVAL_COUNTS = {
  WEEK: [1, 2, 3, 4],
  MONTH: [1, 2, 3, 6, 12],
} as const satisfies Record<IntervalUnit, readonly number[]>;

export const OCCURRENCES_MAX = 1000;

const interval = z.object({ unit: z.enum(INTERVAL_UNITS), count: wholeNumber() }).check(
  z.refine(({ unit, count }) => isCountOf(unit, count), {
    ...rule('{0} must be 1, 2, 3 or 4 weeks, or 1, 2, 3, 6 or 12 months'),
    path: ['count'],
    when: needs('unit', 'count'),
  }),
);

function isCountOf(unit: IntervalUnit, count: number): boolean {
  const counts: readonly number[] = INTERVAL_COUNTS[unit];
  return counts.includes(count);
}

export const day = z.union([wholeNumber().check(z.minimum(1), z.maximum(31)), z.literal(LAST_DAY)]);

/** The dates of an assignment; saving and preview use the same. */
export const series = z.object({
  interval,
  day: described(
    optional(day),
    'Of MONTH: 1 to 31, which is the last day where a month has no such day, or LAST. Of WEEK ' +
      'null: it repeats the weekday of first_date',
  ),
  firstDate: described(
    dateText(),
    'The first date is the first fitting day on or after it. At most a year back: what has ' +
      'passed is made as drafts, dated on the day of making. Fixed after the first run (409)',
  ),
  lastDate: described(
    optional(dateText()),
    'No period begins after it; the one that begins last has its whole length. Not with occurrences',
  ),
  occurrences: described(
    optional(wholeNumber().check(z.minimum(1), z.maximum(OCCURRENCES_MAX))),
    'How many periods are made in all; those of a pause are not counted',
  ),
});

type SeriesForm = z.output<typeof series>;

/** The dates of a form, with null for absent values. */
export function toSeries(form: SeriesForm): Series {
  return {
    interval: form.interval,
    day: form.day ?? null,
    firstDate: form.firstDate,
    lastDate: form.lastDate ?? null,
    occurrences: form.occurrences ?? null,
  };
}

const DAY_OF_WEEKS = { ...rule('{0} must be null for weeks'), path: ['day'], when: needs() };
function hasDayOnlyOfMonths({ interval: every, day: own }: Partial<SeriesForm>): boolean {
  return every?.unit !== 'WEEK' || (own ?? null) === null;
}

const DAY_OF_MONTHS = { ...rule('{0} is a required field'), path: ['day'], when: needs() };
function hasDayOfMonths({ interval: every, day: own }: Partial<SeriesForm>): boolean {
  return every?.unit !== 'MONTH' || (own ?? null) !== null;
}

const ONE_END = {
  ...rule('{0} cannot be combined with last_date'),
  path: ['occurrences'],
  when: needs(),
};
function hasOneEnd({ lastDate, occurrences }: SeriesForm): boolean {
  return typeof lastDate !== 'string' || typeof occurrences !== 'number';
}

const END_AFTER_START = {
  ...rule('{0} must not be before the first date'),
  path: ['lastDate'],
  when: needs('interval', 'day', 'firstDate', 'lastDate'),
};
function endsAfterStart(form: SeriesForm): boolean {
  return typeof form.lastDate !== 'string' || form.lastDate >= firstDateOf(toSeries(form));
}

/** The rules on the dates of a form. */
export const SERIES_RULES = [
  z.refine<SeriesForm>(hasDayOnlyOfMonths, DAY_OF_WEEKS),
  z.refine<SeriesForm>(hasDayOfMonths, DAY_OF_MONTHS),
  z.refine<SeriesForm>(hasOneEnd, ONE_END),
  z.refine<SeriesForm>(endsAfterStart, END_AFTER_START),
] as const;
