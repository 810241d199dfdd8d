import type { DutyReason } from '../../../domain/einvoice/einvoice-duty.ts';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

import type { DeliveryStatus, DeliveryType } from '../../../domain/delivery/delivery.schema.ts';
import type {
  HistoryAuthor,
  HistoryDetails,
  HistoryKind,
} from '../../../domain/history/history.schema.ts';
import type { VatRate, VatTreatment } from '../../../domain/vat-treatment.ts';
import type {
  CreditExtent,
  InvoiceKind,
  InvoiceStatus,
} from '../../../domain/invoice/invoice.status.ts';
import type { QuoteOfInvoice } from '../../../domain/invoice/invoice.terms.ts';
import type { TreatedLine, TreatedSubtotal } from '../../../domain/invoice/invoice.totals.ts';
import type { KidModulus } from '../../../domain/kid.ts';
import type { Ore } from '../../../domain/money.ts';
import type { Buyer, Seller } from '../../../domain/parties.ts';
import type {
  AssignmentMode,
  AssignmentState,
} from '../../../domain/recurring/recurring.schema.ts';
import type { IntervalUnit } from '../../../domain/recurring/series.schema.ts';
import type { GeneratedTimestamp, Timestamp } from './columns.ts';

/** The tables of invoices, their templates and history, and of standing assignments. */
export interface InvoiceTables {
  invoiceTemplate: InvoiceTemplateTable;
  invoiceTemplateLine: InvoiceTemplateLineTable;
  invoice: InvoiceTable;
  invoiceLine: InvoiceLineTable;
  invoiceCount: InvoiceCountTable;
  invoiceDue: InvoiceDueTable;
  invoiceDay: InvoiceDayTable;
  historyEvent: HistoryEventTable;
  assignment: AssignmentTable;
  assignmentLine: AssignmentLineTable;
  assignmentCustomer: AssignmentCustomerTable;
  assignmentRun: AssignmentRunTable;
  assignmentRunRecipient: AssignmentRunRecipientTable;
}

export interface LineTable {
  id: GeneratedAlways<number>;
  companyId: number;
  position: number;
  /** The whole part; `exactQuantity` reads the full quantity, `toStoredLine` splits it. */
  quantity: number;
  thousandths: number;
  unit: string | null;
  description: string;
  netUnitAmount: Ore;
  vatRate: VatRate;
  vatTreatment: VatTreatment;
  productNumber: string | null;
}

interface InvoiceTemplateTable {
  id: GeneratedAlways<number>;
  companyId: number;
  name: string;
  deliveryType: DeliveryType;
  dueDays: number;
  version: GeneratedAlways<number>;
}

interface InvoiceTemplateLineTable extends LineTable {
  templateId: number;
}

interface InvoiceTable {
  id: GeneratedAlways<number>;
  uuid: Generated<string>;
  companyId: number;
  customerId: number | null;
  kind: Generated<InvoiceKind>;
  /** Status PAID, paid date and paid amount follow from its payments. */
  status: Generated<InvoiceStatus>;
  deliveryType: DeliveryType;
  deliveryStatus: DeliveryStatus | null;
  issueDate: string;
  dueDays: number;
  dueDate: GeneratedAlways<string>;
  deliveryDate: string;
  deliveryCountry: string | null;
  buyerVatNumber: string | null;
  reference: string | null;
  message: string | null;
  /** Counted by the database at each save of a draft. */
  version: GeneratedAlways<number>;
  netAmount: Ore;
  vatAmount: Ore;
  grossAmount: Ore;
  creditsInvoiceId: number | null;
  /** Set on a credit note that is not for all of its invoice. */
  creditExtent: CreditExtent | null;
  /** Where the VAT is not what the lines make. */
  vatSubtotals: readonly TreatedSubtotal[] | null;
  /** The quote that it was made of. */
  sourceQuote: QuoteOfInvoice | null;
  /** The sum of its credit notes. */
  creditedAmount: GeneratedAlways<Ore>;
  paidDate: GeneratedAlways<string | null>;
  paidAmount: GeneratedAlways<Ore>;
  disputed: Generated<boolean>;
  disputedNote: string | null;
  /** The sum that its reminders claim beside it. */
  reminderAmount: GeneratedAlways<Ore>;
  /** The invoice is paid, and the rest of its reminders' claims is waived. */
  reminderWaived: GeneratedAlways<boolean>;
  invoiceNumber: number | null;
  kid: string | null;
  kidModulus: KidModulus | null;
  seller: Seller | null;
  buyer: Buyer | null;
  bankAccountNumber: string | null;
  searchText: string | null;
  /** Null for a draft, and in rows of a version that stated none. */
  einvoiceReason: DutyReason | null;
  registeredAt: Timestamp | null;
  createdAt: GeneratedTimestamp;
}

interface InvoiceLineTable extends LineTable {
  invoiceId: number;
  /** The line that a line of a credit note credits. */
  creditsLineId: number | null;
}

interface InvoiceCountTable {
  companyId: number;
  drafts: number;
  registered: number;
  paid: number;
  cancelled: number;
  sent: number;
  outstanding: number;
}

interface InvoiceDueTable {
  companyId: number;
  dueDate: string;
  outstanding: number;
}

interface InvoiceDayTable {
  companyId: number;
  day: string;
  dueDate: string;
  outstanding: number;
}

interface HistoryEventTable {
  companyId: number;
  invoiceId: number;
  id: GeneratedAlways<number>;
  at: GeneratedTimestamp;
  kind: HistoryKind;
  byType: HistoryAuthor['type'];
  byName: string;
  details: ColumnType<HistoryDetails, HistoryDetails, never>;
}

/** The content of a run's invoices, with placeholders replaced. */
export interface StoredContent {
  readonly deliveryType: DeliveryType;
  readonly dueDays: number;
  /** Without treatments and products in runs that began before lines had them. */
  readonly lines: readonly (Omit<TreatedLine, 'vatTreatment' | 'productNumber'> &
    Partial<TreatedLine>)[];
  readonly message: string | null;
}

interface AssignmentTable {
  companyId: number;
  id: GeneratedAlways<number>;
  uuid: Generated<string>;
  name: string;
  byGroup: boolean;
  groupId: number | null;
  byTemplate: boolean;
  templateId: number | null;
  deliveryType: DeliveryType | null;
  dueDays: number | null;
  message: string | null;
  intervalUnit: IntervalUnit;
  intervalCount: number;
  day: number | null;
  isLastDay: boolean;
  firstDate: string;
  lastDate: string | null;
  occurrences: number | null;
  mode: AssignmentMode;
  state: AssignmentState;
  nextDate: string | null;
  madeThrough: string | null;
  owedFrom: string | null;
  timesMade: Generated<number>;
  obstacle: string | null;
  lostCustomers: Generated<number[]>;
  version: GeneratedAlways<number>;
  createdAt: GeneratedTimestamp;
}

interface AssignmentLineTable {
  companyId: number;
  assignmentId: number;
  position: number;
  quantity: number;
  thousandths: number;
  unit: string | null;
  description: string;
  netUnitAmount: Ore;
  vatRate: VatRate;
  vatTreatment: VatTreatment;
  productNumber: string | null;
}

interface AssignmentCustomerTable {
  companyId: number;
  assignmentId: number;
  customerId: number;
}

interface AssignmentRunTable {
  companyId: number;
  id: GeneratedAlways<number>;
  assignmentId: number;
  periodFrom: string;
  periodTo: string;
  runOn: string;
  mode: AssignmentMode;
  content: ColumnType<StoredContent, string, never>;
  byType: HistoryAuthor['type'];
  byName: string;
  createdAt: GeneratedTimestamp;
  finishedAt: Timestamp | null;
}

interface AssignmentRunRecipientTable {
  companyId: number;
  runId: number;
  customerNumber: number;
  customerId: number | null;
  invoiceId: number | null;
  done: Generated<boolean>;
  failure: string | null;
  failureSubject: string | null;
}
