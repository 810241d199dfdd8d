import type { Generated, GeneratedAlways } from 'kysely';

import type { Attachment } from '../../../domain/attachment/attachment.schema.ts';
import type {
  DeliveryStatus,
  DeliveryType,
  RefusedAddress,
  StoppedBy,
} from '../../../domain/delivery/delivery.schema.ts';
import type { EvidenceCause, EvidenceOutcome } from '../../../domain/einvoice/einvoice.schema.ts';
import type { EhfAgreementStatus, Reachability } from '../../../domain/ehf/ehf.schema.ts';
import type { InvoiceKind } from '../../../domain/invoice/invoice.status.ts';
import type { Ore } from '../../../domain/money.ts';
import type { GeneratedTimestamp, Timestamp } from './columns.ts';

/** The tables of issued documents, their deliveries, and EHF. */
export interface DeliveryTables {
  document: DocumentTable;
  documentFile: DocumentFileTable;
  attachment: AttachmentTable;
  delivery: DeliveryTable;
  deliveryAllowance: DeliveryAllowanceTable;
  failureNotice: FailureNoticeTable;
  suppressedAddress: SuppressedAddressTable;
  mailRefusal: MailRefusalTable;
  ehfAgreement: EhfAgreementTable;
  peppolAnswer: PeppolAnswerTable;
  einvoiceEvidence: EinvoiceEvidenceTable;
  einvoiceSettings: EinvoiceSettingsTable;
  ehfCheck: EhfCheckTable;
  peppolEvent: PeppolEventTable;
  peppolEvidence: PeppolEvidenceTable;
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

/** Where a document's bytes are stored. */
export type DocumentHome = 'DATABASE' | 'S3';

/** A document's bytes as first rendered, or where they are stored. */
interface DocumentFileTable {
  companyId: number;
  documentId: number;
  format: 'PDF' | 'EHF';
  sha256: Uint8Array;
  /** Null when stored outside the database. */
  content: Uint8Array | null;
  createdAt: GeneratedTimestamp;
  home: Generated<DocumentHome>;
}

/** A file that is sent along with an invoice; of a draft, it may still be taken away. */
interface AttachmentTable {
  companyId: number;
  id: GeneratedAlways<number>;
  uuid: Generated<string>;
  invoiceId: number;
  name: string;
  mediaType: Attachment['mediaType'];
  size: number;
  sha256: Uint8Array;
  /** Null when stored outside the database. */
  content: Uint8Array | null;
  createdAt: GeneratedTimestamp;
  home: Generated<DocumentHome>;
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
  copies: Generated<string[]>;
  refused: Generated<RefusedAddress[]>;
  /** The addresses that the mail has yet to reach; null before one of several got it: then all. */
  remaining: string[] | null;
  /** The addresses that failed for good, here or before, and were not put right since. */
  unreached: Generated<string[]>;
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

/** Notices to companies about failed deliveries. */
interface FailureNoticeTable {
  companyId: number;
  sentAt: Timestamp | null;
  /** The id of the next notice's mail. */
  uuid: string | null;
  deliveryIds: number[] | null;
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

interface EhfAgreementTable {
  companyId: number;
  status: Exclude<EhfAgreementStatus, 'NONE'>;
  orgNumber: string;
  entity: string | null;
  requestedAt: GeneratedTimestamp;
  approvedAt: Timestamp | null;
  revokedAt: Timestamp | null;
}

interface PeppolAnswerTable {
  companyId: number;
  orgNumber: string;
  documentType: 'INVOICE' | 'CREDIT_NOTE';
  /** UNKNOWN was never answered, and is checked at -infinity. */
  outcome: Reachability;
  checkedAt: GeneratedTimestamp;
  network: Generated<'test' | 'production'>;
  publisher: string | null;
  /** Null in rows of an older version. */
  askedAt: Timestamp | null;
}

/** The network's answers about the buyer of a document, each kept as long as the document. */
interface EinvoiceEvidenceTable {
  companyId: number;
  invoiceId: number;
  id: GeneratedAlways<number>;
  outcome: EvidenceOutcome;
  participant: string;
  documentType: 'INVOICE' | 'CREDIT_NOTE';
  network: 'test' | 'production' | null;
  publisher: string | null;
  cause: EvidenceCause | null;
  askedAt: Timestamp | null;
  keptAt: GeneratedTimestamp;
}

/** The last check of all customers of a company. */
interface EhfCheckTable {
  companyId: number;
  total: number;
  asked: Generated<number>;
  reachable: Generated<number>;
  cannot: Generated<number>;
  unknown: Generated<number>;
  afterNumber: Generated<number>;
  startedAt: GeneratedTimestamp;
  workedAt: GeneratedTimestamp;
  finishedAt: Timestamp | null;
}

interface EinvoiceSettingsTable {
  companyId: number;
  exempt: boolean;
  ehfFirst: boolean;
}

interface PeppolEventTable {
  source: string;
  eventId: string;
  deliveryKey: string | null;
  reference: string | null;
  name: string;
  details: string;
  receivedAt: GeneratedTimestamp;
}

interface PeppolEvidenceTable {
  companyId: number;
  deliveryId: number;
  messageId: string | null;
  receivedBy: string | null;
  transmitted: Uint8Array | null;
  differences: string[];
  keptAt: GeneratedTimestamp;
}
