import { z } from 'zod';

import { historyAuthor } from '../../../domain/history/history.schema.ts';
import { defineJob, type Job } from './job.ts';

const loginPurpose = z.enum(['login', 'register', 'prove']);
export type LoginPurpose = z.infer<typeof loginPurpose>;

/** The id of a row. */
const id = z.number().int();

/** For mails that somebody waits for. */
const AT_ONCE = {
  retryLimit: 5,
  retryDelay: 2,
  retryDelayMax: 60,
  expireInSeconds: 120,
  batchSize: 4,
  isUrgent: true,
} as const;

/** For mails that somebody waits for, but that nobody can ask for again: about two days. */
const AT_ONCE_FOR_DAYS = {
  ...AT_ONCE,
  retryLimit: 60,
  retryDelayMax: 3600,
} as const;

/** For work on one company that its next run would find again. */
const OF_COMPANY = { retryLimit: 5, retryDelay: 10, retryDelayMax: 300, isKeyed: true } as const;

/** For mails that nobody waits for: about two days. */
const MAIL = {
  retryLimit: 50,
  retryDelay: 10,
  retryDelayMax: 3600,
  expireInSeconds: 120,
  batchSize: 2,
} as const;

/** For jobs of the clock, whose next run is the retry. */
const BY_CLOCK = { retryLimit: 0, retryDelay: 1, expireInSeconds: 300, batchSize: 1 } as const;

/** For work that yields to other jobs after some seconds and continues where it stopped: the limit is out of reach. */
const IN_PARTS = {
  retryLimit: 10_000,
  retryDelay: 1,
  retryDelayMax: 2,
  expireInSeconds: 300,
  isKeyed: true,
  batchSize: 1,
} as const;

/** Mails a login code. Somebody without an account is identified only by the address. */
export const loginMailJob = defineJob(
  'login-mail',
  z.object({ email: z.string(), purpose: loginPurpose }),
  AT_ONCE,
);

const memberMail = z.discriminatedUnion('mail', [
  /** By the account that invited. */
  z.object({
    mail: z.literal('INVITED'),
    companyId: id,
    memberUuid: z.uuid(),
    accountId: id,
    messageUuid: z.uuid(),
  }),
  /** To the account that was removed, or to all owners about a change by this account. */
  z.object({
    mail: z.enum(['REMOVED', 'BANK_ACCOUNT']),
    companyId: id,
    accountId: id,
    messageUuid: z.uuid(),
  }),
]);
export type MemberMail = z.infer<typeof memberMail>;

/** Mails an invitation, that a member was removed, or that the bank account was changed. */
export const memberMailJob = defineJob('member-mail', memberMail, AT_ONCE_FOR_DAYS);

/** Mails an account what happened to its log-in: at an instant, with a browser (null: unknown). */
export const securityMailJob = defineJob(
  'security-mail',
  z.object({
    mail: z.enum(['NEW_BROWSER', 'PASSKEY_ADDED', 'PASSKEY_REMOVED', 'PASSKEY_COPIED']),
    accountId: id,
    browser: z.string().nullable(),
    /** The name of the passkey. */
    name: z.string().optional(),
    at: z.iso.datetime(),
    messageUuid: z.uuid(),
  }),
  AT_ONCE_FOR_DAYS,
);
export type SecurityMail = z.output<(typeof securityMailJob)['payload']>;

/**
 * Mails a notice to one of several addresses, which refused it for the moment while another took it. It has the words
 * itself, since the others have the same mail already.
 */
export const noticeJob = defineJob(
  'notice',
  z.object({
    companyId: id,
    address: z.string(),
    key: z.string(),
    content: z.object({ subject: z.string(), text: z.string(), html: z.string() }),
  }),
  { ...MAIL, isKeyed: true },
);

/** Subscribes an address to the newsletter. Only the job finds out whether it is new, so the answer reveals nothing. */
export const newsletterSignUpJob = defineJob(
  'newsletter-sign-up',
  z.object({ email: z.string() }),
  { ...AT_ONCE, expireInSeconds: 60 },
);

/** The subscriber and the mail. Jobs of the previous version have neither the mail's id nor `isSent`. */
const welcomePayload = z.object({
  subscriberId: id,
  messageUuid: z.uuid().optional(),
  /** False for an existing subscriber: the job does the same work, but mails nothing. */
  isSent: z.boolean().optional(),
});
export type WelcomeJob = z.output<typeof welcomePayload>;

/** Sends the welcome mail of the newsletter. */
export const newsletterWelcomeJob = defineJob('newsletter-welcome', welcomePayload, {
  ...MAIL,
  isUrgent: true,
});

/**
 * Makes the missing deliveries of registered invoices: those of one company, or with null those of all. `staffId` is
 * the staff account that requested it; jobs of an older version have none.
 */
export const dispatchJob = defineJob(
  'dispatch',
  z.object({ companyId: id.nullable(), staffId: id.optional() }),
  {
    retryLimit: 20,
    retryDelay: 2,
    retryDelayMax: 300,
    expireInSeconds: 600,
    batchSize: 2,
    stopsWithCompany: true,
  },
);

const deliverPayload = z.object({ companyId: id, deliveryId: id });
export type DeliverJob = z.output<typeof deliverPayload>;

/**
 * Sends one document to its recipient. It is retried until the delivery itself is final, so the limit here is out of
 * reach. The carrier decides the delays, which are set where the job is added.
 */
export const deliverJob = defineJob('deliver', deliverPayload, {
  retryLimit: 1000,
  retryDelay: 2,
  retryDelayMax: 3600,
  expireInSeconds: 900,
  isKeyed: true,
  batchSize: 1,
});

/** As `deliverJob`, through the access point. */
export const deliverEhfJob = defineJob('deliver-ehf', deliverPayload, deliverJob.options);

/** Mails the owner of a company its failed deliveries; with null, adds a job for each company that has some. */
export const failureNoticeJob = defineJob(
  'failure-notice',
  z.object({ companyId: id.nullable().default(null) }),
  { ...OF_COMPANY, expireInSeconds: 120, batchSize: 4 },
);

/**
 * Sends automatic reminders, some invoices at a time; with null, adds a job for each company that has them on. A
 * company's next invoices are a new job behind those of other companies, so that companies take turns.
 */
export const remindJob = defineJob(
  'remind',
  z.object({
    companyId: id.nullable().default(null),
    after: z
      .object({ dueDate: z.iso.date(), invoiceNumber: z.number().int() })
      .nullable()
      .default(null),
  }),
  { ...OF_COMPANY, expireInSeconds: 600, batchSize: 2, stopsWithCompany: true },
);

/** Sends the reminders of these invoices, in the name of the user who approved them. */
export const sendRemindersJob = defineJob(
  'send-reminders',
  z.object({ companyId: id, uuids: z.array(z.uuid()), by: historyAuthor }),
  // No run finds them again: about two days.
  {
    ...OF_COMPANY,
    retryLimit: 600,
    expireInSeconds: 600,
    batchSize: 1,
    stopsWithCompany: true,
  },
);

/** Fetches the events of the access point for EHF. */
export const peppolEventsJob = defineJob('peppol-events', z.object({}), BY_CLOCK);

/** Asks the network again about the buyers of registered documents, about whom it was silent. */
export const einvoiceEvidenceJob = defineJob('einvoice-evidence', z.object({}), BY_CLOCK);

/** Asks the network about all customers of a company. */
export const ehfCheckJob = defineJob('ehf-check', z.object({ companyId: id }), {
  ...IN_PARTS,
  stopsWithCompany: true,
});

/** Deletes expired data, and finds deliveries that lost their job. */
export const housekeepingJob = defineJob('housekeeping', z.object({}), BY_CLOCK);

/** Books or undoes the rest of a large bank file. `housekeepingJob` finds lost ones. */
export const bankFileJob = defineJob('bank-file', z.object({ companyId: id, fileUuid: z.uuid() }), {
  ...IN_PARTS,
  isUrgent: true,
  stopsWithCompany: true,
});

/** Finds standing assignments that are due, and interrupted runs. */
export const recurringJob = defineJob('recurring', z.object({}), BY_CLOCK);

/** Makes the due invoices of one standing assignment. `recurringJob` finds lost ones. */
export const recurringRunJob = defineJob(
  'recurring-run',
  z.object({ companyId: id, assignmentId: id }),
  { ...IN_PARTS, stopsWithCompany: true },
);

/**
 * Mails the owner of a standing assignment what blocks its run (or, with null, the assignment) or could not be sent.
 * `noticeUuid` identifies the mail, so that a mail sent twice has the same Message-ID.
 */
export const recurringNoticeJob = defineJob(
  'recurring-notice',
  z.object({ companyId: id, assignmentId: id, runId: id.nullable(), noticeUuid: z.uuid() }),
  { ...MAIL, stopsWithCompany: true },
);
export type RecurringNotice = z.output<(typeof recurringNoticeJob)['payload']>;

/** Mails a statement. Its row says to whom, and when it is given up: the limit here is later. */
export const statementMailJob = defineJob('statement-mail', deliverPayload, {
  ...MAIL,
  retryLimit: 100,
  expireInSeconds: 300,
  isUrgent: true,
  stopsWithCompany: true,
});

/** Mails a quote or an order confirmation. Its row says to whom, and when it is given up. */
export const quoteMailJob = defineJob('quote-mail', deliverPayload, statementMailJob.options);

/**
 * Makes the file of a large export, anew after each interruption. `housekeepingJob` finds lost ones. The export's row
 * decides when it is given up, so the limit here is out of reach.
 */
export const exportJob = defineJob('export', z.object({ companyId: id, exportUuid: z.uuid() }), {
  retryLimit: 10_000,
  retryDelay: 2,
  retryDelayMax: 60,
  // Printing a hundred thousand PDFs takes hours.
  expireInSeconds: 12 * 3600,
  isKeyed: true,
  batchSize: 1,
  isUrgent: true,
});

/**
 * Mails the owner that an export is done or failed, or the accountant its link. `messageUuid` identifies the mail, so
 * that a mail sent twice has the same Message-ID.
 */
export const exportMailJob = defineJob(
  'export-mail',
  z.object({
    companyId: id,
    exportUuid: z.uuid(),
    mail: z.enum(['OWNER', 'LINK']),
    messageUuid: z.uuid(),
  }),
  // It makes the file first when nobody has fetched it: two runs at once would make it twice, and mail two links.
  { ...MAIL, expireInSeconds: 900 },
);

const codeOfLink = z.object({ companyId: id, linkUuid: z.uuid() });
export type CodeOfLink = z.output<typeof codeOfLink>;

/** Mails a code that confirms the address of a link to the overview; `email` is the address as typed. */
export const overviewCodeJob = defineJob(
  'overview-code',
  codeOfLink.extend({ email: z.string().nullable() }),
  AT_ONCE,
);

/** Mails a code that confirms a browser for the link of an invoice. */
export const portalCodeJob = defineJob('portal-code', codeOfLink, AT_ONCE);

/** Mails a code for accepting a quote at its link. */
export const offerCodeJob = defineJob('offer-code', codeOfLink, AT_ONCE);

/** Tells a company what the customer answered to a revision of a quote. `messageUuid` identifies the mail. */
export const quoteNoticeJob = defineJob(
  'quote-notice',
  z.object({ companyId: id, quoteId: id, revision: id, messageUuid: z.uuid() }),
  { ...MAIL, isUrgent: true },
);

/** Mails the owners that a webhook was turned off. `messageUuid` identifies the mail, however often it is tried. */
export const webhookNoticeJob = defineJob(
  'webhook-notice',
  z.object({ companyId: id, webhookId: id, messageUuid: z.uuid() }),
  MAIL,
);

const closingMail = z.discriminatedUnion('mail', [
  /** To all owners: this account closed the company. */
  z.object({ mail: z.literal('CLOSED'), companyId: id, accountId: id, messageUuid: z.uuid() }),
  /** To all owners: the books that were kept are deleted soon. */
  z.object({ mail: z.literal('BOOKS_END'), companyId: id, messageUuid: z.uuid() }),
  /** To the address of an account that is gone. */
  z.object({ mail: z.literal('ACCOUNT_DELETED'), email: z.string(), messageUuid: z.uuid() }),
]);
export type ClosingMail = z.output<typeof closingMail>;

/** Mails that a company was closed, that its books end, or that an account was deleted. */
export const closingMailJob = defineJob('closing-mail', closingMail, AT_ONCE_FOR_DAYS);

/** Deletes what is due of closed companies. */
export const closingJob = defineJob('closing', z.object({}), {
  ...BY_CLOCK,
  // A million documents are one transaction.
  expireInSeconds: 6 * 3600,
});

/** Removes what a deleted company has outside of the database. The company's id is that of no row any more. */
export const closedRemainsJob = defineJob('closed-remains', z.object({ deletedId: id }), {
  ...IN_PARTS,
  retryDelayMax: 3600,
});

/** Jobs that were requested and must be done, so a backup keeps them. Other jobs are added again by themselves. */
export const KEPT_JOBS: readonly Job<object>[] = [
  loginMailJob,
  memberMailJob,
  securityMailJob,
  noticeJob,
  webhookNoticeJob,
  overviewCodeJob,
  portalCodeJob,
  offerCodeJob,
  quoteNoticeJob,
  newsletterSignUpJob,
  newsletterWelcomeJob,
  dispatchJob,
  deliverJob,
  deliverEhfJob,
  recurringNoticeJob,
  sendRemindersJob,
  exportMailJob,
  statementMailJob,
  quoteMailJob,
  closingMailJob,
  closedRemainsJob,
];
