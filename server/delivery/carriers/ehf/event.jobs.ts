import type { Context } from '../../../context.ts';
import { handlerOf, type JobHandler } from '../../../platform/jobs/job.ts';
import { peppolEventsJob } from '../../../platform/jobs/jobs.ts';
import { fetchEvents } from './event.service.ts';

const EVERY_MINUTE = '* * * * *';

/** Handles the events that access points report. */
export function eventJobs(context: Context): JobHandler[] {
  return [
    handlerOf(peppolEventsJob, async (_, signal) => fetchEvents(context, signal), {
      cron: EVERY_MINUTE,
      feature: 'ehf',
    }),
  ];
}
