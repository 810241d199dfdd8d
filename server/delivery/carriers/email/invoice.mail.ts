import { formatBankAccount, formatOrgNumber } from '../../../../domain/parties.ts';
import { formatDate } from '../../../../domain/date.ts';
import {
  documentFileName,
  kidLabel,
  totalsOf,
  type InvoiceDocument,
} from '../../../../domain/document/invoice-document.ts';
import { readableEmail } from '../../../../domain/email.ts';
import { formatOre, ore, type Ore } from '../../../../domain/money.ts';
import { fitLogo } from '../../../../domain/profile/profile.schema.ts';
import type { Config } from '../../../config.ts';
import type { PreparedDelivery } from '../../carrier.ts';
import type { InvoiceWithFiles } from '../../../document/document-file.service.ts';
import {
  type Block,
  type Fact,
  facts,
  freeText,
  headline,
  type InlinePicture,
  type Letter,
  type MailContent,
  remark,
  renderMail,
  shownLink,
} from '../../../platform/mail/layout.ts';
import {
  headerText,
  nameInSubject,
  type MailAttachment,
  type OutgoingMail,
} from '../../../platform/mail/outgoing-mail.ts';

/** The mail with an invoice or a credit note, and with the details needed to pay without opening the attachment. */
export function invoiceMail(
  config: Pick<Config, 'mailFrom'>,
  {
    carrierKey,
    recipient,
    amountDue,
    creditedAmount,
    linkUrl,
  }: Pick<PreparedDelivery, 'carrierKey' | 'recipient' | 'amountDue' | 'creditedAmount'> & Linked,
  { document, files, attachments: others, logo }: InvoiceWithFiles,
): OutgoingMail {
  const { seller, buyer } = document;
  const { shown, attached } = mailLogo(logo);
  const ehf = files.some(({ format }) => format === 'EHF');
  return {
    from: { name: seller.name, address: config.mailFrom },
    replyTo: { name: seller.name, address: seller.email },
    to: { name: buyer.name, address: recipient },
    messageId: carrierKey,
    ...contentOf(
      document,
      { ehf, others: others.map(({ name }) => name) },
      { amountDue, creditedAmount, linkUrl, logo: shown },
    ),
    attachments: [
      ...attached,
      ...attachments({ document, files }),
      ...others.map(({ name, mediaType, content }) => ({
        filename: name,
        contentType: mediaType,
        content,
      })),
    ],
  };
}

/** The invoice's files as attachments. */
export function attachments({
  document,
  files,
}: Pick<InvoiceWithFiles, 'document' | 'files'>): NonNullable<OutgoingMail['attachments']> {
  return files.map(({ format, content }) => ({
    filename: documentFileName(document, format === 'PDF' ? 'pdf' : 'xml'),
    contentType: format === 'PDF' ? 'application/pdf' : 'application/xml',
    content,
  }));
}

interface Enclosures {
  /** Whether the EHF is attached too. */
  readonly ehf: boolean;
  /** The names of the files that are sent along. */
  readonly others: readonly string[];
}

function contentOf(
  document: InvoiceDocument,
  enclosures: Enclosures,
  {
    amountDue,
    creditedAmount,
    linkUrl,
    logo,
  }: Pick<PreparedDelivery, 'amountDue' | 'creditedAmount'> &
    Linked & { readonly logo: InlinePicture | null },
): MailContent {
  const seller = headerText(document.seller.name);
  const isCreditNote = document.kind === 'CREDIT_NOTE';
  const title = `${isCreditNote ? 'Kreditnota' : 'Faktura'} ${document.invoiceNumber}`;
  const { gross } = totalsOf(document);
  const wording = { seller, amount: `${formatOre(gross)} kr`, enclosures, linkUrl };
  const due: Due = {
    amount: `${formatOre(amountDue)} kr`,
    rest: amountDue < gross ? restOf(creditedAmount, ore(gross - amountDue)) : null,
    // An invoice with a negative sum shows that sum.
    isNothing: amountDue <= 0 && gross > 0,
    date: formatDate(document.dueDate),
  };
  return renderMail({
    subject: `${title} fra ${nameInSubject(seller)}`,
    preheader: isCreditNote ? wording.amount : invoicePreheader(wording, due),
    sender: seller,
    logo,
    heading: title,
    body: isCreditNote ? creditNoteBody(document, wording) : invoiceBody(document, wording, due),
    footer: footer(document, seller),
  });
}

interface Wording extends Linked {
  readonly seller: string;
  /** The document's sum. */
  readonly amount: string;
  readonly enclosures: Enclosures;
}

/** The amount due of the invoice now. */
interface Due {
  readonly amount: string;
  /** How the rest of the document's sum was settled; null when all of it is due. */
  readonly rest: string | null;
  readonly isNothing: boolean;
  readonly date: string;
}

/** The rest of a sum was credited, or paid, or both. */
function restOf(credited: Ore, settled: Ore): string {
  if (credited === 0) return 'betalt';
  return credited === settled ? 'kreditert' : 'kreditert og betalt';
}

function invoicePreheader({ amount }: Wording, due: Due): string {
  return due.isNothing ? `${amount}, betalt` : `${due.amount}, forfaller ${due.date}`;
}

function invoiceBody(
  document: InvoiceDocument,
  { seller, amount, enclosures, linkUrl }: Wording,
  due: Due,
): Letter['body'] {
  const { invoiceNumber, issueDate, bankAccountNumber, kid } = document;
  const until = `Forfaller ${due.date}`;
  return [
    `Her er faktura ${invoiceNumber} fra ${seller} til ${headerText(document.buyer.name)}.`,
    ...(document.message === null ? [] : [freeText(document.message)]),
    due.isNothing
      ? headline({ label: 'Betalt', value: amount }, 'Ingenting å betale')
      : headline(
          { label: 'Å betale', value: due.amount },
          due.rest === null ? until : `Av ${amount}, resten er ${due.rest}. ${until}`,
        ),
    facts([
      ...(due.isNothing
        ? []
        : [
            { label: 'Kontonummer', value: formatBankAccount(bankAccountNumber) },
            ...optionalFact(kidLabel(document), kid),
            { label: 'Forfallsdato', value: due.date },
          ]),
      { label: 'Fakturanummer', value: String(invoiceNumber) },
      { label: 'Fakturadato', value: formatDate(issueDate) },
      ...optionalFact('Referanse', document.reference),
    ]),
    ...linkOf(linkUrl),
    enclosed('Fakturaen', enclosures),
  ];
}

function creditNoteBody(
  document: InvoiceDocument,
  { seller, amount, enclosures, linkUrl }: Wording,
): Letter['body'] {
  const { invoiceNumber, issueDate, credits } = document;
  const credited =
    credits && `faktura ${credits.invoiceNumber} av ${formatDate(credits.issueDate)}`;
  const isPart = credits?.extent === 'PART';
  const effect = isPart
    ? `Den trekker ${amount} fra ${credited}. Resten av fakturaen gjelder som før.`
    : `Den opphever ${credits?.extent === 'REST' ? 'resten av ' : ''}${credited}, som du ikke skal betale.`;
  return [
    `Her er kreditnota ${invoiceNumber} fra ${seller} til ${headerText(document.buyer.name)}.${
      credited ? ` ${effect}` : ''
    }`,
    ...(document.message === null ? [] : [freeText(document.message)]),
    headline(
      { label: 'Kreditert', value: amount },
      isPart ? 'Trukket fra fakturaen' : 'Ingenting å betale',
    ),
    facts([
      ...optionalFact('Gjelder faktura', credits && String(credits.invoiceNumber)),
      { label: 'Kreditnotanummer', value: String(invoiceNumber) },
      { label: 'Dato', value: formatDate(issueDate) },
      ...optionalFact('Referanse', document.reference),
    ]),
    'Har du alt betalt, så svar på denne e-posten.',
    ...linkOf(linkUrl),
    enclosed('Kreditnotaen', enclosures),
  ];
}

/** The page of the invoice for its customer; null where there is none (PORT-1). */
export interface Linked {
  readonly linkUrl: string | null;
}

export function linkOf(url: Linked['linkUrl']): Block[] {
  return url === null ? [] : [shownLink('Se fakturaen på nett', url)];
}

export function optionalFact(label: string, value: string | null): Fact[] {
  return value === null ? [] : [{ label, value }];
}

function enclosed(what: string, { ehf, others }: Enclosures): Block {
  const document = ehf
    ? `${what} ligger ved som PDF, og som EHF (XML) til regnskapssystemet.`
    : `${what} ligger ved som PDF.`;
  if (others.length === 0) return remark(document);
  const names = new Intl.ListFormat('nb', { type: 'conjunction' }).format(others);
  return remark(`${document} Vedlagt er også ${headerText(names)}.`);
}

export function footer({ seller }: Pick<InvoiceDocument, 'seller'>, name: string): string[] {
  const orgNumber = `Org.nr.\u00A0${formatOrgNumber(seller.orgNumber)}${seller.vatRegistered ? '\u00A0MVA' : ''}`;
  const place = [seller.postalCode, seller.city].filter(Boolean).join('\u00A0');
  const lines = [name, orgNumber, seller.address1, seller.address2, place];
  lines.push(readableEmail(seller.email));
  return [
    lines.filter(Boolean).join('\u00A0· '),
    `Spørsmål? Svar på denne e-posten, så går svaret til ${name}. Sendt med Faktur.`,
  ];
}

/** Pixels of CSS: a third of the logo's own, for sharp screens. */
const BOX = { width: 240, height: 80 };
const CONTENT_ID = 'logo@faktur';

/** The seller's logo in a mail, and its attachment; neither when there is no logo. */
export function mailLogo(png: Uint8Array | null): {
  readonly shown: InlinePicture | null;
  readonly attached: readonly MailAttachment[];
} {
  if (!png) return { shown: null, attached: [] };
  const { width, height } = fitLogo(png, BOX, 1);
  const pixels = (length: number) => Math.max(1, Math.round(length));
  return {
    shown: { contentId: CONTENT_ID, width: pixels(width), height: pixels(height) },
    attached: [
      { filename: 'logo.png', contentType: 'image/png', content: png, contentId: CONTENT_ID },
    ],
  };
}
