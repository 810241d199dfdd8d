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
import { makeChallenge, makeProofCode } from './login.service.ts';

/** The job that mails login codes. */
export function sessionJobs(context: Context): JobHandler[] {
  return [
    handlerOf(loginMailJob, async ({ email, purpose }) => mailLogin(context, email, purpose)),
  ];
}

/** A second run makes a second code; both work, so a lost mail locks nobody out. */
async function mailLogin(context: Context, email: string, purpose: LoginPurpose): Promise<void> {
  const { config, log, loginMailer } = context;
  const { code, content } =
    purpose === 'prove'
      ? await makeProofMail(context, email)
      : await makeLoginMail(context, purpose, email);
  await sendOrGiveUp(log, loginMailer, {
    from: { name: 'Faktur', address: config.mailFrom },
    to: { address: email },
    messageId: messageIdOf(randomUUID(), config),
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...content,
  });
  // Only where no mail leaves the machine, for a person who tries the product.
  if (config.smtpUrl === null && code !== null) log.info(`Login code for ${email}: ${code}`);
}

interface CodeMail {
  /** Null when the mail has none. */
  readonly code: string | null;
  readonly content: MailContent;
}

async function makeLoginMail(
  context: Context,
  purpose: Exclude<LoginPurpose, 'prove'>,
  email: string,
): Promise<CodeMail> {
  const { publicUrl, registration } = context.config;
  const challenge = await makeChallenge(context, purpose, email);
  if (!challenge) {
    const signupUrl = registration === 'open' ? `${publicUrl}/auth/signup/` : null;
    return { code: null, content: unknownAddressMail({ signupUrl }) };
  }
  const { code, token } = challenge;
  const link = `${publicUrl}/auth/magic-link/?token=${token}`;
  return { code, content: loginMail({ code, link, minutes: LOGIN_MINUTES }) };
}

async function makeProofMail(context: Context, email: string): Promise<CodeMail> {
  const code = await makeProofCode(context, email);
  return { code, content: proofMail(code) };
}

/** The mail with a code that proves a session (SEC-9). */
function proofMail(code: string): MailContent {
  return renderMail({
    subject: 'Bekreft at det er deg',
    preheader: `Koden er ${code}. Den virker i ${LOGIN_MINUTES} minutter.`,
    heading: 'Bekreft at det er deg',
    body: [
      codeBlock({ label: 'Koden din er', value: code }),
      paragraph('Skriv den inn i Faktur, så går du videre med det du holdt på med.'),
      remark(`Koden virker i ${LOGIN_MINUTES} minutter, og bare én gang. Den logger ingen inn.`),
    ],
    footer: [
      remark(
        'Har du ikke bedt om den, er noen andre logget inn som deg. Logg dem ut under Sikkerhet på profilen. Gi aldri koden til noen.',
      ),
    ],
  });
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
