import { randomUUID } from 'node:crypto';

import { LOGIN_MINUTES } from '../../domain/session/session.schema.ts';
import type { Context } from '../context.ts';
import { handlerOf, type JobHandler } from '../platform/jobs/job.ts';
import { loginMailJob, type LoginPurpose } from '../platform/jobs/jobs.ts';
import {
  button,
  code as codeBlock,
  type MailContent,
  paragraph,
  remark,
  renderMail,
} from '../platform/mail/layout.ts';
import { sendOrGiveUp } from '../platform/mail/notice.ts';
import { messageIdOf } from '../platform/mail/outgoing-mail.ts';
import { makeChallenge } from './login.service.ts';

/** The job that mails login codes. */
export function sessionJobs(context: Context): JobHandler[] {
  return [
    handlerOf(loginMailJob, async ({ email, purpose }) => mailLogin(context, email, purpose)),
  ];
}

/** A second run makes a second code; both work, so a lost mail locks nobody out. */
async function mailLogin(context: Context, email: string, purpose: LoginPurpose): Promise<void> {
  const { config, log, loginMailer } = context;
  const challenge = await makeChallenge(context, purpose, email);
  const content = challenge
    ? loginMail({
        code: challenge.code,
        link: `${config.publicUrl}/auth/magic-link/?token=${challenge.token}`,
        minutes: LOGIN_MINUTES,
      })
    : unknownAddressMail({
        signupUrl: config.registration === 'open' ? `${config.publicUrl}/auth/signup/` : null,
      });
  await sendOrGiveUp(log, loginMailer, {
    from: { name: 'Faktur', address: config.mailFrom },
    to: { address: email },
    messageId: messageIdOf(randomUUID(), config),
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...content,
  });
  // Only where no mail leaves the machine, for a person who tries the product.
  if (config.smtpUrl === null && challenge) log.info(`Login code for ${email}: ${challenge.code}`);
}

interface Challenge {
  readonly code: string;
  /** Logs in by itself. */
  readonly link: string;
  /** The lifetime of the code and the link. */
  readonly minutes: number;
}

/** The mail with a code and a link for logging in, also for an address without an account. */
export function loginMail({ code, link, minutes }: Challenge): MailContent {
  return renderMail({
    subject: `${code} er koden din til Faktur`,
    preheader: `Koden virker i ${minutes} minutter.`,
    heading: 'Logg inn i Faktur',
    body: [
      codeBlock({ label: 'Koden din er', value: code }),
      paragraph('Skriv den inn der du logger inn, eller gå rett inn:'),
      button('Logg inn', link),
      remark(`Koden og lenken virker i ${minutes} minutter, og bare én gang.`),
    ],
    footer: [
      remark(
        'Har du ikke bedt om å logge inn, kan du se bort fra denne e-posten. Gi aldri koden til noen.',
      ),
    ],
  });
}

/**
 * The mail to an address without an account that asked to log in; the screen does not reveal it. Without a sign-up
 * address, registration is closed.
 */
export function unknownAddressMail({
  signupUrl,
}: {
  readonly signupUrl: string | null;
}): MailContent {
  return renderMail({
    subject: 'Innlogging i Faktur',
    preheader: 'Denne e-postadressen har ingen konto ennå.',
    heading: 'Ingen konto med denne adressen',
    body: [
      paragraph(
        'Noen, trolig du, ba om å logge inn i Faktur med denne e-postadressen. Den har ingen konto ennå.',
      ),
      ...(signupUrl === null
        ? [paragraph('Du kan logge inn med en annen adresse. Nye kontoer kan ikke opprettes nå.')]
        : [
            paragraph('Du kan registrere deg, eller logge inn med en annen adresse.'),
            button('Registrer deg', signupUrl),
          ]),
    ],
    footer: [remark('Var det ikke deg, kan du se bort fra denne e-posten.')],
  });
}
