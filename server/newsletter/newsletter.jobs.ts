import type { Context } from '../context.ts';
import { handlerOf, type JobHandler } from '../platform/jobs/job.ts';
import { newsletterSignUpJob, newsletterWelcomeJob } from '../platform/jobs/jobs.ts';
import { subscribe, welcome } from './newsletter.service.ts';

/** The jobs that subscribe and send the welcome mail. */
export function newsletterJobs(context: Context): JobHandler[] {
  return [
    handlerOf(newsletterSignUpJob, async ({ email }) => subscribe(context, email)),
    handlerOf(newsletterWelcomeJob, async (payload) => welcome(context, payload)),
  ];
}
