import type { Context } from '../context.ts';
import { handlerOf, type JobHandler } from '../jobs/job.ts';
import { deliverJob, dispatchJob } from '../jobs/jobs.ts';
import { createDeliverer } from './deliver.service.ts';
import { dispatch } from './delivery-dispatch.service.ts';

/** What brings registered invoices to their buyers. */
export function deliveryJobs(context: Context): JobHandler[] {
  return [
    handlerOf(dispatchJob, async (order, signal) => dispatch(context, order, signal)),
    handlerOf(deliverJob, createDeliverer(context)),
  ];
}
