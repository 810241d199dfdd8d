import { addDays, todayInOslo, type IsoDate } from '../../domain/date.ts';
import {
  BUILT_IN_RATES,
  missingOn,
  MissingRateError,
  type LatePaymentRates,
} from '../../domain/late-payment/rates.ts';
import type { Context } from '../context.ts';
import type { Db } from '../platform/db/database.ts';
import { AppError } from '../errors.ts';
import * as repository from './late-payment.repository.ts';
import { isFirst } from '../platform/limits/rate-limit.ts';

export { addRates, findAddedRates, removeRates } from './late-payment.repository.ts';

/** The rates of late payment: those that are built in, and over them what the operator has added. */
export async function findRates(db: Db): Promise<LatePaymentRates> {
  return [...BUILT_IN_RATES, ...(await repository.findAddedRates(db))];
}

/** What is computed of rates. @throws AppError rate_missing, which names the half-year */
export function ofKnownRates<T>(compute: () => T): T {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof MissingRateError)) throw error;
    const subject = `${error.kind} ${error.from}`;
    throw new AppError('rate_missing', { subject, cause: error });
  }
}

/** New rates are published some days before they hold. */
const DAYS_AHEAD = 14;
/** In UTC, so that a person sees the warning of a working day in the morning. */
const HOUR_OF_WARNING = 6;
/** Longer than that hour. */
const ONCE = { key: 'warn-of-missing-rates', seconds: 2 * 3600 };

/** What is not known of the half-year of a day, and of that in which a fortnight later lies. */
export async function findMissingRates(
  db: Db,
  today: IsoDate = todayInOslo(),
): Promise<readonly MissingRateError[]> {
  const rates = await findRates(db);
  const missing = [today, addDays(today, DAYS_AHEAD)].flatMap((date) => missingOn(rates, date));
  return missing.filter(
    ({ message }, index) => missing.findIndex((other) => other.message === message) === index,
  );
}

/** Logs once a day which rates the operator has to add. Called every minute, and any minute may be missed. */
export async function warnOfMissingRates(
  { db, log }: Pick<Context, 'db' | 'log'>,
  now: Date = new Date(),
): Promise<void> {
  if (now.getUTCHours() !== HOUR_OF_WARNING) return;
  const missing = (await findMissingRates(db, todayInOslo(now))).map(({ message }) => message);
  if (missing.length === 0 || !(await isFirst(db, ONCE))) return;
  log.warn({ missing }, 'rates of late payment are missing: npm run rates');
}
