import { addDays, type IsoDate } from '../date.ts';
import { ore, type Ore } from '../money.ts';
import { interestOn, type Settlement } from './interest.ts';
import { MissingRateError, type LatePaymentRates } from './rates.ts';

/** A reminder that was sent, and what it asked for. */
interface Asked {
  readonly sentOn: IsoDate;
  /** Øre. */
  readonly interest: Ore;
  /** The whole claim of its invoice, in øre. */
  readonly grossAmount: Ore;
  /** Øre of it that were due when the reminder was made. */
  readonly principal: Ore;
  /** Its invoice's `paymentDeadline` when it was sent. */
  readonly deadline: IsoDate;
}

/** What a reminder may still ask for, now that more is known of what had been paid. */
export interface ClaimLeft {
  /** Øre, never more than it asked for. */
  readonly interest: Ore;
  /** Whether there was nothing to remind of on its day: its fee and its compensation are waived. */
  readonly feeWaived: boolean;
}

/**
 * Banks tell of a payment days after it was made. Interest is counted anew on what was open each day, and a notice that
 * was sent after the whole principal had come costs nothing. What came on the day of sending may have come after it.
 */
export function claimLeft(
  rates: LatePaymentRates,
  { sentOn, interest, grossAmount, principal, deadline }: Asked,
  settlements: readonly Settlement[],
): ClaimLeft {
  const isMoreKnown = comeBefore(addDays(sentOn, 1)) > grossAmount - principal;
  return {
    interest: interest > 0 && isMoreKnown ? leastInterest() : interest,
    feeWaived: comeBefore(sentOn) >= grossAmount,
  };

  function comeBefore(day: IsoDate): number {
    return settlements.reduce((sum, { date, amount }) => (date < day ? sum + amount : sum), 0);
  }

  function leastInterest(): Ore {
    try {
      const claim = { settlements, dueDate: deadline, through: sentOn };
      return ore(
        Math.min(interest, interestOn(rates, { ...claim, principal: grossAmount }).amount),
      );
    } catch (error) {
      // The operator has removed a rate since: what was asked for stands.
      if (error instanceof MissingRateError) return interest;
      throw error;
    }
  }
}
