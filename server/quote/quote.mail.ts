import { formatDate } from '../../domain/date.ts';
import { invoiceTotals } from '../../domain/invoice/invoice.totals.ts';
import { formatOre } from '../../domain/money.ts';
import { NOT_AN_INVOICE } from '../../domain/portal/statement-document.ts';
import { quoteFileName, type QuoteDocument } from '../../domain/quote/quote-document.ts';
import { PRICE_KIND_NAMES } from '../../domain/quote/quote.state.ts';
import { footer, mailLogo, optionalFact } from '../delivery/carriers/email/invoice.mail.ts';
import type { QuoteFile } from '../document/quote-document.service.ts';
import {
  facts,
  freeText,
  headline,
  type Letter,
  remark,
  renderMail,
  shownLink,
  type Block,
} from '../platform/mail/layout.ts';
import { headerText, nameInSubject, type OutgoingMail } from '../platform/mail/outgoing-mail.ts';

interface QuoteMail {
  readonly document: QuoteDocument;
  readonly logo: Uint8Array | null;
  readonly pdf: Uint8Array;
  /** The files that are sent along. */
  readonly attachments: readonly QuoteFile[];
  /** The page of the quote for its customer; null where there is none. */
  readonly url: string | null;
}

/** The content of the mail with a quote or its order confirmation (QUO-14). */
export function quoteMail({
  document,
  logo,
  pdf,
  attachments,
  url,
}: QuoteMail): Pick<OutgoingMail, 'subject' | 'text' | 'html' | 'attachments'> {
  const { shown, attached } = mailLogo(logo);
  const { kind, quoteNumber } = document;
  const seller = headerText(document.seller.name);
  const isQuote = kind === 'QUOTE';
  const heading = isQuote ? `Tilbud ${quoteNumber}` : `Ordrebekreftelse – tilbud ${quoteNumber}`;
  const amount = `${formatOre(invoiceTotals(document.lines).gross)} kr`;
  return {
    ...renderMail({
      subject: `${heading} fra ${nameInSubject(seller)}`,
      preheader: isQuote ? `${amount}, gyldig til ${formatDate(document.validUntil)}` : amount,
      sender: seller,
      logo: shown,
      heading,
      body: [
        `Hei ${headerText(document.buyer.name)}!`,
        ...(isQuote ? quoteBody(document, amount) : confirmationBody(document, amount)),
        ...(url === null ? [] : [shownLink('Se tilbudet på nett', url)]),
        enclosed(isQuote, attachments),
      ],
      footer: footer(document, seller),
    }),
    attachments: [
      ...attached,
      { filename: quoteFileName(document), contentType: 'application/pdf', content: pdf },
      ...attachments.map(({ name, mediaType, content }) => ({
        filename: name,
        contentType: mediaType,
        content,
      })),
    ],
  };
}

function quoteBody(document: QuoteDocument, amount: string): Letter['body'] {
  const { quoteNumber, revision, message } = document;
  const version = revision > 1 ? `, versjon ${revision}` : '';
  return [
    `Her er tilbud ${quoteNumber}${version} fra ${headerText(document.seller.name)}.`,
    ...(message === null ? [] : [freeText(message)]),
    headline(
      { label: PRICE_KIND_NAMES[document.priceKind], value: amount },
      `Gyldig til ${formatDate(document.validUntil)}`,
    ),
    facts([
      ...optionalFact('Gjelder', document.title),
      { label: 'Tilbudsnummer', value: String(quoteNumber) },
      ...optionalFact('Referanse', document.reference),
    ]),
  ];
}

function confirmationBody(document: QuoteDocument, amount: string): Letter['body'] {
  const { accepted, issueDate, quoteNumber } = document;
  return [
    `Takk for bestillingen. Tilbud ${quoteNumber} er godtatt.`,
    headline({ label: 'Avtalt', value: amount }, NOT_AN_INVOICE),
    facts([
      ...optionalFact('Gjelder', document.title),
      ...optionalFact('Godtatt av', accepted?.by ?? null),
      { label: 'Dato', value: formatDate(issueDate) },
    ]),
  ];
}

function enclosed(isQuote: boolean, attachments: readonly QuoteFile[]): Block {
  const document = `${isQuote ? 'Tilbudet' : 'Ordrebekreftelsen'} ligger ved som PDF.`;
  if (attachments.length === 0) return remark(document);
  const names = attachments.map(({ name }) => name);
  const list = new Intl.ListFormat('nb', { type: 'conjunction' }).format(names);
  return remark(`${document} Vedlagt er også ${headerText(list)}.`);
}
