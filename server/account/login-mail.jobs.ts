import { randomUUID } from 'node:crypto';

import { LOGIN_MINUTES } from '../../domain/session/session.schema.ts';
import type { Context } from '../context.ts';
import { handlerOf, type JobHandler } from '../platform/jobs/job.ts';
import { loginMailJob, type LoginPurpose } from '../platform/jobs/jobs.ts';
import { button, code as codeBlock, type Letter, remark } from '../platform/mail/layout.ts';
import { sendLetter } from '../platform/mail/notice.ts';
import { makeChallenge, makeProofCode } from './login.service.ts';

/** The job that mails login codes. */
export function sessionJobs(context: Context): JobHandler[] {
  return [
    handlerOf(loginMailJob, async ({ email, purpose }) => mailLogin(context, email, purpose)),
  ];
}

/** A second run makes a second code; both work, so a lost mail locks nobody out. */
async function mailLogin(context: Context, email: string, purpose: LoginPurpose): Promise<void> {
  const { config, log } = context;
  const { code, letter } = await makeLetter(context, email, purpose);
  await sendLetter(context, { to: email, key: randomUUID(), isAwaited: true }, letter);
  // Only where no mail leaves the machine, for a person who tries the product.
  if (config.smtpUrl === null && code !== null) log.info(`Login code for ${email}: ${code}`);
}

/** @returns the letter, and its code; null when it has none */
async function makeLetter(
  context: Context,
  email: string,
  purpose: LoginPurpose,
): Promise<{ readonly code: string | null; readonly letter: Letter }> {
  const { publicUrl, registration } = context.config;
  if (purpose === 'prove') {
    const code = await makeProofCode(context, email);
    return { code, letter: proofMail(code) };
  }
  const challenge = await makeChallenge(context, purpose, email);
  if (!challenge) {
    const signupUrl = registration === 'open' ? `${publicUrl}/auth/signup/` : null;
    return { code: null, letter: unknownAddressMail(signupUrl) };
  }
  const { code, token } = challenge;
  return { code, letter: loginMail(code, `${publicUrl}/auth/magic-link/?token=${token}`) };
}

/** The mail with a code that proves a session (SEC-9). */
function proofMail(code: string): Letter {
  return {
    subject: 'Bekreft at det er deg',
    preheader: `Koden er ${code}. Den virker i ${LOGIN_MINUTES} minutter.`,
    body: [
      codeBlock({ label: 'Koden din er', value: code }),
      'Skriv den inn i Faktur, så går du videre med det du holdt på med.',
      remark(`Koden virker i ${LOGIN_MINUTES} minutter, og bare én gang. Den logger ingen inn.`),
    ],
    footer: [
      'Har du ikke bedt om den, er noen andre logget inn som deg. Logg dem ut under Sikkerhet på profilen. Gi aldri koden til noen.',
    ],
  };
}

/** The mail with a code and a link, each of which logs in by itself. */
export function loginMail(code: string, link: string): Letter {
  return {
    subject: `${code} er koden din til Faktur`,
    preheader: `Koden virker i ${LOGIN_MINUTES} minutter.`,
    heading: 'Logg inn i Faktur',
    body: [
      codeBlock({ label: 'Koden din er', value: code }),
      'Skriv den inn der du logger inn, eller gå rett inn:',
      button('Logg inn', link),
      remark(`Koden og lenken virker i ${LOGIN_MINUTES} minutter, og bare én gang.`),
    ],
    footer: [
      'Har du ikke bedt om å logge inn, kan du se bort fra denne e-posten. Gi aldri koden til noen.',
    ],
  };
}

/**
 * The mail to an address without an account that asked to log in; the screen does not reveal it. Without a sign-up
 * address, registration is closed.
 */
export function unknownAddressMail(signupUrl: string | null): Letter {
  return {
    subject: 'Innlogging i Faktur',
    preheader: 'Denne e-postadressen har ingen konto ennå.',
    heading: 'Ingen konto med denne adressen',
    body: [
      'Noen, trolig du, ba om å logge inn i Faktur med denne e-postadressen. Den har ingen konto ennå.',
      ...(signupUrl === null
        ? ['Du kan logge inn med en annen adresse. Nye kontoer kan ikke opprettes nå.']
        : [
            'Du kan registrere deg, eller logge inn med en annen adresse.',
            button('Registrer deg', signupUrl),
          ]),
    ],
    footer: ['Var det ikke deg, kan du se bort fra denne e-posten.'],
  };
}
