import { addDays, todayInOslo, type IsoDate } from '../../domain/date.ts';
import { halfYearOf, missingOn, type MissingRateError } from '../../domain/late-payment/rates.ts';
import type { Context } from '../context.ts';
import type { Db } from '../platform/db/database.ts';
import { isFirst } from '../platform/limits/rate-limit.ts';
import { findRates } from './late-payment.repository.ts';

/** New rates are published some days before they apply. */
const DAYS_AHEAD = 14;
/** In UTC, so that the warning comes in the morning in Norway. */
const HOUR_OF_WARNING = 6;
/** Longer than the hour of the warning, so that it is logged once. */
const ONCE = { key: 'warn-of-missing-rates', seconds: 2 * 3600 };

/** The rates missing for the half-year of a day and for the half-year 14 days later. */
export async function findMissingRates(
  db: Db,
  today: IsoDate = todayInOslo(),
): Promise<readonly MissingRateError[]> {
  const rates = await findRates(db);
  const halves = new Set([today, addDays(today, DAYS_AHEAD)].map((day) => halfYearOf(day).from));
  return [...halves].flatMap((from) => missingOn(rates, from));
}

/** Logs once a day which rates the operator must add. Called every minute; some minutes may be missed. */
export async function warnOfMissingRates(
  { db, log }: Pick<Context, 'db' | 'log'>,
  now: Date = new Date(),
): Promise<void> {
  if (now.getUTCHours() !== HOUR_OF_WARNING) return;
  const missing = (await findMissingRates(db, todayInOslo(now))).map(({ message }) => message);
  if (missing.length === 0 || !(await isFirst(db, ONCE))) return;
  log.warn({ missing }, 'rates of late payment are missing: npm run rates');
}
