import { sql } from 'kysely';
import {
  fromKysely,
  fromPglite,
  PgBoss,
  type ConstructorOptions,
  type Job as BossJob,
  type JobResult,
  type Queue,
  type QueueResult,
} from 'pg-boss';

import { isOn, type Feature } from '../../domain/feature.ts';
import type { Logger } from '../context.ts';
import { poolConfig } from '../db/connections.ts';
import type { Database, Db } from '../db/database.ts';
import type { TimeLimits } from '../db/watched-client.ts';
import type { ErrorReports } from '../error-reports.ts';
import { OutsideError } from '../outside-error.ts';
import { requestContext } from '../request-context.ts';
import { measureDepths, releaseActive, type QueueDepth } from './job-table.ts';
import { TryLater, type Job, type JobHandler } from './job.ts';

/** A job to be added under a key. */
interface KeyedItem<Payload> {
  readonly payload: Payload;
  readonly key: string;
  /** The highest goes first; 0 when absent. */
  readonly priority?: number;
  /** Between the tries (seconds), where they are not those of its kind of job. */
  readonly waits?: { readonly first: number; readonly longest: number };
}

/** Background work that is as durable as the data: it lives in the same database. */
export interface JobQueue {
  /**
   * Adds a job as part of the given transaction: it exists exactly when the rest of the
   * transaction does.
   */
  enqueue<Payload extends object>(db: Db, job: Job<Payload>, payload: Payload): Promise<void>;
  /**
   * Adds many keyed jobs of one kind; one whose key waits or runs already is left out.
   *
   * @returns how many were added
   */
  enqueueAll<Payload extends object>(
    db: Db,
    job: Job<Payload>,
    items: readonly KeyedItem<Payload>[],
  ): Promise<number>;
  /** What waits, by queue. */
  depths(): Promise<QueueDepth[]>;
  /** Removes every job as part of the given transaction, as when the whole database is replaced. */
  forgetAll(db: Db): Promise<void>;
  /** Creates the queues; with `work`, also begins to run what is in them and whose feature is on. */
  start(handlers: readonly JobHandler[], options: StartOptions): Promise<void>;
  /** Takes no more jobs, waits for those that run, and lets go of the database. */
  stop(): Promise<void>;
}

interface StartOptions {
  readonly work: boolean;
  readonly features: ReadonlySet<Feature>;
}

interface Envelope {
  readonly payload: object;
  readonly requestId?: string;
}

const POOL_SIZE = 4;
/** For fetching and settling jobs, and now and then for clearing away what is done (milliseconds). */
const LIMITS: TimeLimits = {
  statement: 15_000,
  statementOfTransaction: 15_000,
  lock: 8000,
  idleInTransaction: 30_000,
};
const START_LIMIT = 300_000;
/** How late a retry may begin, and a job whose notification got lost (seconds). */
const POLLING_INTERVAL = 2;
/**
 * A process that was killed leaves its jobs active. They are given to others once it has been
 * silent for so long, which every process looks for this often (seconds).
 */
const HEARTBEAT = 20;
const SUPERVISION_INTERVAL = 10;
/** Finished jobs are kept so long, for whoever looks into what happened (seconds). */
const KEEP_FINISHED = 3600;
const INSERT_BATCH = 1000;
/** No job has this id. */
const NO_JOB = '00000000-0000-0000-0000-000000000000';

interface Options {
  readonly database: Database;
  readonly log: Logger;
  readonly reports: ErrorReports;
  /** How long `stop` waits for the jobs that run (milliseconds). */
  readonly stopTimeout: number;
}

/** A queue in the given database, which needs `start` before anything else. */
export function createJobQueue({ database, log, reports, stopTimeout }: Options): JobQueue {
  // At the start pg-boss may have tables to make or change, or wait for another process that does.
  const limits = { ...LIMITS, statement: START_LIMIT };
  const boss = new PgBoss(bossOptions(database, limits));
  const stopping = new AbortController();
  boss.on('error', (error) => log.error({ err: error }, 'job queue'));
  boss.on('warning', (warning) => log.warn({ warning }, 'job queue'));

  return {
    async enqueue(db, job, payload) {
      await boss.send(job.name, seal(payload), { db: inTransaction(db) });
    },
    enqueueAll: async (db, job, items) => enqueueAll(boss, db, job, items),
    depths: async () => measureDepths(database.db, log),
    async forgetAll(db) {
      await sql`DELETE FROM jobs.job`.execute(db);
    },
    async start(handlers, { work, features }) {
      await boss.start();
      limits.statement = LIMITS.statement;
      const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
      for (const { job } of handlers) await prepareQueue(boss, job, known.get(job.name));
      // Nobody else can have the embedded database open, so whatever was at work is dead.
      if (database.pglite) await releaseActive(database.db, log);
      if (!work) return;
      for (const handler of handlers) {
        if (isOn(handler, features)) await runJobs({ boss, handler, log, reports, stopping });
        else await boss.unschedule(handler.job.name);
      }
    },
    async stop() {
      stopping.abort(new TryLater('The process is stopping'));
      await boss.stop({ graceful: true, timeout: stopTimeout, close: true });
    },
  };
}

function bossOptions(database: Database, limits: TimeLimits): ConstructorOptions {
  const shared = {
    schema: 'jobs',
    useListenNotify: true,
    superviseIntervalSeconds: SUPERVISION_INTERVAL,
    monitorIntervalSeconds: SUPERVISION_INTERVAL,
  } as const;
  return database.pglite
    ? { ...shared, db: fromPglite(database.pglite), backend: 'pglite' }
    : {
        ...shared,
        ...poolConfig(database.url ?? '', limits),
        max: POOL_SIZE,
        application_name: 'faktur-jobs',
      };
}

/** pg-boss reads its own columns; the camelCase of ours must not touch them. */
function inTransaction(db: Db) {
  return fromKysely(db.withoutPlugins());
}

function seal(payload: object): Envelope {
  const requestId = requestContext.getStore()?.requestId;
  return requestId === undefined ? { payload } : { payload, requestId };
}

async function enqueueAll<Payload extends object>(
  boss: PgBoss,
  db: Db,
  job: Job<Payload>,
  items: readonly KeyedItem<Payload>[],
): Promise<number> {
  let added = 0;
  for (let start = 0; start < items.length; start += INSERT_BATCH) {
    const jobs = items.slice(start, start + INSERT_BATCH).map(toBossJob);
    const ids = await boss.insert(job.name, jobs, { db: inTransaction(db), returnId: true });
    added += ids?.length ?? 0;
  }
  return added;
}

function toBossJob({ payload, key, priority = 0, waits }: KeyedItem<object>) {
  const job = { data: seal(payload), singletonKey: key, priority };
  return waits ? { ...job, retryDelay: waits.first, retryDelayMax: waits.longest } : job;
}

/** Makes a queue, or changes one that an earlier version made. */
async function prepareQueue(
  boss: PgBoss,
  job: Job<object>,
  known: QueueResult | undefined,
): Promise<void> {
  const { batchSize: _, batches: __, isKeyed = false, ...options } = job.options;
  const queue = {
    ...options,
    retryBackoff: true,
    heartbeatSeconds: HEARTBEAT,
    deleteAfterSeconds: KEEP_FINISHED,
    notify: true,
  };
  if (!known) {
    await boss.createQueue(job.name, { ...queue, policy: isKeyed ? 'exclusive' : 'standard' });
  } else if (Object.entries(queue).some(([name, value]) => known[name as keyof Queue] !== value)) {
    await boss.updateQueue(job.name, queue);
  }
  // pg-boss looks up a queue when it is first used, on a connection of its own. The embedded
  // database has one connection: inside a transaction that would wait for itself. So use it now.
  await boss.findJobs(job.name, { id: NO_JOB });
}

interface Work {
  readonly boss: PgBoss;
  readonly handler: JobHandler;
  readonly log: Logger;
  readonly reports: ErrorReports;
  readonly stopping: AbortController;
}

async function runJobs(work: Work): Promise<void> {
  const { boss, handler, stopping } = work;
  const { name, options } = handler.job;
  if (handler.cron !== undefined) await boss.schedule(name, handler.cron, { payload: {} });
  await boss.work<Envelope>(
    name,
    {
      batchSize: options.batchSize,
      localConcurrency: options.batches ?? 1,
      perJobResults: true,
      // A notification announces the first of many jobs: while batches are full, more is waiting.
      burstWhenBatchFull: true,
      // Retries become due unannounced.
      pollingIntervalSeconds: POLLING_INTERVAL,
      notifyPollingIntervalSeconds: POLLING_INTERVAL,
    },
    async (jobs) => Promise.all(jobs.map(async (job) => runJob(job, work, stopping.signal))),
  );
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
      await handler.handle(payload, signal);
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
