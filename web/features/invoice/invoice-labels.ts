import {
  type Delivery,
  type DeliveryStatus,
  type DeliveryType,
  recipientText,
} from '../../../domain/delivery/delivery.schema.ts';
import type { ListedStatus } from '../../../domain/invoice/invoice-list.schema.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import type { InvoiceStatus } from '../../../domain/invoice/invoice.status.ts';
import type { Label } from '../../ui/Badge.tsx';
import { countOf, NAMES } from '../../lib/number-text.ts';

/** INV-22: cancelled gray, paid green, registered blue. */
export const STATUS_LABELS: Readonly<Record<InvoiceStatus, Label>> = {
  DRAFT: { text: 'Utkast', tone: 'amber' },
  REGISTERED: { text: 'Registrert', tone: 'blue' },
  PAID: { text: 'Betalt', tone: 'green' },
  CANCELLED: { text: 'Kansellert', tone: 'gray' },
};

/** Replaces the label of REGISTERED when a part is paid. */
export const PART_PAID_LABEL: Label = { text: 'Delvis betalt', tone: 'blue' };

export const LISTED_LABELS: Readonly<Record<ListedStatus, string>> = {
  DRAFT: STATUS_LABELS.DRAFT.text,
  REGISTERED: STATUS_LABELS.REGISTERED.text,
  PAID: STATUS_LABELS.PAID.text,
  CANCELLED: STATUS_LABELS.CANCELLED.text,
  OUTSTANDING: 'Ikke betalt',
  OVERDUE: 'Forfalt',
  FAILED: 'Feilet',
};

/** INV-22: failed red, queued purple, sent green. */
export const DELIVERY_STATUS_LABELS: Readonly<Record<DeliveryStatus, Label>> = {
  PENDING: { text: 'Venter', tone: 'gray' },
  QUEUED: { text: 'Lagt i kø', tone: 'purple' },
  SENT: { text: 'Utsendt', tone: 'green' },
  FAILED: { text: 'Feilet', tone: 'red' },
};

/** The label of a delivery that was stopped before it was mailed, for example since the invoice was paid. */
export const STOPPED_LABEL: Label = { text: 'Ikke sendt', tone: 'gray' };

/** The label of a delivery, which has failed as long as an address of it has (DEL-23). */
export function deliveryLabel({
  status,
  stoppedBy,
  unreached = [],
}: Pick<Delivery, 'status' | 'stoppedBy'> & Partial<Pick<Delivery, 'unreached'>>): Label {
  if (stoppedBy) return STOPPED_LABEL;
  return DELIVERY_STATUS_LABELS[unreached.length > 0 ? 'FAILED' : status];
}

/** The delivery types that the forms offer; the API has more. */
export function offeredDeliveryTypes(maySendEhf: boolean): readonly DeliveryType[] {
  return maySendEhf ? ['NONE', 'EMAIL', 'EHF'] : ['NONE', 'EMAIL'];
}

/** The name of an invoice within a sentence: 'faktura 12', 'utkast til Nordnes Kaffebar'. */
export function nameOf({ kind, invoiceNumber, customerName }: Invoice): string {
  if (invoiceNumber === null) return `utkast til ${customerName}`;
  return `${kind === 'CREDIT_NOTE' ? 'kreditnota' : 'faktura'} ${invoiceNumber}`;
}

/** For example '1 faktura' or '12 fakturaer'. */
export function countInvoices(invoices: number): string {
  return countOf(invoices, 'faktura', 'fakturaer');
}

/** The recipients of a delivery that have this status, as 'a@nordnes.no og b@nordnes.no'; '' without any. */
export function addressesOf(
  { deliveryType, recipients }: Pick<Delivery, 'deliveryType' | 'recipients'>,
  wanted: Delivery['status'],
): string {
  const some = recipients.filter(({ status }) => status === wanted);
  return NAMES.format(some.map(({ address }) => recipientText(deliveryType, address)));
}
