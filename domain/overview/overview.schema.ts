import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import { rule } from '../api/rules.ts';
import { needs, optional } from '../api/validation.ts';
import { dateText, type IsoDate } from '../date.ts';
import { sameDayOfYear } from './periods.ts';

/** The longest period of an overview (years). */
const MOST_YEARS = 5;

/** Whether a period ends before it begins, or is too long. */
export function isPeriod(from: IsoDate, to: IsoDate): boolean {
  return from <= to && to < sameDayOfYear(from, MOST_YEARS);
}

/** Absent, the period is the year of the day, and the day is today in Oslo. */
export const overviewQuery = z
  .object({
    from: optional(dateText()),
    to: optional(dateText()),
    asOf: described(
      optional(dateText()),
      'The day of what is owed, and the last of the 12 months; today when absent',
    ),
  })
  .check(
    z.refine(({ from, to }) => (from === null) === (to === null), {
      ...rule('{0} is invalid'),
      path: ['to'],
      when: needs('from', 'to'),
    }),
    z.refine(({ from, to }) => !from || !to || isPeriod(from, to), {
      ...rule('{0} is invalid'),
      path: ['to'],
      when: needs('from', 'to'),
    }),
  );

/** Groups of what is owed, by days after the due date (OVER-4). */
export const AGES = [
  'NOT_DUE',
  'DAYS_1_14',
  'DAYS_15_30',
  'DAYS_31_60',
  'DAYS_61_90',
  'OVER_90',
] as const;

export const turnover = z.array(
  z.object({
    month: described(z.string(), 'YYYY-MM'),
    net: described(z.number(), 'Kroner: invoices less credit notes'),
    lastYear: described(z.number(), 'The same days of the year before'),
  }),
);

export const vat = z.array(
  z.object({
    term: described(z.string(), 'The year and the number of the two months: 2026-1'),
    from: z.iso.date(),
    to: z.iso.date(),
    dueDate: z.iso.date(),
    vat: z.number(),
  }),
);

export const outstanding = z.object({
  total: z.number(),
  ages: z.array(z.object({ age: z.enum(AGES), amount: z.number(), count: z.int() })),
});

export const overdue = z.object({
  amount: z.number(),
  count: z.int(),
  oldest: described(z.nullable(z.iso.date()), 'The earliest due date'),
});

export const customers = z.array(
  z.object({
    customerNumber: described(z.nullable(z.int()), 'null: deleted'),
    name: z.string(),
    net: z.number(),
  }),
);

export const medianDays = z.nullable(z.number());

/** The figures of a company (kroner). */
export const overview = described(
  z.object({ turnover, vat, outstanding, overdue, customers, medianDays }),
  { id: 'Overview' },
);
export type Overview = z.infer<typeof overview>;
