import { dayAndTime, formatDate } from '../../domain/date.ts';
import type { ExportKind } from '../../domain/export/export.schema.ts';
import { formatOre } from '../../domain/money.ts';
import { findOwnerAddress } from '../account/account.service.ts';
import { findMemberWith, findNoticeAddresses } from '../account/member.service.ts';
import { findContact, findScreenUrl } from '../company/profile.service.ts';
import type { Context } from '../context.ts';
import { sha256 } from '../platform/crypto.ts';
import { TryLater } from '../platform/jobs/job.ts';
import { makeLinkToken } from '../platform/http/shared-link.ts';
import {
  button,
  facts,
  paragraph,
  remark,
  renderMail,
  renderNotice,
  type Fact,
  type MailContent,
} from '../platform/mail/layout.ts';
import { sendNotice, sendOrGiveUp } from '../platform/mail/notice.ts';
import { messageIdOf, nameInSubject } from '../platform/mail/outgoing-mail.ts';
import { isSuppressed } from '../platform/mail/refusals.ts';
import { findAuthor, insertLink } from './export-link.repository.ts';
import { noteMailed, type ExportRow } from './export.repository.ts';

const AUTOMATIC = { 'Auto-Submitted': 'auto-generated' } as const;

interface Order {
  readonly mail: 'OWNER' | 'LINK';
  readonly messageUuid: string;
}

/** Mails that an export is done or failed, or its link. A mail that left is not sent again. */
export async function mailAbout(context: Context, row: ExportRow, order: Order): Promise<void> {
  if (order.mail === 'LINK') await mailLink(context, row, order.messageUuid);
  else await tellOwner(context, row, order.messageUuid);
}

async function tellOwner(context: Context, row: ExportRow, key: string): Promise<void> {
  if (row.toldAt !== null || row.deletedAt !== null) return;
  const write = row.state === 'DONE' ? doneMail : failedMail;
  await notify(context, row, key, (company, url) => write(row, company, url));
  await noteMailed(context.db, row, 'toldAt');
}

/** Mails whoever asked for the export, or the company's owners when they may not fetch it. */
async function notify(
  context: Context,
  row: ExportRow,
  key: string,
  write: (company: string | null, url: string) => MailContent,
): Promise<void> {
  const address = await findAsker(context, row);
  const addresses =
    address === null ? await findNoticeAddresses(context, row.companyId) : [address];
  const { name } = await findContact(context.db, row.companyId);
  const content = write(name, await findExportsUrl(context, row));
  await sendNotice(context, { companyId: row.companyId, addresses, key }, content);
}

const permissionFor = ({ kind }: ExportRow) => (kind === 'ARCHIVE' ? 'archive' : 'export');

/** The address of the member who asked for an export and may still fetch it. */
async function findAsker(context: Context, row: ExportRow): Promise<string | null> {
  const author = await findAuthor(context.db, row);
  if (!author || !context.config.features.has('members')) return null;
  return findMemberWith(context, row.companyId, author, permissionFor(row));
}

/** Whether the link may go out: it has not ended, and who answers for it may still export (MEM-9). */
async function mayShare(context: Context, row: ExportRow): Promise<boolean> {
  const author = await findAuthor(context.db, row);
  if (!author) return true;
  const accountId = author.keptBy ?? author.accountId;
  const by = await findMemberWith(context, row.companyId, { accountId }, permissionFor(row));
  return author.linkEndedAt === null && by !== null;
}

/** Mails the link, or tells whoever asked for it that the address takes no mail. */
async function mailLink(context: Context, row: ExportRow, key: string): Promise<void> {
  const { db } = context;
  const { sentTo, expiresAt } = row;
  if (row.linkSentAt !== null || sentTo === null || expiresAt === null) return;
  if (!(await mayShare(context, row))) return;
  const link = { ...row, sentTo, expiresAt };
  if (!(await isSuppressed(db, sentTo)) && (await sendLink(context, link, key))) {
    await noteMailed(db, row, 'linkSentAt');
  } else {
    await noteMailed(db, row, 'linkRefusedAt');
    await notify(context, row, `refused-${key}`, (company, url) => refusedMail(link, company, url));
  }
}

/** An export with a file and an address for its link. */
type Link = ExportRow & { readonly sentTo: string; readonly expiresAt: Date };

/**
 * Each try makes a token of its own, since only its hash is kept: all of them work until the export ends.
 * @returns whether the server took the mail
 */
async function sendLink(context: Context, row: Link, key: string): Promise<boolean> {
  const { config, db, log, mailer } = context;
  const { sentTo, expiresAt } = row;
  const { name, email } = await findContact(db, row.companyId);
  const company = name ?? (await findOwnerAddress(db, row.companyId)) ?? 'Faktur';
  const isMember = await fetchesByLogin(context, row, sentTo);
  const url = await (isMember ? findExportsUrl : makeUrl)(context, row);
  const sent = await sendOrGiveUp(log, mailer, {
    from: { name: company, address: config.mailFrom },
    ...(email !== null && { replyTo: { name: company, address: email } }),
    to: { address: sentTo },
    messageId: messageIdOf(key, config),
    headers: AUTOMATIC,
    ...linkMail({ company, row, expiresAt, isMember }, url),
  });
  return sent !== null;
}

/** A link for members, who log in. */
async function findExportsUrl(context: Context, { companyId }: ExportRow): Promise<string> {
  return findScreenUrl(context, companyId, '/invoices/export/');
}

/** Whether this is the address of a member who fetches the file with a login (EXP-12). */
async function fetchesByLogin(context: Context, row: ExportRow, email: string): Promise<boolean> {
  if (!context.config.features.has('members')) return false;
  return (await findMemberWith(context, row.companyId, { email }, permissionFor(row))) !== null;
}

/** A link for whoever has it. */
async function makeUrl({ config, db }: Context, row: ExportRow): Promise<string> {
  const token = makeLinkToken();
  const isKept = await db.transaction().execute(async (trx) => insertLink(trx, row, sha256(token)));
  if (!isKept) throw new TryLater('the link was ended while it was being mailed');
  return `${config.publicUrl}/delt/eksport/${token}/`;
}

const NAMES: Readonly<Record<ExportKind, string>> = {
  XLSX: 'Excel',
  CSV: 'CSV',
  GBAT10: 'GBAT10',
  TWENTYFOURSEVEN: '24SevenOffice',
  UNI: 'Uni',
  SAFT: 'SAF-T',
  DOCUMENTS: 'PDF og EHF',
  ARCHIVE: 'Alt',
};

function doneMail(row: ExportRow, company: string | null, url: string): MailContent {
  const heading = 'Eksporten er klar';
  return renderNotice(company, {
    subject: heading,
    preheader: periodOf(row),
    heading,
    body: [
      facts(factsOf(row)),
      paragraph('Filen ligger klar i 7 dager. Du må være logget inn for å hente den.'),
      button('Hent filen', url),
    ],
    footer: [remark('Du får denne e-posten fordi det ble bedt om en eksport i Faktur.')],
  });
}

function failedMail(row: ExportRow, company: string | null, url: string): MailContent {
  const heading = 'Eksporten ble ikke laget';
  return renderNotice(company, {
    subject: heading,
    preheader: periodOf(row),
    heading,
    body: [
      paragraph('Noe gikk galt hos oss da filen skulle lages, også da vi prøvde igjen.'),
      facts(factsOf(row)),
      paragraph('Du kan prøve en ny eksport. Går den heller ikke, si fra til oss.'),
      button('Se eksporter', url),
    ],
    footer: [remark('Du får denne e-posten fordi det ble bedt om en eksport i Faktur.')],
  });
}

function refusedMail(row: Link, company: string | null, url: string): MailContent {
  const heading = 'Regnskapsføreren fikk ikke lenken';
  return renderNotice(company, {
    subject: heading,
    preheader: row.sentTo,
    heading,
    body: [
      paragraph(`Adressen ${row.sentTo} tar ikke imot e-post fra oss, så lenken kom ikke frem.`),
      facts(factsOf(row)),
      paragraph(
        'Se om adressen er riktig skrevet og send på nytt, eller hent filen og send den selv.',
      ),
      button('Se eksporter', url),
    ],
    footer: [remark('Du får denne e-posten fordi det ble bedt om en eksport i Faktur.')],
  });
}

function linkMail(
  {
    company,
    row,
    expiresAt,
    isMember,
  }: {
    readonly company: string;
    readonly row: ExportRow;
    readonly expiresAt: Date;
    readonly isMember: boolean;
  },
  url: string,
): MailContent {
  const heading = `Regnskapsfiler fra ${company}`;
  return renderMail({
    sender: company,
    subject: `Regnskapsfiler fra ${nameInSubject(company)}`,
    preheader: periodOf(row),
    heading,
    body: [
      paragraph(`${company} har laget en fil til regnskapet, og sender deg en lenke til den:`),
      facts(factsOf(row)),
      button('Hent filen', url),
      paragraph(
        isMember
          ? `Logg inn som vanlig for å hente den. Filen ligger klar til ${dayAndTime(expiresAt.toISOString())}.`
          : `Lenken virker til ${dayAndTime(expiresAt.toISOString())}, om den ikke trekkes tilbake før. Alle som har lenken, ` +
              'kan hente filen, så ikke send den videre til andre.',
      ),
    ],
    footer: [
      remark(`Sendt med Faktur på vegne av ${company}. Svar på e-posten går til ${company}.`),
    ],
  });
}

function factsOf(row: ExportRow): Fact[] {
  const { firstNumber, lastNumber } = row;
  return [
    { label: 'Fil', value: NAMES[row.kind] },
    { label: 'Periode', value: periodOf(row) },
    { label: 'Fakturaer', value: String(row.invoices) },
    { label: 'Kreditnotaer', value: String(row.creditNotes) },
    ...(firstNumber === null || lastNumber === null
      ? []
      : [{ label: 'Nummer', value: `${firstNumber}–${lastNumber}` }]),
    { label: 'Netto', value: `${formatOre(row.netAmount)} kr` },
    { label: 'Mva', value: `${formatOre(row.vatAmount)} kr` },
    { label: 'Sum', value: `${formatOre(row.grossAmount)} kr` },
  ];
}

function periodOf({ kind, fromDate, toDate, afterNumber }: ExportRow): string {
  if (kind === 'ARCHIVE') return `Alt til og med ${formatDate(toDate)}`;
  if (afterNumber !== null) return `Siden forrige eksport, til og med ${formatDate(toDate)}`;
  if (fromDate === null) return `Til og med ${formatDate(toDate)}`;
  return `${formatDate(fromDate)}–${formatDate(toDate)}`;
}
