import { formatBankAccount } from '../../../../domain/parties.ts';
import { formatDate } from '../../../../domain/date.ts';
import { kidLabel } from '../../../../domain/document/invoice-document.ts';
import {
  extrasOf,
  principalOf,
  REMINDER_NAMES,
  reminderAmount,
  reminderFileName,
  type ReminderDocument,
  earlierLabel,
  objectionTo,
  openingOf,
  PAID_ALREADY,
} from '../../../../domain/document/reminder-document.ts';
import { formatOre } from '../../../../domain/money.ts';
import type { Config } from '../../../config.ts';
import type { ReminderWithFiles } from '../../../document/document-file.service.ts';
import {
  type Block,
  type Fact,
  facts,
  headline,
  type InlinePicture,
  type MailContent,
  remark,
  renderMail,
} from '../../../platform/mail/layout.ts';
import {
  headerText,
  nameInSubject,
  type OutgoingMail,
} from '../../../platform/mail/outgoing-mail.ts';
import type { CarriedDelivery } from '../../carrier.ts';
import {
  attachments,
  footer,
  linkOf,
  type Linked,
  mailLogo,
  optionalFact,
} from './invoice.mail.ts';

/** The mail with a reminder and the invoice that it reminds of. */
export function reminderMail(
  config: Pick<Config, 'mailFrom'>,
  { carrierKey, recipient, linkUrl }: Pick<CarriedDelivery, 'carrierKey' | 'recipient'> & Linked,
  { document, files, logo, invoice }: ReminderWithFiles,
): OutgoingMail {
  const { shown, attached } = mailLogo(logo);
  const { seller, buyer } = document;
  const { files: originals } = invoice;
  return {
    from: { name: seller.name, address: config.mailFrom },
    replyTo: { name: seller.name, address: seller.email },
    to: { name: buyer.name, address: recipient },
    messageId: carrierKey,
    ...mailOf(document, shown, linkUrl),
    attachments: [
      ...attached,
      ...files.map(({ content }) => ({
        filename: reminderFileName(document),
        contentType: 'application/pdf',
        content,
      })),
      ...attachments({
        document: invoice.document,
        files: originals.filter(({ format }) => format === 'PDF'),
      }),
    ],
  };
}

/** The content of the mail. */
export function mailOf(
  document: ReminderDocument,
  logo: InlinePicture | null,
  linkUrl: Linked['linkUrl'],
): MailContent {
  const { kind, invoiceNumber } = document;
  const seller = headerText(document.seller.name);
  const amount = `${formatOre(reminderAmount(document))} kr`;
  return renderMail({
    subject: `${SUBJECTS[kind]} faktura ${invoiceNumber} fra ${nameInSubject(seller)}`,
    preheader: `${amount}, betales innen ${formatDate(document.dueDate)}`,
    sender: seller,
    logo,
    heading: REMINDER_NAMES[kind],
    body: [
      greeting(document),
      ...openingOf(document),
      headline({ label: 'Å betale', value: amount }, `Innen ${formatDate(document.dueDate)}`),
      facts([...amounts(document), ...howToPay(document)]),
      ...linkOf(linkUrl),
      PAID_ALREADY,
      objectionTo(document),
      enclosed(document),
    ],
    footer: footer(document, seller),
  });
}

function greeting({ kind, buyer }: ReminderDocument): string {
  const name = headerText(buyer.name);
  return kind === 'DEBT_COLLECTION_NOTICE' ? `Til ${name}` : `Hei ${name}!`;
}

const SUBJECTS = {
  REMINDER: 'Påminnelse om',
  NOTICE: 'Purring på',
  DEBT_COLLECTION_NOTICE: 'Inkassovarsel for',
} as const;

/** The parts of the sum, when it is more than the invoice. */
function amounts(document: ReminderDocument): Fact[] {
  const { invoice, interest, fee, compensation, earlier } = document;
  const amount = (label: string, value: Parameters<typeof formatOre>[0] | undefined) =>
    value ? [{ label, value: `${formatOre(value)} kr` }] : [];
  if (extrasOf(document) === 0 && principalOf(document) === invoice.grossAmount) return [];
  return [
    ...amount('Rest av fakturaen', principalOf(document)),
    ...amount('Forsinkelsesrente', interest?.amount),
    ...amount('Purregebyr', fee),
    ...amount('Standardkompensasjon', compensation),
    ...amount(earlierLabel(document), earlier),
  ];
}

function howToPay(document: ReminderDocument): Fact[] {
  const { invoiceNumber, invoice, bankAccountNumber, kid, reference } = document;
  return [
    { label: 'Kontonummer', value: formatBankAccount(bankAccountNumber) },
    ...optionalFact(kidLabel(document), kid),
    { label: 'Fakturanummer', value: String(invoiceNumber) },
    { label: 'Fakturadato', value: formatDate(invoice.issueDate) },
    { label: 'Forfalt', value: formatDate(invoice.dueDate) },
    ...optionalFact('Referanse', reference),
  ];
}

function enclosed({ kind }: ReminderDocument): Block {
  const what = { REMINDER: 'Påminnelsen', NOTICE: 'Purringen', DEBT_COLLECTION_NOTICE: 'Varselet' };
  return remark(`${what[kind]} og fakturaen ligger ved som PDF.`);
}
