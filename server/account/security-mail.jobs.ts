import { dayAndTime } from '../../domain/date.ts';
import type { Context } from '../context.ts';
import { handlerOf, type JobHandler } from '../platform/jobs/job.ts';
import { securityMailJob, type SecurityMail } from '../platform/jobs/jobs.ts';
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
      async (order) => {
        const address = await findAddress(db, order.accountId);
        if (address === null) return;
        await sendOrGiveUp(log, loginMailer, {
          from: { name: 'Faktur', address: config.mailFrom },
          to: { address },
          messageId: messageIdOf(order.messageUuid, config),
          headers: { 'Auto-Submitted': 'auto-generated' },
          ...contentOf(order, `${config.publicUrl}/profile/#security`),
        });
      },
      { feature: 'security' },
    ),
  ];
}

interface Words {
  readonly subject: string;
  readonly heading: string;
  readonly text: string;
  readonly advice: string;
  readonly button: string;
  readonly footer: string;
}

/** The words of mails about a login from a new browser (SEC-5) and about passkeys (SEC-13, SEC-14). */
const WORDS: Readonly<Record<SecurityMail['mail'], Words>> = {
  NEW_BROWSER: {
    subject: 'Ny innlogging i Faktur',
    heading: 'Ny innlogging',
    text: 'Noen, trolig du, har logget inn i Faktur fra en nettleser du ikke har brukt før.',
    advice: 'Var det ikke deg, logg ut den nettleseren med en gang.',
    button: 'Se innloggingene dine',
    footer: 'Var det deg, trenger du ikke å gjøre noe.',
  },
  PASSKEY_ADDED: {
    subject: 'En passnøkkel er lagt til',
    heading: 'En passnøkkel er lagt til',
    text: 'Den som har passnøkkelen, kan logge inn i Faktur som deg.',
    advice: 'Var det ikke deg, fjern den og logg ut alle andre med en gang.',
    button: 'Se passnøklene dine',
    footer: 'Var det deg, trenger du ikke å gjøre noe.',
  },
  PASSKEY_REMOVED: {
    subject: 'En passnøkkel er fjernet',
    heading: 'En passnøkkel er fjernet',
    text: 'Den virker ikke lenger. Du kan alltid logge inn med en kode på e-post.',
    advice: 'Var det ikke deg, logg ut alle andre med en gang.',
    button: 'Se passnøklene dine',
    footer: 'Var det deg, trenger du ikke å gjøre noe.',
  },
  PASSKEY_COPIED: {
    subject: 'En passnøkkel kan være kopiert',
    heading: 'En passnøkkel kan være kopiert',
    text: 'Noen prøvde å bruke passnøkkelen, men den teller ikke som den skal. Da kan den være kopiert, så vi godtok den ikke.',
    advice: 'Fjern passnøkkelen og lag en ny, for sikkerhets skyld.',
    button: 'Se passnøklene dine',
    footer: 'Du kan alltid logge inn med en kode på e-post.',
  },
};

function contentOf({ mail, at, browser, name }: SecurityMail, url: string): MailContent {
  const words = WORDS[mail];
  const what =
    name === undefined
      ? { label: 'Nettleser', value: browser ?? UNKNOWN_BROWSER }
      : { label: 'Passnøkkel', value: name };
  return renderMail({
    subject: words.subject,
    preheader: `${what.value}, ${dayAndTime(at)}`,
    heading: words.heading,
    body: [
      paragraph(words.text),
      facts([{ label: 'Når', value: dayAndTime(at) }, what]),
      paragraph(words.advice),
      button(words.button, url),
    ],
    footer: [remark(words.footer)],
  });
}
