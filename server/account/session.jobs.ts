import { randomUUID } from 'node:crypto';

import { LOGIN_MINUTES } from '../../domain/session/session.schema.ts';
import type { Context } from '../context.ts';
import { handlerOf, type JobHandler } from '../platform/jobs/job.ts';
import { loginMailJob, type LoginPurpose } from '../platform/jobs/jobs.ts';
import { sendOrGiveUp } from '../platform/mail/notice.ts';
import { messageIdOf } from '../platform/mail/outgoing-mail.ts';
import { loginMail, unknownAddressMail } from './session.mail.ts';
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
