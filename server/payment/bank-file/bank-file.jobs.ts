import type { Context } from '../../context.ts';
import { handlerOf, type JobHandler } from '../../platform/jobs/job.ts';
import { bankFileJob } from '../../platform/jobs/jobs.ts';
import { doRest } from './half-done.service.ts';

/** The company's large file is not all that is done for minutes: another is worked at beside it. */
const BATCHES = 2;

/** Books and undoes what a call has left of large files. */
export function bankFileJobs(context: Context): JobHandler[] {
  return [
    handlerOf(bankFileJob, async (order, signal) => doRest(context, order, signal), {
      batches: BATCHES,
      feature: 'payments',
    }),
  ];
}
