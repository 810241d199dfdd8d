import { afterAll, beforeAll, expect, test } from 'vitest';

import { loginMailJob } from './jobs.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';

let mailServer: MailServer;
let testApp: TestApp;

beforeAll(async () => {
  mailServer = await startMailServer();
  testApp = await startTestApp({ SMTP_URL: mailServer.url });
});
afterAll(async () => {
  await testApp.close();
  await mailServer.close();
});

test('a queue that fills up is emptied without waiting for the next poll', async () => {
  const { db, jobs } = testApp.context;
  const began = performance.now();
  // In one transaction, so that all of them come with one notification.
  await db.transaction().execute(async (trx) => {
    for (let index = 0; index < 100; index++) {
      const email = `nr${index}@example.no`;
      await jobs.enqueue(trx, loginMailJob, { email, purpose: 'register' });
    }
  });
  for (let index = 0; index < 100; index++) {
    await mailServer.waitForMail(({ to }) => to.includes(`nr${index}@example.no`), 20_000);
  }
  // Four workers that waited two seconds after each would take fifty.
  expect(performance.now() - began).toBeLessThan(20_000);
});
