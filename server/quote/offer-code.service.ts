import type { Context } from '../context.ts';
import { type CodeKind, countCodeMail, mailCode } from '../delivery/link-code.service.ts';
import { AppError } from '../errors.ts';
import { handlerOf, type JobHandler } from '../platform/jobs/job.ts';
import { offerCodeJob } from '../platform/jobs/jobs.ts';
import { visitLink, visitOffer } from './offer.service.ts';
import { requireSentState } from './quote-answer.service.ts';
import { findLink } from './quote-link.service.ts';
import { linkCodes } from './quote-link.repository.ts';

export const OFFER_CODES: CodeKind = { purpose: 'quote-link-code', codes: linkCodes };

/**
 * Mails a code to where the quote went (QUO-33).
 * @throws AppError not_found, offer_without_code, quote_state, company_closed, too_many_requests
 */
export async function requestCode(context: Context, token: string, ip: string): Promise<void> {
  const { link, quote, codeAddress, isSellerClosed } = await visitOffer(context, token);
  if (codeAddress === null) throw new AppError('offer_without_code');
  requireSentState(quote, 'SENT');
  if (isSellerClosed) throw new AppError('company_closed');
  const { companyId, uuid: linkUuid } = link;
  await countCodeMail(context, companyId, { address: codeAddress, ip });
  await context.jobs.enqueue(context.db, offerCodeJob, { companyId, linkUuid });
}

/** The job that mails codes. A link that ended meanwhile, and a quote that was answered, need none. */
export function offerCodeJobs(context: Context): JobHandler[] {
  return [
    handlerOf(
      offerCodeJob,
      async ({ companyId, linkUuid }) => {
        const link = await findLink(context, { companyId, uuid: linkUuid });
        if (!link) return;
        const { codeAddress, sent } = await visitLink(context, link);
        if (codeAddress === null) return;
        await mailCode(context, OFFER_CODES, link, codeAddress, {
          purpose: 'godta tilbudet',
          heading: `Tilbud ${sent.quoteNumber}`,
          why: 'Noen vil godta tilbudet på nett, og vi vil være sikre på at det er deg.',
          after: 'Da kan du godta tilbudet.',
        });
      },
      { feature: 'quotes' },
    ),
  ];
}
