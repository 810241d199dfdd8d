import type { Job as BossJob, JobResult, PgBoss } from 'pg-boss';
import type { z } from 'zod';

import type { Feature } from '../../../domain/api/endpoint.ts';
import type { ErrorReports } from '../log/error-reports.ts';
import { type Logger, requestContext } from '../log/log.ts';
import { OutsideError } from '../log/outside-error.ts';

/** Retries and limits of a job. Times are in seconds. */
export interface JobOptions {
  readonly retryLimit: number;
  /** Delay of the first retry; it doubles with each. */
  readonly retryDelay: number;
  readonly retryDelayMax?: number;
  /** A longer run counts as failed. */
  readonly expireInSeconds: number;
  /** Whether only one job per key may wait or run. Without it, keys are ignored. */
  readonly isKeyed?: boolean;
  /** Number of jobs fetched and run together. The next batch is fetched when all have ended. */
  readonly batchSize: number;
  /**
   * Whether a user waits for it, so that other processes are notified. PostgreSQL lets only one notifying transaction
   * commit at a time, until it is on disk and on the standby.
   */
  readonly isUrgent?: boolean;
  /** Whether it is dropped once the company of its payload was closed (CLO-3). */
  readonly stopsWithCompany?: boolean;
}

/** A kind of background work. The payload holds ids: a handler reads the current state. */
export interface Job<Payload extends object> {
  readonly name: string;
  /**
   * Checks a payload when it is read. It may come from an older version or a backup, so a property added later needs
   * a default.
   */
  readonly payload: z.ZodType<Payload>;
  readonly options: JobOptions;
}

/**
 * Runs one job. It may run twice, so it must be idempotent. The signal is aborted before the process stops: start no
 * new part of the work after that.
 */
type Handle<Payload> = (payload: Payload, signal: AbortSignal) => Promise<void>;

/** Thrown by a job that cannot run yet although nothing is wrong; its queue retries it. */
export class TryLater extends Error {
  override readonly name = 'TryLater';
}

export interface JobHandler {
  readonly job: Job<object>;
  /** With `cron`, the job also runs at those times (UTC), with an empty payload. */
  readonly cron?: string;
  /** Number of batches that run at once in one process; 1 when absent. */
  readonly batches?: number;
  /** While this feature is off, jobs of this kind stay in the queue, and `cron` adds none. */
  readonly feature?: Feature;
  /** Called with a payload that fits the job. */
  handle(payload: object, signal: AbortSignal): Promise<void>;
}

/** Declares a kind of job. */
export function defineJob<Payload extends object>(
  name: string,
  payload: z.ZodType<Payload>,
  options: JobOptions,
): Job<Payload> {
  return { name, payload, options };
}

/** Combines a job with its handler. */
export function handlerOf<Payload extends object>(
  job: Job<Payload>,
  handle: Handle<Payload>,
  options: Pick<JobHandler, 'batches' | 'cron' | 'feature'> = {},
): JobHandler {
  return { job, handle, ...options };
}

/**
 * Returns the handlers after checking that each kind of job has exactly one.
 * @throws Error naming the kinds that have none or more than one
 */
export function oneForEachJob(
  jobs: readonly Job<object>[],
  handlers: readonly JobHandler[],
): readonly JobHandler[] {
  const handled = handlers.map(({ job }) => job.name);
  const faults = [...new Set([...jobs.map(({ name }) => name), ...handled])].flatMap((name) => {
    const count = handled.filter((other) => other === name).length;
    return count === 1 ? [] : [`${name} has ${count === 0 ? 'no handler' : `${count} handlers`}`];
  });
  if (faults.length > 0) throw new Error(`Each job needs one handler: ${faults.join(', ')}`);
  return handlers;
}

/** A job as stored in the queue: its payload, and the request that caused it. */
export interface Envelope {
  readonly payload: object;
  readonly requestId?: string;
}

/**
 * How often a worker looks by itself (seconds). The queue looks more often, for all of them at once; this is for when
 * it cannot.
 */
const POLLING_INTERVAL = 60;

/**
 * Least time between two looks (milliseconds), so that many jobs made at once cost few statements: a look for each
 * registered invoice took a tenth of the time of registering.
 */
const BETWEEN_LOOKS = 50;

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
  return atMostEvery(BETWEEN_LOOKS, () => {
    for (const worker of workers) boss.notifyWorker(worker);
  });
}

/** Calls `run` at once, and what is asked for within so many milliseconds afterwards together at their end. */
function atMostEvery(ms: number, run: () => void): () => void {
  let wait: NodeJS.Timeout | undefined;
  let isAsked = false;
  const look = () => {
    isAsked = wait !== undefined;
    if (isAsked) return;
    run();
    wait = setTimeout(() => {
      wait = undefined;
      if (isAsked) look();
    }, ms).unref();
  };
  return look;
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

/**
 * Runs something for each of several independent items in sequence. A failure does not stop the others; it is thrown
 * after all were tried.
 */
export async function tryEach<Item>(
  items: Iterable<Item>,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const faults: unknown[] = [];
  for (const item of items) {
    try {
      await run(item);
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 1) throw new AggregateError(faults, `${faults.length} of them failed`);
  for (const fault of faults) throw fault;
}
