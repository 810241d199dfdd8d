import type { Job as BossJob, JobResult, PgBoss } from 'pg-boss';

import { type Logger, requestContext } from '../log/log.ts';
import type { ErrorReports } from '../log/error-reports.ts';
import { OutsideError } from '../log/outside-error.ts';
import { TryLater, type JobHandler } from './job.ts';

/** A job as stored in the queue: its payload, and the request that caused it. */
export interface Envelope {
  readonly payload: object;
  readonly requestId?: string;
}

/** Longest delay of a retry, or of a job that another process added (seconds). */
const POLLING_INTERVAL = 2;

interface Work {
  readonly boss: PgBoss;
  readonly handler: JobHandler;
  readonly log: Logger;
  readonly reports: ErrorReports;
  readonly stopping: AbortController;
}

/** Runs the jobs of one kind until the queue stops. Returns a function that looks for jobs at once. */
export async function runJobs(work: Work): Promise<() => void> {
  const { boss, handler, stopping } = work;
  const { name, options } = handler.job;
  if (handler.cron !== undefined) await boss.schedule(name, handler.cron, { payload: {} });
  const workers: string[] = [];
  for (let batch = 0; batch < (handler.batches ?? 1); batch += 1) {
    const worker = await boss.work<Envelope>(
      name,
      {
        batchSize: options.batchSize,
        perJobResults: true,
        // Needed for retries: nothing notifies when one becomes due.
        pollingIntervalSeconds: POLLING_INTERVAL,
        notifyPollingIntervalSeconds: POLLING_INTERVAL,
      },
      async (jobs) => {
        const results = jobs.map(async (job) => runJob(job, work, stopping.signal));
        // Looks again at once, since one notice may stand for many jobs. pg-boss does so only for batches of several.
        const self = workers[batch];
        if (self !== undefined) boss.notifyWorker(self);
        return Promise.all(results);
      },
    );
    workers.push(worker);
  }
  return () => {
    for (const worker of workers) boss.notifyWorker(worker);
  };
}

async function runJob(
  job: BossJob<Envelope>,
  { handler, log, reports }: Work,
  signal: AbortSignal,
): Promise<JobResult> {
  const { id } = job;
  const { requestId = id, payload } = job.data;
  return requestContext.run({ requestId }, async () => {
    const jobLog = log.child({ job: job.name, jobId: id });
    const began = performance.now();
    try {
      signal.throwIfAborted();
      await handler.handle(handler.job.payload.parse(payload), signal);
      jobLog.debug({ ms: Math.round(performance.now() - began) }, 'job done');
      return { id, status: 'completed' };
    } catch (error) {
      if (error instanceof TryLater) jobLog.info({ reason: error.message }, 'job put off');
      else if (error instanceof OutsideError) logOutsideError(jobLog, error);
      else jobLog.warn({ err: error }, 'job failed; it is tried again as its queue says');
      const isExpected = error instanceof OutsideError || error instanceof TryLater;
      if (!isExpected) reports.report(error, { job: job.name, jobId: id });
      return { id, status: 'failed', output: error };
    }
  });
}

function logOutsideError(log: Logger, { message, advice, isUrgent }: OutsideError): void {
  log[isUrgent ? 'error' : 'warn']({ reason: message }, advice);
}
