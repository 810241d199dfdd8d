import type { Context } from '../../context.ts';
import { handlerOf, type JobHandler } from '../../platform/jobs/job.ts';
import { bankFileJob } from '../../platform/jobs/jobs.ts';
import { doRest } from './half-done.service.ts';

/** Two at once, so that one company's large file does not block the others for minutes. */
const BATCHES = 2;

/** Books and undoes the rest of large files after the request. */
export function bankFileJobs(context: Context): JobHandler[] {
  return [
    handlerOf(bankFileJob, async (order, signal) => doRest(context, order, signal), {
      batches: BATCHES,
      feature: 'payments',
    }),
  ];
}
