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
import { reportFailures } from './failure-notice.service.ts';

const EVERY_MINUTE = '* * * * *';
/** So that one mail lists failures of the same cause. */
const EVERY_FIVE_MINUTES = '*/5 * * * *';

/** Jobs that deliver registered invoices, fetch the events of access points, and mail failures to owners. */
export function deliveryJobs(context: Context): JobHandler[] {
  const deliver = createDeliverer(context);
  return [
    handlerOf(dispatchJob, async (order, signal) => dispatch(context, order, signal), {
      // So that a large company does not block the others for seconds.
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
    handlerOf(failureNoticeJob, async (order) => reportFailures(context, order), {
      cron: EVERY_FIVE_MINUTES,
    }),
  ];
}

/** Deliveries of a queue that this process works on at once: the places of its carriers. */
function placesOf({ config }: Context, job: Job<DeliverJob>): number {
  return CARRIERS.filter((carrier) => carrier.job === job)
    .map((carrier) => carrier.limits(config).places)
    .reduce((sum, places) => sum + places, 0);
}
