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
import { recurringJobs } from './recurring/due-runs.service.ts';
import { reminderJobs } from './reminder/reminder-automation.service.ts';
import { offerCodeJobs } from './quote/offer-code.service.ts';
import { quoteNoticeJobs } from './quote/quote-notice.service.ts';
import type { Context } from './context.ts';
import { oneForEachJob, type Job, type JobHandler } from './platform/jobs/job.ts';
import * as declaredJobs from './platform/jobs/jobs.ts';

const { KEPT_JOBS: _, ...byName } = declaredJobs;
const JOBS: readonly Job<object>[] = Object.values(byName);

/** The handlers of all jobs. @throws Error unless each kind of job has one */
export function allJobs(context: Context): readonly JobHandler[] {
  return oneForEachJob(JOBS, [
    ...sessionJobs(context),
    ...memberJobs(context),
    ...securityJobs(context),
    ...newsletterJobs(context),
    ...deliveryJobs(context),
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
    ...housekeepingJobs(context),
  ]);
}
