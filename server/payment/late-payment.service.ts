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

/** The late payment rates: the built-in ones, overridden by those the operator added. */
export async function findRates(db: Db): Promise<LatePaymentRates> {
  return [...BUILT_IN_RATES, ...(await repository.findAddedRates(db))];
}

/** Runs a computation that needs rates. @throws AppError rate_missing, which names the half-year */
export function ofKnownRates<T>(compute: () => T): T {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof MissingRateError)) throw error;
    const subject = `${error.kind} ${error.from}`;
    throw new AppError('rate_missing', { subject, cause: error });
  }
}

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
  const missing = [today, addDays(today, DAYS_AHEAD)].flatMap((date) => missingOn(rates, date));
  return missing.filter(
    ({ message }, index) => missing.findIndex((other) => other.message === message) === index,
  );
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
