import type { IsoDate } from '../../domain/date.ts';
import {
  BUILT_IN_RATES,
  type LatePaymentRate,
  type LatePaymentRateKind,
  type LatePaymentRates,
} from '../../domain/late-payment/rates.ts';
import type { Db } from '../platform/db/database.ts';

/** The late payment rates: the built-in ones, overridden by those the operator added. */
export async function findRates(db: Db): Promise<LatePaymentRates> {
  return [...BUILT_IN_RATES, ...(await findAddedRates(db))];
}

/** The rates added by the operator, oldest first. */
export async function findAddedRates(db: Db): Promise<LatePaymentRate[]> {
  return db
    .selectFrom('latePaymentRate')
    .select(['kind', 'validFrom as from', 'value'])
    .orderBy('validFrom')
    .orderBy('kind')
    .execute();
}

/** Adds rates; one of the same kind and day is replaced. */
export async function addRates(db: Db, rates: readonly LatePaymentRate[]): Promise<void> {
  await db
    .insertInto('latePaymentRate')
    .values(rates.map(({ kind, from, value }) => ({ kind, validFrom: from, value })))
    .onConflict((conflict) =>
      conflict.columns(['kind', 'validFrom']).doUpdateSet((eb) => ({
        value: eb.ref('excluded.value'),
        addedAt: eb.ref('excluded.addedAt'),
      })),
    )
    .execute();
}

/** Deletes the added rates of a day; returns their kinds. */
export async function removeRates(db: Db, from: IsoDate): Promise<LatePaymentRateKind[]> {
  const rows = await db
    .deleteFrom('latePaymentRate')
    .where('validFrom', '=', from)
    .returning('kind')
    .execute();
  return rows.map(({ kind }) => kind);
}
