import type { Context } from '../context.ts';
import { handlerOf, type JobHandler } from '../jobs/job.ts';
import { deliverEhfJob, deliverJob, dispatchJob, failureNoticeJob } from '../jobs/jobs.ts';
import { createDeliverer } from './deliver.service.ts';
import { dispatch } from './delivery-dispatch.service.ts';
import { tellOfFailures } from './failure-notice.service.ts';

/** So that a mail names what failed together. */
const EVERY_FIVE_MINUTES = '*/5 * * * *';

/** What brings registered invoices to their buyers, and tells of those that it could not bring. */
export function deliveryJobs(context: Context): JobHandler[] {
  const deliver = createDeliverer(context);
  return [
    handlerOf(dispatchJob, async (order, signal) => dispatch(context, order, signal)),
    handlerOf(deliverJob, deliver),
    handlerOf(deliverEhfJob, deliver, { feature: 'ehf' }),
    handlerOf(failureNoticeJob, async (order) => tellOfFailures(context, order), {
      cron: EVERY_FIVE_MINUTES,
    }),
  ];
}
