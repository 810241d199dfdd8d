// A process of its own: it moves the clock.
import { PassThrough } from 'node:stream';

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { lockCompany } from '../../company/profile.repository.ts';
import { housekeepingJobs } from '../../operator/housekeeping.jobs.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { upload, uploadAndBook, WITH_ACCOUNTS } from '../../testing/bank-files/bank-company.ts';
import { ocrFile } from '../../testing/bank-files/payment-files.ts';
import type { Answer, TestClient } from '../../testing/client.ts';
import { companyIdOf } from '../../testing/company.ts';
import { completeProfile } from '../../testing/factories.ts';
import { untilBlocked } from '../../testing/until.ts';

const OWNER = 'kari@example.no';
let testApp: TestApp;
let client: TestClient;
let transmission = 0;

beforeAll(async () => {
  testApp = await startTestApp({ FEATURES: 'payments', DISPATCH: 'staff' });
  // Only the test runs the housekeeping.
  await testApp.context.jobs.stop();
  client = await testApp.login(OWNER);
  await completeProfile(client, WITH_ACCOUNTS);
});
afterAll(async () => {
  vi.useRealTimers();
  await testApp.close();
});

const file = () => ocrFile([{ amount: 100 }], { transmission: (transmission += 1) });

async function preview(): Promise<string> {
  return (await upload(client, file())).body.uuid;
}

// BANK-7
test('a file that comes twice at once is one preview, which both get', async () => {
  const { db } = testApp.context;
  const content = file();
  const before = await files();
  const companyId = await companyIdOf(db, OWNER);
  const { calls } = await db.transaction().execute(async (trx) => {
    await lockCompany(trx, companyId);
    const calls = [upload(client, content), upload(client, content)];
    // Both are read, and neither is known yet.
    await untilBlocked(db, 2);
    return { calls };
  });
  const answers = await Promise.all(calls);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 201]);
  const [{ body: one }, { body: other }] = answers as [Answer, Answer];
  expect(other).toMatchObject({ uuid: one.uuid, count: 1, state: 'PREVIEW' });
  expect(await files()).toEqual([one.uuid, ...before]);
});

async function files(): Promise<string[]> {
  const { body } = await client.get('/api/payments/files/');
  return body.map(({ uuid }: { uuid: string }) => uuid);
}

/** Returns a function that runs the housekeeping job of each minute, for a process that just started. */
function startHousekeeping(): () => Promise<void> {
  const [housekeeping] = housekeepingJobs(testApp.context);
  return async () => housekeeping?.handle({}, new AbortController().signal);
}

async function age(uuid: string, days: number): Promise<void> {
  const createdAt = sql<Date>`now() - make_interval(days => ${days})`;
  const { db } = testApp.context;
  await db.updateTable('bankFile').set({ createdAt }).where('uuid', '=', uuid).execute();
}

// BANK-8
test('previews older than 30 days or beyond the newest 20 are deleted at start and each hour', async () => {
  const minute = startHousekeeping();
  const booked = (await uploadAndBook(client, file())).body.uuid as string;
  const first = await preview();
  const previews: string[] = [];
  for (let count = 0; count < 20; count += 1) previews.push(await preview());
  await age(booked, 400);
  const [oldest = '', young = ''] = previews;
  await age(oldest, 31);
  await age(young, 29);
  await minute();
  const kept = [...previews.slice(1).toReversed(), booked];
  expect(await files()).toEqual(kept);
  expect((await client.get(`/api/payments/files/${first}/`)).status).toBe(404);

  await age(young, 31);
  await minute();
  expect(await files()).toEqual(kept);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  await minute();
  expect(await files()).toEqual(kept.filter((uuid) => uuid !== young));
});

// Decision 13
test('of seven files of a company at once one is refused for the moment, and all are read in the end', async () => {
  const before = await files();
  const uploads = Array.from({ length: 7 }, () => {
    const content = file();
    const bytes = new PassThrough();
    bytes.write(content.slice(0, 82), 'latin1');
    return { content, bytes, answer: upload(client, bytes) };
  });
  // One is being read and five wait, for as long as no file ends.
  const refused = await Promise.race(
    uploads.map(async (one) => ({ one, answer: await one.answer })),
  );
  expect(refused.answer.status).toBe(503);
  expect(Number(refused.answer.headers['retry-after'])).toBeGreaterThan(0);
  for (const { content, bytes } of uploads) bytes.end(content.slice(82), 'latin1');
  const others = uploads.filter((one) => one !== refused.one);
  const answers = await Promise.all(others.map(async ({ answer }) => answer));
  expect(answers.map(({ status }) => status)).toEqual(others.map(() => 201));
  answers.push(await upload(client, refused.one.content));
  expect(answers.at(-1)?.status).toBe(201);
  const made = answers.map(({ body }) => body.uuid as string);
  expect((await files()).toSorted()).toEqual([...before, ...made].toSorted());
});
