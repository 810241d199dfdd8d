// Whose each table is. A new table is added here, or the type checker complains.

import type { Tables } from '../../server/db/tables.ts';

export interface Ownership {
  /** The folder of server/, or the file right in it, that alone queries the table. */
  readonly owner: string;
  /** Folders that may read it, never write it, in a statement of their own; with the reason why. */
  readonly readBy?: Readonly<Record<string, string>>;
}

const BUYER_OF_DRAFT =
  'A draft has its buyer from the customers as they are now, in the statement that lists and finds invoices.';
const ONE_MOMENT =
  'What is shown of invoices is read in one statement: a page, its counts and what was delivered are of one moment.';
const ORDER_OF_MEMBERS = 'The first members of a group are told by customer number.';
const SERIES =
  'The ledger compares what a company says of its series with its invoices at one moment.';
const LISTED_PAYMENTS =
  'A payment is listed with the invoice it is on and the customer whose credit it is, a page of them at once.';
const MONEY_OF_ENTRIES =
  'Whether the money of an entry is still in the books is asked for many entries at once, in the statement that finds them.';
const PROPOSED_AT_ONCE =
  'What is proposed is judged of invoices, customers, reminders and their mails of one moment, a thousand at a time.';
const CLAIMS_OF_REMINDERS =
  'A reminder is told with what payments that had come before it leave of its claim.';
const COMPANY_OF_CALLER =
  'Each call of the API begins with one statement, which says whose it is and for which company.';

const RECIPIENTS =
  'Whom an assignment names, and for whom a run is, however many, is told and taken down in one statement.';

const MADE_BY_RUN = 'Which invoices a run made that are still there is told with the run.';

const AS_IT_STANDS =
  'A delivery is read with its invoice as it stands, which decides whether it goes.';

export const TABLE_OWNERS: Readonly<Record<keyof Tables, Ownership>> = {
  account: { owner: 'session', readBy: { invoice: SERIES } },
  loginChallenge: { owner: 'session' },
  session: { owner: 'session' },
  apiToken: { owner: 'session' },
  rateLimit: { owner: 'rate-limit.ts' },
  company: { owner: 'profile', readBy: { session: COMPANY_OF_CALLER, invoice: SERIES } },
  bankAccount: { owner: 'profile' },
  kidAgreement: { owner: 'profile' },
  companyLogo: { owner: 'profile' },
  latePaymentRate: { owner: 'late-payment' },
  customer: {
    owner: 'customer',
    readBy: {
      invoice: BUYER_OF_DRAFT,
      invoicing: BUYER_OF_DRAFT,
      'customer-group': ORDER_OF_MEMBERS,
      payment: LISTED_PAYMENTS,
      reminder: PROPOSED_AT_ONCE,
      recurring: RECIPIENTS,
    },
  },
  customerGroup: { owner: 'customer-group', readBy: { recurring: RECIPIENTS } },
  customerGroupMember: { owner: 'customer-group', readBy: { recurring: RECIPIENTS } },
  invoiceTemplate: { owner: 'invoice-template' },
  invoiceTemplateLine: { owner: 'invoice-template' },
  invoice: {
    owner: 'invoice',
    readBy: {
      invoicing: ONE_MOMENT,
      delivery: AS_IT_STANDS,
      payment: LISTED_PAYMENTS,
      recurring: MADE_BY_RUN,
      reminder: PROPOSED_AT_ONCE,
    },
  },
  invoiceLine: { owner: 'invoice' },
  invoiceCount: { owner: 'invoice', readBy: { invoicing: ONE_MOMENT } },
  invoiceDue: { owner: 'invoice', readBy: { invoicing: ONE_MOMENT } },
  historyEvent: { owner: 'history' },
  delivery: { owner: 'delivery', readBy: { reminder: PROPOSED_AT_ONCE } },
  deliveryAllowance: { owner: 'delivery' },
  failureNotice: { owner: 'delivery' },
  document: { owner: 'document' },
  documentFile: { owner: 'document' },
  mailRefusal: { owner: 'mail' },
  suppressedAddress: { owner: 'mail' },
  newsletterSubscriber: { owner: 'newsletter' },
  ehfAgreement: { owner: 'ehf-agreement' },
  peppolAnswer: { owner: 'peppol-records' },
  peppolEvent: { owner: 'peppol-records' },
  peppolEvidence: { owner: 'peppol-records' },
  payment: { owner: 'payment', readBy: { 'bank-file': MONEY_OF_ENTRIES } },
  payerAccount: { owner: 'payment' },
  reminder: { owner: 'reminder' },
  reminderRecount: { owner: 'payment', readBy: { reminder: CLAIMS_OF_REMINDERS } },
  reminderDay: { owner: 'reminder' },
  reminderSettings: { owner: 'profile' },
  assignment: { owner: 'recurring' },
  assignmentLine: { owner: 'recurring' },
  assignmentCustomer: { owner: 'recurring' },
  assignmentRun: { owner: 'recurring' },
  assignmentRunRecipient: { owner: 'recurring' },
  bankFile: { owner: 'bank-file' },
  bankEntry: { owner: 'bank-file' },
};
