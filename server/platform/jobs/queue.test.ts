import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

import type { Feature } from '../../../domain/api/endpoint.ts';
import type { Database } from '../db/database.ts';
import { openErrorReports } from '../log/error-reports.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { startMailServer, type MailServer } from '../../testing/smtp-server.ts';
import { until, untilBlocked } from '../../testing/until.ts';
import { defineJob, handlerOf, type Job, TryLater } from './job.ts';
import { loginMailJob } from './jobs.ts';
import { createJobQueue, type JobQueue } from './queue.ts';

const LEFT_ACTIVE = 'jobs that a killed process was at wait until its silence is noticed';
const UNCOUNTED = 'jobs that wait could not be counted';

let mailServer: MailServer;
let testApp: TestApp;
/** A database of the queues that the tests make, each with jobs of its own names. */
let database: Database;

beforeAll(async () => {
  mailServer = await startMailServer();
  testApp = await startTestApp({ SMTP_URL: mailServer.url });
  database = await openTestDatabase();
});
afterAll(async () => {
  await database.close();
  await testApp.close();
  await mailServer.close();
});

test('a queue that fills up is emptied without waiting for the next poll', async () => {
  const { db, jobs } = testApp.context;
  const began = performance.now();
  // In one transaction, so that the worker is notified once for all of them.
  await db.transaction().execute(async (trx) => {
    for (let index = 0; index < 100; index++) {
      const email = `nr${index}@example.no`;
      await jobs.enqueue(trx, loginMailJob, { email, purpose: 'register' });
    }
  });
  for (let index = 0; index < 100; index++) {
    await mailServer.waitForMail(({ to }) => to.includes(`nr${index}@example.no`));
  }
  // Four workers that waited two seconds after each job would take fifty seconds.
  expect(performance.now() - began).toBeLessThan(45_000);
});

test('a process looks at once for jobs that it adds, and notifies others of urgent ones', async () => {
  const { log, config } = testApp.context;
  const reports = await openErrorReports(config);
  const jobs = createJobQueue({ database, log, reports, stopTimeout: 1000 });
  let ran = 0;
  const options = { retryLimit: 0, retryDelay: 1, expireInSeconds: 60, batchSize: 1 };
  const [quiet, urgent] = [false, true].map((isUrgent) =>
    defineJob(isUrgent ? 'urgent' : 'quiet', z.object({}), { ...options, isUrgent }),
  ) as [Job<object>, Job<object>];
  const handlers = [quiet, urgent].map((job) =>
    handlerOf(job, async () => void (ran += 1), { batches: 2 }),
  );
  await jobs.start(handlers, { work: true, features: new Set() });
  const { notices, stop } = await listen(database);
  const began = performance.now();
  for (let many = 1; many <= 16; many += 1) {
    await database.db.transaction().execute(async (trx) => jobs.enqueue(trx, quiet, {}));
    await until(
      () => ran,
      (count) => count === many,
    );
  }
  // Each job would wait for the two seconds between two polls.
  expect(performance.now() - began).toBeLessThan(24_000);
  await jobs.enqueue(database.db, urgent, {});
  await until(
    () => notices.length,
    (count) => count > 0,
  );
  expect(notices).toEqual(['urgent']);
  await stop();
  await jobs.stop();
});

test('a retry, and a job of a process that runs none, wait for seconds', async () => {
  const { log, config } = testApp.context;
  const reports = await openErrorReports(config);
  const open = () => createJobQueue({ database, log, reports, stopTimeout: 1000 });
  const options = { retryLimit: 3, retryDelay: 1, expireInSeconds: 60, batchSize: 1 };
  const retried = defineJob('retried', z.object({}), options);
  let tries = 0;
  const handler = handlerOf(retried, async () => {
    tries += 1;
    if (tries === 1) throw new TryLater('It is the first try');
  });
  const [web, worker] = [open(), open()];
  await worker.start([handler], { work: true, features: new Set() });
  await web.start([handler], { work: false, features: new Set() });
  const began = performance.now();
  await web.enqueue(database.db, retried, {});
  await until(
    () => tries,
    (count) => count === 2,
  );
  // A worker looks by itself once a minute.
  expect(performance.now() - began).toBeLessThan(30_000);
  await web.stop();
  await worker.stop();
});

test.skipIf(process.env['TEST_DATABASE'] === 'embedded')(
  'a process that comes while another makes the tables of the queue starts too',
  async () => {
    const database = await openTestDatabase();
    await sql`DROP SCHEMA IF EXISTS jobs CASCADE`.execute(database.db);
    const { log, config } = testApp.context;
    const reports = await openErrorReports(config);
    const jobs = createJobQueue({ database, log, reports, stopTimeout: 1000 });
    let started: Promise<void> | undefined;
    await database.db.transaction().execute(async (trx) => {
      await sql`CREATE SCHEMA jobs`.execute(trx);
      started = jobs.start([], { work: false, features: new Set() });
      await untilBlocked(database.db);
    });
    await started;
    expect(await jobs.depths()).toEqual([]);
    await jobs.stop();
    await database.close();
  },
);

/** Collects PostgreSQL's notifications of jobs until `stop`. */
async function listen({ pglite, directUrl }: Database) {
  const notices: string[] = [];
  const name = `SELECT 'pgboss_' || left(encode(sha224('jobs'::bytea), 'hex'), 24) AS channel`;
  if (pglite) {
    const { rows } = await pglite.query<{ channel: string }>(name);
    const stop = await pglite.listen(
      rows[0]?.channel ?? '',
      (payload) => void notices.push(payload ?? ''),
    );
    return { notices, stop: async () => stop() };
  }
  const client = new pg.Client({ connectionString: directUrl ?? '' });
  await client.connect();
  const { rows } = await client.query<{ channel: string }>(name);
  client.on('notification', ({ payload }) => void notices.push(payload ?? ''));
  await client.query(`LISTEN ${rows[0]?.channel}`);
  return { notices, stop: async () => client.end() };
}

test('jobs of a feature that is off wait until it is on, and the schedule adds none', async () => {
  const ran: string[] = [];
  const note = async ({ text }: { text: string }) => void ran.push(text);
  const payload = z.object({ text: z.string() });
  const options = { retryLimit: 0, retryDelay: 1, expireInSeconds: 60, batchSize: 1 };
  const always = defineJob('always', payload, options);
  const remind = defineJob('remind', payload, options);
  const work = async (features: readonly Feature[], during: (jobs: JobQueue) => Promise<void>) => {
    const { log } = testApp.context;
    const reports = await openErrorReports(testApp.context.config);
    const jobs = createJobQueue({ database, log, reports, stopTimeout: 1000 });
    await jobs.start(
      [
        handlerOf(always, note),
        handlerOf(remind, note, { feature: 'reminders', cron: '0 6 * * *' }),
      ],
      { work: true, features: new Set(features) },
    );
    await during(jobs);
    await jobs.stop();
    const { rows } = await sql`SELECT FROM jobs.schedule`.execute(database.db);
    return rows.length;
  };
  expect(await work(['reminders'], async () => undefined)).toBe(1);
  const planned = await work(['payments'], async (jobs) => {
    await jobs.enqueue(database.db, remind, { text: 'of reminders' });
    await jobs.enqueue(database.db, always, { text: 'of none' });
    await until(
      () => ran.length,
      (count) => count > 0,
    );
  });
  expect([ran, planned]).toEqual([['of none'], 0]);
  const { rows } = await sql`
    SELECT keep_until > now() + interval '9 years' AS is_kept FROM jobs.job
    WHERE name = 'remind' AND state = 'created'`.execute(database.db);
  expect(rows).toEqual([{ isKept: true }]);
  await work(
    ['reminders'],
    async () =>
      void (await until(
        () => ran.length,
        (count) => count > 1,
      )),
  );
  expect(ran).toEqual(['of none', 'of reminders']);
});

test('the current schema reads a job of an older version, and a job that it cannot read is not run', async () => {
  const { log } = testApp.context;
  const reports = await openErrorReports(testApp.context.config);
  const jobs = createJobQueue({ database, log, reports, stopTimeout: 1000 });
  const options = { retryLimit: 0, retryDelay: 1, expireInSeconds: 60, batchSize: 1 };
  const older = defineJob('pay', z.object({ id: z.any() }), options);
  const present = defineJob(
    'pay',
    z.object({ id: z.number().int(), currency: z.string().default('NOK') }),
    options,
  );
  const ran: object[] = [];
  await jobs.start([handlerOf(present, async (payload) => void ran.push(payload))], {
    work: true,
    features: new Set(),
  });
  for (const id of ['7 or so', 7]) await jobs.enqueue(database.db, older, { id });
  const states = await until(
    async () => {
      const { rows } = await sql<{ state: string }>`
        SELECT state FROM jobs.job WHERE name = 'pay' ORDER BY created_on`.execute(database.db);
      return rows.map(({ state }) => state);
    },
    (found) => found.every((state) => ['completed', 'failed'].includes(state)),
  );
  expect([states, ran]).toEqual([['failed', 'completed'], [{ id: 7, currency: 'NOK' }]]);
  await jobs.stop();
});

// The last, because it renames the table of jobs.
test('a pg-boss that stores its jobs elsewhere is reported and does not prevent the start', async () => {
  const lines: string[] = [];
  const open = () =>
    createJobQueue({
      database,
      log: pino({}, { write: (line) => void lines.push(line) }),
      reports: { report: () => undefined, close: async () => undefined },
      stopTimeout: 1000,
    });
  const handled = Promise.withResolvers<object>();
  const handlers = [handlerOf(loginMailJob, async (payload) => handled.resolve(payload))];
  const before = open();
  await before.start(handlers, { work: false, features: new Set() });
  await before.stop();
  await sql`ALTER TABLE jobs.job RENAME TO job_of_tomorrow`.execute(database.db);
  const after = open();
  try {
    await after.start(handlers, { work: true, features: new Set() });
    expect(await after.depths()).toEqual([]);
    const payload = { email: 'kari@example.no', purpose: 'login' } as const;
    await after.enqueue(database.db, loginMailJob, payload);
    expect(await handled.promise).toEqual(payload);
    const warnings = lines
      .map((line) => (JSON.parse(line) as { msg: string }).msg)
      .filter((message) => message !== 'job queue');
    expect(warnings).toEqual([...(database.pglite ? [LEFT_ACTIVE] : []), UNCOUNTED]);
  } finally {
    await after.stop();
  }
});
