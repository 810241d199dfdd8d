import type { IsoDate } from '../../domain/date.ts';
import type { Buyer } from '../../domain/parties.ts';
import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import { TERMS } from '../../domain/invoice/invoice.schema.ts';
import type { InvoiceStatus } from '../../domain/invoice/invoice.status.ts';
import type { Row, Tables } from '../platform/db/tables.ts';

/** The columns of an invoice that are shown, without the seller, who is the company itself twenty times a page. */
export const SHOWN_COLUMNS = [
  'id',
  'uuid',
  'companyId',
  'customerId',
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
  'disputed',
  'disputedNote',
  'reminderAmount',
  'invoiceNumber',
  'kid',
  'kidModulus',
  'bankAccountNumber',
  'creditsInvoiceId',
  'version',
  ...TERMS,
] as const satisfies readonly (keyof Tables['invoice'])[];

/** What is read of an invoice. */
export const INVOICE_COLUMNS = [...SHOWN_COLUMNS, 'seller'] as const;

/** What is read of a line beside its quantity. */
export const LINE_COLUMNS = [
  'id',
  'unit',
  'description',
  'netUnitAmount',
  'vatRate',
] as const satisfies readonly (keyof Tables['invoiceLine'])[];

/** What a buyer is of a customer. */
export const BUYER_COLUMNS = [
  'customerNumber',
  'name',
  'orgNumber',
  'email',
  'address1',
  'address2',
  'postalCode',
  'city',
] as const satisfies readonly (keyof Buyer)[];

export interface LineRow extends Row<'invoiceLine', (typeof LINE_COLUMNS)[number]> {
  readonly quantity: number;
}

/** What is shown of an invoice, with its buyer and lines, what credits it and what it credits. */
export interface ShownRow extends Row<'invoice', (typeof SHOWN_COLUMNS)[number]> {
  readonly noteUuid: string | null;
  readonly noteNumber: number | null;
  readonly originalUuid: string | null;
  readonly originalNumber: number | null;
  readonly originalIssueDate: string | null;
  /** The day in Oslo; null of a draft. */
  readonly registeredOn: IsoDate | null;
  /** Its customer's number now; null when the customer was deleted: another may have the number since. */
  readonly currentCustomerNumber: number | null;
  /** Frozen with the invoice or, of a draft, the customer as it is now. */
  readonly buyer: Buyer;
  readonly lines: readonly LineRow[];
}

/** The same with who issued it. */
export interface InvoiceRow extends ShownRow, Row<'invoice', 'seller'> {}

/** Whether an invoice is to be paid, and what it credits: that decides whether it may be sent. */
export interface Standing {
  readonly status: InvoiceStatus;
  readonly creditsInvoiceId: number | null;
}

/** A registered invoice that has no delivery. */
export interface UndeliveredRow extends Standing {
  readonly id: number;
  readonly companyId: number;
  readonly deliveryType: DeliveryType;
  readonly buyer: Buyer | null;
}
