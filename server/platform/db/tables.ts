import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';

import type {
  DeliveryStatus,
  DeliveryType,
  StoppedBy,
} from '../../../domain/delivery/delivery.schema.ts';
import type {
  HistoryAuthor,
  HistoryDetails,
  HistoryKind,
} from '../../../domain/history/history.schema.ts';
import type { Buyer, Seller } from '../../../domain/parties.ts';
import type { VatRate } from '../../../domain/invoice/invoice-line.schema.ts';
import type { InvoiceKind, InvoiceStatus } from '../../../domain/invoice/invoice.status.ts';
import type { KidModulus } from '../../../domain/kid.ts';
import type { Ore } from '../../../domain/money.ts';
import type { GeneratedTimestamp, Timestamp } from './column-types.ts';
import type { DocumentFileTable } from './document-file-table.ts';
import type { FailureNoticeTable } from './failure-notice-table.ts';
import type { FeatureTables } from './feature-tables.ts';

/** The tables after all migrations, in camelCase. Only repositories use them. */
export interface Tables extends FeatureTables {
  account: AccountTable;
  loginChallenge: LoginChallengeTable;
  session: SessionTable;
  apiToken: ApiTokenTable;
  rateLimit: RateLimitTable;
  company: CompanyTable;
  bankAccount: BankAccountTable;
  kidAgreement: KidAgreementTable;
  customer: CustomerTable;
  customerGroup: CustomerGroupTable;
  customerGroupMember: CustomerGroupMemberTable;
  invoiceTemplate: InvoiceTemplateTable;
  invoiceTemplateLine: InvoiceTemplateLineTable;
  invoice: InvoiceTable;
  invoiceLine: InvoiceLineTable;
  invoiceCount: InvoiceCountTable;
  invoiceDue: InvoiceDueTable;
  historyEvent: HistoryEventTable;
  document: DocumentTable;
  documentFile: DocumentFileTable;
  delivery: DeliveryTable;
  deliveryAllowance: DeliveryAllowanceTable;
  failureNotice: FailureNoticeTable;
  suppressedAddress: SuppressedAddressTable;
  mailRefusal: MailRefusalTable;
  newsletterSubscriber: NewsletterSubscriberTable;
}

/** A row as read, or some of its columns. */
export type Row<
  Name extends keyof Tables,
  Column extends keyof Selectable<Tables[Name]> = keyof Selectable<Tables[Name]>,
> = Pick<Selectable<Tables[Name]>, Column>;

interface AccountTable {
  id: GeneratedAlways<number>;
  email: string;
  createdAt: GeneratedTimestamp;
  isStaff: Generated<boolean>;
}

interface LoginChallengeTable {
  id: GeneratedAlways<number>;
  email: string;
  codeHash: Uint8Array;
  tokenHash: Uint8Array;
  wrongCodes: Generated<number>;
  codeUsedAt: Timestamp | null;
  tokenUsedAt: Timestamp | null;
  createdAt: GeneratedTimestamp;
  expiresAt: Timestamp;
}

interface SessionTable {
  id: GeneratedAlways<number>;
  accountId: number;
  tokenHash: Uint8Array;
  createdAt: GeneratedTimestamp;
  expiresAt: Timestamp;
}

interface ApiTokenTable {
  id: GeneratedAlways<number>;
  accountId: number;
  tokenHash: Uint8Array;
  name: string;
  createdAt: GeneratedTimestamp;
  lastUsedAt: Timestamp | null;
}

interface RateLimitTable {
  key: string;
  hits: number;
  resetsAt: Timestamp;
}

interface CompanyTable {
  id: GeneratedAlways<number>;
  accountId: number;
  companyName: string | null;
  orgNumber: string | null;
  vatRegistered: boolean | null;
  foretaksregisteret: boolean | null;
  email: string | null;
  billingAddress1: string | null;
  billingAddress2: string | null;
  billingPostalCode: string | null;
  billingCity: string | null;
  defaultMessage: string | null;
  startInvoiceNumber: Generated<number>;
  hasCreatedInvoice: Generated<boolean>;
  lastInvoiceNumber: number | null;
  lastDocumentHash: Uint8Array | null;
  lastCustomerNumber: Generated<number>;
  version: GeneratedAlways<number>;
}

interface BankAccountTable {
  companyId: number;
  position: number;
  bankAccountNumber: string;
  isPrimary: boolean;
}

interface KidAgreementTable {
  companyId: number;
  account: string;
  length: number;
  modulus: KidModulus;
  version: GeneratedAlways<number>;
}

interface CustomerTable {
  id: GeneratedAlways<number>;
  companyId: number;
  customerNumber: number;
  name: string;
  email: string | null;
  orgNumber: string | null;
  phoneNumber: string | null;
  address1: string | null;
  address2: string | null;
  postalCode: string | null;
  city: string | null;
  searchText: string;
  version: GeneratedAlways<number>;
  credit: GeneratedAlways<Ore>;
}

interface CustomerGroupTable {
  id: GeneratedAlways<number>;
  uuid: Generated<string>;
  companyId: number;
  groupName: string;
  searchText: string;
  version: GeneratedAlways<number>;
}

interface CustomerGroupMemberTable {
  companyId: number;
  groupId: number;
  customerId: number;
}

interface InvoiceTemplateTable {
  id: GeneratedAlways<number>;
  companyId: number;
  name: string;
  deliveryType: DeliveryType;
  dueDays: number;
  version: GeneratedAlways<number>;
}

interface LineTable {
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
}

interface InvoiceTemplateLineTable extends LineTable {
  templateId: number;
}

interface InvoiceLineTable extends LineTable {
  invoiceId: number;
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
  reference: string | null;
  message: string | null;
  /** Counted by the database at each save of a draft. */
  version: GeneratedAlways<number>;
  netAmount: Ore;
  vatAmount: Ore;
  grossAmount: Ore;
  creditsInvoiceId: number | null;
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
  registeredAt: Timestamp | null;
  createdAt: GeneratedTimestamp;
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

interface DeliveryTable {
  id: GeneratedAlways<number>;
  uuid: Generated<string>;
  companyId: number;
  invoiceId: number;
  documentId: number;
  deliveryType: DeliveryType;
  status: Generated<Exclude<DeliveryStatus, 'PENDING'>>;
  recipient: string;
  carrierKey: string;
  carrierReference: string | null;
  leasedUntil: Timestamp | null;
  attempts: Generated<number>;
  failureReason: string | null;
  failedAt: Timestamp | null;
  waitingReason: string | null;
  excusedAttempts: Generated<number>;
  deferredUntil: Timestamp | null;
  askAgainAt: Timestamp | null;
  countedAt: Timestamp | null;
  createdAt: GeneratedTimestamp;
  sentTime: Timestamp | null;
  forced: Generated<boolean>;
  mayHaveArrived: Generated<boolean>;
  stoppedBy: StoppedBy | null;
  /** Whether a notice has reported the failure to the owner. */
  ownerTold: Generated<boolean>;
  /** The amount due named in a reminder; null for the delivery of the invoice or credit note itself. */
  reminderPrincipal: Ore | null;
}

interface DeliveryAllowanceTable {
  companyId: number;
  createdAt: GeneratedTimestamp;
}

/** A reminder's document belongs to an invoice, but is not in its hash chain. */
type DocumentKind = InvoiceKind | 'REMINDER';

interface DocumentTable {
  companyId: number;
  id: GeneratedAlways<number>;
  uuid: Generated<string>;
  kind: DocumentKind;
  invoiceId: number;
  version: number;
  content: string;
  /** The logo that the text names. */
  logo: Uint8Array | null;
  previousHash: Uint8Array | null;
  /** Null only for a reminder. */
  hash: Uint8Array | null;
  createdAt: GeneratedTimestamp;
}

interface SuppressedAddressTable {
  email: string;
  reason: 'BOUNCE' | 'COMPLAINT';
  createdAt: GeneratedTimestamp;
}

interface MailRefusalTable {
  messageId: string;
  refusedAt: GeneratedTimestamp;
  meaning: Generated<'OPEN' | 'SENDER' | 'MAIL'>;
}

interface NewsletterSubscriberTable {
  id: GeneratedAlways<number>;
  uuid: Generated<string>;
  email: string;
  createdAt: GeneratedTimestamp;
  unsubscribedAt: Timestamp | null;
}
