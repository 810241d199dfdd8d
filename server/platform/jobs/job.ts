import type { z } from 'zod';

import type { Feature } from '../../../domain/api/endpoint.ts';

/** Retries and limits of a job. Times are in seconds. */
export interface JobOptions {
  /** Number of retries. */
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

/** A job and its handler. */
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
