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
  return findFigures(db, companyId, { period, asOf });
}

/** The days of an overview. */
interface Scope {
  readonly period: Period;
  /** The day of what is owed, and the last of the 12 months. */
  readonly asOf: IsoDate;
}

/** The figures of a company: for its people and for links. */
async function findFigures(db: Db, companyId: number, { period, asOf }: Scope): Promise<Overview> {
  const [first] = monthsOf(period);
  const days = await repository.sumDays(db, companyId, {
    from: first?.lastYear.from ?? period.from,
    to: period.to,
  });
  const owed = await repository.sumOwed(db, companyId, asOf);
  const year = twelveMonthsTo(asOf);
  const customers = await repository.findLargest(db, companyId, year);
  return {
    turnover: turnoverOf(days, period),
    vat: vatOf(days, period),
    outstanding: outstandingOf(owed, asOf),
    overdue: overdueOf(owed, asOf),
    customers: customers.map(({ customerNumber, name, net }) => ({
      customerNumber,
      name,
      net: oreToKroner(net),
    })),
    medianDays: medianOf(await repository.countDaysToPayment(db, companyId, year)),
  };
}
