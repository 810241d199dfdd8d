import { dayAndTime } from '../../domain/date.ts';
import type { Context } from '../context.ts';
import { handlerOf, type JobHandler } from '../platform/jobs/job.ts';
import { securityMailJob } from '../platform/jobs/jobs.ts';
import {
  button,
  facts,
  type MailContent,
  paragraph,
  remark,
  renderMail,
} from '../platform/mail/layout.ts';
import { sendOrGiveUp } from '../platform/mail/notice.ts';
import { messageIdOf } from '../platform/mail/outgoing-mail.ts';
import { UNKNOWN_BROWSER } from './browser-name.ts';
import { findAddress } from './member.service.ts';

/** Mails to an account about its log-in. */
export function securityJobs(context: Context): JobHandler[] {
  const { config, db, log, loginMailer } = context;
  return [
    handlerOf(
      securityMailJob,
      async ({ accountId, messageUuid, ...happened }) => {
        const address = await findAddress(db, accountId);
        if (address === null) return;
        await sendOrGiveUp(log, loginMailer, {
          from: { name: 'Faktur', address: config.mailFrom },
          to: { address },
          messageId: messageIdOf(messageUuid, config),
          headers: { 'Auto-Submitted': 'auto-generated' },
          ...newBrowserMail(happened, `${config.publicUrl}/profile/#security`),
        });
      },
      { feature: 'security' },
    ),
  ];
}

/** The mail after a login from a browser that is new to the account (SEC-5). */
function newBrowserMail(
  { at, browser }: { readonly at: string; readonly browser: string | null },
  url: string,
): MailContent {
  return renderMail({
    subject: 'Ny innlogging i Faktur',
    preheader: `${browser ?? UNKNOWN_BROWSER}, ${dayAndTime(at)}`,
    heading: 'Ny innlogging',
    body: [
      paragraph('Noen, trolig du, har logget inn i Faktur fra en nettleser du ikke har brukt før.'),
      facts([
        { label: 'Når', value: dayAndTime(at) },
        { label: 'Nettleser', value: browser ?? UNKNOWN_BROWSER },
      ]),
      paragraph('Var det ikke deg, logg ut den nettleseren med en gang.'),
      button('Se innloggingene dine', url),
    ],
    footer: [remark('Var det deg, trenger du ikke å gjøre noe.')],
  });
}
