import type { DeliveryStatus, DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import type { InvoiceLine } from '../../domain/invoice/invoice-line.ts';
import type { Buyer, Seller } from '../../domain/parties.ts';
import type { InvoiceKind, InvoiceStatus } from '../../domain/invoice/invoice.status.ts';
import type { Ore } from '../../domain/money.ts';

/** An invoice as its repository reads it. */
export interface InvoiceRow {
  readonly id: number;
  readonly uuid: string;
  readonly companyId: number;
  readonly customerId: number | null;
  readonly kind: InvoiceKind;
  readonly status: InvoiceStatus;
  readonly deliveryType: DeliveryType;
  readonly deliveryStatus: DeliveryStatus | null;
  readonly issueDate: string;
  readonly dueDays: number;
  readonly dueDate: string;
  readonly deliveryDate: string;
  readonly reference: string | null;
  readonly netAmount: Ore;
  readonly vatAmount: Ore;
  readonly grossAmount: Ore;
  readonly paidDate: string | null;
  readonly invoiceNumber: number | null;
  readonly kid: string | null;
  readonly seller: Seller | null;
  readonly buyer: Buyer | null;
  readonly bankAccountNumber: string | null;
  readonly creditsInvoiceId: number | null;
  readonly noteUuid: string | null;
  readonly noteNumber: number | null;
  readonly originalUuid: string | null;
  readonly originalNumber: number | null;
  readonly originalIssueDate: string | null;
}

/** What decides whether an invoice may be mailed. */
export interface StandingRow {
  readonly id: number;
  readonly status: InvoiceStatus;
  readonly creditsInvoiceId: number | null;
}

/** A registered invoice that has no delivery. */
export interface UndeliveredRow extends StandingRow {
  readonly companyId: number;
  readonly deliveryType: DeliveryType;
  readonly buyer: Buyer | null;
}

export interface LineRow extends InvoiceLine {
  readonly id: number;
  readonly invoiceId: number;
}

/** What a company has, without counting it again. */
export interface InvoiceCounts {
  readonly drafts: number;
  readonly registered: number;
  readonly paid: number;
  readonly cancelled: number;
  readonly sent: number;
  readonly sentFrom: string | null;
  readonly sentTo: string | null;
  /** What registering every draft would do; null with none, or more than are looked through. */
  readonly queueable: QueueableDrafts | null;
}

export interface QueueableDrafts {
  readonly drafts: number;
  readonly emails: number;
  /** Kroner with VAT. */
  readonly gross: number;
}
