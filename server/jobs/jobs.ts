import { z } from 'zod';

import { historyAuthor } from '../../domain/history/history.schema.ts';
import { defineJob, type Job } from './job.ts';

/** Why somebody wants a login code. */
const loginPurpose = z.enum(['login', 'register']);
export type LoginPurpose = z.infer<typeof loginPurpose>;

/** The id of a row. */
const id = z.number().int();

/** Mails a login code. An address is all there is to name somebody without an account. */
export const loginMailJob = defineJob(
  'login-mail',
  z.object({ email: z.string(), purpose: loginPurpose }),
  {
    retryLimit: 5,
    retryDelay: 2,
    retryDelayMax: 60,
    expireInSeconds: 120,
    batchSize: 4,
    isUrgent: true,
  },
);

/** Subscribes an address to the newsletter. Whether it is new, only the job learns. */
export const newsletterSignUpJob = defineJob(
  'newsletter-sign-up',
  z.object({ email: z.string() }),
  {
    retryLimit: 5,
    retryDelay: 2,
    retryDelayMax: 60,
    expireInSeconds: 60,
    batchSize: 4,
    isUrgent: true,
  },
);

/** Which mail welcomes whom. Jobs of the version before say neither the mail nor whether it is sent. */
const welcomePayload = z.object({
  subscriberId: id,
  messageUuid: z.uuid().optional(),
  /** False for who subscribed already: the job does the same, and mails nothing. */
  isSent: z.boolean().optional(),
});
export type WelcomeJob = z.output<typeof welcomePayload>;

/** Welcomes a new subscriber to the newsletter. */
export const newsletterWelcomeJob = defineJob('newsletter-welcome', welcomePayload, {
  retryLimit: 5,
  retryDelay: 10,
  retryDelayMax: 600,
  expireInSeconds: 120,
  batchSize: 2,
  isUrgent: true,
});

/**
 * Makes deliveries of registered invoices that have none, those of one company or, with null, of all. With
 * `staffId`, the staff with that account asked for it; jobs of an older version have none.
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
  },
);

/** Which delivery. A job of a version before does not say whose it is. */
const deliverPayload = z.object({ companyId: id.optional(), deliveryId: id });
export type DeliverJob = z.output<typeof deliverPayload>;

/**
 * Brings one document to its recipient. It is tried until the delivery itself says that it is over: the
 * limit here only has to be out of reach. How long it waits in between is its carrier's affair, and
 * said where the job is added.
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

/** Tells the owner of a company of deliveries that failed; with null, adds a job for each that is to be told. */
export const failureNoticeJob = defineJob(
  'failure-notice',
  z.object({ companyId: id.nullable().default(null) }),
  {
    retryLimit: 5,
    retryDelay: 10,
    retryDelayMax: 300,
    expireInSeconds: 120,
    isKeyed: true,
    batchSize: 4,
  },
);

/**
 * Reminds automatically, some invoices at a time: with null, adds a job for each company that wants it. A
 * company's next invoices are a job of their own behind those of others, so that companies take turns.
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
  {
    retryLimit: 5,
    retryDelay: 10,
    retryDelayMax: 300,
    expireInSeconds: 600,
    isKeyed: true,
    batchSize: 2,
  },
);

/** Sends the reminders that a person has approved, of these invoices, in his name. */
export const sendRemindersJob = defineJob(
  'send-reminders',
  z.object({ companyId: id, uuids: z.array(z.uuid()), by: historyAuthor }),
  {
    retryLimit: 5,
    retryDelay: 10,
    retryDelayMax: 300,
    expireInSeconds: 600,
    isKeyed: true,
    batchSize: 1,
  },
);

/** Fetches what the access point for EHF reports by itself. */
export const peppolEventsJob = defineJob('peppol-events', z.object({}), {
  retryLimit: 0,
  retryDelay: 1,
  expireInSeconds: 300,
  batchSize: 1,
});

/** Forgets what has expired, and finds deliveries that lost their job. */
export const housekeepingJob = defineJob('housekeeping', z.object({}), {
  retryLimit: 0,
  retryDelay: 1,
  expireInSeconds: 300,
  batchSize: 1,
});

/**
 * Books or undoes the rest of a large file of the bank. It gives way to others after some seconds and goes on
 * from where it was, so the limit only has to be out of reach; what is lost is found by `housekeepingJob`.
 */
export const bankFileJob = defineJob('bank-file', z.object({ companyId: id, fileUuid: z.uuid() }), {
  retryLimit: 10_000,
  retryDelay: 1,
  retryDelayMax: 2,
  expireInSeconds: 300,
  isKeyed: true,
  batchSize: 1,
  isUrgent: true,
});

/** Looks for standing assignments that are due, and for runs that were cut off. */
export const recurringJob = defineJob('recurring', z.object({}), {
  retryLimit: 0,
  retryDelay: 1,
  expireInSeconds: 300,
  batchSize: 1,
});

/**
 * Makes what is due of one standing assignment. It gives way to others after some seconds and goes on from
 * where it was, so the limit only has to be out of reach; what is lost is found by `recurringJob`.
 */
export const recurringRunJob = defineJob(
  'recurring-run',
  z.object({ companyId: id, assignmentId: id }),
  {
    retryLimit: 10_000,
    retryDelay: 1,
    retryDelayMax: 2,
    expireInSeconds: 300,
    isKeyed: true,
    batchSize: 1,
  },
);

/**
 * Tells the owner of a standing assignment what its run (or, with null, the assignment) waits for or could
 * not send. `noticeUuid` names the mail, so that one that is sent again is known by its Message-ID.
 */
export const recurringNoticeJob = defineJob(
  'recurring-notice',
  z.object({ companyId: id, assignmentId: id, runId: id.nullable(), noticeUuid: z.uuid() }),
  {
    retryLimit: 50,
    retryDelay: 10,
    retryDelayMax: 3600,
    expireInSeconds: 120,
    batchSize: 2,
  },
);

/** What was asked for and must be done: a backup keeps it. The rest comes back by itself. */
export const KEPT_JOBS: readonly Job<object>[] = [
  loginMailJob,
  newsletterSignUpJob,
  newsletterWelcomeJob,
  dispatchJob,
  deliverJob,
  deliverEhfJob,
  recurringNoticeJob,
  sendRemindersJob,
];
