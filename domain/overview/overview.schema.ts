import { z } from 'zod';

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
    asOf: optional(dateText()).meta({
      description: 'The day of what is owed, and the last of the 12 months; today when absent',
    }),
  })
  .refine(({ from, to }) => (from === null) === (to === null), {
    ...rule('{0} is invalid'),
    path: ['to'],
    when: needs('from', 'to'),
  })
  .refine(({ from, to }) => !from || !to || isPeriod(from, to), {
    ...rule('{0} is invalid'),
    path: ['to'],
    when: needs('from', 'to'),
  });

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
    month: z.string().meta({ description: 'YYYY-MM' }),
    net: z.number().meta({ description: 'Kroner: invoices less credit notes' }),
    lastYear: z.number().meta({ description: 'The same days of the year before' }),
  }),
);

export const vat = z.array(
  z.object({
    term: z.string().meta({ description: 'The year and the number of the two months: 2026-1' }),
    from: z.iso.date(),
    to: z.iso.date(),
    dueDate: z.iso.date(),
    vat: z.number(),
  }),
);

export const outstanding = z.object({
  total: z.number(),
  ages: z.array(z.object({ age: z.enum(AGES), amount: z.number(), count: z.number().int() })),
});

export const overdue = z.object({
  amount: z.number(),
  count: z.number().int(),
  oldest: z.iso.date().nullable().meta({ description: 'The earliest due date' }),
});

export const customers = z.array(
  z.object({
    customerNumber: z.number().int().nullable().meta({ description: 'null: deleted' }),
    name: z.string(),
    net: z.number(),
  }),
);

export const medianDays = z.number().nullable();

/** The figures of a company (kroner). */
export const overview = z
  .object({ turnover, vat, outstanding, overdue, customers, medianDays })
  .meta({ id: 'Overview' });
export type Overview = z.infer<typeof overview>;
