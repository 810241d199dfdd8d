import { closingJobs } from './closing/closing-mail.service.ts';
import { sessionJobs } from './account/login-mail.jobs.ts';
import { memberJobs } from './account/member-mail.jobs.ts';
import { securityJobs } from './account/security-mail.jobs.ts';
import { transmissionJobs } from './delivery/carriers/ehf/transmission.service.ts';
import { deliveryJobs } from './delivery/deliver.service.ts';
import { checkJobs } from './einvoice/ehf-check.service.ts';
import { evidenceJobs } from './einvoice/evidence.service.ts';
import { exportJobs } from './export/export-making.service.ts';
import { webhookJobs } from './integration/webhook-notice.service.ts';
import { newsletterJobs } from './newsletter/newsletter.service.ts';
import { housekeepingJobs } from './operator/housekeeping.jobs.ts';
import { overviewJobs } from './overview/overview-code.service.ts';
import { portalJobs } from './portal/portal-code.service.ts';
import { statementJobs } from './portal/statement-delivery.service.ts';
import { bankFileJobs } from './payment/bank-file/booking.service.ts';
import { quoteJobs } from './quote/quote-delivery.service.ts';
import { QUOTE_FAILURES } from './quote/quote-failure.service.ts';
import { recurringJobs } from './recurring/due-runs.service.ts';
import { reminderJobs } from './reminder/reminder-automation.service.ts';
import { offerCodeJobs } from './quote/offer-code.service.ts';
import { quoteNoticeJobs } from './quote/quote-notice.service.ts';
import type { Context } from './context.ts';
import { isClosed } from './company/company-state.repository.ts';
import { oneForEachJob, type Job, type JobHandler } from './platform/jobs/job.ts';
import { requestContext } from './platform/log/log.ts';
import * as declaredJobs from './platform/jobs/jobs.ts';

const { KEPT_JOBS: _, ...byName } = declaredJobs;
const JOBS: readonly Job<object>[] = Object.values(byName);

/** The handlers of all jobs. @throws Error unless each kind of job has one */
export function allJobs(context: Context): readonly JobHandler[] {
  const handlers = oneForEachJob(JOBS, [
    ...sessionJobs(context),
    ...memberJobs(context),
    ...securityJobs(context),
    ...newsletterJobs(context),
    ...deliveryJobs(context, QUOTE_FAILURES),
    ...transmissionJobs(context),
    ...evidenceJobs(context),
    ...checkJobs(context),
    ...reminderJobs(context),
    ...recurringJobs(context),
    ...bankFileJobs(context),
    ...exportJobs(context),
    ...overviewJobs(context),
    ...portalJobs(context),
    ...statementJobs(context),
    ...quoteJobs(context),
    ...offerCodeJobs(context),
    ...quoteNoticeJobs(context),
    ...webhookJobs(context),
    ...closingJobs(context),
    ...housekeepingJobs(context),
  ]);
  return handlers.map((handler) => ofCompany(context, handler));
}

/** A handler that knows whose mails it sends, and drops what stops with its company (CLO-3). */
function ofCompany({ db, log }: Context, handler: JobHandler): JobHandler {
  const { job } = handler;
  return {
    ...handler,
    async handle(payload, signal) {
      const companyId = 'companyId' in payload ? payload.companyId : null;
      if (typeof companyId !== 'number') return handler.handle(payload, signal);
      if (job.options.stopsWithCompany && (await isClosed(db, companyId))) {
        log.info({ job: job.name, companyId }, 'job dropped: its company is closed');
        return undefined;
      }
      const requestId = requestContext.getStore()?.requestId ?? job.name;
      return requestContext.run({ requestId, mailsOf: companyId }, async () =>
        handler.handle(payload, signal),
      );
    },
  };
}
