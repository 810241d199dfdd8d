import type { z } from 'zod';

import { todayInOslo, type IsoDate } from '../../domain/date.ts';
import { oreToKroner } from '../../domain/money.ts';
import {
  medianOf,
  outstandingOf,
  overdueOf,
  turnoverOf,
  vatOf,
} from '../../domain/overview/figures.ts';
import type { Overview, overviewQuery } from '../../domain/overview/overview.schema.ts';
import { monthsOf, twelveMonthsTo, yearOf, type Period } from '../../domain/overview/periods.ts';
import type { Actor, Context } from '../context.ts';
import type { Db } from '../platform/db/database.ts';
import * as repository from './overview.repository.ts';

/** The figures of the caller's company (OVER-1). */
export async function getOverview(
  { db }: Context,
  { companyId }: Actor,
  query: z.output<typeof overviewQuery>,
): Promise<Overview> {
  const { from, to } = query;
  const asOf = query.asOf ?? todayInOslo();
  const period = from && to ? { from, to } : yearOf(asOf);
  const figures = figuresOf(db, companyId, { period, asOf });
  return {
    turnover: await figures.turnover(),
    vat: await figures.vat(),
    outstanding: await figures.outstanding(),
    overdue: await figures.overdue(),
    customers: await figures.customers(),
    medianDays: await figures.medianDays(),
  };
}

/** The days of an overview. */
interface Scope {
  readonly period: Period;
  /** The day of what is owed, and the last of the 12 months. */
  readonly asOf: IsoDate;
}

/** The figures of a company, for its people and for links. Each is read when it is asked for; two share what they sum. */
export function figuresOf(db: Db, companyId: number, { period, asOf }: Scope) {
  const year = twelveMonthsTo(asOf);
  const [first] = monthsOf(period);
  const from = first?.lastYear.from ?? period.from;
  const days = once(async () => repository.sumDays(db, companyId, { from, to: period.to }));
  const owed = once(async () => repository.sumOwed(db, companyId, asOf));
  return {
    turnover: async () => turnoverOf(await days(), period),
    vat: async () => vatOf(await days(), period),
    outstanding: async () => outstandingOf(await owed(), asOf),
    overdue: async () => overdueOf(await owed(), asOf),
    customers: async () =>
      (await repository.findLargest(db, companyId, year)).map(({ customerNumber, name, net }) => ({
        customerNumber,
        name,
        net: oreToKroner(net),
      })),
    medianDays: async () => medianOf(await repository.countDaysToPayment(db, companyId, year)),
  };
}

function once<T>(find: () => Promise<T>): () => Promise<T> {
  let found: Promise<T> | undefined;
  return async () => (found ??= find());
}
