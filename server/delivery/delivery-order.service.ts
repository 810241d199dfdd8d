import { todayInOslo } from '../../domain/date.ts';
import type { DeliveryType, StoppedBy } from '../../domain/delivery/delivery.schema.ts';
import { mayStillLeave } from '../../domain/late-payment/reminder-law.ts';
import type { Ore } from '../../domain/money.ts';
import type { Db } from '../platform/db/database.ts';
import { isReminder, type DocumentWithFiles } from '../document/document-file.service.ts';
import type { Standing } from '../invoice/undelivered.repository.ts';
import * as repository from './delivery.repository.ts';
import type { Arrival } from './delivery.repository.ts';
import type { TriedRow } from './delivery-try.repository.ts';
import type { CurrentStanding } from './delivery.rows.ts';

/** Whether an invoice or credit note may be mailed now. */
export type Verdict = 'SEND' | 'WAIT' | StoppedBy;

const CAUSES: Readonly<Record<StoppedBy, string>> = {
  CANCELLED: 'kreditert',
  PAID: 'betalt',
  DISPUTED: 'bestridt',
  PART_PAID: 'beløpet å betale ble endret',
  TOO_LATE: 'fristen ble for kort',
};

/** The reason for stopping a delivery, for the invoice's owner. */
export function stoppedReason(stoppedBy: StoppedBy, mayHaveArrived: boolean): string {
  const cause = CAUSES[stoppedBy];
  return mayHaveArrived
    ? `Ikke sendt på nytt: ${cause} før vi fikk vite om den kom fram`
    : `Ikke sendt: ${cause} før utsending`;
}

interface Tried {
  readonly forced: boolean;
  readonly mayHaveArrived: boolean;
  /** Whether its carrier can be asked for the result of a try. */
  readonly canBeAsked: boolean;
}

/** A delivery that was never tried, and that no user requested. */
export const UNTRIED: Tried = { forced: false, mayHaveArrived: false, canBeAsked: false };

/** Whether a delivery may be handed over, by the state of its invoice: the table of DEL-5. */
export function judgeDelivery(
  { invoice, arrival, reminderPrincipal, status }: TriedRow,
  tried: Tried,
): Verdict {
  // It has arrived at others of its addresses.
  const mayHaveArrived = tried.mayHaveArrived || status === 'SENT';
  return reminderPrincipal === null
    ? judge(invoice, arrival, { ...tried, mayHaveArrived })
    : judgeReminder(invoice, reminderPrincipal);
}

/**
 * Whether an invoice or credit note may be sent.
 * @param arrival for a credit note, the delivery of the invoice that it credits
 */
export function judge(
  { status, creditsInvoiceId, creditedStatus }: Standing,
  arrival: Arrival | undefined,
  { forced, mayHaveArrived, canBeAsked }: Tried,
): Verdict {
  // A buyer who may have the invoice must get the credit note, which follows only an invoice that was sent.
  if (status === 'CANCELLED') return mayHaveArrived ? 'SEND' : 'CANCELLED';
  // A paid invoice that may have arrived goes to the carrier, if the carrier can say whether it did.
  if (status === 'PAID') return forced || (mayHaveArrived && canBeAsked) ? 'SEND' : 'PAID';
  if (creditsInvoiceId === null) return 'SEND';
  if (arrival?.isUnderWay && !arrival.isUnconfirmed) return 'WAIT';
  // The buyer gets the credit note of an invoice that still applies (CRE-14).
  return arrival || forced || creditedStatus !== 'CANCELLED' ? 'SEND' : 'CANCELLED';
}

/** Whether a reminder may be sent. @param principal the amount due that it states (øre) */
export function judgeReminder(
  { status, disputed, amountDue }: CurrentStanding,
  principal: Ore,
): Verdict {
  if (status === 'CANCELLED' || status === 'PAID') return status;
  if (disputed) return 'DISPUTED';
  return amountDue === principal ? 'SEND' : 'PART_PAID';
}

/** Whether it is a reminder whose deadline would be too short if it were sent today. */
export function isTooLate(contents: DocumentWithFiles): boolean {
  return isReminder(contents) && !mayStillLeave(contents.document, todayInOslo());
}

/** The arrived deliveries of the invoices that these credit notes credit, by invoice id. */
export async function findArrivals(
  db: Db,
  companyIds: readonly number[],
  standings: readonly Pick<Standing, 'creditsInvoiceId'>[],
): Promise<Map<number, Arrival>> {
  const invoiceIds = standings.flatMap(({ creditsInvoiceId }) => creditsInvoiceId ?? []);
  if (invoiceIds.length === 0) return new Map();
  const arrivals = await repository.findArrivals(db, { companyIds, invoiceIds });
  return new Map(arrivals.map((arrival) => [arrival.invoiceId, arrival]));
}

/** The delivery type by which an invoice has arrived, may have, or still can; null when there is none. */
export async function findArrivalType(
  db: Db,
  companyId: number,
  invoiceId: number,
): Promise<DeliveryType | null> {
  const arrivals = await findArrivals(db, [companyId], [{ creditsInvoiceId: invoiceId }]);
  return arrivals.get(invoiceId)?.deliveryType ?? null;
}
