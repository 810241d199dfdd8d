import {
  BUILT_IN_RATES,
  MissingRateError,
  type LatePaymentRates,
} from '../../domain/late-payment/rates.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../errors.ts';
import * as repository from './late-payment.repository.ts';

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
