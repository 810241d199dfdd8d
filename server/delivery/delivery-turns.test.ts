import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { completeProfile, createCustomer, createDraft, register } from '../testing/factories.ts';
import { createMembers, sendToGroup, tally } from '../testing/sends.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';
import { until } from '../testing/until.ts';

const MANY = 300;
/** With two connections some twenty mails a second, so that MANY take a quarter of a minute. */
const ACCEPT_DELAY = 100;

let smtp: MailServer;
let testApp: TestApp;

beforeAll(async () => {
  smtp = await startMailServer({ headersOnly: true });
  testApp = await startTestApp({ SMTP_URL: smtp.url, SMTP_CONNECTIONS: '2' });
});

afterAll(async () => {
  await testApp.close();
  await smtp.close();
});

async function newCompany(name: string): Promise<TestClient> {
  const client = await testApp.login();
  await completeProfile(client, { company_name: name });
  return client;
}

function mailsFrom(seller: string) {
  return smtp.mails.filter(({ subject }) => subject.endsWith(seller));
}

test('one invoice passes the hundreds of another company at a slow mail server', async () => {
  smtp.faults.acceptDelay = ACCEPT_DELAY;
  const large = await newCompany('Stor AS');
  const members = await createMembers(large, MANY);
  const small = await newCompany('Liten AS');
  const customer = await createCustomer(small, { email: 'eneste@example.no' });
  const draft = await createDraft(small, customer, { delivery_type: 'EMAIL' });

  await sendToGroup(large, members);
  await until(
    () => smtp.mails.length,
    (many) => many > 20,
  );
  const before = smtp.mails.length;
  await register(small, draft);
  await smtp.waitForMail(({ subject }) => subject.endsWith('Liten AS'), 20_000);
  expect(smtp.mails.length - before).toBeLessThan(60);

  smtp.faults.acceptDelay = 0;
  await until(
    () => mailsFrom('Stor AS').length,
    (many) => many === MANY,
    60_000,
  );
  expect(tally(mailsFrom('Stor AS'))).toEqual({ invoices: MANY, repeated: 0, doubled: 0 });
});
