import { setTimeout as sleep } from 'node:timers/promises';

import { sql } from 'kysely';
import {
  type ConstructorOptions,
  fromKysely,
  fromPglite,
  PgBoss,
  type Queue,
  type QueueResult,
} from 'pg-boss';

import { type Feature, isOn } from '../../../domain/api/endpoint.ts';
import type { TimeLimits } from '../db/client.ts';
import { afterCommit, poolConfig } from '../db/connections.ts';
import { isUniqueViolation } from '../db/database-errors.ts';
import type { Database, Db } from '../db/database.ts';
import type { ErrorReports } from '../log/error-reports.ts';
import { type Logger, requestContext } from '../log/log.ts';
import { type Envelope, type Job, type JobHandler, runJobs, TryLater } from './job.ts';

/** A job to be added under a key. */
interface KeyedItem<Payload> {
  readonly payload: Payload;
  readonly key: string;
  /** The highest runs first; 0 when absent. */
  readonly priority?: number;
  /** Delays between the tries (seconds), if they differ from those of the job's kind. */
  readonly waits?: { readonly first: number; readonly longest: number };
}

/** Background work stored in the same database as the data, and as durable. */
export interface JobQueue {
  /** Adds a job in the given transaction: the job exists only if the transaction commits. */
  enqueue<Payload extends object>(db: Db, job: Job<Payload>, payload: Payload): Promise<void>;
  /**
   * Adds many keyed jobs of one kind, except those whose key already waits or runs.
   *
   * @returns the number of jobs added
   */
  enqueueAll<Payload extends object>(
    db: Db,
    job: Job<Payload>,
    items: readonly KeyedItem<Payload>[],
  ): Promise<number>;
  /** The keys that have no waiting or running job of this kind. */
  findKeysWithoutJob<Payload extends object>(
    db: Db,
    job: Job<Payload>,
    keys: readonly string[],
  ): Promise<ReadonlySet<string>>;
  /** The waiting jobs by queue. */
  depths(): Promise<QueueDepth[]>;
  /** Deletes every job in the given transaction, for a restore of the whole database. */
  deleteAll(db: Db): Promise<void>;
  /** Creates the queues. With `work`, also starts to run the jobs whose feature is on. */
  start(handlers: readonly JobHandler[], options: StartOptions): Promise<void>;
  /** Fetches no more jobs, waits for the running ones, and disconnects from the database. */
  stop(): Promise<void>;
}

interface StartOptions {
  readonly work: boolean;
  readonly features: ReadonlySet<Feature>;
}

const POOL_SIZE = 4;
/** For fetching and completing jobs, and sometimes for deleting old ones (milliseconds). */
const LIMITS: TimeLimits = {
  connect: 3000,
  statement: 15_000,
  statementOfTransaction: 15_000,
  lock: 8000,
  idleInTransaction: 30_000,
};
const START_LIMIT = 300_000;
/**
 * A killed process leaves its jobs active. Other processes take them after this time without a heartbeat; every
 * process checks this often (seconds).
 */
const HEARTBEAT = 20;
const SUPERVISION_INTERVAL = 10;
/** Longest delay of a retry, or of a job that another process added (milliseconds). */
const LOOKING_INTERVAL = 2000;
/** Finished jobs are kept this long for inspection (seconds). */
const KEEP_FINISHED = 3600;
/** Jobs wait this long to be run, for example while their feature is off: ten years (seconds). */
const KEEP_WAITING = 10 * 365 * 24 * 3600;
const INSERT_BATCH = 1000;
/** An id that no job has. */
const NO_JOB = '00000000-0000-0000-0000-000000000000';

interface Options {
  readonly database: Database;
  readonly log: Logger;
  readonly reports: ErrorReports;
  /** How long `stop` waits for running jobs (milliseconds). */
  readonly stopTimeout: number;
}

/** A queue in the given database. Call `start` first. */
export function createJobQueue({ database, log, reports, stopTimeout }: Options): JobQueue {
  // When it starts, pg-boss may create or change tables, or wait for another process that does.
  const limits = { ...LIMITS, statement: START_LIMIT };
  const boss = new PgBoss(bossOptions(database, limits));
  const stopping = new AbortController();
  boss.on('error', (error) => log.error({ err: error }, 'job queue'));
  boss.on('warning', (warning) => log.warn({ warning }, 'job queue'));
  /** For each kind of job that this process runs, the function that looks for jobs. */
  const lookers = new Map<string, () => void>();
  let looking: Promise<void> | undefined;
  const look = async (db: Db, job: Job<object>) => {
    const looker = lookers.get(job.name);
    if (looker) await afterCommit(db, looker);
  };

  return {
    async enqueue(db, job, payload) {
      await boss.send(job.name, wrap(payload), { db: inTransaction(db) });
      await look(db, job);
    },
    async enqueueAll(db, job, items) {
      const added = await enqueueAll(boss, db, job, items);
      await look(db, job);
      return added;
    },
    async findKeysWithoutJob(db, { name }, keys) {
      return new Set(keys).difference(await findKeysWithJob(db, log, name, keys));
    },
    depths: async () => measureDepths(database.db, log),
    async deleteAll(db) {
      await sql`DELETE FROM jobs.job`.execute(db);
    },
    async start(handlers, { work, features }) {
      await startBoss(boss);
      limits.statement = LIMITS.statement;
      const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
      for (const { job } of handlers) await prepareQueue(boss, job, known.get(job.name));
      // Only this process has the embedded database open, so a process that ran a job before is dead.
      if (database.pglite) await releaseActive(database.db, log);
      if (!work) return;
      for (const handler of handlers) {
        if (isOn(handler, features))
          lookers.set(handler.job.name, await runJobs({ boss, handler, log, reports, stopping }));
        else await boss.unschedule(handler.job.name);
      }
      looking = lookForDue({ boss, lookers, log, signal: stopping.signal });
    },
    async stop() {
      stopping.abort(new TryLater('The process is stopping'));
      await looking;
      await boss.stop({ graceful: true, timeout: stopTimeout, close: true });
    },
  };
}

/**
 * Starts pg-boss, which creates its tables if missing. When several processes start at once, one creates them;
 * another may fail because the schema exists by then, and succeeds at the second try.
 */
async function startBoss(boss: PgBoss): Promise<void> {
  try {
    await boss.start();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    await boss.start();
  }
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
        // Bypasses a pooler: pg-boss listens, and changes its tables.
        ...poolConfig(database.directUrl ?? '', limits),
        max: POOL_SIZE,
        application_name: 'faktur-jobs',
      };
}

/** pg-boss reads its own columns, whose names must not become camelCase. */
function inTransaction(db: Db) {
  return fromKysely(db.withoutPlugins());
}

function wrap(payload: object): Envelope {
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
  const job = { data: wrap(payload), singletonKey: key, priority };
  return waits ? { ...job, retryDelay: waits.first, retryDelayMax: waits.longest } : job;
}

/** Creates a queue, or updates one that an earlier version created. */
async function prepareQueue(
  boss: PgBoss,
  job: Job<object>,
  known: QueueResult | undefined,
): Promise<void> {
  const {
    batchSize: _,
    stopsWithCompany: __,
    isKeyed = false,
    isUrgent = false,
    ...options
  } = job.options;
  const queue = {
    ...options,
    retryBackoff: true,
    heartbeatSeconds: HEARTBEAT,
    deleteAfterSeconds: KEEP_FINISHED,
    retentionSeconds: KEEP_WAITING,
    notify: isUrgent,
  };
  if (!known) {
    await boss.createQueue(job.name, { ...queue, policy: isKeyed ? 'exclusive' : 'standard' });
  } else if (Object.entries(queue).some(([name, value]) => known[name as keyof Queue] !== value)) {
    await boss.updateQueue(job.name, queue);
  }
  // pg-boss looks a queue up at its first use, on its own connection. The embedded database has only one connection,
  // so inside a transaction this would be a deadlock. So use the queue now.
  await boss.findJobs(job.name, { id: NO_JOB });
}

interface Looking {
  readonly boss: PgBoss;
  readonly lookers: ReadonlyMap<string, () => void>;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Wakes the workers of each kind of job that is due, until the signal. Nothing notifies when a retry becomes due. One
 * statement asks for all kinds: if each worker asked, a process without work would send a dozen a second.
 */
async function lookForDue({ boss, lookers, log, signal }: Looking): Promise<void> {
  while (!signal.aborted) {
    try {
      await sleep(LOOKING_INTERVAL, undefined, { signal });
      for (const name of await findDue(boss, [...lookers.keys()])) lookers.get(name)?.();
    } catch (error) {
      if (!signal.aborted) log.error({ err: error }, 'job queue');
    }
  }
}

/** The waiting jobs of one queue. */
interface QueueDepth {
  readonly name: string;
  /** Jobs that can run now, or later when their retry is due. */
  readonly waiting: number;
  readonly active: number;
  /** Waiting time of the oldest due job; 0 when none is due. */
  readonly oldestSeconds: number;
}

// Reads pg-boss's own table. It has no call that answers these questions without fetching every job whole. If a newer
// pg-boss stores jobs differently, this is logged and stops nothing.

/** The names of those kinds that have a job to be run now. Uses the connections of pg-boss, as its workers do. */
async function findDue(boss: PgBoss, names: readonly string[]): Promise<string[]> {
  const { rows }: { rows: { name: string }[] } = await boss.getDb().executeSql(
    `SELECT name FROM unnest($1::text[]) AS kind (name) WHERE EXISTS (
      SELECT FROM jobs.job WHERE job.name = kind.name
        AND state < 'active' AND NOT blocked AND start_after <= now())`,
    [names],
  );
  return rows.map(({ name }) => name);
}

/** Releases the jobs of killed processes. Call it only when no other process can be running. */
export async function releaseActive(db: Db, log: Logger): Promise<void> {
  try {
    await sql`
      UPDATE jobs.job SET state = 'retry', start_after = now(), heartbeat_on = NULL
      WHERE state = 'active'`.execute(db);
  } catch (error) {
    log.error(
      { err: error },
      'jobs that a killed process was at wait until its silence is noticed',
    );
  }
}

/**
 * The keys that already have a waiting or running job of this name, read from the index that keeps keys unique. Empty
 * when it cannot be read: adding a second job under a key does nothing.
 */
async function findKeysWithJob(
  db: Db,
  log: Logger,
  name: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  try {
    const { rows } = await sql<{ key: string }>`
      SELECT singleton_key AS key FROM jobs.job
      WHERE name = ${name} AND COALESCE(singleton_key, '') = ANY(${[...keys]}::text[])
        AND state <= 'active' AND policy = 'exclusive'`.execute(db);
    return new Set(rows.map(({ key }) => key));
  } catch (error) {
    log.error({ err: error }, 'jobs could not be looked for by their keys');
    return new Set();
  }
}

/** The waiting jobs of each queue that is not empty; empty when they cannot be read. */
async function measureDepths(db: Db, log: Logger): Promise<QueueDepth[]> {
  try {
    const { rows } = await sql<QueueDepth>`
      SELECT name,
        count(*) FILTER (WHERE state < 'active') AS waiting,
        count(*) FILTER (WHERE state = 'active') AS active,
        COALESCE(extract(epoch FROM now() - min(start_after)
          FILTER (WHERE state < 'active' AND start_after <= now())), 0)::float8 AS oldest_seconds
      FROM jobs.job WHERE state <= 'active' AND name NOT LIKE '\\_\\_pgboss%'
      GROUP BY name`.execute(db);
    return rows;
  } catch (error) {
    log.error({ err: error }, 'jobs that wait could not be counted');
    return [];
  }
}
