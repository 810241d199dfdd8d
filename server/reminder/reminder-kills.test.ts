import { setTimeout as sleep } from 'node:timers/promises';

import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { addDays, hourInOslo, todayInOslo } from '../../domain/date.ts';
import { workingDayFrom } from '../../domain/late-payment/working-days.ts';
import { CALL_LIMITS } from '../platform/db/connections.ts';
import { openServer, type Database } from '../platform/db/database.ts';
import { createJobQueue, type JobQueue } from '../platform/jobs/queue.ts';
import { handlerOf } from '../platform/jobs/job.ts';
import { remindJob } from '../platform/jobs/jobs.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import { invoiceBody } from '../testing/factories.ts';
import { killRounds, logIn, openStage, releaseJobs, type Stage } from '../testing/stage.ts';
import { addBankFile, registeredInTime, saveReminderSettings } from '../testing/late-invoices.ts';
import { createMembers } from '../testing/sends.ts';
import { until } from '../testing/until.ts';

const ROUNDS = killRounds(1);
/** Late invoices in each round, and parallel runs of automation and batches over all of them. */
const LATE = 16;
const RUNS = 20;
const BATCHES = 4;
/** The latest moment of a kill after the runs are queued (ms). */
const LATEST_KILL = 1500;
const OWNER = 'kari@example.no';

let stage: Stage;
let database: Database;
let jobs: JobQueue;

beforeAll(async () => {
  stage = await openStage({ headersOnly: true });
});

afterAll(async () => {
  await jobs?.stop();
  await database?.close();
  await stage.close();
});

/** The next working day around noon in Oslo, as milliseconds from now: the offset of the process's clock. */
const today = workingDayFrom(addDays(todayInOslo(), 1));
const AHEAD = Date.parse(`${today}T00:00:00Z`) - Date.parse(`${todayInOslo()}T00:00:00Z`);
const SHIFT = AHEAD + (12 - hourInOslo()) * 3_600_000;
const CLOCK = `const Real = Date; globalThis.Date = class extends Real {
  constructor(...given) { super(...(given.length ? given : [Real.now() + ${SHIFT}])); }
  static now() { return Real.now() + ${SHIFT}; } };`;

async function start() {
  return stage.start({
    FEATURES: 'reminders,payments',
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(CLOCK)}`,
  });
}

/** Adds late invoices to the members of a group; they were handed over, not mailed. */
async function addLate(client: TestClient, groupUuid: string): Promise<void> {
  const body = invoiceBody([], {
    group_uuid: groupUuid,
    issue_date: addDays(today, -24),
    due_days: 14,
  });
  expect((await client.post('/api/invoices/create/', body)).status).toBe(201);
  const { body: queued } = await client.post('/api/invoices/queue/');
  const registered = queued.registered as { uuid: string }[];
  await registeredInTime(
    database.db,
    registered.map(({ uuid }) => uuid),
  );
}

/** Queues runs over all invoices; each is a job of its own. */
async function addRuns(companyId: number, round: number): Promise<void> {
  const items = Array.from({ length: RUNS }, (_, run) => ({
    payload: { companyId, after: { dueDate: '2000-01-01', invoiceNumber: run } },
    key: `${round}:${run}`,
  }));
  expect(await jobs.enqueueAll(database.db, remindJob, items)).toBe(RUNS);
}

async function counts() {
  const { rows } = await sql<{ reminders: number; invoices: number; events: number; sent: number }>`
    SELECT (SELECT count(*) FROM reminder)::integer AS reminders,
      (SELECT count(DISTINCT invoice_id) FROM reminder WHERE step = 1)::integer AS invoices,
      (SELECT count(*) FROM history_event WHERE kind = 'REMINDED')::integer AS events,
      (SELECT count(*) FROM delivery WHERE reminder_principal IS NOT NULL AND status = 'SENT')
        ::integer AS sent`.execute(database.db);
  return rows[0];
}

test(
  'each step is made once and mailed under one Message-ID, by parallel runs that are killed',
  async () => {
    const first = await start();
    const client = await logIn(first, stage.smtp, OWNER);
    database = openServer(stage.directUrl ?? '', () => undefined, { limits: CALL_LIMITS });
    const { db } = database;
    const log = pino({ level: 'silent' });
    const reports = { report: () => undefined, close: async () => undefined };
    jobs = createJobQueue({
      database,
      log,
      reports,
      stopTimeout: 1000,
    });
    await jobs.start([handlerOf(remindJob, async () => undefined)], {
      work: false,
      features: new Set(),
    });
    const companyId = await companyIdOf(db, OWNER);
    await saveReminderSettings(client, { automatic: true, approve: false });
    await addBankFile(db, companyId, today);
    const members = await createMembers(client, LATE);
    let processes = [first, await start()];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const [here, there] = processes.map((process) => process.visitor(client.cookieHeader));
      if (!here || !there) throw new Error('Two processes work side by side');
      await addLate(here, members);
      const { body } = await here.get('/api/reminders/proposals/');
      const uuids = (body as { invoice_uuid: string }[]).map((one) => one.invoice_uuid);
      expect(uuids).toHaveLength(LATE);
      await addRuns(companyId, round);
      const batches = Array.from({ length: BATCHES }, async (_, batch) =>
        (batch % 2 ? here : there).post('/api/reminders/send/', { uuids }).catch(() => null),
      );
      await sleep(Math.random() * LATEST_KILL);
      await Promise.all(processes.map(async (process) => process.kill()));
      await Promise.all(batches);
      await releaseJobs(stage);
      await sql`UPDATE delivery SET leased_until = NULL`.execute(db);
      // The last round is brought to its end by one.
      processes = await Promise.all(round < ROUNDS ? [start(), start()] : [start()]);
      const all = round * LATE;
      await until(
        async () => counts(),
        (found) => found?.sent === all,
        60_000,
      );
      expect(await counts()).toEqual({ reminders: all, invoices: all, events: all, sent: all });
    }
    const idsOf = Map.groupBy(
      stage.smtp.mails.filter(({ to }) => to.some((address) => address.startsWith('medlem'))),
      ({ to }) => to.join(),
    );
    // One Message-ID for each reminder of a member.
    const distinct = [...idsOf.values()].map(
      (mails) => new Set(mails.map(({ messageId }) => messageId)).size,
    );
    expect(distinct).toEqual(Array.from({ length: LATE }, () => ROUNDS));
  },
  120_000 + ROUNDS * 60_000,
);
