import type { ResponseOf } from '../api/endpoint.ts';
import { addDays, type IsoDate } from '../date.ts';
import { isDayOfWork } from '../late-payment/working-days.ts';
import type { getIssueDates } from './invoice.endpoints.ts';

/** So many working days of a month an invoice may carry the last day of the month before. */
const WORKING_DAYS = 15;

/** The days that an invoice may carry when it is issued on a day. */
export type IssueDates = ResponseOf<typeof getIssueDates>;

/**
 * An invoice carries the day on which it is issued or, within the first 15 working days of a month and for what was
 * delivered by then, the last day of the month before (bokføringsforskriften § 5-1-3 third paragraph). The regulation
 * does not say what a working day is; Saturdays count here, which is the narrower reading.
 */
export function issueDatesOn(today: IsoDate): IssueDates {
  const date = addDays(`${today.slice(0, 8)}01`, -1);
  let until = date;
  for (let days = 0; days < WORKING_DAYS;) {
    until = addDays(until, 1);
    if (isDayOfWork(until)) days += 1;
  }
  return { today, monthEnd: today <= until ? { date, until } : null };
}
