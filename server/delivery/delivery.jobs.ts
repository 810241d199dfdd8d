import type { Context } from '../context.ts';
import { handlerOf, type Job, type JobHandler } from '../platform/jobs/job.ts';
import {
  deliverEhfJob,
  deliverJob,
  dispatchJob,
  failureNoticeJob,
  peppolEventsJob,
  type DeliverJob,
} from '../platform/jobs/jobs.ts';
import { CARRIERS } from './carriers-in-use.service.ts';
import { fetchEvents } from './carriers/ehf/transmission.service.ts';
import { createDeliverer } from './deliver.service.ts';
import { dispatch } from './delivery-making.service.ts';
import { tellOfFailures } from './failure-notice.service.ts';

const EVERY_MINUTE = '* * * * *';
/** So that a mail names what failed together. */
const EVERY_FIVE_MINUTES = '*/5 * * * *';

/** Delivers registered invoices, hears what access points report, and tells owners of failures. */
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
    handlerOf(peppolEventsJob, async (_, signal) => fetchEvents(context, signal), {
      cron: EVERY_MINUTE,
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
