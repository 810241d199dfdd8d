import type { DeliveryStatus, DeliveryType } from '../delivery/delivery.schema.ts';

/** DRAFT may change; REGISTERED has a number and is frozen; CANCELLED has a credit note. */
export const INVOICE_STATUSES = ['DRAFT', 'REGISTERED', 'PAID', 'CANCELLED'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** A credit note reverses an invoice and takes its number from the same series. */
export const INVOICE_KINDS = ['INVOICE', 'CREDIT_NOTE'] as const;
export type InvoiceKind = (typeof INVOICE_KINDS)[number];

/**
 * The changes that are ever made: queue registers, update marks as paid or not, delete cancels.
 * Everything else is refused, by the services and by the database.
 */
const TRANSITIONS: Readonly<Record<InvoiceStatus, readonly InvoiceStatus[]>> = {
  DRAFT: ['REGISTERED'],
  REGISTERED: ['PAID', 'CANCELLED'],
  PAID: ['REGISTERED'],
  CANCELLED: [],
};

/** Whether an invoice may go from one status to another. */
export function canBecome(from: InvoiceStatus, to: InvoiceStatus): boolean {
  return TRANSITIONS[from].includes(to);
}

interface Changeable {
  readonly kind: InvoiceKind;
  readonly status: InvoiceStatus;
}

interface Deliverable {
  readonly status: InvoiceStatus;
  readonly deliveryStatus: DeliveryStatus | null;
}

/** Whether somebody can still change it: a credit note never, an invoice until it is cancelled. */
export function canChange({ kind, status }: Changeable): boolean {
  return kind === 'INVOICE' && TRANSITIONS[status].length > 0;
}

/** Whether there is nothing more to pay of an invoice. */
function isSettled(status: InvoiceStatus): boolean {
  return status === 'PAID' || status === 'CANCELLED';
}

/** A draft is deleted; what is registered is credited instead. */
export const DELETABLE_STATUSES = ['DRAFT', 'REGISTERED', 'PAID'] as const;
export type DeletableStatus = (typeof DELETABLE_STATUSES)[number];

/**
 * The status of an invoice that can be deleted or credited, undefined for others. A paid one must be
 * unpaid first, unless there are payments: what was paid is its customer's credit then.
 */
export function deletableStatus(
  invoice: Changeable,
  features: { readonly payments: boolean },
): DeletableStatus | undefined {
  if (!canChange(invoice) || (invoice.status === 'PAID' && !features.payments)) return undefined;
  return DELETABLE_STATUSES.find((status) => status === invoice.status);
}

/** Whether the last delivery failed and another can be asked for: what is cancelled is not sent again. */
export function canBeResent(invoice: Deliverable): boolean {
  return invoice.deliveryStatus === 'FAILED' && invoice.status !== 'CANCELLED';
}

/** Whether it was registered to be given by hand, and can still be sent for the first time. */
export function wasNeverSent(
  invoice: Deliverable & { readonly deliveryType: DeliveryType },
): boolean {
  const { status, deliveryType, deliveryStatus } = invoice;
  const mayGo = status === 'REGISTERED' || status === 'PAID';
  return mayGo && deliveryType === 'NONE' && deliveryStatus === null;
}

/** Whether its PDF is a stamped copy: that of a settled invoice is, unless the original was sent. */
export function isShownStamped(invoice: Deliverable): boolean {
  return isSettled(invoice.status) && invoice.deliveryStatus !== 'SENT';
}
