import type { Context } from '../context.ts';
import { handlerOf, type JobHandler } from '../platform/jobs/job.ts';
import { recurringJob, recurringNoticeJob, recurringRunJob } from '../platform/jobs/jobs.ts';
import { mailNotice } from './notice.service.ts';
import { makeDue, startDue } from './recurring.service.ts';

const EVERY_TEN_MINUTES = '*/10 * * * *';
const FEATURE = 'recurring';

/** The jobs that run standing assignments and mail notices about them. */
export function recurringJobs(context: Context): JobHandler[] {
  return [
    handlerOf(recurringJob, async () => startDue(context), {
      cron: EVERY_TEN_MINUTES,
      feature: FEATURE,
    }),
    handlerOf(recurringRunJob, async (order, signal) => makeDue(context, order, signal), {
      // So that a large company's is not all that is done for minutes.
      batches: 2,
      feature: FEATURE,
    }),
    handlerOf(recurringNoticeJob, async (notice) => mailNotice(context, notice), {
      feature: FEATURE,
    }),
  ];
}
