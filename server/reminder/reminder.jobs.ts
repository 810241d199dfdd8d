import type { Context } from '../context.ts';
import { handlerOf, type JobHandler } from '../platform/jobs/job.ts';
import { remindJob, sendRemindersJob } from '../platform/jobs/jobs.ts';
import { sendApproved } from './proposal-sending.service.ts';
import { remindAutomatically } from './reminder-automation.service.ts';

/** Every hour; the job itself checks working days and office hours in Oslo. */
const EVERY_HOUR = '0 * * * *';

/** The jobs of automation and of batches of reminders. */
export function reminderJobs(context: Context): JobHandler[] {
  return [
    handlerOf(remindJob, async (order, signal) => remindAutomatically(context, order, signal), {
      batches: 2,
      cron: EVERY_HOUR,
      feature: 'reminders',
    }),
    handlerOf(
      sendRemindersJob,
      async ({ uuids, ...whose }) => void (await sendApproved(context, whose, uuids)),
      { feature: 'reminders' },
    ),
  ];
}
