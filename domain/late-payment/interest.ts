import { addDays, daysBetween, type IsoDate } from '../date.ts';
import { divideRounded, ore, type Ore } from '../money.ts';
import { halfYearOf, interestRateOn, type LatePaymentRates } from './rates.ts';
import { workingDayFrom } from './working-days.ts';

/** A payment that lowers a claim. */
export interface Settlement {
  /** A payment still bears interest on its own day. */
  readonly date: IsoDate;
  /** Øre; negative raises the claim again. Leave out payments that were booked by mistake and undone. */
  readonly amount: Ore;
}

interface Claim {
  /** The whole claim in øre, before any payment: the sum less what is credited, whenever that was (REM-13). */
  readonly principal: Ore;
  /** Payments, in any order. */
  readonly settlements: readonly Settlement[];
}

interface LateClaim extends Claim {
  /** Result of `paymentDeadline`: a Saturday, Sunday or holiday counts as the next working day. */
  readonly dueDate: IsoDate;
  /** The last day that bears interest: the day of payment or of sending. */
  readonly through: IsoDate;
}

/** Consecutive days with one rate. */
export interface InterestPeriod {
  readonly from: IsoDate;
  readonly through: IsoDate;
  /** Hundredths of a percent per year. */
  readonly rate: number;
}

export interface LateInterest {
  /** Øre, rounded once, half up. */
  readonly amount: Ore;
  /** From the day after the due date through the last day, one for each rate; empty when not late. */
  readonly periods: readonly InterestPeriod[];
}

/** Hundredths of a percent, and the days of both kinds of year: the common divisor of every term. */
const DIVISOR = 10_000n * 365n * 366n;

/**
 * Late interest on a claim from the day after its due date through a given day. It counts actual days over 365, or
 * 366 in leap years, with the rate of each day on the amount open that day (forsinkelsesrenteloven §§ 2 and 3). There
 * is no interest on interest (Rt. 1998 s. 198). REM-13 has the rule, REM-15 examples.
 * @throws MissingRateError when the rate of one of the half-years is unknown
 */
export function interestOn(rates: LatePaymentRates, claim: LateClaim): LateInterest {
  return interestBetween(rates, {
    ...claim,
    from: addDays(workingDayFrom(claim.dueDate), 1),
  });
}

/**
 * As `interestOn`, for given days, first and last included.
 * @throws MissingRateError
 */
export function interestBetween(
  rates: LatePaymentRates,
  claim: Claim & Pick<InterestPeriod, 'from' | 'through'>,
): LateInterest {
  const periods = periodsOf(rates, claim.from, claim.through);
  let sum = 0n;
  for (const { from, through, rate } of periods) {
    for (const part of partsOf(claim, from, through)) {
      const days = BigInt(daysBetween(part.from, part.through) + 1);
      sum += BigInt(part.open) * days * BigInt(rate) * daysOfOtherYear(part.from);
    }
  }
  return { amount: ore(Number(divideRounded(sum, DIVISOR))), periods: joined(periods) };
}

/** Claims of an invoice's reminders that are neither paid nor waived. */
export interface AskedFor {
  /** Total in øre. */
  readonly reminderAmount: Ore;
  /** Øre of interest that the last reminder with interest claimed, paid or not. */
  readonly interestAsked: Ore;
}

/**
 * Øre still claimed beside a new reminder. The new reminder's interest replaces the interest claimed before.
 * @param interest øre that the new reminder claims
 */
export function earlierClaim({ reminderAmount, interestAsked }: AskedFor, interest: Ore): Ore {
  return interest > 0 ? ore(reminderAmount - interestAsked) : reminderAmount;
}

/** The half-years between two days, both included, cut to these days. */
function periodsOf(rates: LatePaymentRates, from: IsoDate, through: IsoDate): InterestPeriod[] {
  const periods: InterestPeriod[] = [];
  for (let first = from; first <= through;) {
    const last = lastOfHalfYear(first);
    const end = last < through ? last : through;
    periods.push({ from: first, through: end, rate: interestRateOn(rates, first) });
    first = addDays(end, 1);
  }
  return periods;
}

/** Splits the period where the open amount changes. Both days are included. */
function partsOf({ principal, settlements }: Claim, from: IsoDate, through: IsoDate) {
  const starts = new Set([from]);
  for (const { date } of settlements) {
    if (date >= from && date < through) starts.add(addDays(date, 1));
  }
  const sorted = [...starts].toSorted();
  return sorted.map((start, index) => {
    const next = sorted[index + 1];
    let open: number = principal;
    for (const { date, amount } of settlements) if (date < start) open -= amount;
    return {
      from: start,
      through: next === undefined ? through : addDays(next, -1),
      open: Math.max(open, 0),
    };
  });
}

function joined(periods: readonly InterestPeriod[]): InterestPeriod[] {
  const result: InterestPeriod[] = [];
  for (const period of periods) {
    const before = result.at(-1);
    if (before?.rate === period.rate) {
      result[result.length - 1] = { ...before, through: period.through };
    } else {
      result.push(period);
    }
  }
  return result;
}

function lastOfHalfYear(date: IsoDate): IsoDate {
  const { from } = halfYearOf(date);
  return `${from.slice(0, 4)}-${from.endsWith('-01-01') ? '06-30' : '12-31'}`;
}

/** 366 for a year of 365 days and the other way round, so that both years share one divisor. */
function daysOfOtherYear(date: IsoDate): bigint {
  const year = Number(date.slice(0, 4));
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return isLeap ? 365n : 366n;
}
