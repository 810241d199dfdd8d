import type { Context } from '../context.ts';
import { handlerOf, type Job, type JobHandler } from '../platform/jobs/job.ts';
import {
  deliverEhfJob,
  deliverJob,
  dispatchJob,
  failureNoticeJob,
  type DeliverJob,
} from '../platform/jobs/jobs.ts';
import { CARRIERS } from './carrier-list.ts';
import { createDeliverer } from './deliver.service.ts';
import { dispatch } from './delivery-dispatch.service.ts';
import { tellOfFailures } from './failure-notice.service.ts';

/** So that a mail names what failed together. */
const EVERY_FIVE_MINUTES = '*/5 * * * *';

/** Delivers registered invoices, and tells owners of failures. */
export function deliveryJobs(context: Context): JobHandler[] {
  const deliver = createDeliverer(context);
  return [
    handlerOf(dispatchJob, async (order, signal) => dispatch(context, order, signal), {
      // So that a large company's is not all that is done for seconds.
      batches: 2,
    }),
    handlerOf(deliverJob, deliver, { batches: placesOf(context, deliverJob) }),
    handlerOf(deliverEhfJob, deliver, {
      batches: placesOf(context, deliverEhfJob),
      feature: 'ehf',
    }),
    handlerOf(failureNoticeJob, async (order) => tellOfFailures(context, order), {
      cron: EVERY_FIVE_MINUTES,
    }),
  ];
}

/** How many deliveries of a queue this process has under way at once: as many as its carriers have places. */
function placesOf({ config }: Context, job: Job<DeliverJob>): number {
  return CARRIERS.filter((carrier) => carrier.job === job)
    .map((carrier) => carrier.limits(config).places)
    .reduce((sum, places) => sum + places, 0);
}
