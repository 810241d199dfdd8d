import type { Permission } from '../permission.ts';
import type { Delivery, DeliveryStatus, DeliveryType } from '../delivery/delivery.schema.ts';

/** DRAFT may change; REGISTERED has a number and is frozen; CANCELLED has a credit note. */
export const INVOICE_STATUSES = ['DRAFT', 'REGISTERED', 'PAID', 'CANCELLED'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** A credit note reverses an invoice and takes its number from the same series. */
export const INVOICE_KINDS = ['INVOICE', 'CREDIT_NOTE'] as const;
export type InvoiceKind = (typeof INVOICE_KINDS)[number];

/** A credit note for a part of its invoice, or for the rest after such parts. */
export type CreditExtent = 'PART' | 'REST';

/**
 * All allowed transitions: queue registers, update marks as paid or unpaid, delete cancels. The services and the
 * database refuse every other one (INV-19).
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

/** Whether a user can still change it: never a credit note, an invoice until it is cancelled. */
export function canChange({ kind, status }: Changeable): boolean {
  return kind === 'INVOICE' && TRANSITIONS[status].length > 0;
}

/** Whether the invoice has no amount due. */
function isSettled(status: InvoiceStatus): boolean {
  return status === 'PAID' || status === 'CANCELLED';
}

/** A draft is deleted; a registered or paid invoice is credited instead. */
export const DELETABLE_STATUSES = ['DRAFT', 'REGISTERED', 'PAID'] as const;
export type DeletableStatus = (typeof DELETABLE_STATUSES)[number];

/**
 * The status of an invoice that can be deleted or credited, otherwise undefined. A paid invoice must first be marked
 * unpaid, unless `payments` is on: then its payments become the customer's credit (INV-26).
 */
export function deletableStatus(
  invoice: Changeable,
  features: { readonly payments: boolean },
): DeletableStatus | undefined {
  if (!canChange(invoice) || (invoice.status === 'PAID' && !features.payments)) return undefined;
  return DELETABLE_STATUSES.find((status) => status === invoice.status);
}

/** The permission that deletes an invoice: one that is registered is credited (MEM-4). */
export function invoiceDeletionNeeds({ status }: Pick<Changeable, 'status'>): Permission {
  return status === 'DRAFT' ? 'edit' : 'issue';
}

/**
 * Whether the last delivery failed, or one of its addresses did, and can be repeated. A cancelled invoice is not sent
 * again.
 */
export function canBeResent(
  invoice: Deliverable & {
    readonly deliveries?: readonly Pick<Delivery, 'recipients' | 'unreached'>[];
  },
): boolean {
  if (invoice.status === 'CANCELLED') return false;
  const last = invoice.deliveries?.at(-1);
  const isOver = last?.recipients.every(({ status }) => status !== 'QUEUED');
  const isMissed = last && isOver && last.unreached.length > 0;
  return invoice.deliveryStatus === 'FAILED' || Boolean(isMissed);
}

/** Whether it can be mailed: again, or for the first time if it was registered for delivery by hand. */
export function canBeMailed(
  invoice: Deliverable & { readonly deliveryType: DeliveryType },
): boolean {
  const { status, deliveryType, deliveryStatus } = invoice;
  const mayGo = status === 'REGISTERED' || status === 'PAID';
  return (
    mayGo && (deliveryStatus === 'SENT' || (deliveryType === 'NONE' && deliveryStatus === null))
  );
}

/** Whether its PDF is a stamped copy. A settled invoice's PDF is, unless the original was sent. */
export function isShownStamped(invoice: Deliverable): boolean {
  return isSettled(invoice.status) && invoice.deliveryStatus !== 'SENT';
}
