import { invoiceAddressesOf } from '../../domain/parties.ts';
import { quoteFileName } from '../../domain/quote/quote-document.ts';
import type { Quote } from '../../domain/quote/quote.schema.ts';
import { lockIssuer, requireIssuer } from '../company/profile.repository.ts';
import type { Actor, Context } from '../context.ts';
import { findCustomersByIds, type CustomerRow } from '../customer/customer.repository.ts';
import { takeAddresses } from '../delivery/addressed-mail.service.ts';
import { copyQuoteAttachments, findQuoteDocument } from '../document/quote-document.repository.ts';
import { printQuote, requireQuoteDocument } from '../document/quote-document.service.ts';
import { drawQuote, preview } from '../document/show-document.service.ts';
import { AppError } from '../errors.ts';
import { authorOf } from '../invoice/history.repository.ts';
import { hexOf, sha256 } from '../platform/crypto.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { countAgainst } from '../platform/limits/rate-limit.ts';
import { getQuote, lockQuote, requireState } from './quote-drafts.service.ts';
import { orderQuoteMail } from './quote-delivery.service.ts';
import { documentOf, freezeDraft } from './quote-freezing.service.ts';
import { recordQuoteEvent } from './quote-history.repository.ts';
import { keepQuoteLink } from './quote-link.service.ts';
import * as repository from './quote.repository.ts';
import type { QuoteRow } from './quote.repository.ts';
import { requireWholeQuote, type WholeQuote } from './whole-quote.repository.ts';

/** Most mails of one quote in an hour (QUO-13). */
const MOST_AN_HOUR = 5;
const HOUR = 3600;

/**
 * Sends a draft: freezes it with its number, and mails it. A quote that is sent already is mailed again (QUO-10, QUO-13).
 * @throws AppError not_found, quote_state, profile_incomplete, recipient_without_email, too_many_requests, and as
 * `freezeDraft`
 */
export async function sendQuote(
  context: Context,
  actor: Actor,
  uuid: string,
  { recipient }: { readonly recipient: string | null },
): Promise<Quote> {
  const { db } = context;
  const { companyId } = actor;
  const before = await requireWholeQuote(db, companyId, uuid);
  requireState(before, 'DRAFT', 'SENT');
  const addresses = recipient === null ? await addressesOf(db, before) : [recipient];
  const recipients = await takeAddresses(context, companyId, addresses);
  return db.transaction().execute(async (trx) => {
    // Its row is locked, so that numbers come one after the other.
    const issuer = await lockIssuer(trx, companyId);
    const quote = await lockQuote(trx, companyId, uuid);
    requireState(quote, 'DRAFT', 'SENT');
    const key = `quote-mails:${companyId}:${quote.id}`;
    await countAgainst(trx, { key, most: MOST_AN_HOUR, seconds: HOUR });
    const { documentId, document } =
      quote.state === 'DRAFT'
        ? await freezeDraft(context, trx, issuer, quote)
        : await findSent(trx, quote);
    await keepQuoteLink(context, trx, { companyId, quoteId: quote.id });
    await orderQuoteMail(context, trx, {
      quote,
      documentId,
      recipients,
      author: authorOf(actor),
      details: { quoteNumber: document.quoteNumber ?? 0, revision: document.revision },
    });
    return getQuote({ ...context, db: trx }, actor, uuid);
  });
}

async function findSent(trx: Trx, quote: QuoteRow) {
  const { id: documentId, document } = await requireQuoteDocument(trx, quote, 'QUOTE');
  return { documentId, document };
}

async function addressesOf(db: Db, quote: WholeQuote): Promise<readonly string[]> {
  const customer = await findCustomer(db, quote);
  return customer ? invoiceAddressesOf(customer) : [];
}

async function findCustomer(
  db: Db,
  { companyId, customerId }: Pick<WholeQuote, 'companyId' | 'customerId'>,
): Promise<CustomerRow | null> {
  if (customerId === null) return null;
  return (await findCustomersByIds(db, companyId, [customerId])).get(customerId) ?? null;
}

/**
 * Makes the draft of a further revision, with the values of the sent one, which can be answered until the draft is
 * sent (QUO-16).
 * @throws AppError not_found, quote_state, customer_deleted
 */
export async function reviseQuote(context: Context, actor: Actor, uuid: string): Promise<Quote> {
  return context.db.transaction().execute(async (trx) => {
    const quote = await lockQuote(trx, actor.companyId, uuid);
    requireState(quote, 'SENT', 'EXPIRED', 'DECLINED');
    if ((await requireWholeQuote(trx, actor.companyId, uuid)).customerId === null) {
      throw new AppError('quote_customer_deleted');
    }
    await repository.copyRevision(trx, quote);
    await copyQuoteAttachments(trx, quote);
    const revision = quote.revision + 1;
    const sentState = quote.state === 'DECLINED' ? 'DECLINED' : 'SENT';
    await repository.saveQuote(trx, quote, { state: 'DRAFT', revision, sentState });
    await recordQuoteEvent(trx, quote, authorOf(actor), { kind: 'REVISED', details: { revision } });
    return getQuote({ ...context, db: trx }, actor, uuid);
  });
}

/** Withdraws a quote that was sent and not answered (QUO-18). @throws AppError not_found, quote_state */
export async function withdrawQuote(context: Context, actor: Actor, uuid: string): Promise<Quote> {
  return context.db.transaction().execute(async (trx) => {
    const quote = await lockQuote(trx, actor.companyId, uuid);
    requireState(quote, 'SENT', 'EXPIRED');
    await repository.saveQuote(trx, quote, { state: 'WITHDRAWN' });
    await recordQuoteEvent(trx, quote, authorOf(actor), { kind: 'WITHDRAWN' });
    return getQuote({ ...context, db: trx }, actor, uuid);
  });
}

/**
 * The PDF of a quote: the newest revision as it was sent, or a draft as it would be.
 * @throws AppError not_found, profile_incomplete, too_many_pdfs, pdf_not_printable
 */
export async function showQuotePdf(
  context: Context,
  { companyId }: Actor,
  uuid: string,
  signal: AbortSignal,
): Promise<{ readonly fileName: string; readonly content: Uint8Array; readonly etag: string }> {
  const { db } = context;
  const quote = await requireWholeQuote(db, companyId, uuid);
  const caller = { owner: companyId, signal };
  const issued = await findQuoteDocument(db, quote, 'QUOTE');
  if (issued) {
    const printed = await printQuote(context, issued, async (input) =>
      preview(context, input, caller),
    );
    return {
      fileName: quoteFileName(issued.document),
      content: printed.content,
      etag: `"${hexOf(printed.sha256)}"`,
    };
  }
  const issuer = await requireIssuer(db, companyId);
  const customer = await findCustomer(db, quote);
  if (!customer) throw new Error(`The draft of quote ${quote.id} has no customer`);
  const document = await documentOf(context, db, issuer, { draft: quote, customer });
  const content = await drawQuote(context, document, caller);
  return { fileName: quoteFileName(document), content, etag: `"${hexOf(sha256(content))}"` };
}
