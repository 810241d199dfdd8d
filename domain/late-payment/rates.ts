import type { IsoDate } from '../date.ts';
import { ore, type Ore } from '../money.ts';

/**
 * INTEREST is forsinkelsesrenten in hundredths of a percent per year, COMPENSATION is standardkompensasjon in øre;
 * both are set for a half-year. DEBT_COLLECTION is inkassosatsen in øre, from which the fee of a notice is computed;
 * it holds until a new one is set.
 */
export const LATE_PAYMENT_RATE_KINDS = ['INTEREST', 'COMPENSATION', 'DEBT_COLLECTION'] as const;
export type LatePaymentRateKind = (typeof LATE_PAYMENT_RATE_KINDS)[number];

export interface LatePaymentRate {
  readonly kind: LatePaymentRateKind;
  /** The first day on which it applies. */
  readonly from: IsoDate;
  /** Hundredths of a percent, or øre: see the kind. */
  readonly value: number;
}

/** The known rates, in any order. If two of one kind begin on the same day, the later in the list applies. */
export type LatePaymentRates = readonly LatePaymentRate[];

/** A rate that nobody has entered. The previous rate is never used instead. */
export class MissingRateError extends Error {
  override readonly name = 'MissingRateError';
  readonly kind: LatePaymentRateKind;
  /** The first day of the half-year for which it is missing. */
  readonly from: IsoDate;

  constructor(kind: LatePaymentRateKind, date: IsoDate) {
    const { from, name } = halfYearOf(date);
    super(`${NAMES[kind]} for ${name} mangler`);
    this.kind = kind;
    this.from = from;
  }
}

const NAMES: Readonly<Record<LatePaymentRateKind, string>> = {
  INTEREST: 'satsen',
  COMPENSATION: 'standardkompensasjonen',
  DEBT_COLLECTION: 'inkassosatsen',
};

/**
 * The built-in rates. Interest and compensation: Finansdepartementet by forsinkelsesrenteloven §§ 3 and 3a, read at
 * the source named after each; no compensation where no source was found (REM-14, REM-28). Debt collection: inkassoforskriften § 1-1,
 * read at kred.no.
 */
export const BUILT_IN_RATES: LatePaymentRates = [
  ...halfYear('2020-01-01', 9.5), // forsinkelsesrente.net
  ...halfYear('2020-07-01', 8, 430), // bsregnskap.no
  ...halfYear('2021-01-01', 8, 400), // sergel.no
  ...halfYear('2021-07-01', 8, 400), // totalkapital.no
  ...halfYear('2022-01-01', 8.5, 390), // visma.no
  ...halfYear('2022-07-01', 9.25, 400), // FOR-2022-06-24-1178, read at visma.no
  ...halfYear('2023-01-01', 10.75, 410), // regnskapnorge.no
  ...halfYear('2023-07-01', 11.75), // forsinkelsesrente.net
  ...halfYear('2024-01-01', 12.5, 470), // regjeringen.no, id3019071
  ...halfYear('2024-07-01', 12.5), // the key rate of 4.50 plus 8 points
  ...halfYear('2025-01-01', 12.5, 470), // FOR-2024-12-19-3279
  ...halfYear('2025-07-01', 12.25), // the key rate of 4.25 plus 8 points
  ...halfYear('2026-01-01', 12, 460), // kred.no
  ...halfYear('2026-07-01', 12.25, 430), // the key rate of 4.25 plus 8 points
  { kind: 'DEBT_COLLECTION', from: '2017-01-01', value: 700_00 },
  { kind: 'DEBT_COLLECTION', from: '2026-01-01', value: 750_00 },
];

/** A fee is inkassosatsen divided by this: by 10, and by 20 from 1 October 2020 (inkassoforskriften § 1-2; REM-11). */
const FEE_PART = { earlier: 10, since: '2020-10-01', now: 20 } as const;

/** The half-year of a day: its first day and its official name. */
export function halfYearOf(date: IsoDate): { readonly from: IsoDate; readonly name: string } {
  const year = date.slice(0, 4);
  return date.slice(5) < '07-01'
    ? { from: `${year}-01-01`, name: `1. halvår ${year}` }
    : { from: `${year}-07-01`, name: `2. halvår ${year}` };
}

/** Late interest on a day, in hundredths of a percent per year. @throws MissingRateError */
export function interestRateOn(rates: LatePaymentRates, date: IsoDate): number {
  return ofHalfYear(rates, 'INTEREST', date);
}

/**
 * Standardkompensasjon that a business can be charged on a day, in øre (forsinkelsesrenteloven § 3a).
 * @throws MissingRateError
 */
export function compensationOn(rates: LatePaymentRates, date: IsoDate): Ore {
  return ore(ofHalfYear(rates, 'COMPENSATION', date));
}

/**
 * The largest fee that a notice sent on a day may claim, in øre. The day of sending decides (inkassoforskriften §
 * 1-2). The regulation has no rule of rounding, so half an øre is dropped.
 * @throws MissingRateError
 */
export function feeOn(rates: LatePaymentRates, date: IsoDate): Ore {
  const part = date < FEE_PART.since ? FEE_PART.earlier : FEE_PART.now;
  let newest: LatePaymentRate | undefined;
  for (const rate of rates) {
    const holds = rate.kind === 'DEBT_COLLECTION' && rate.from <= date;
    if (holds && (newest === undefined || rate.from >= newest.from)) newest = rate;
  }
  if (newest === undefined) throw new MissingRateError('DEBT_COLLECTION', date);
  return ore(Math.floor(newest.value / part));
}

/** The rates of a half-year that are required but unknown. */
export function missingOn(rates: LatePaymentRates, date: IsoDate): readonly MissingRateError[] {
  return OF_HALF_YEARS.filter((kind) => findOfHalfYear(rates, kind, date) === undefined).map(
    (kind) => new MissingRateError(kind, date),
  );
}

const OF_HALF_YEARS = ['INTEREST', 'COMPENSATION'] as const;
type HalfYearKind = (typeof OF_HALF_YEARS)[number];

function ofHalfYear(rates: LatePaymentRates, kind: HalfYearKind, date: IsoDate): number {
  const rate = findOfHalfYear(rates, kind, date);
  if (rate === undefined) throw new MissingRateError(kind, date);
  return rate.value;
}

function findOfHalfYear(rates: LatePaymentRates, kind: HalfYearKind, date: IsoDate) {
  const { from } = halfYearOf(date);
  return rates.findLast((known) => known.kind === kind && known.from === from);
}

function halfYear(from: IsoDate, percent: number, kroner?: number): LatePaymentRate[] {
  const interest: LatePaymentRate = { kind: 'INTEREST', from, value: Math.round(percent * 100) };
  if (kroner === undefined) return [interest];
  return [interest, { kind: 'COMPENSATION', from, value: Math.round(kroner * 100) }];
}
