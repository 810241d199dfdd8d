import { addDays, type IsoDate } from '../date.ts';
import { ore, type Ore } from '../money.ts';
import { interestOn, type Settlement } from './interest.ts';
import { MissingRateError, type LatePaymentRates } from './rates.ts';

/** A sent reminder and its claim. */
interface Asked {
  readonly sentOn: IsoDate;
  readonly interest: Ore;
  /** The whole claim of its invoice, in øre. */
  readonly grossAmount: Ore;
  /** The amount due when the reminder was made (øre). */
  readonly principal: Ore;
  /** Its invoice's `paymentDeadline` when it was sent. */
  readonly deadline: IsoDate;
}

/** The claim of a reminder, recomputed with the payments that are known now. */
export interface ClaimLeft {
  /** Øre, never more than the reminder claimed. */
  readonly interest: Ore;
  /** Whether nothing was due on its day, so that its fee and its compensation are waived. */
  readonly feeWaived: boolean;
}

/**
 * Banks report a payment days after it was made. Interest is recomputed on the amount open each day, and a notice
 * that was sent after the whole principal had been paid costs nothing. A payment on the day of sending may have come
 * after the notice.
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
      // The operator has removed a rate since: the original claim stands.
      if (error instanceof MissingRateError) return interest;
      throw error;
    }
  }
}
