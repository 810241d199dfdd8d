// The owner of each table. The type checker requires an entry for every table.

import type { Tables } from '../../server/platform/db/tables.ts';

export interface Ownership {
  /** The folder of server/, or the file directly in it, that alone queries the table. */
  readonly owner: string;
  /** Folders that may read it, but not write it, in their own statements; with the reason. */
  readonly readBy?: Readonly<Record<string, string>>;
}

const BUYER_OF_DRAFT =
  'The statement that lists and finds invoices takes the buyer of a draft from the customer as it is now.';
const ONE_MOMENT =
  'One statement reads a page of invoices, its counts and its deliveries, so that they agree with each other.';
const ORDER_OF_MEMBERS = 'The first members of a group are shown in order of customer number.';
const SERIES =
  'The ledger check compares the series of a company with its invoices in one statement.';
const LISTED_PAYMENTS =
  'A page of payments is read with their invoices and with the customers whose credit they are.';
const MONEY_OF_ENTRIES =
  'The statement that finds many entries also reads whether their payments are still booked.';
const PROPOSED_AT_ONCE =
  'Proposals for a thousand invoices at once need customers, reminders and their mails of the same moment.';
const CLAIMS_OF_REMINDERS =
  'A reminder is read with what is left of its claim after payments dated before it.';
const COMPANY_OF_CALLER =
  'Each call of the API begins with one statement, which reads its user and its company.';

const RECIPIENTS =
  'One statement reads and stores the recipients of an assignment or a run, however many they are.';

const MADE_BY_RUN = 'A run is read with the invoices that it made and that still exist.';

const AS_IT_STANDS =
  'A delivery is read with the current state of its invoice, which decides whether it is sent.';

const FIGURES =
  'Every figure of an export is read in pages, each with all that belongs to its documents and payments.';

const BUYERS_ASKED_ABOUT =
  'One statement finds the organisations that the network is asked about, or has to be asked about again.';

const INVOICES_OF_CUSTOMER = 'A customer sees its own invoices, newest number first, in pages.';
const LIFE_OF_LINK =
  'One statement finds a link and judges whether it works, so that wrong and ended ones take the same time.';
const TOLD_AT_ONCE = 'The messages of many events are made at once, with what their invoices say.';

const DOCUMENTS_OF_QUOTES = 'A delivery of a quote is read with the document that it brings.';
const QUOTES_OF_CUSTOMER =
  'A quote is listed with its customer as that is now, and with its invoices.';
const KEYS_OF_FILES =
  'Before the rows of a company go, one statement notes the keys of its files, however many there are.';
const LISTED_CLOSINGS = 'Closed companies are listed with their names for the operator.';

const OVERVIEW = 'Each figure of the overview is one statement over its tables.';

export const TABLE_OWNERS: Readonly<Record<keyof Tables, Ownership>> = {
  account: { owner: 'account', readBy: { invoice: SERIES } },
  loginChallenge: { owner: 'account' },
  session: { owner: 'account' },
  knownBrowser: { owner: 'account' },
  passkey: { owner: 'account' },
  passkeyChallenge: { owner: 'account' },
  apiToken: { owner: 'account' },
  member: { owner: 'account' },
  rateLimit: { owner: 'platform/limits' },
  idempotencyKey: { owner: 'platform/http' },
  company: {
    owner: 'company',
    readBy: { account: COMPANY_OF_CALLER, invoice: SERIES, closing: LISTED_CLOSINGS },
  },
  companyClosing: { owner: 'closing' },
  closedBooks: { owner: 'closing' },
  deletedObject: { owner: 'closing' },
  bankAccount: { owner: 'company' },
  kidAgreement: { owner: 'company' },
  companyLogo: { owner: 'company' },
  latePaymentRate: { owner: 'payment' },
  customer: {
    owner: 'customer',
    readBy: {
      invoice: BUYER_OF_DRAFT,
      issuing: BUYER_OF_DRAFT,
      einvoice: BUYERS_ASKED_ABOUT,
      customer: ORDER_OF_MEMBERS,
      payment: LISTED_PAYMENTS,
      reminder: PROPOSED_AT_ONCE,
      recurring: RECIPIENTS,
      export: FIGURES,
      overview: OVERVIEW,
      quote: QUOTES_OF_CUSTOMER,
    },
  },
  customerGroup: { owner: 'customer', readBy: { recurring: RECIPIENTS } },
  customerGroupMember: { owner: 'customer', readBy: { recurring: RECIPIENTS } },
  product: { owner: 'product' },
  invoiceTemplate: { owner: 'invoice' },
  invoiceTemplateLine: { owner: 'invoice' },
  invoice: {
    owner: 'invoice',
    readBy: {
      issuing: ONE_MOMENT,
      delivery: AS_IT_STANDS,
      einvoice: BUYERS_ASKED_ABOUT,
      payment: LISTED_PAYMENTS,
      recurring: MADE_BY_RUN,
      reminder: PROPOSED_AT_ONCE,
      export: FIGURES,
      overview: OVERVIEW,
      'invoice-link': LIFE_OF_LINK,
      portal: INVOICES_OF_CUSTOMER,
      integration: TOLD_AT_ONCE,
      quote: QUOTES_OF_CUSTOMER,
    },
  },
  invoiceLine: { owner: 'invoice', readBy: { export: FIGURES } },
  invoiceCount: { owner: 'invoice', readBy: { issuing: ONE_MOMENT } },
  invoiceDue: { owner: 'invoice', readBy: { issuing: ONE_MOMENT, overview: OVERVIEW } },
  invoiceDay: { owner: 'invoice', readBy: { overview: OVERVIEW } },
  historyEvent: { owner: 'invoice' },
  delivery: {
    owner: 'delivery',
    readBy: { recurring: MADE_BY_RUN, reminder: PROPOSED_AT_ONCE, einvoice: ONE_MOMENT },
  },
  deliveryAllowance: { owner: 'delivery' },
  failureNotice: { owner: 'delivery' },
  document: { owner: 'document' },
  documentFile: { owner: 'document', readBy: { closing: KEYS_OF_FILES } },
  attachment: { owner: 'document', readBy: { closing: KEYS_OF_FILES } },
  mailRefusal: { owner: 'platform/mail' },
  suppressedAddress: { owner: 'platform/mail' },
  newsletterSubscriber: { owner: 'newsletter' },
  ehfAgreement: { owner: 'delivery' },
  peppolAnswer: { owner: 'delivery' },
  peppolEvent: { owner: 'delivery' },
  peppolEvidence: { owner: 'delivery' },
  einvoiceEvidence: { owner: 'einvoice', readBy: { issuing: ONE_MOMENT, export: FIGURES } },
  einvoiceSettings: { owner: 'einvoice' },
  ehfCheck: { owner: 'einvoice' },
  payment: {
    owner: 'payment',
    readBy: {
      payment: MONEY_OF_ENTRIES,
      export: FIGURES,
      overview: OVERVIEW,
      'invoice-link': LIFE_OF_LINK,
    },
  },
  payerAccount: { owner: 'payment' },
  reminder: { owner: 'reminder', readBy: { export: FIGURES } },
  reminderRecount: { owner: 'payment', readBy: { reminder: CLAIMS_OF_REMINDERS } },
  reminderDay: { owner: 'reminder' },
  reminderSettings: { owner: 'company' },
  exportSettings: { owner: 'export' },
  assignment: { owner: 'recurring' },
  assignmentLine: { owner: 'recurring' },
  assignmentCustomer: { owner: 'recurring' },
  assignmentRun: { owner: 'recurring' },
  assignmentRunRecipient: { owner: 'recurring' },
  bankFile: { owner: 'payment' },
  bankEntry: { owner: 'payment' },
  export: { owner: 'export', readBy: { closing: KEYS_OF_FILES } },
  exportAuthor: { owner: 'export' },
  exportBasis: { owner: 'export' },
  exportListed: { owner: 'export' },
  exportPart: { owner: 'export', readBy: { closing: KEYS_OF_FILES } },
  exportRange: { owner: 'export' },
  exportLink: { owner: 'export' },
  overviewLink: { owner: 'overview' },
  overviewLinkUse: { owner: 'overview' },
  portalSettings: { owner: 'company', readBy: { 'invoice-link': LIFE_OF_LINK } },
  invoiceLink: { owner: 'invoice-link' },
  statementDelivery: { owner: 'portal' },
  quote: { owner: 'quote', readBy: { integration: TOLD_AT_ONCE, closing: KEYS_OF_FILES } },
  quoteCount: { owner: 'quote' },
  quoteRevision: { owner: 'quote' },
  quoteLine: { owner: 'quote' },
  quoteDocument: {
    owner: 'document',
    readBy: { quote: DOCUMENTS_OF_QUOTES, closing: KEYS_OF_FILES },
  },
  quoteAttachment: { owner: 'document', readBy: { closing: KEYS_OF_FILES } },
  quoteEvent: { owner: 'quote' },
  quoteDelivery: { owner: 'quote' },
  quotePart: { owner: 'quote' },
  quoteLink: { owner: 'quote' },
  webhookSwitch: { owner: 'integration' },
  webhook: { owner: 'integration' },
  webhookEvent: { owner: 'integration' },
  webhookDelivery: { owner: 'integration' },
};
