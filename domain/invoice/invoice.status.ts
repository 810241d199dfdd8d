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
