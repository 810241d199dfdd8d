import type { Config } from '../config.ts';
import type { Database } from '../platform/db/database.ts';
import {
  countDone,
  countOverdue,
  countWaiting,
} from '../delivery/delivery-housekeeping.service.ts';
import type { JobQueue } from '../platform/jobs/queue.ts';
import { findMissingRates } from '../payment/late-payment.service.ts';
import type { Logger } from '../platform/log/log.ts';
import type { Depths } from '../platform/metrics/measurements.ts';
import { countDifferent } from '../delivery/carriers/ehf/ehf.repository.ts';

/** How long counts over all companies and years are cached (milliseconds). */
const TOTALS_HOLD = 60_000;
/** Counting takes at most this share of one connection's time, for any amount of data and any number of scrapes. */
const SHARE = 1 / 20;

/**
 * Database counts for the metrics: waiting work at each scrape, finished work once a minute. Null when the database
 * cannot be read.
 */
export function countingDepths(
  { features }: Config,
  { db }: Database,
  jobs: JobQueue,
  log: Logger,
): () => Promise<Depths | null> {
  const readWaiting = sampled(0, async () => ({
    deliveries: await countWaiting(db),
    overdueEhf: await countOverdue(db),
    missingRates: features.has('reminders') ? (await findMissingRates(db)).length : 0,
    queues: await jobs.depths(),
  }));
  const readTotals = sampled(TOTALS_HOLD, async () => ({
    deliveries: await countDone(db),
    differentEhf: await countDifferent(db),
  }));
  return async () => {
    try {
      const [waiting, totals] = await Promise.all([readWaiting(), readTotals()]);
      const deliveries = { ...waiting.deliveries, ...totals.deliveries };
      return { ...waiting, ...totals, deliveries };
    } catch (error) {
      log.error({ err: error }, 'what waits could not be counted');
      return null;
    }
  };
}

/** Caches a reading for `hold` milliseconds; concurrent callers share one reading. */
function sampled<Sample>(hold: number, read: () => Promise<Sample>): () => Promise<Sample> {
  let sample: Promise<Sample> | undefined;
  let oldAt = 0;
  const readAnew = async () => {
    const began = performance.now();
    oldAt = Number.POSITIVE_INFINITY;
    try {
      const fresh = await read();
      const ended = performance.now();
      oldAt = Math.max(began + hold, ended + (ended - began) / SHARE);
      return fresh;
    } catch (error) {
      oldAt = 0;
      throw error;
    }
  };
  return async () => {
    if (!sample || performance.now() >= oldAt) sample = readAnew();
    return sample;
  };
}
