import { removeCutOff } from './bank-file/removal.service.ts';
import type { Context } from './context.ts';
import { vacuumTables } from './db/upkeep.ts';
import { warnOfOverdue } from './delivery/delivery-count.service.ts';
import {
  askAgain,
  releaseDeferred,
  requeueForgotten,
} from './delivery/delivery-housekeeping.service.ts';
import { handlerOf, type JobHandler } from './jobs/job.ts';
import { housekeepingJob } from './jobs/jobs.ts';
import { warnOfMissingRates } from './late-payment/late-payment.service.ts';
import { deleteOldLimits } from './rate-limit.ts';
import { deleteExpired } from './session/session.service.ts';

const EVERY_MINUTE = '* * * * *';

/** What must be done now and then, by one of the workers. */
export function housekeepingJobs(context: Context): JobHandler[] {
  const run = async () => {
    await deleteExpired(context.db);
    await deleteOldLimits(context.db);
    await releaseDeferred(context);
    await requeueForgotten(context);
    await askAgain(context);
    await removeCutOff(context);
    if (context.network) await warnOfOverdue(context);
    if (context.config.features.has('reminders')) await warnOfMissingRates(context);
    if (context.config.databaseUrl === null) await vacuumTables(context.db);
  };
  return [handlerOf(housekeepingJob, run, { cron: EVERY_MINUTE })];
}
