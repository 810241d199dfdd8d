import { randomUUID, timingSafeEqual } from 'node:crypto';

import { networkOf } from '../platform/http/client-network.ts';
import type { Context } from '../context.ts';
import { keyedHash } from '../platform/crypto.ts';
import { AppError } from '../errors.ts';
import { handlerOf, type JobHandler } from '../platform/jobs/job.ts';
import {
  newsletterSignUpJob,
  newsletterWelcomeJob,
  type WelcomeJob,
} from '../platform/jobs/jobs.ts';
import { link, type Letter } from '../platform/mail/layout.ts';
import { sendLetter } from '../platform/mail/notice.ts';
import { isSuppressed } from '../platform/mail/refusals.ts';
import { countAgainst } from '../platform/limits/rate-limit.ts';
import * as repository from './newsletter.repository.ts';

const WINDOW_SECONDS = 600;
const SIGNATURE_BYTES = 16;

/**
 * Requests the subscription of an address. The job looks up whether it was subscribed already, so that neither the
 * answer nor its time reveals it (NEWS-1).
 * @throws AppError too_many_requests
 */
export async function signUp(context: Context, email: string, ip: string): Promise<void> {
  const { config, db, jobs } = context;
  await countAgainst(db, {
    key: `newsletter-ip:${networkOf(ip)}`,
    most: config.loginLimitPerIp,
    seconds: WINDOW_SECONDS,
  });
  await jobs.enqueue(db, newsletterSignUpJob, { email });
}

/** The jobs that subscribe and send the welcome mail. */
export function newsletterJobs(context: Context): JobHandler[] {
  return [
    handlerOf(newsletterSignUpJob, async ({ email }) => subscribe(context, email)),
    handlerOf(newsletterWelcomeJob, async (payload) => welcome(context, payload)),
  ];
}

/**
 * Subscribes an address and adds the welcome job. For an existing subscriber it writes the same and adds the same
 * job, so that the duration of the next call reveals nothing.
 */
async function subscribe({ db, jobs }: Context, email: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { id, isNew } = await repository.subscribe(trx, email);
    const message = { messageUuid: randomUUID(), isSent: isNew };
    await jobs.enqueue(trx, newsletterWelcomeJob, { subscriberId: id, ...message });
  });
}

/** Ends the subscription of a token; repeating it is no error. @throws AppError not_found */
export async function unsubscribe(context: Context, token: string): Promise<void> {
  const uuid = readToken(context, token);
  const isKnown = uuid !== null && (await repository.unsubscribe(context.db, uuid));
  if (!isKnown) throw new AppError('not_found');
}

/**
 * Sends the welcome mail, with one-click unsubscription (RFC 8058). Each has its own Message-ID, since mailboxes drop
 * a second mail with the same one. A job of the previous version has none.
 */
async function welcome(
  context: Context,
  { subscriberId, messageUuid, isSent = true }: WelcomeJob,
): Promise<void> {
  const { config, db } = context;
  const subscriber = await repository.findSubscriber(db, subscriberId);
  if (!subscriber || (await isSuppressed(db, subscriber.email))) return;
  const token = encodeURIComponent(makeUnsubscribeToken(context, subscriber.uuid));
  const envelope = {
    to: subscriber.email,
    key: messageUuid ?? subscriber.uuid,
    isAwaited: true,
    headers: {
      'List-Unsubscribe': `<${config.publicUrl}/api/newsletter/unsubscribe/?token=${token}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
  const letter = newsletterWelcomeMail(`${config.publicUrl}/emails/unsubscribe/?token=${token}`);
  if (isSent) await sendLetter(context, envelope, letter);
}

/**
 * The welcome mail of the newsletter.
 * @param unsubscribeUrl the page with the button that ends the subscription
 */
function newsletterWelcomeMail(unsubscribeUrl: string): Letter {
  return {
    subject: 'Velkommen til nyhetsbrevet fra Faktur',
    preheader: 'Vi skriver når det er noe nytt, og ellers ikke.',
    heading: 'Takk for at du følger med',
    body: [
      'Du får nå nyhetsbrevet fra Faktur.',
      'Vi skriver når det er noe nytt som gjør det enklere å fakturere, og ellers ikke.',
    ],
    footer: [
      'Du får denne e-posten fordi adressen ble meldt på nyhetsbrevet vårt.',
      link('Meld deg av', unsubscribeUrl),
    ],
  };
}

/**
 * A token that reveals no address and need not be stored: the subscriber's uuid with a signature. It is valid as long
 * as the subscriber exists.
 */
export function makeUnsubscribeToken(context: Context, uuid: string): string {
  const id = Buffer.from(uuid.replaceAll('-', ''), 'hex');
  return Buffer.concat([id, sign(context, uuid)]).toString('base64url');
}

function readToken(context: Context, token: string): string | null {
  const bytes = Buffer.from(token, 'base64url');
  const uuid = bytes
    .subarray(0, 16)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const signature = bytes.subarray(16);
  const expected = sign(context, uuid);
  return signature.length === expected.length && timingSafeEqual(signature, expected) ? uuid : null;
}

function sign(context: Context, uuid: string): Buffer {
  return keyedHash(context.config.secretKey, 'unsubscribe', uuid).subarray(0, SIGNATURE_BYTES);
}
