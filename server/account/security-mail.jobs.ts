import { dayAndTime } from '../../domain/date.ts';
import type { Context } from '../context.ts';
import { handlerOf, type JobHandler } from '../platform/jobs/job.ts';
import { securityMailJob, type SecurityMail } from '../platform/jobs/jobs.ts';
import { button, facts, type Letter } from '../platform/mail/layout.ts';
import { sendLetter } from '../platform/mail/notice.ts';
import { UNKNOWN_BROWSER } from './browser-name.ts';
import { findAddress } from './member.service.ts';

/** Mails to an account about its log-in. */
export function securityJobs(context: Context): JobHandler[] {
  return [
    handlerOf(
      securityMailJob,
      async (order) => {
        const to = await findAddress(context.db, order.accountId);
        if (to === null) return;
        const letter = letterOf(order, `${context.config.publicUrl}/profile/#security`);
        await sendLetter(context, { to, key: order.messageUuid, isAwaited: true }, letter);
      },
      { feature: 'security' },
    ),
  ];
}

interface Words {
  readonly subject: string;
  readonly heading?: string;
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
    text: 'Den som har passnøkkelen, kan logge inn i Faktur som deg.',
    advice: 'Var det ikke deg, fjern den og logg ut alle andre med en gang.',
    button: 'Se passnøklene dine',
    footer: 'Var det deg, trenger du ikke å gjøre noe.',
  },
  PASSKEY_REMOVED: {
    subject: 'En passnøkkel er fjernet',
    text: 'Den virker ikke lenger. Du kan alltid logge inn med en kode på e-post.',
    advice: 'Var det ikke deg, logg ut alle andre med en gang.',
    button: 'Se passnøklene dine',
    footer: 'Var det deg, trenger du ikke å gjøre noe.',
  },
  PASSKEY_COPIED: {
    subject: 'En passnøkkel kan være kopiert',
    text: 'Noen prøvde å bruke passnøkkelen, men den teller ikke som den skal. Da kan den være kopiert, så vi godtok den ikke.',
    advice: 'Fjern passnøkkelen og lag en ny, for sikkerhets skyld.',
    button: 'Se passnøklene dine',
    footer: 'Du kan alltid logge inn med en kode på e-post.',
  },
};

function letterOf({ mail, at, browser, name }: SecurityMail, url: string): Letter {
  const { text, advice, button: label, footer, ...title } = WORDS[mail];
  const what =
    name === undefined
      ? { label: 'Nettleser', value: browser ?? UNKNOWN_BROWSER }
      : { label: 'Passnøkkel', value: name };
  return {
    ...title,
    preheader: `${what.value}, ${dayAndTime(at)}`,
    body: [
      text,
      facts([{ label: 'Når', value: dayAndTime(at) }, what]),
      advice,
      button(label, url),
    ],
    footer: [footer],
  };
}
