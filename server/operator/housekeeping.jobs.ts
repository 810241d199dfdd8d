import { resumeFiles } from '../payment/bank-file/booking.service.ts';
import { removeCutOff, removeOldPreviews } from '../payment/bank-file/preview.service.ts';
import type { Context } from '../context.ts';
import { checkpointLog, vacuumTables } from '../platform/db/upkeep.ts';
import {
  warnOfOverdue,
  askAgain,
  releaseDeferred,
  requeueForgotten,
} from '../delivery/delivery-housekeeping.service.ts';
import { removeExpired } from '../export/export-file.service.ts';
import { resumeExports } from '../export/export-making.service.ts';
import { deleteOldMessages } from '../integration/webhook-log.service.ts';
import { deleteOldLinks } from '../overview/overview-link.service.ts';
import { handlerOf, type JobHandler, tryEach } from '../platform/jobs/job.ts';
import { housekeepingJob } from '../platform/jobs/jobs.ts';
import { warnOfMissingRates } from '../payment/late-payment.service.ts';
import { deleteOldRefusals } from '../platform/mail/refusals.ts';
import { deleteOldKeys } from '../platform/http/idempotency.ts';
import { deleteOldLimits } from '../platform/limits/rate-limit.ts';
import { forgetExpired } from '../account/session.service.ts';

const EVERY_MINUTE = '* * * * *';
/** Milliseconds. */
const HOUR = 3_600_000;

/** Periodic tasks, run by one of the workers. */
export function housekeepingJobs(context: Context): JobHandler[] {
  const { config, db, network } = context;
  const tasks = [
    async () => forgetExpired(context),
    async () => deleteOldLimits(db),
    async () => deleteOldRefusals(db),
    async () => deleteOldKeys(db),
    async () => releaseDeferred(context),
    async () => requeueForgotten(context),
    async () => askAgain(context),
    async () => removeCutOff(context),
    async () => resumeFiles(context),
    async () => resumeExports(context),
    hourly(async () => removeOldPreviews(context)),
    hourly(async () => removeExpired(context)),
    hourly(async () => deleteOldLinks(context)),
    hourly(async () => deleteOldMessages(context)),
    ...(network ? [async () => warnOfOverdue(context)] : []),
    ...(config.features.has('reminders') ? [async () => warnOfMissingRates(context)] : []),
    ...(config.databaseUrl === null
      ? [async () => checkpointLog(db), async () => vacuumTables(db)]
      : []),
  ];
  const run = async () => tryEach(tasks, async (task) => task());
  return [handlerOf(housekeepingJob, run, { cron: EVERY_MINUTE })];
}

/** Runs the task at the first call, within a minute of the start, and then once an hour. */
function hourly(task: () => Promise<void>): () => Promise<void> {
  let doneAt = -Infinity;
  return async () => {
    if (Date.now() - doneAt < HOUR) return;
    await task();
    doneAt = Date.now();
  };
}
