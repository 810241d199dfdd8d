import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

import type { Attachment } from '../../../domain/attachment/attachment.schema.ts';
import type { IsoDate } from '../../../domain/date.ts';
import type { Ore } from '../../../domain/money.ts';
import type { Buyer } from '../../../domain/parties.ts';
import type { MailRecipient } from '../../../domain/delivery/mail-recipients.ts';
import type {
  QuoteAuthor,
  QuoteEventDetails,
  QuoteEventKind,
} from '../../../domain/quote/quote.schema.ts';
import type {
  InvoicedExtent,
  PriceKind,
  StoredQuoteState,
} from '../../../domain/quote/quote.state.ts';
import type { GeneratedTimestamp, Timestamp } from './columns.ts';
import type { DocumentHome } from './delivery-tables.ts';
import type { LineTable } from './invoice-tables.ts';

/** The tables of quotes. */
export interface QuoteTables {
  quote: QuoteTable;
  quoteRevision: QuoteRevisionTable;
  quoteLine: QuoteLineTable;
  quoteDocument: QuoteDocumentTable;
  quoteAttachment: QuoteAttachmentTable;
  quoteEvent: QuoteEventTable;
  quoteDelivery: QuoteDeliveryTable;
  quotePart: QuotePartTable;
  quoteLink: QuoteLinkTable;
}

interface QuoteTable {
  companyId: number;
  id: GeneratedAlways<number>;
  uuid: Generated<string>;
  quoteNumber: number | null;
  state: Generated<StoredQuoteState>;
  /** The newest revision. */
  revision: Generated<number>;
  sentRevision: number | null;
  /** The state of the sent revision while there is the draft of a further one. */
  sentState: 'SENT' | 'DECLINED' | null;
  sentValidUntil: IsoDate | null;
  /** How much was taken to invoices, and its sum. */
  invoiced: Generated<InvoicedExtent>;
  invoicedNet: Generated<Ore>;
  /** The rest of an accepted quote, which no invoice took. */
  leftNet: GeneratedAlways<Ore | null>;
  version: GeneratedAlways<number>;
  createdAt: GeneratedTimestamp;
}

interface QuoteRevisionTable {
  companyId: number;
  quoteId: number;
  revision: number;
  customerId: number | null;
  priceKind: PriceKind;
  validUntil: IsoDate;
  title: string | null;
  reference: string | null;
  message: string | null;
  terms: string | null;
  confirmByCode: boolean;
  netAmount: Ore;
  vatAmount: Ore;
  grossAmount: Ore;
  searchText: string;
  sentAt: Timestamp | null;
  /** The customer as it was sent; null of a draft. */
  buyer: ColumnType<Buyer | null, string | null, string | null>;
  isPrivate: boolean | null;
  answer: 'ACCEPTED' | 'DECLINED' | null;
  answeredHow: 'LINK' | 'HAND' | null;
  answeredAt: Timestamp | null;
  answeredBy: string | null;
  answerNote: string | null;
}

interface QuoteLineTable extends LineTable {
  quoteId: number;
  revision: number;
}

/** A file of which the bytes are in the database or in the object store. */
interface StoredFile {
  home: DocumentHome | null;
  content: Uint8Array | null;
}

interface QuoteDocumentTable extends StoredFile {
  companyId: number;
  id: GeneratedAlways<number>;
  uuid: Generated<string>;
  quoteId: number;
  revision: number;
  kind: 'QUOTE' | 'ORDER_CONFIRMATION';
  version: number;
  text: string;
  logo: Uint8Array | null;
  createdAt: GeneratedTimestamp;
  /** The hash of its PDF; null before that is made. */
  sha256: Uint8Array | null;
}

interface QuoteAttachmentTable {
  companyId: number;
  id: GeneratedAlways<number>;
  uuid: Generated<string>;
  quoteId: number;
  revision: number;
  name: string;
  mediaType: Attachment['mediaType'];
  size: number;
  sha256: Uint8Array;
  home: Generated<DocumentHome>;
  content: Uint8Array | null;
  createdAt: GeneratedTimestamp;
}

interface QuoteEventTable {
  companyId: number;
  quoteId: number;
  id: GeneratedAlways<number>;
  at: GeneratedTimestamp;
  kind: QuoteEventKind;
  byType: QuoteAuthor['type'];
  byName: string;
  details: ColumnType<QuoteEventDetails, QuoteEventDetails, never>;
}

interface QuoteDeliveryTable {
  companyId: number;
  id: GeneratedAlways<number>;
  uuid: Generated<string>;
  documentId: number;
  recipients: ColumnType<readonly MailRecipient[], string, string>;
  sentAt: Timestamp | null;
  createdAt: GeneratedTimestamp;
}

interface QuoteLinkTable {
  companyId: number;
  quoteId: number;
  /** Random; the token is derived from it. */
  uuid: string;
  tokenHash: Uint8Array;
  codeHash: Uint8Array | null;
  codeExpiresAt: Timestamp | null;
  wrongCodes: Generated<number>;
}

/** Parts of lines that invoices took. */
interface QuotePartTable {
  companyId: number;
  id: GeneratedAlways<number>;
  quoteId: number;
  lineId: number;
  invoiceId: number;
  net: Ore;
  /** A whole number of any size, over `wholeOf` the line. */
  share: string;
}
