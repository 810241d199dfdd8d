import type { z } from 'zod';

import { invoiceAddressesOf } from '../../domain/parties.ts';
import { deliveryStatus, presentMail } from '../../domain/delivery/mail-recipients.ts';
import type {
  StatementDelivery,
  statementDeliveryForm,
} from '../../domain/portal/statement.schema.ts';
import { requireIssuer } from '../company/profile.repository.ts';
import type { Actor, Context } from '../context.ts';
import type { CustomerRow } from '../customer/customer.repository.ts';
import { findCustomersByIds } from '../customer/customer.repository.ts';
import {
  envelopeOf,
  mailToAddresses,
  takeAddresses,
  type Addressing,
} from '../delivery/addressed-mail.service.ts';
import type { Db } from '../platform/db/database.ts';
import { handlerOf, TryLater, type JobHandler } from '../platform/jobs/job.ts';
import { type DeliverJob, statementMailJob } from '../platform/jobs/jobs.ts';
import { countAgainst } from '../platform/limits/rate-limit.ts';
import type { OutgoingMail } from '../platform/mail/outgoing-mail.ts';
import * as repository from './statement-delivery.repository.ts';
import type { StatementDeliveryRow } from './statement-delivery.repository.ts';
import { statementInput, type StatementName } from './statement-file.service.ts';
import { statementMail } from './statement.mail.ts';
import { requireCustomer } from './statement.service.ts';
import { statementFileName } from '../../domain/portal/statement-document.ts';

/** Most mails of statements to one customer in an hour (PORT-38). */
const MOST_AN_HOUR = 5;
const HOUR = 3600;
const NOT_SENT = 'Kontoutskriften kunne ikke sendes';

/** The latest statements that were mailed to a customer. @throws AppError not_found */
export async function listDeliveries(
  { db }: Context,
  { companyId }: Actor,
  customerNumber: number,
): Promise<StatementDelivery[]> {
  const { id } = await requireCustomer(db, companyId, customerNumber);
  return (await repository.listDeliveries(db, companyId, id)).map(presentMail);
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
  const addresses = recipient === null ? invoiceAddressesOf(customer) : [recipient];
  const recipients = await takeAddresses(context, companyId, addresses);
  return db.transaction().execute(async (trx) => {
    const key = `statement-mails:${companyId}:${customer.id}`;
    await countAgainst(trx, { key, most: MOST_AN_HOUR, seconds: HOUR });
    const row = await repository.insertDelivery(
      trx,
      { companyId, ...customer },
      period,
      recipients,
    );
    if (deliveryStatus(recipients) === 'QUEUED') {
      await jobs.enqueue(trx, statementMailJob, { companyId, deliveryId: row.id });
    }
    return presentMail(row);
  });
}

/** Mails statements. */
export function statementJobs(context: Context): JobHandler[] {
  const run = async (order: DeliverJob) => mailStatement(context, order);
  return [handlerOf(statementMailJob, run, { feature: 'portal' })];
}

/** @throws as `mailToAddresses`, and TryLater after the customer was deleted */
async function mailStatement(
  context: Context,
  { companyId, deliveryId }: DeliverJob,
): Promise<void> {
  const row = await repository.findDelivery(context.db, companyId, deliveryId);
  if (!row) return;
  await mailToAddresses(context, {
    ...row,
    notSent: NOT_SENT,
    compose: async (to) => compose(context, row, to),
    save: async (recipients) => repository.saveRecipients(context.db, row, recipients),
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
  addressing: Addressing,
): Promise<OutgoingMail> {
  const { config, db, pdf } = context;
  const customer = await findCustomerOf(db, row);
  const name: StatementName = { customer, period: { from: row.fromDate, to: row.toDate } };
  const input = await statementInput(context, row.companyId, name);
  const fileName = statementFileName(input.document.statement);
  return {
    ...envelopeOf(config, row, input.document, addressing),
    ...statementMail(input, { fileName, content: await pdf.render(input) }),
  };
}
