import { randomUUID } from 'node:crypto';

import type { OfferAcceptance, OfferDecline } from '../../domain/quote/offer.schema.ts';
import type { Context } from '../context.ts';
import { redeemLinkCode } from '../delivery/link-code.service.ts';
import { limitByIp } from '../account/login.service.ts';
import { lockCompany } from '../company/profile.repository.ts';
import { AppError } from '../errors.ts';
import { SYSTEM } from '../invoice/history.repository.ts';
import type { Trx } from '../platform/db/database.ts';
import { quoteNoticeJob } from '../platform/jobs/jobs.ts';
import { OFFER_CODES } from './offer-code.service.ts';
import { visitOffer, type OfferVisit } from './offer.service.ts';
import { issueConfirmation, proofOf } from './order-confirmation.service.ts';
import { findSent, type SentRow } from './quote-answer.repository.ts';
import { keepAnswer, requireSentState, sentRevisionOf } from './quote-answer.service.ts';
import { lockQuote } from './quote-drafts.service.ts';
import type { QuoteRow } from './quote.repository.ts';

/** A quote that is held, with the revision that was sent last. */
interface Held {
  readonly quote: QuoteRow;
  readonly sent: SentRow;
}

/**
 * Accepts the quote of a link (QUO-34). The same once more changes nothing, also when both come at once.
 * @throws AppError not_found, offer_revised, quote_state, company_closed, offer_code_needed, wrong_code, too_many_requests
 */
export async function acceptAtLink(
  context: Context,
  token: string,
  { revision, name, code }: OfferAcceptance,
  ip: string,
): Promise<void> {
  const visited = await visitOffer(context, token);
  const isSame = ({ answer, answeredBy }: SentRow) => answer === 'ACCEPTED' && answeredBy === name;
  if (!isOpenFor(visited, revision, isSame)) return;
  if (visited.isSellerClosed) throw new AppError('company_closed');
  const proof = await proofOf(context, visited.key);
  if (code !== null && visited.sent.confirmByCode) await limitByIp(context, 'verify', ip);
  await answer(context, visited, { revision, isSame }, async (trx, held) => {
    // With the answer: of two at once, the second finds the answer before it finds that the code is used up.
    if (held.sent.confirmByCode) {
      if (code === null) return new AppError('offer_code_needed', { field: 'code' });
      const typed = { kind: OFFER_CODES, link: visited.link, code };
      const refusal = await redeemLinkCode(context, trx, typed);
      if (refusal) return refusal;
    }
    const at = new Date();
    const author = { type: 'CUSTOMER', name } as const;
    await keepAnswer(trx, held.quote, {
      answer: {
        answer: 'ACCEPTED',
        answeredHow: 'LINK',
        answeredAt: at,
        answeredBy: name,
        answerNote: null,
      },
      author,
      details: {},
    });
    await issueConfirmation(context, trx, held.quote, {
      by: name,
      at,
      proof,
      isMailed: true,
      author: SYSTEM,
    });
    return null;
  });
}

/**
 * Declines the quote of a link (QUO-36). The same once more changes nothing.
 * @throws AppError not_found, offer_revised, quote_state, company_closed
 */
export async function declineAtLink(
  context: Context,
  token: string,
  { revision, reason }: OfferDecline,
): Promise<void> {
  const visited = await visitOffer(context, token);
  const isSame = ({ answer, answerNote }: SentRow) =>
    answer === 'DECLINED' && answerNote === reason;
  if (!isOpenFor(visited, revision, isSame)) return;
  await answer(context, visited, { revision, isSame }, async (trx, { quote, sent }) => {
    await keepAnswer(trx, quote, {
      answer: {
        answer: 'DECLINED',
        answeredHow: 'LINK',
        answeredAt: new Date(),
        answeredBy: null,
        answerNote: reason,
      },
      author: { type: 'CUSTOMER', name: sent.customerName },
      details: reason === null ? {} : { reason },
    });
    return null;
  });
}

interface Asked {
  readonly revision: number;
  /** Whether this is the answer that the revision has. */
  readonly isSame: (sent: SentRow) => boolean;
}

/**
 * Whether the sent revision takes an answer; false when it has this very one.
 * @throws AppError offer_revised, quote_state
 */
function isOpenFor(
  { quote, sent }: Held,
  revision: Asked['revision'],
  isSame: Asked['isSame'],
): boolean {
  if (quote.sentRevision !== revision) throw new AppError('offer_revised');
  if (isSame(sent)) return false;
  requireSentState(quote, 'SENT');
  return true;
}

/**
 * Answers once, and tells the company: of two answers at once the second finds the first one (QUO-35).
 * @param keep keeps the answer, or returns why it is refused; what it counted is committed
 * @throws AppError company_closed
 */
async function answer(
  { db, jobs }: Context,
  { link: { companyId, quoteUuid } }: OfferVisit,
  { revision, isSame }: Asked,
  keep: (trx: Trx, held: Held) => Promise<AppError | null>,
): Promise<void> {
  const refusal = await db.transaction().execute(async (trx) => {
    await lockCompany(trx, companyId);
    const quote = await lockQuote(trx, companyId, quoteUuid);
    const sent = await findSent(trx, sentRevisionOf(quote));
    if (!isOpenFor({ quote, sent }, revision, isSame)) return null;
    const refusal = await keep(trx, { quote, sent });
    if (refusal) return refusal;
    const notice = { companyId, quoteId: quote.id, revision, messageUuid: randomUUID() };
    await jobs.enqueue(trx, quoteNoticeJob, notice);
    return null;
  });
  if (refusal) throw refusal;
}
