import type { IsoDate } from '../date.ts';
import type { DeliveryStatus, DeliveryType } from '../delivery/delivery.schema.ts';
import type { EInvoiceVerdict } from '../einvoice/einvoice-duty.ts';
import type { InvoiceKind } from '../invoice/invoice.status.ts';
import type { TreatedSubtotal } from '../invoice/invoice.totals.ts';
import type { Ore } from '../money.ts';
import type { PaymentKind, PaymentSource } from '../payment/payment.schema.ts';
import type { VatRate, VatTreatment } from '../vat-treatment.ts';
import type { Claim, VoucherCustomer } from './claim.ts';

/** A line of a document, as issued. */
interface BookLine {
  readonly productNumber: string | null;
  readonly description: string;
  readonly quantity: number;
  readonly unit: string | null;
  readonly netUnitAmount: Ore;
  readonly vatRate: VatRate;
  readonly vatTreatment: VatTreatment;
}

/** A document as issued, and the sums that depend on a day: the last one of the period. A credit note's amounts are positive. */
export interface BookDocument {
  readonly kind: InvoiceKind;
  readonly number: number;
  /** The number of the invoice that it credits. */
  readonly creditsNumber: number | null;
  readonly issueDate: IsoDate;
  readonly dueDate: IsoDate;
  readonly deliveryDate: IsoDate;
  /** ISO 8601 with time. */
  readonly recordedAt: string;
  /** Null of a deleted customer. */
  readonly customerId: number | null;
  readonly customer: VoucherCustomer;
  readonly reference: string | null;
  readonly kid: string | null;
  readonly account: string;
  readonly net: Ore;
  readonly vat: Ore;
  readonly gross: Ore;
  readonly subtotals: readonly TreatedSubtotal[];
  readonly lines: readonly BookLine[];
  /** Without what paid reminders. */
  readonly paid: Ore;
  /** The day with which nothing was due any more; null before. */
  readonly paidOn: IsoDate | null;
  readonly credited: Ore;
  readonly isCancelled: boolean;
  readonly deliveryType: DeliveryType;
  readonly deliveryStatus: DeliveryStatus | null;
  /** Null where no e-invoice was asked for. */
  readonly verdict: EInvoiceVerdict | null;
}

/** A row of the payments: money that came or went, or one that takes back or moves another. */
export interface BookPayment {
  /** Its rank among all payments of the company. */
  readonly number: number;
  readonly date: IsoDate;
  /** ISO 8601 with time. */
  readonly recordedAt: string;
  readonly kind: PaymentKind;
  readonly source: PaymentSource;
  readonly amount: Ore;
  /** The parts of the amount that pay fees, and interest, of reminders. */
  readonly fee: Ore;
  readonly interest: Ore;
  /** Not so for what may be a copy, while it is on no invoice. */
  readonly isBooked: boolean;
  /** Whether another row, which moves it here, is booked together with it. */
  readonly isMoved: boolean;
  /** The company's bank account; null is the usual one. */
  readonly account: string | null;
  /** Its invoice, and its customer. */
  readonly claim: Claim;
  readonly kid: string | null;
  readonly payer: string | null;
  readonly reference: string | null;
  /** The day of the payment that it takes back. */
  readonly takesBack: IsoDate | null;
  /** The rows to which it moves the money that it takes back. */
  readonly movedTo: readonly BookPayment[];
}

/** A claim, or money to a customer's credit, on the last day of the period. */
export interface OpenItem {
  readonly customer: VoucherCustomer | null;
  /** Null for a customer's credit. */
  readonly document: BookDocument | null;
  /** Negative in the customer's favour. */
  readonly rest: Ore;
}

/** The amount due of a document on the last day of the period. */
export function restOf({ kind, gross, credited, paid }: BookDocument): number {
  return kind === 'CREDIT_NOTE' ? 0 : gross - credited - paid;
}
