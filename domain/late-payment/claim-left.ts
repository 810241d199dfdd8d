import { addDays, type IsoDate } from '../date.ts';
import { ore, type Ore } from '../money.ts';
import { interestOn, type Settlement } from './interest.ts';
import { MissingRateError, type LatePaymentRates } from './rates.ts';

/** A sent reminder and its claim. Amounts are in øre. */
interface Asked {
  readonly sentOn: IsoDate;
  readonly interest: Ore;
  /** The amount due when the reminder was made. */
  readonly principal: Ore;
  /** The sum of its invoice less all that is credited, also after the reminder. */
  readonly claim: Ore;
  /** The sum of its invoice less what had been credited when the reminder was made. */
  readonly claimThen: Ore;
  /** Its invoice's `paymentDeadline` when it was sent. */
  readonly deadline: IsoDate;
}

/** The claim of a reminder, recomputed with the payments and credit notes that are known now. */
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
 *
 * A credit note corrects the sale, so interest is of what it leaves for the whole time. It waives no fee: the reminder
 * was rightly sent for the rest.
 */
export function claimLeft(
  rates: LatePaymentRates,
  { sentOn, interest, principal, claim, claimThen, deadline }: Asked,
  payments: readonly Settlement[],
): ClaimLeft {
  const isLessDue = claim - paidBefore(addDays(sentOn, 1)) < principal;
  return {
    interest: interest > 0 && isLessDue ? leastInterest() : interest,
    feeWaived: paidBefore(sentOn) >= claimThen,
  };

  function paidBefore(day: IsoDate): number {
    return payments.reduce((sum, { date, amount }) => (date < day ? sum + amount : sum), 0);
  }

  function leastInterest(): Ore {
    try {
      const late = { settlements: payments, dueDate: deadline, through: sentOn };
      return ore(Math.min(interest, interestOn(rates, { ...late, principal: claim }).amount));
    } catch (error) {
      // The operator has removed a rate since: the original claim stands.
      if (error instanceof MissingRateError) return interest;
      throw error;
    }
  }
}
