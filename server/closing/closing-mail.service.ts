import { DAYS_TO_REGRET } from '../../domain/closing/closing.schema.ts';
import { addDays, formatDate, type IsoDate } from '../../domain/date.ts';
import { readableEmail } from '../../domain/email.ts';
import { findAddress, findOwnerAddresses } from '../account/member.service.ts';
import { findContact, findScreenUrl } from '../company/profile.service.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { handlerOf, type JobHandler } from '../platform/jobs/job.ts';
import { closingMailJob, type ClosingMail } from '../platform/jobs/jobs.ts';
import {
  button,
  type MailContent,
  paragraph,
  remark,
  renderMail,
} from '../platform/mail/layout.ts';
import { sendNotice, sendOrGiveUp } from '../platform/mail/notice.ts';
import { messageIdOf, nameInSubject } from '../platform/mail/outgoing-mail.ts';
import { deletionJobs } from './deletion.service.ts';
import { findClosing } from './closing.repository.ts';

/** Mails about companies that were closed, and the deletions that follow. */
export function closingJobs(context: Context): JobHandler[] {
  return [
    ...deletionJobs(context),
    handlerOf(closingMailJob, async (order) => mailClosing(context, order), { feature: 'closing' }),
  ];
}

/** A closed company, as its mails describe it. */
interface Closed {
  readonly company: string;
  readonly keep: boolean;
  readonly deletesOn: IsoDate;
  readonly keptUntil: IsoDate | null;
  readonly booksEndOn: IsoDate;
  readonly url: string;
}

/** A company that was opened again meanwhile, or is gone, is told nothing. */
async function mailClosing(context: Context, order: ClosingMail): Promise<void> {
  const { config, db, log, loginMailer } = context;
  if (order.mail === 'ACCOUNT_DELETED') {
    await sendOrGiveUp(log, loginMailer, {
      from: { name: 'Faktur', address: config.mailFrom },
      to: { address: order.email },
      messageId: messageIdOf(order.messageUuid, config),
      headers: { 'Auto-Submitted': 'auto-generated' },
      ...accountMail(config),
    });
    return;
  }
  const { companyId, messageUuid } = order;
  const closing = await findClosing(db, companyId);
  if (!closing) return;
  const closed = {
    ...closing,
    company: (await findContact(db, companyId)).name ?? 'Bedriften din',
    url: await findScreenUrl(context, companyId, '/profile/closing/'),
  };
  const content =
    order.mail === 'CLOSED'
      ? closedMail(closed, await findAddress(db, order.accountId))
      : booksEndMail(closed);
  const addresses = await findOwnerAddresses(db, companyId);
  const mailer = { ...context, mailer: loginMailer };
  await sendNotice(mailer, { companyId, addresses, key: messageUuid }, content);
}

const TO_OWNERS = remark('Alle eiere får denne e-posten.');

function closedMail(closed: Closed, by: string | null): MailContent {
  const { company, deletesOn, url } = closed;
  const date = formatDate(deletesOn);
  return renderMail({
    subject: `${nameInSubject(company)} er avsluttet`,
    preheader: `Du kan angre til ${date}.`,
    heading: `${company} er avsluttet`,
    body: [
      paragraph(
        `${by === null ? 'En eier' : readableEmail(by)} har avsluttet ${company} i Faktur. Ingenting kan endres, sendes eller purres lenger.`,
      ),
      paragraph(whatGoes(closed)),
      paragraph(
        `Du kan angre i ${DAYS_TO_REGRET} dager. API-nøkler, delte lenker og invitasjoner er avsluttet og kommer ikke tilbake.`,
      ),
      button('Se avslutningen, eller angre', url),
    ],
    footer: [TO_OWNERS],
  });
}

function whatGoes({ keep, deletesOn, keptUntil }: Closed): string {
  const date = formatDate(deletesOn);
  if (!keep) return `${date} sletter vi alt. Du oppbevarer bøkene selv, i arkivet du lastet ned.`;
  if (keptUntil === null) return `${date} sletter vi alt, for det er ingen bøker å oppbevare.`;
  return `${date} sletter vi det du ikke må oppbevare: utkast, maler, produkter, og kunder uten faktura. Bøkene kan leses til ${formatDate(keptUntil)}. Deretter slettes de også.`;
}

function booksEndMail({ company, booksEndOn, url }: Closed): MailContent {
  const date = formatDate(booksEndOn);
  return renderMail({
    subject: `${nameInSubject(company)} slettes ${date}`,
    preheader: `Bøkene kan leses til ${formatDate(addDays(booksEndOn, -1))}.`,
    heading: `${company} slettes ${date}`,
    body: [
      paragraph(
        `${company} er avsluttet, og loven ber ikke lenger om at bøkene oppbevares. ${date} sletter vi dem.`,
      ),
      paragraph('Vil du ha dem, last ned arkivet før den tid.'),
      button('Last ned arkivet', url),
    ],
    footer: [TO_OWNERS],
  });
}

function accountMail({ supportEmail }: Pick<Config, 'supportEmail'>): MailContent {
  return renderMail({
    subject: 'Kontoen din er slettet',
    preheader: 'Du er logget ut overalt.',
    heading: 'Kontoen din er slettet',
    body: [
      paragraph('Innlogginger, passnøkler, tilganger og API-nøkler i Faktur er borte.'),
      paragraph(
        'Bedrifter du var med i, har fortsatt e-postadressen din i historikken, der det står hvem som gjorde hva.',
      ),
    ],
    footer: [remark(`Var det ikke deg, skriv til ${supportEmail}.`)],
  });
}
