import { isDeepStrictEqual } from 'node:util';

import { todayInOslo, type IsoDate } from '../../domain/date.ts';
import { invoiceTotals } from '../../domain/invoice/invoice.totals.ts';
import { unprintableIn } from '../../domain/printable.ts';
import type { QuoteDocument } from '../../domain/quote/quote-document.ts';
import type { Issuer } from '../company/profile.repository.ts';
import type { Context } from '../context.ts';
import { toBuyer } from '../customer/buyer.ts';
import { lockByIds, type CustomerRow } from '../customer/customer.repository.ts';
import { findSizeObstacle } from '../document/attachment.service.ts';
import {
  findQuoteAttachments,
  insertQuoteDocument,
} from '../document/quote-document.repository.ts';
import { statesTreatments } from '../document/document-text.ts';
import { AppError } from '../errors.ts';
import { ratedOn } from '../invoice/lines.service.ts';
import { hexOf } from '../platform/crypto.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import * as repository from './quote.repository.ts';
import type { QuoteRow } from './quote.repository.ts';
import { requireWholeQuote, type WholeQuote } from './whole-quote.repository.ts';

type Reading = Pick<Context, 'config'>;

/** The document that a draft would be sent as today. */
export async function documentOf(
  { config }: Reading,
  db: Db,
  issuer: Pick<Issuer, 'seller' | 'logo'>,
  { draft, customer }: { readonly draft: WholeQuote; readonly customer: CustomerRow },
): Promise<QuoteDocument> {
  const today = todayInOslo();
  const lines = ratedOn(config, draft.lines, today);
  const isTreated = statesTreatments(config, { lines });
  const attachments = await findQuoteAttachments(db, draft, false);
  return {
    kind: 'QUOTE',
    quoteNumber: draft.quoteNumber,
    revision: draft.revision,
    issueDate: today,
    validUntil: draft.validUntil,
    priceKind: draft.priceKind,
    title: draft.title,
    reference: draft.reference,
    message: draft.message,
    terms: draft.terms,
    seller: issuer.seller,
    buyer: toBuyer(customer),
    isPrivate: customer.isPrivate,
    lines: lines.map(({ quantity, unit, description, netUnitAmount, vatRate, ...line }) => ({
      quantity,
      unit,
      description,
      netUnitAmount,
      vatRate,
      vatTreatment: isTreated ? line.vatTreatment : null,
      productNumber: line.productNumber,
    })),
    logo: issuer.logo,
    attachments:
      attachments.length === 0
        ? null
        : attachments.map(({ name, mediaType, size, sha256 }) => ({
            name,
            mediaType,
            size,
            sha256: hexOf(sha256),
          })),
    accepted: null,
  };
}

/**
 * Freezes the draft of a locked quote as the document of its revision, and gives the quote its number the first time
 * (QUO-10). The caller holds the company. Returns the document's id.
 * @throws AppError quote_expired, negative_quote, quote_unprintable, mail_too_large, as `ratedOn`
 */
export async function freezeDraft(
  context: Reading,
  trx: Trx,
  issuer: Issuer,
  quote: QuoteRow,
): Promise<{ readonly documentId: number; readonly document: QuoteDocument }> {
  const { companyId, revision } = quote;
  const draft = await requireWholeQuote(trx, companyId, quote.uuid);
  const [customer] = await lockByIds(trx, companyId, [draft.customerId ?? 0]);
  if (!customer) throw new Error(`The draft of quote ${quote.id} has no customer`);
  const quoteNumber = quote.quoteNumber ?? (await repository.nextNumber(trx, companyId));
  const parts = { draft: { ...draft, quoteNumber }, customer };
  const document = await documentOf(context, trx, issuer, parts);
  requireSendable(document);
  await rerate(context, trx, draft, document.issueDate);
  const documentId = await insertQuoteDocument(trx, quote, document);
  const { buyer, isPrivate, validUntil: sentValidUntil } = document;
  await repository.freezeRevision(trx, quote, { buyer, isPrivate, quoteNumber });
  const sent = { quoteNumber, sentRevision: revision, sentValidUntil };
  await repository.saveQuote(trx, quote, { ...sent, state: 'SENT', sentState: null });
  return { documentId, document };
}

function requireSendable(document: QuoteDocument): void {
  if (document.validUntil < document.issueDate) throw new AppError('quote_expired');
  if (invoiceTotals(document.lines).gross < 0) throw new AppError('negative_quote');
  const { attachments } = document;
  const obstacle = attachments && findSizeObstacle(document, attachments);
  if (obstacle) throw obstacle;
  const letters = unprintableIn(JSON.stringify(document));
  if (letters.length > 0) throw new AppError('quote_unprintable', { subject: letters.join(' ') });
}

/** Gives the lines of a draft the rates of the day of sending, where they have others. */
async function rerate(
  { config }: Reading,
  trx: Trx,
  draft: WholeQuote,
  day: IsoDate,
): Promise<void> {
  const lines = ratedOn(config, draft.lines, day);
  if (isDeepStrictEqual(lines, draft.lines)) return;
  const rated = lines.map((line) => {
    const { id: _, taken: __, ...content } = line;
    return content;
  });
  await repository.rerate(trx, draft, { lines: rated, totals: invoiceTotals(rated) });
}
