import type { Context } from '../context.ts';
import { handlerOf, type JobHandler } from '../jobs/job.ts';
import { newsletterWelcomeJob } from '../jobs/jobs.ts';
import { welcome } from './newsletter.service.ts';

/** Welcomes. */
export function newsletterJobs(context: Context): JobHandler[] {
  return [
    handlerOf(newsletterWelcomeJob, async ({ subscriberId }) => welcome(context, subscriberId)),
  ];
}
