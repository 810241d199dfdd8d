import { todayInOslo } from '../../domain/date.ts';
import { invoiceTotals, type TreatedLine } from '../../domain/invoice/invoice.totals.ts';
import type { Quote, QuoteEvent, QuoteForm, QuoteUpdate } from '../../domain/quote/quote.schema.ts';
import { quoteStateOn } from '../../domain/quote/quote.state.ts';
import { searchText } from '../../domain/search-text.ts';
import { requireIssuer } from '../company/profile.repository.ts';
import type { Actor, Context } from '../context.ts';
import { lockByNumbers } from '../customer/customer.repository.ts';
import type { CustomerRow } from '../customer/customer.repository.ts';
import { AppError, changedMeanwhile } from '../errors.ts';
import { authorOf } from '../invoice/history.repository.ts';
import { readLines } from '../invoice/lines.service.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { findQuoteHistory, recordQuoteEvent } from './quote-history.repository.ts';
import { presentQuote } from './quote.presenter.ts';
import * as repository from './quote.repository.ts';
import type { QuoteDraft, QuoteRow } from './quote.repository.ts';
import { requireWholeQuote } from './whole-quote.repository.ts';

/** A quote. @throws AppError not_found */
export async function getQuote(
  context: Context,
  actor: Pick<Actor, 'companyId' | 'permissions'>,
  uuid: string,
): Promise<Quote> {
  const row = await requireWholeQuote(context.db, actor.companyId, uuid);
  return presentQuote(row, context, actor);
}

/** A quote without its revisions. @throws AppError not_found */
export async function requireQuote(db: Db, companyId: number, uuid: string): Promise<QuoteRow> {
  const quote = await repository.findQuote(db, companyId, uuid);
  if (!quote) throw new AppError('not_found');
  return quote;
}

/** The history of a quote, newest first. @throws AppError not_found */
export async function getQuoteHistory(
  { db }: Context,
  { companyId }: Actor,
  uuid: string,
): Promise<QuoteEvent[]> {
  return findQuoteHistory(db, await requireQuote(db, companyId, uuid));
}

/**
 * Makes the draft of a quote (QUO-1).
 * @throws AppError profile_incomplete, unknown_customer, total_too_large, and as `readLines`
 */
export async function createQuote(context: Context, actor: Actor, form: QuoteForm): Promise<Quote> {
  return context.db.transaction().execute(async (trx) => {
    const draft = await draftOf(context, trx, actor, { form, before: [], quoteNumber: null });
    const quote = await repository.insertQuote(trx, actor.companyId);
    await repository.insertRevision(trx, quote, draft);
    await recordQuoteEvent(trx, quote, authorOf(actor), { kind: 'CREATED' });
    return getQuote({ ...context, db: trx }, actor, quote.uuid);
  });
}

/**
 * Replaces the values of a draft.
 * @throws AppError not_found, quote_state, changed_meanwhile, and as `createQuote`
 */
export async function updateQuote(
  context: Context,
  actor: Actor,
  uuid: string,
  form: QuoteUpdate,
): Promise<Quote> {
  return context.db.transaction().execute(async (trx) => {
    const quote = await lockQuote(trx, actor.companyId, uuid);
    requireState(quote, 'DRAFT');
    if (quote.version !== form.version) throw changedMeanwhile();
    const before = await repository.findLines(trx, quote);
    const { quoteNumber } = quote;
    const draft = await draftOf(context, trx, actor, { form, before, quoteNumber });
    await repository.saveRevision(trx, quote, draft);
    await repository.saveQuote(trx, quote, {});
    await recordQuoteEvent(trx, quote, authorOf(actor), { kind: 'CHANGED' });
    return getQuote({ ...context, db: trx }, actor, uuid);
  });
}

/**
 * Deletes a draft: a quote that was never sent, or the draft of a further revision, which leaves the sent one.
 * @throws AppError not_found, quote_state
 */
export async function deleteQuote(
  { db }: Context,
  { companyId }: Actor,
  uuid: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const quote = await lockQuote(trx, companyId, uuid);
    requireState(quote, 'DRAFT');
    if (quote.sentRevision === null) await repository.deleteQuote(trx, quote);
    else await dropDraft(trx, quote, quote.sentState ?? 'SENT');
  });
}

/** Deletes the draft of a further revision. The sent one is shown again, in this state. */
export async function dropDraft(
  trx: Trx,
  quote: QuoteRow,
  state: 'SENT' | 'DECLINED' | 'ACCEPTED',
): Promise<void> {
  const { sentRevision } = quote;
  if (sentRevision === null) throw new Error(`Quote ${quote.id} was never sent`);
  await repository.saveQuote(trx, quote, { state, revision: sentRevision, sentState: null });
  await repository.deleteRevision(trx, quote);
}

/** A quote, locked until the transaction ends. @throws AppError not_found */
export async function lockQuote(trx: Trx, companyId: number, uuid: string): Promise<QuoteRow> {
  const quote = await repository.lockQuote(trx, companyId, uuid);
  if (!quote) throw new AppError('not_found');
  return quote;
}

/** Refuses what a quote in its state does not take; the refusal names the state (QUO-3). @throws AppError quote_state */
export function requireState(quote: QuoteRow, ...states: readonly string[]): void {
  const state = quoteStateOn(quote, todayInOslo());
  if (!states.includes(state)) throw new AppError('quote_state', { subject: state });
}

/** Refuses to delete a customer that has a quote which has not ended (QUO-7). @throws AppError customer_has_quotes */
export async function requireNoQuotes(
  _: unknown,
  trx: Trx,
  { companyId }: Actor,
  { id }: Pick<CustomerRow, 'id'>,
): Promise<void> {
  if (await repository.hasOpenQuote(trx, companyId, id)) throw new AppError('customer_has_quotes');
}

interface GivenDraft {
  readonly form: QuoteForm;
  /** The lines of the draft that is changed. */
  readonly before: readonly TreatedLine[];
  readonly quoteNumber: number | null;
}

async function draftOf(
  { config }: Pick<Context, 'config'>,
  trx: Trx,
  { companyId }: Actor,
  { form, before, quoteNumber }: GivenDraft,
): Promise<QuoteDraft> {
  const { seller, defaultQuoteTerms } = await requireIssuer(trx, companyId);
  const [customer] = await lockByNumbers(trx, companyId, [form.customerNumber], 'customerNumber');
  if (!customer) throw new Error(`Customer ${form.customerNumber} was not found`);
  const lines = await readLines(config, trx, companyId, {
    forms: form.lines,
    field: 'lines',
    before,
    date: todayInOslo(),
    vatRegistered: seller.vatRegistered,
  });
  return {
    customerId: customer.id,
    priceKind: form.priceKind,
    validUntil: form.validUntil,
    title: form.title,
    reference: form.reference,
    message: form.message ?? null,
    terms: form.terms === undefined ? defaultQuoteTerms : form.terms,
    confirmByCode: form.confirmByCode,
    totals: totalsOf(lines),
    searchText: searchedTextOf(customer, form, quoteNumber),
    lines,
  };
}

function totalsOf(lines: readonly TreatedLine[]): QuoteDraft['totals'] {
  try {
    return invoiceTotals(lines);
  } catch (error) {
    throw new AppError('total_too_large', { field: 'lines', cause: error });
  }
}

/** The text in which quotes are searched (QUO-21). The first sending adds the number. */
function searchedTextOf(
  { name, customerNumber, orgNumber }: CustomerRow,
  { title, reference, lines }: QuoteForm,
  quoteNumber: number | null,
): string {
  const descriptions = lines.map(({ description }) => description);
  const texts = [title, reference, ...descriptions, quoteNumber];
  return searchText(name, customerNumber, orgNumber, ...texts);
}
