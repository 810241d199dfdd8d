import type { z } from 'zod';

import { invoiceAddressesOf } from '../../domain/parties.ts';
import {
  deliveryStatus,
  failureReason,
  type StatementRecipient,
} from '../../domain/portal/statement-delivery.ts';
import type {
  StatementDelivery,
  statementDeliveryForm,
} from '../../domain/portal/statement.schema.ts';
import { requireIssuer } from '../company/profile.repository.ts';
import type { Actor, Context } from '../context.ts';
import type { CustomerRow } from '../customer/customer.repository.ts';
import { findCustomersByIds } from '../customer/customer.repository.ts';
import { countStrangerMail, SUPPRESSED } from '../delivery/carriers/email/email.carrier.ts';
import { AppError } from '../errors.ts';
import type { Db } from '../platform/db/database.ts';
import { handlerOf, TryLater, type JobHandler } from '../platform/jobs/job.ts';
import { statementMailJob, type StatementMailJob } from '../platform/jobs/jobs.ts';
import { countAgainst } from '../platform/limits/rate-limit.ts';
import { MailError } from '../platform/mail/mail-error.ts';
import { isSameAddress, messageIdOf, type OutgoingMail } from '../platform/mail/outgoing-mail.ts';
import { findSuppressed } from '../platform/mail/refusals.ts';
import * as repository from './statement-delivery.repository.ts';
import type { StatementDeliveryRow } from './statement-delivery.repository.ts';
import { statementInput, type StatementName } from './statement-file.service.ts';
import { statementMail } from './statement.mail.ts';
import { requireCustomer } from './statement.service.ts';
import { statementFileName } from '../../domain/portal/statement-document.ts';

/** Most mails of statements to one customer in an hour (PORT-38). */
const MOST_AN_HOUR = 5;
const HOUR = 3600;
/** How long a mail is tried, as others are (milliseconds). */
const LONGEST_WAIT = 48 * 3600_000;
const NOT_SENT = 'Kontoutskriften kunne ikke sendes';

/** The latest statements that were mailed to a customer. @throws AppError not_found */
export async function listDeliveries(
  { db }: Context,
  { companyId }: Actor,
  customerNumber: number,
): Promise<StatementDelivery[]> {
  const { id } = await requireCustomer(db, companyId, customerNumber);
  return (await repository.listDeliveries(db, companyId, id)).map(present);
}

/**
 * Mails the statement of a period, by a job that makes it from the same dates.
 * @throws AppError not_found, profile_incomplete, recipient_without_email, too_many_requests
 */
export async function deliverStatement(
  context: Context,
  { companyId }: Actor,
  customerNumber: number,
  { recipient, ...period }: z.output<typeof statementDeliveryForm>,
): Promise<StatementDelivery> {
  const { db, jobs } = context;
  const customer = await requireCustomer(db, companyId, customerNumber);
  await requireIssuer(db, companyId);
  const recipients = await judge(
    db,
    recipient === null ? invoiceAddressesOf(customer) : [recipient],
  );
  if (recipients.length === 0) throw new AppError('recipient_without_email');
  const isOnItsWay = deliveryStatus(recipients) === 'QUEUED';
  if (isOnItsWay) await countStrangerMail(context, companyId);
  return db.transaction().execute(async (trx) => {
    const key = `statement-mails:${companyId}:${customer.id}`;
    await countAgainst(trx, { key, most: MOST_AN_HOUR, seconds: HOUR });
    const row = await repository.insertDelivery(
      trx,
      { companyId, ...customer },
      period,
      recipients,
    );
    if (isOnItsWay) await jobs.enqueue(trx, statementMailJob, { companyId, deliveryId: row.id });
    return present(row);
  });
}

/** The addresses, of which those that refused mail for good have failed. */
async function judge(db: Db, addresses: readonly string[]): Promise<StatementRecipient[]> {
  const suppressed = await findSuppressed(db, addresses);
  return addresses.map((address) =>
    suppressed.has(address.toLowerCase())
      ? { address, status: 'FAILED', reason: SUPPRESSED.reason }
      : { address, status: 'QUEUED', reason: null },
  );
}

function present({ uuid, recipients, sentAt }: StatementDeliveryRow): StatementDelivery {
  return {
    uuid,
    recipient: recipients[0]?.address ?? '',
    recipients: recipients.map(({ address, status, reason }) => ({ address, status, reason })),
    status: deliveryStatus(recipients),
    sentTime: sentAt?.toISOString() ?? null,
    failureReason: failureReason(recipients),
  };
}

/** Mails statements. */
export function statementJobs(context: Context): JobHandler[] {
  const run = async (order: StatementMailJob) => mailStatement(context, order);
  return [handlerOf(statementMailJob, run, { feature: 'portal' })];
}

/**
 * Mails a statement to the addresses that have not got it, with the same Message-ID each time.
 * @throws the failure, or TryLater for an address that is refused for the moment, until two days have passed
 */
async function mailStatement(
  context: Context,
  { companyId, deliveryId }: StatementMailJob,
): Promise<void> {
  const { db, log } = context;
  const row = await repository.findDelivery(db, companyId, deliveryId);
  if (!row?.recipients.some(isWaiting)) return;
  const isLate = Date.now() - row.createdAt.getTime() > LONGEST_WAIT;
  const giveUp = (recipients: readonly StatementRecipient[], reason: string) =>
    recipients.map((one) => (isWaiting(one) ? failed(one, reason) : one));
  try {
    const tried = await tryToMail(context, row);
    const recipients = isLate ? giveUp(tried, NOT_SENT) : tried;
    await repository.saveRecipients(db, row, recipients);
    if (recipients.some(isWaiting)) throw new TryLater('an address refused a statement for now');
  } catch (error) {
    const isRefused = error instanceof MailError && error.permanent;
    if (error instanceof TryLater || !(isRefused || isLate)) throw error;
    log.warn({ err: error, companyId }, 'a statement was not mailed, and is given up');
    const reason = error instanceof MailError ? error.reason : NOT_SENT;
    await repository.saveRecipients(db, row, giveUp(row.recipients, reason));
  }
}

function failed({ address }: StatementRecipient, reason: string): StatementRecipient {
  return { address, status: 'FAILED', reason };
}

const isWaiting = ({ status }: StatementRecipient) => status === 'QUEUED';

/** @returns the addresses, with what became of each. @throws MailError when no address got it */
async function tryToMail(
  context: Context,
  row: StatementDeliveryRow,
): Promise<readonly StatementRecipient[]> {
  const { db, mailer } = context;
  const suppressed = await findSuppressed(
    db,
    row.recipients.map(({ address }) => address),
  );
  const judged = row.recipients.map((one) =>
    isWaiting(one) && suppressed.has(one.address.toLowerCase())
      ? failed(one, SUPPRESSED.reason)
      : one,
  );
  if (!judged.some(isWaiting)) return judged;
  const customer = await findCustomerOf(db, row);
  const { rejected } = await mailer.send(await compose(context, row, { customer, judged }));
  return judged.map((one): StatementRecipient => {
    const isOne = ({ address }: { readonly address: string }) =>
      isSameAddress(address, one.address);
    if (!isWaiting(one) || rejected?.delayed.some(isOne)) return one;
    const refusal = rejected?.refused.find(isOne);
    return refusal
      ? failed(one, refusal.reason)
      : { address: one.address, status: 'SENT', reason: null };
  });
}

async function findCustomerOf(
  db: Db,
  { companyId, customerId }: StatementDeliveryRow,
): Promise<CustomerRow> {
  const customer = (await findCustomersByIds(db, companyId, [customerId])).get(customerId);
  if (!customer) throw new TryLater('the customer of a statement was deleted');
  return customer;
}

async function compose(
  context: Context,
  row: StatementDeliveryRow,
  {
    customer,
    judged,
  }: { readonly customer: CustomerRow; readonly judged: readonly StatementRecipient[] },
): Promise<OutgoingMail> {
  const { config, pdf } = context;
  const name: StatementName = { customer, period: { from: row.fromDate, to: row.toDate } };
  const input = await statementInput(context, row.companyId, name);
  const { seller, buyer, statement } = input.document;
  const [to = '', ...cc] = row.recipients.map(({ address }) => address);
  const fileName = statementFileName(statement);
  return {
    from: { name: seller.name, address: config.mailFrom },
    replyTo: { name: seller.name, address: seller.email },
    to: { name: buyer.name, address: to },
    cc,
    withheld: judged.filter((one) => !isWaiting(one)).map(({ address }) => address),
    messageId: messageIdOf(row.uuid, config),
    ...statementMail(input, { fileName, content: await pdf.render(input) }),
  };
}
