import { todayInOslo } from '../../domain/date.ts';
import type { QuoteAuthor, QuoteEventDetails } from '../../domain/quote/quote.schema.ts';
import { quoteStateOn, type QuoteState } from '../../domain/quote/quote.state.ts';
import { AppError } from '../errors.ts';
import type { Trx } from '../platform/db/database.ts';
import { saveAnswer, type NewAnswer } from './quote-answer.repository.ts';
import { dropDraft } from './quote-drafts.service.ts';
import { recordQuoteEvent } from './quote-history.repository.ts';
import { saveQuote, type QuoteRow, type RevisionKey } from './quote.repository.ts';

/** The state of the revision that was sent last, also beside the draft of a further one. */
export function sentStateOf(quote: QuoteRow): QuoteState {
  const { state, sentState } = quote;
  const sent = state === 'DRAFT' ? (sentState ?? 'DRAFT') : state;
  return quoteStateOn({ ...quote, state: sent }, todayInOslo());
}

/** Refuses an answer unless the sent revision is in one of these states. @throws AppError quote_state */
export function requireSentState(quote: QuoteRow, ...states: readonly QuoteState[]): void {
  const state = sentStateOf(quote);
  if (!states.includes(state)) throw new AppError('quote_state', { subject: state });
}

/** The revision that was sent last. */
export function sentRevisionOf({ companyId, id, sentRevision }: QuoteRow): RevisionKey {
  if (sentRevision === null) throw new Error(`Quote ${id} was never sent`);
  return { companyId, id, revision: sentRevision };
}

interface Given {
  readonly answer: NewAnswer & { readonly answer: 'ACCEPTED' | 'DECLINED' };
  readonly author: QuoteAuthor;
  readonly details: QuoteEventDetails;
}

/**
 * Keeps the answer to the sent revision, and drops the draft of a further one (QUO-35). The caller holds the quote, and
 * has judged its state.
 */
export async function keepAnswer(
  trx: Trx,
  quote: QuoteRow,
  { answer, author, details }: Given,
): Promise<void> {
  const sent = sentRevisionOf(quote);
  await saveAnswer(trx, sent, answer);
  if (quote.state === 'DRAFT') await dropDraft(trx, quote, answer.answer);
  else await saveQuote(trx, quote, { state: answer.answer });
  await recordQuoteEvent(trx, quote, author, {
    kind: answer.answer,
    details: { ...details, revision: sent.revision },
  });
}
