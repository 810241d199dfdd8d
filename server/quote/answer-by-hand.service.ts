import { todayInOslo } from '../../domain/date.ts';
import type { QuoteAcceptance, QuoteDecline } from '../../domain/quote/offer.schema.ts';
import type { Quote } from '../../domain/quote/quote.schema.ts';
import type { Actor, Context } from '../context.ts';
import { changedMeanwhile } from '../errors.ts';
import { authorOf } from '../invoice/history.repository.ts';
import { issueConfirmation, proofOf } from './order-confirmation.service.ts';
import { keepAnswer, requireSentState, sentRevisionOf } from './quote-answer.service.ts';
import { getQuote, lockQuote, requireQuote } from './quote-drafts.service.ts';

/** Noon, so that the day is the same in Oslo and in UTC. */
const NOON = 'T12:00:00Z';

/**
 * Notes that the customer accepted the sent revision, in the past too (QUO-40).
 * @throws AppError not_found, quote_state
 */
export async function acceptByHand(
  context: Context,
  actor: Actor,
  uuid: string,
  { name, date, note, sendConfirmation }: QuoteAcceptance,
): Promise<Quote> {
  const { companyId } = actor;
  const before = await requireQuote(context.db, companyId, uuid);
  requireSentState(before, 'SENT', 'EXPIRED', 'DECLINED');
  const proof = await proofOf(context, sentRevisionOf(before));
  return context.db.transaction().execute(async (trx) => {
    const quote = await lockQuote(trx, companyId, uuid);
    requireSentState(quote, 'SENT', 'EXPIRED', 'DECLINED');
    if (quote.sentRevision !== before.sentRevision) throw changedMeanwhile();
    const isPast = date !== null && date !== todayInOslo();
    const at = isPast ? new Date(`${date}${NOON}`) : new Date();
    await keepAnswer(trx, quote, {
      answer: {
        answer: 'ACCEPTED',
        answeredHow: 'HAND',
        answeredAt: at,
        answeredBy: name,
        answerNote: note,
      },
      author: authorOf(actor),
      details: { name, ...(date !== null && { date }), ...(note !== null && { note }) },
    });
    await issueConfirmation(context, trx, quote, {
      by: name,
      at,
      proof,
      isMailed: sendConfirmation,
      author: authorOf(actor),
    });
    return getQuote({ ...context, db: trx }, actor, uuid);
  });
}

/**
 * Notes that the customer declined the sent revision (QUO-40).
 * @throws AppError not_found, quote_state
 */
export async function declineByHand(
  context: Context,
  actor: Actor,
  uuid: string,
  { note }: QuoteDecline,
): Promise<Quote> {
  return context.db.transaction().execute(async (trx) => {
    const quote = await lockQuote(trx, actor.companyId, uuid);
    requireSentState(quote, 'SENT', 'EXPIRED');
    await keepAnswer(trx, quote, {
      answer: {
        answer: 'DECLINED',
        answeredHow: 'HAND',
        answeredAt: new Date(),
        answeredBy: null,
        answerNote: note,
      },
      author: authorOf(actor),
      details: note === null ? {} : { note },
    });
    return getQuote({ ...context, db: trx }, actor, uuid);
  });
}
