import { addDays, todayInOslo, type IsoDate } from '../date.ts';

/** How long the link of a quote works after its last day and after its answer (days; QUO-31). */
const DAYS_AFTER = 90;

/** The last day on which the link of a quote works. */
export function offerExpiresOn(validUntil: IsoDate, answeredAt: Date | null): IsoDate {
  const answered = answeredAt === null ? validUntil : todayInOslo(answeredAt);
  return addDays(answered > validUntil ? answered : validUntil, DAYS_AFTER);
}
