import { randomUUID, timingSafeEqual } from 'node:crypto';

import { LOGIN_MINUTES } from '../../domain/session/session.schema.ts';
import type { SharedCode } from '../../domain/overview/overview-link.schema.ts';
import { CODE_ATTEMPTS, limitByAddress, limitByIp, makeCode } from '../account/login.service.ts';
import type { Context } from '../context.ts';
import { countStrangerMail } from '../delivery/carriers/email/email.carrier.ts';
import { AppError } from '../errors.ts';
import { keyedHash } from '../platform/crypto.ts';
import { handlerOf, type JobHandler } from '../platform/jobs/job.ts';
import { overviewCodeJob } from '../platform/jobs/jobs.ts';
import {
  code as codeBlock,
  type MailContent,
  paragraph,
  remark,
  renderMail,
} from '../platform/mail/layout.ts';
import { sendOrGiveUp } from '../platform/mail/notice.ts';
import { messageIdOf } from '../platform/mail/outgoing-mail.ts';
import { closeCode, lockCode, storeCode, type LinkRow } from './overview-link.repository.ts';
import { makeConfirmation, nameOf, openLink } from './shared-overview.service.ts';

/**
 * Mails a code to the address of a link, or confirms a browser by it (OVER-12). The answer to a request for a code, and
 * its time, are the same for every address. Returns the cookie of the browser that was confirmed.
 *
 * @throws AppError not_found also for a link that is for no one address, wrong_code, too_many_requests
 */
export async function confirmByCode(
  context: Context,
  token: string,
  { email, code }: SharedCode,
  ip: string,
): Promise<string | null> {
  const link = await openLink(context, token);
  if (link.email === null) throw new AppError('not_found');
  if (code === null) {
    await limitByIp(context, 'mail', ip);
    await limitByAddress(context.db, email ?? link.email, ip);
    const { companyId, uuid: linkUuid } = link;
    await countStrangerMail(context, companyId);
    await context.jobs.enqueue(context.db, overviewCodeJob, { companyId, linkUuid, email });
    return null;
  }
  await limitByIp(context, 'verify', ip);
  const { secretKey } = context.config;
  const isRight = await context.db.transaction().execute(async (trx) => {
    const expected = await lockCode(trx, link, CODE_ATTEMPTS);
    if (expected === null) return false;
    const matches = timingSafeEqual(expected, hashCode(secretKey, link, code));
    // Not thrown inside the transaction: the count of wrong codes must be committed.
    await closeCode(trx, link, matches);
    return matches;
  });
  if (!isRight) throw new AppError('wrong_code', { field: 'code' });
  return makeConfirmation(secretKey, link);
}

function hashCode(key: string, { uuid }: Pick<LinkRow, 'uuid'>, code: string): Buffer {
  return keyedHash(key, 'overview-code', `${uuid}\0${code}`);
}

/** The job that mails the codes of links. */
export function overviewJobs(context: Context): JobHandler[] {
  return [
    handlerOf(overviewCodeJob, async (payload) => mailCode(context, payload), {
      feature: 'overview',
    }),
  ];
}

interface Order {
  readonly companyId: number;
  readonly linkUuid: string;
  /** The address as typed; null when it was not asked for. */
  readonly email: string | null;
}

/** A second run makes a second code, and the first is void. */
async function mailCode(context: Context, { companyId, linkUuid, email }: Order): Promise<void> {
  const { config, db, log, loginMailer } = context;
  const code = makeCode();
  const codeHash = hashCode(config.secretKey, { uuid: linkUuid }, code);
  const link = await storeCode(db, companyId, linkUuid, {
    email,
    codeHash,
    seconds: LOGIN_MINUTES * 60,
  });
  if (!link || link.email === null) return;
  await sendOrGiveUp(log, loginMailer, {
    from: { name: 'Faktur', address: config.mailFrom },
    to: { address: link.email },
    messageId: messageIdOf(randomUUID(), config),
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...codeMail(code, await nameOf(db, link)),
  });
  // Only where no mail leaves the machine, for a person who tries the product.
  if (config.smtpUrl === null) log.info(`Code for the overview of ${link.email}: ${code}`);
}

function codeMail(code: string, company: string): MailContent {
  return renderMail({
    subject: `${code} er koden din for å se tallene`,
    preheader: `Koden virker i ${LOGIN_MINUTES} minutter.`,
    heading: `Se tallene til ${company}`,
    body: [
      paragraph(
        `${company} har delt noen tall med deg, og vil være sikker på at det er du som ser dem.`,
      ),
      codeBlock({ label: 'Koden din er', value: code }),
      paragraph(
        'Skriv den inn på siden der du ba om den. Da kan du se tallene i 30 dager i samme nettleser.',
      ),
      remark(`Koden virker i ${LOGIN_MINUTES} minutter, og bare én gang.`),
    ],
    footer: [
      remark(
        'Har du ikke bedt om koden, kan du se bort fra denne e-posten. Gi aldri koden til noen.',
      ),
    ],
  });
}
