import type { IsoDate } from '../../domain/date.ts';
import type { InvoiceStatus } from '../../domain/invoice/invoice.status.ts';
import type { Buyer } from '../../domain/parties.ts';
import { TERMS } from '../../domain/invoice/invoice.terms.ts';
import type { Row, Tables } from '../platform/db/tables.ts';

/** The columns of an invoice from which the answers about it are made. */
export const PRESENTED_COLUMNS = [
  'uuid',
  'kind',
  'status',
  'deliveryType',
  'deliveryStatus',
  'dueDays',
  'netAmount',
  'vatAmount',
  'grossAmount',
  'paidDate',
  'paidAmount',
  'creditedAmount',
  'disputed',
  'disputedNote',
  'reminderAmount',
  'invoiceNumber',
  'kid',
  'kidModulus',
  'bankAccountNumber',
  'version',
  'sourceQuote',
  ...TERMS,
] as const satisfies readonly (keyof Tables['invoice'])[];

/** The columns that are read of an invoice beside those, apart from the seller. */
export const JUDGED_COLUMNS = [
  'id',
  'companyId',
  'customerId',
  'vatSubtotals',
  'buyerVatNumber',
  'creditsInvoiceId',
  'creditExtent',
] as const satisfies readonly (keyof Tables['invoice'])[];

/** All columns that are read of an invoice. */
export const INVOICE_COLUMNS = [...JUDGED_COLUMNS, ...PRESENTED_COLUMNS, 'seller'] as const;

/** The columns that lines of invoices, templates and assignments have, apart from their quantity. */
export const LINE_CONTENT = [
  'unit',
  'description',
  'netUnitAmount',
  'vatRate',
  'vatTreatment',
  'productNumber',
] as const satisfies readonly (keyof Tables['invoiceLine'])[];

/** The columns that are read of an invoice's line, apart from its quantity. */
export const LINE_COLUMNS = ['id', ...LINE_CONTENT] as const;

/** The columns of a customer that make up the buyer, beside country and addresses for invoices. */
export const BUYER_COLUMNS = [
  'customerNumber',
  'name',
  'orgNumber',
  'email',
  'address1',
  'address2',
  'postalCode',
  'city',
  'contactName',
] as const satisfies readonly (keyof Buyer)[];

export interface LineRow extends Row<'invoiceLine', (typeof LINE_COLUMNS)[number]> {
  readonly quantity: number;
}

/** A credit note of an invoice. */
interface NoteOfInvoice {
  readonly uuid: string;
  readonly invoiceNumber: number;
}

/** An invoice as answers show it: with buyer, lines, its credit notes, and the invoice that it credits. */
export interface PresentedRow extends Row<'invoice', (typeof PRESENTED_COLUMNS)[number]> {
  /** The first one first; null without any. */
  readonly notes: readonly NoteOfInvoice[] | null;
  readonly originalUuid: string | null;
  readonly originalNumber: number | null;
  /** The date in Oslo; null for a draft. */
  readonly registeredOn: IsoDate | null;
  /** The customer's current number; null when the customer was deleted: another customer may have the number since. */
  readonly currentCustomerNumber: number | null;
  /** Frozen with the invoice; for a draft the current customer. */
  readonly buyer: Buyer;
  readonly lines: readonly LineRow[];
}

/** An invoice without its seller. */
export interface ShownRow extends PresentedRow, Row<'invoice', (typeof JUDGED_COLUMNS)[number]> {
  readonly originalIssueDate: string | null;
  readonly creditedStatus: InvoiceStatus | null;
  /** Whether the customer is a private person now; null when it was deleted. */
  readonly isBuyerPrivate: boolean | null;
}

/** A shown invoice with its seller. */
export interface InvoiceRow extends ShownRow, Row<'invoice', 'seller'> {}
