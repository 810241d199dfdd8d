import { DAYS_TO_REGRET } from '../../domain/closing/closing.schema.ts';
import { addDays, formatDate } from '../../domain/date.ts';
import { readableEmail } from '../../domain/email.ts';
import { notifyCompany } from '../account/company-notice.service.ts';
import { findAddress } from '../account/member.service.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { handlerOf, type JobHandler } from '../platform/jobs/job.ts';
import { closingMailJob, type ClosingMail } from '../platform/jobs/jobs.ts';
import { button, type Letter } from '../platform/mail/layout.ts';
import { sendLetter } from '../platform/mail/notice.ts';
import { nameInSubject } from '../platform/mail/outgoing-mail.ts';
import { deletionJobs } from './deletion.service.ts';
import { type ClosingRow, findClosing } from './closing.repository.ts';

/** Mails about companies that were closed, and the deletions that follow. */
export function closingJobs(context: Context): JobHandler[] {
  return [
    ...deletionJobs(context),
    handlerOf(closingMailJob, async (order) => mailClosing(context, order), { feature: 'closing' }),
  ];
}

/** A closed company, as its mails describe it. */
interface Closed extends ClosingRow {
  readonly company: string;
  readonly url: string;
}

/** A company that was opened again meanwhile, or is gone, is told nothing. */
async function mailClosing(context: Context, order: ClosingMail): Promise<void> {
  const { config, db } = context;
  const envelope = { key: order.messageUuid, isAwaited: true };
  if (order.mail === 'ACCOUNT_DELETED') {
    await sendLetter(context, { ...envelope, to: order.email }, accountMail(config));
    return;
  }
  const { companyId } = order;
  const closing = await findClosing(db, companyId);
  if (!closing) return;
  const by = order.mail === 'CLOSED' ? await findAddress(db, order.accountId) : null;
  const notice = { ...envelope, companyId, to: 'OWNERS', path: '/profile/closing/' } as const;
  await notifyCompany(context, notice, (url, name) => {
    const closed = { ...closing, company: name ?? 'Bedriften din', url };
    const letter = order.mail === 'CLOSED' ? closedMail(closed, by) : booksEndMail(closed);
    // Its words name the company.
    return { about: null, ...letter };
  });
}

const TO_OWNERS = 'Alle eiere får denne e-posten.';

function closedMail(closed: Closed, by: string | null): Letter {
  const { company, deletesOn, url } = closed;
  const date = formatDate(deletesOn);
  return {
    subject: `${nameInSubject(company)} er avsluttet`,
    preheader: `Du kan angre til ${date}.`,
    heading: `${company} er avsluttet`,
    body: [
      `${by === null ? 'En eier' : readableEmail(by)} har avsluttet ${company} i Faktur. Ingenting kan endres, sendes eller purres lenger.`,
      whatGoes(closed),
      `Du kan angre i ${DAYS_TO_REGRET} dager. API-nøkler, delte lenker og invitasjoner er avsluttet og kommer ikke tilbake.`,
      button('Se avslutningen, eller angre', url),
    ],
    footer: [TO_OWNERS],
  };
}

function whatGoes({ keep, deletesOn, keptUntil }: Closed): string {
  const date = formatDate(deletesOn);
  if (!keep) return `${date} sletter vi alt. Du oppbevarer bøkene selv, i arkivet du lastet ned.`;
  if (keptUntil === null) return `${date} sletter vi alt, for det er ingen bøker å oppbevare.`;
  return `${date} sletter vi det du ikke må oppbevare: utkast, maler, produkter, og kunder uten faktura. Bøkene kan leses til ${formatDate(keptUntil)}. Deretter slettes de også.`;
}

function booksEndMail({ company, booksEndOn, url }: Closed): Letter {
  const date = formatDate(booksEndOn);
  return {
    subject: `${nameInSubject(company)} slettes ${date}`,
    preheader: `Bøkene kan leses til ${formatDate(addDays(booksEndOn, -1))}.`,
    heading: `${company} slettes ${date}`,
    body: [
      `${company} er avsluttet, og loven ber ikke lenger om at bøkene oppbevares. ${date} sletter vi dem.`,
      'Vil du ha dem, last ned arkivet før den tid.',
      button('Last ned arkivet', url),
    ],
    footer: [TO_OWNERS],
  };
}

function accountMail({ supportEmail }: Pick<Config, 'supportEmail'>): Letter {
  return {
    subject: 'Kontoen din er slettet',
    preheader: 'Du er logget ut overalt.',
    body: [
      'Innlogginger, passnøkler, tilganger og API-nøkler i Faktur er borte.',
      'Bedrifter du var med i, har fortsatt e-postadressen din i historikken, der det står hvem som gjorde hva.',
    ],
    footer: [`Var det ikke deg, skriv til ${supportEmail}.`],
  };
}
