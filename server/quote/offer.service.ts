import { todayInOslo } from '../../domain/date.ts';
import { lineNet, presentLine } from '../../domain/invoice/invoice.totals.ts';
import { toLinkSeller } from '../../domain/link-seller.ts';
import { oreToKroner } from '../../domain/money.ts';
import { quoteFileName } from '../../domain/quote/quote-document.ts';
import type { Offer, OfferState } from '../../domain/quote/offer.schema.ts';
import { isClosed } from '../company/company-state.repository.ts';
import { findContact } from '../company/profile.service.ts';
import { hiddenAddress } from '../company/seller-page.ts';
import type { Context } from '../context.ts';
import { logoOf } from '../document/document-file.service.ts';
import { readBytes } from '../document/file-bytes.service.ts';
import { findQuoteAttachments } from '../document/quote-document.repository.ts';
import { printQuote, requireQuoteDocument } from '../document/quote-document.service.ts';
import type { LinkFile } from '../document/serve-pdf.ts';
import { preview } from '../document/show-document.service.ts';
import { AppError } from '../errors.ts';
import type { ShownOffer } from './offer-page.ts';
import { findSent, findSentAddresses, type SentRow } from './quote-answer.repository.ts';
import { sentRevisionOf, sentStateOf } from './quote-answer.service.ts';
import type { FoundLink } from './quote-link.repository.ts';
import { openLink } from './quote-link.service.ts';
import {
  findLines,
  findQuote,
  type QuoteLineRow,
  type QuoteRow,
  type RevisionKey,
} from './quote.repository.ts';

/** The quote of a link, in the revision that was sent last. */
export interface OfferVisit {
  readonly link: FoundLink;
  /** The path of the link's page. */
  readonly base: string;
  readonly quote: QuoteRow;
  readonly key: RevisionKey;
  readonly sent: SentRow;
  /** Where a code for accepting goes; null when none is needed. */
  readonly codeAddress: string | null;
  /** Whether the seller's company was closed: its quotes are shown, and not answered (CLO-3). */
  readonly isSellerClosed: boolean;
}

/** The quote of a token. @throws AppError not_found for a link that is wrong or ended */
export async function visitOffer(context: Context, token: string): Promise<OfferVisit> {
  return {
    ...(await visitLink(context, await openLink(context, token))),
    base: `/tilbud/${token}/`,
  };
}

/** The quote of a link. */
export async function visitLink(
  { db }: Pick<Context, 'db'>,
  link: FoundLink,
): Promise<Omit<OfferVisit, 'base'>> {
  const quote = await findQuote(db, link.companyId, link.quoteUuid);
  if (!quote) throw new AppError('not_found');
  const key = sentRevisionOf(quote);
  const sent = await findSent(db, key);
  const [address = null] = sent.confirmByCode ? await findSentAddresses(db, key) : [];
  const isSellerClosed = await isClosed(db, link.companyId);
  return { link, quote, key, sent, codeAddress: address, isSellerClosed };
}

/** The state at the link, which does not tell invoices (QUO-32). */
function offerStateOf(quote: QuoteRow): OfferState {
  const state = sentStateOf(quote);
  if (state === 'PARTLY_INVOICED' || state === 'INVOICED') return 'ACCEPTED';
  if (state === 'DRAFT') throw new Error(`Quote ${quote.id} was never sent`);
  return state;
}

/** A quote as its customer sees it, beside what only the page shows (QUO-32). @throws AppError not_found */
export async function showOffer(
  context: Context,
  token: string,
): Promise<Omit<ShownOffer, 'isCodeSent' | 'fault'>> {
  const { config, db } = context;
  const { base, quote, key, sent, codeAddress, isSellerClosed } = await visitOffer(context, token);
  const { document } = await requireQuoteDocument(db, key, 'QUOTE');
  const { email } = await findContact(db, key.companyId);
  const lines = await findLines(db, key);
  const attachments = await findQuoteAttachments(db, key, false);
  const offer: Offer = {
    seller: toLinkSeller(document.seller, email),
    customerName: sent.customerName,
    quoteNumber: sent.quoteNumber,
    revision: key.revision,
    state: offerStateOf(quote),
    priceKind: sent.priceKind,
    title: sent.title,
    issueDate: todayInOslo(sent.sentAt),
    validUntil: sent.validUntil,
    message: sent.message,
    terms: sent.terms,
    lines: lines.map((line) => presentOfferLine(line, config)),
    netAmount: oreToKroner(sent.netAmount),
    vatAmount: oreToKroner(sent.vatAmount),
    grossAmount: oreToKroner(sent.grossAmount),
    confirmByCode: sent.confirmByCode,
    pdf: `${base}pdf/`,
    attachments: attachments.map(({ name, mediaType, size }, index) => ({
      name,
      mediaType,
      size,
      path: `${base}vedlegg/${index + 1}/`,
    })),
    answeredAt: sent.answeredAt?.toISOString() ?? null,
    answeredBy: sent.answeredBy,
  };
  return {
    offer,
    isPrivate: sent.isPrivate,
    isByHand: sent.answeredHow === 'HAND',
    isSellerClosed,
    logo: await logoOf(db, key.companyId, document)(),
    base,
    codeHint: codeAddress === null ? null : hiddenAddress(codeAddress),
  };
}

function presentOfferLine(
  line: QuoteLineRow,
  { features }: Context['config'],
): Offer['lines'][number] {
  return { ...presentLine(line, features), netAmount: oreToKroner(lineNet(line)) };
}

/** The PDF of a quote or, by its place, an attachment. @throws AppError not_found */
export async function findOfferFile(
  context: Context,
  { key }: OfferVisit,
  place: string | null,
): Promise<LinkFile> {
  const { companyId: owner } = key;
  if (place === null) {
    const row = await requireQuoteDocument(context.db, key, 'QUOTE');
    const printFor = async (signal: AbortSignal) =>
      printQuote(context, row, async (input) => preview(context, input, { owner, signal }));
    return {
      name: quoteFileName(row.document),
      mediaType: 'application/pdf',
      open: async (signal) => (await printFor(signal)).content,
    };
  }
  const file = /^[1-9]\d*$/.test(place)
    ? (await findQuoteAttachments(context.db, key, true))[Number(place) - 1]
    : undefined;
  if (!file) throw new AppError('not_found');
  return { ...file, open: async () => readBytes(context, owner, file) };
}
