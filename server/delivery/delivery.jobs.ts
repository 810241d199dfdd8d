import type { Context } from '../context.ts';
import { deliverJob, dispatchJob } from '../jobs/jobs.ts';
import { handlerOf, type JobHandler } from '../jobs/job.ts';
import { dispatch } from './delivery-dispatch.service.ts';
import { createMailroom } from './delivery-mail.service.ts';

/** What brings registered invoices to their buyers. */
export function deliveryJobs(context: Context): JobHandler[] {
  const mailroom = createMailroom(context);
  return [
    handlerOf(dispatchJob, async (order, signal) => dispatch(context, order, signal)),
    handlerOf(deliverJob, async ({ deliveryId }, signal) => mailroom.deliver(deliveryId, signal)),
  ];
}
