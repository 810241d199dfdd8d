import type { z } from 'zod';

import type { Feature } from '../../domain/feature.ts';

/** How hard a job is tried. Times are in seconds. */
export interface JobOptions {
  /** Tries after the first. */
  readonly retryLimit: number;
  /** Before the first retry; it doubles from there. */
  readonly retryDelay: number;
  readonly retryDelayMax?: number;
  /** A run that takes longer counts as failed. */
  readonly expireInSeconds: number;
  /** Whether jobs with the same key are one job. Otherwise keys are ignored. */
  readonly isKeyed?: boolean;
  /** How many are fetched together and run at once. The next are fetched when all of them have ended. */
  readonly batchSize: number;
  /**
   * Whether a person waits for it, so that other processes are told of it. PostgreSQL lets only one
   * transaction at a time tell others, until it is on the disk and at the standby.
   */
  readonly isUrgent?: boolean;
}

/** A kind of background work. Its payload is ids: a handler reads the state anew. */
export interface Job<Payload extends object> {
  readonly name: string;
  /**
   * Checks a payload when it arrives. An older version may have added it, or it comes from a backup: a
   * property that was added later needs a default.
   */
  readonly payload: z.ZodType<Payload>;
  readonly options: JobOptions;
}

/**
 * Runs one job. It may run twice, so it must be idempotent. The signal is aborted when the process is
 * about to stop: what has not begun by then should not begin.
 */
type Handle<Payload> = (payload: Payload, signal: AbortSignal) => Promise<void>;

/** Thrown by a job that cannot run just now, though nothing is wrong; its queue repeats it. */
export class TryLater extends Error {
  override readonly name = 'TryLater';
}

/** A job together with what runs it. */
export interface JobHandler {
  readonly job: Job<object>;
  /** With `cron`, the job also runs by itself at those minutes (UTC), with an empty payload. */
  readonly cron?: string;
  /** How many batches run at once in one process; 1 when absent. */
  readonly batches?: number;
  /** While this feature is off, jobs of the kind stay in the queue, and `cron` adds none. */
  readonly feature?: Feature;
  /** What is called with a payload that fits the job. */
  handle(payload: object, signal: AbortSignal): Promise<void>;
}

/** Declares a kind of work. */
export function defineJob<Payload extends object>(
  name: string,
  payload: z.ZodType<Payload>,
  options: JobOptions,
): Job<Payload> {
  return { name, payload, options };
}

/** Ties a job to what runs it. */
export function handlerOf<Payload extends object>(
  job: Job<Payload>,
  handle: Handle<Payload>,
  options: Pick<JobHandler, 'batches' | 'cron' | 'feature'> = {},
): JobHandler {
  return { job, handle, ...options };
}
