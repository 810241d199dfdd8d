import { dayAndTime, formatDate } from '../../domain/date.ts';
import type { ExportKind } from '../../domain/export/export.schema.ts';
import { formatOre } from '../../domain/money.ts';
import { findOwnerAddress } from '../account/account.service.ts';
import { notifyCompany } from '../account/company-notice.service.ts';
import { findMemberWith } from '../account/member.service.ts';
import { findContact, findScreenUrl } from '../company/profile.service.ts';
import type { Context } from '../context.ts';
import { sha256 } from '../platform/crypto.ts';
import { TryLater } from '../platform/jobs/job.ts';
import { makeLinkToken } from '../platform/http/shared-link.ts';
import { button, facts, type Fact, type Letter } from '../platform/mail/layout.ts';
import { sendLetter } from '../platform/mail/notice.ts';
import { nameInSubject } from '../platform/mail/outgoing-mail.ts';
import { isSuppressed } from '../platform/mail/refusals.ts';
import { findAuthor, insertLink } from './export-link.repository.ts';
import { noteMailed, type ExportRow } from './export.repository.ts';

/** The screen of exports, where members fetch files. */
const EXPORTS = '/invoices/export/';

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
  await notify(context, row, key, (url) => write(row, url));
  await noteMailed(context.db, row, 'toldAt');
}

/** Mails whoever asked for the export, or the company's owners when they may not fetch it. */
async function notify(
  context: Context,
  row: ExportRow,
  key: string,
  write: (url: string) => Letter,
): Promise<void> {
  const address = await findAsker(context, row);
  const to = address === null ? 'COMPANY' : [address];
  await notifyCompany(context, { companyId: row.companyId, to, key, path: EXPORTS }, write);
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
    await notify(context, row, `refused-${key}`, (url) => refusedMail(link, url));
  }
}

/** An export with a file and an address for its link. */
type Link = ExportRow & { readonly sentTo: string; readonly expiresAt: Date };

/**
 * Each try makes a token of its own, since only its hash is kept: all of them work until the export ends.
 * @returns whether the server took the mail
 */
async function sendLink(context: Context, row: Link, key: string): Promise<boolean> {
  const { config, db } = context;
  const { sentTo } = row;
  const { name, email } = await findContact(db, row.companyId);
  const company = name ?? (await findOwnerAddress(db, row.companyId)) ?? 'Faktur';
  const isMember = await fetchesByLogin(context, row, sentTo);
  const url = isMember
    ? await findScreenUrl(context, row.companyId, EXPORTS)
    : await makeUrl(context, row);
  const envelope = {
    to: sentTo,
    key,
    from: { name: company, address: config.mailFrom },
    ...(email !== null && { replyTo: { name: company, address: email } }),
  };
  return sendLetter(context, envelope, linkMail(company, row, isMember, url));
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

const FOOTER = ['Du får denne e-posten fordi det ble bedt om en eksport i Faktur.'];

function doneMail(row: ExportRow, url: string): Letter {
  return {
    subject: 'Eksporten er klar',
    preheader: periodOf(row),
    body: [
      facts(factsOf(row)),
      'Filen ligger klar i 7 dager. Du må være logget inn for å hente den.',
      button('Hent filen', url),
    ],
    footer: FOOTER,
  };
}

function failedMail(row: ExportRow, url: string): Letter {
  return {
    subject: 'Eksporten ble ikke laget',
    preheader: periodOf(row),
    body: [
      'Noe gikk galt hos oss da filen skulle lages, også da vi prøvde igjen.',
      facts(factsOf(row)),
      'Du kan prøve en ny eksport. Går den heller ikke, si fra til oss.',
      button('Se eksporter', url),
    ],
    footer: FOOTER,
  };
}

function refusedMail(row: Link, url: string): Letter {
  return {
    subject: 'Regnskapsføreren fikk ikke lenken',
    preheader: row.sentTo,
    body: [
      `Adressen ${row.sentTo} tar ikke imot e-post fra oss, så lenken kom ikke frem.`,
      facts(factsOf(row)),
      'Se om adressen er riktig skrevet og send på nytt, eller hent filen og send den selv.',
      button('Se eksporter', url),
    ],
    footer: FOOTER,
  };
}

function linkMail(company: string, row: Link, isMember: boolean, url: string): Letter {
  const until = dayAndTime(row.expiresAt.toISOString());
  return {
    sender: company,
    subject: `Regnskapsfiler fra ${nameInSubject(company)}`,
    preheader: periodOf(row),
    heading: `Regnskapsfiler fra ${company}`,
    body: [
      `${company} har laget en fil til regnskapet, og sender deg en lenke til den:`,
      facts(factsOf(row)),
      button('Hent filen', url),
      isMember
        ? `Logg inn som vanlig for å hente den. Filen ligger klar til ${until}.`
        : `Lenken virker til ${until}, om den ikke trekkes tilbake før. Alle som har lenken, ` +
          'kan hente filen, så ikke send den videre til andre.',
    ],
    footer: [`Sendt med Faktur på vegne av ${company}. Svar på e-posten går til ${company}.`],
  };
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
