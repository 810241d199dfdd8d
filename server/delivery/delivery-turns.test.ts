import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import { completeProfile, createCustomer, createDraft, register } from '../testing/factories.ts';
import { createMembers, sendToGroup, tally } from '../testing/sends.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';
import { until } from '../testing/until.ts';

const MANY = 120;
/** With two connections at most twenty mails a second, so that MANY take six seconds or more. */
const ACCEPT_DELAY = 100;

let smtp: MailServer;
let testApp: TestApp;

beforeAll(async () => {
  smtp = await startMailServer({ headersOnly: true });
  testApp = await startTestApp({
    SMTP_URL: smtp.url,
    SMTP_CONNECTIONS: '2',
    NEW_COMPANY_MAILS_PER_DAY: 'none',
  });
});

afterAll(async () => {
  await testApp.close();
  await smtp.close();
});

async function newCompany(name: string, email?: string): Promise<TestClient> {
  const client = await testApp.login(email);
  await completeProfile(client, { company_name: name });
  return client;
}

async function draftFor(seller: TestClient, email: string): Promise<string> {
  const customer = await createCustomer(seller, { email });
  return createDraft(seller, customer, { delivery_type: 'EMAIL' });
}

async function sendInvoice(seller: TestClient, email: string): Promise<number> {
  return register(seller, await draftFor(seller, email));
}

function mailsFrom(seller: string) {
  return smtp.mails.filter(({ subject }) => subject.endsWith(seller));
}

// DEL-13
test('one invoice passes the hundreds of another company at a slow mail server', async () => {
  smtp.faults.acceptDelay = ACCEPT_DELAY;
  const large = await newCompany('Stor AS');
  const members = await createMembers(large, MANY);
  const small = await newCompany('Liten AS');
  const draft = await draftFor(small, 'eneste@example.no');

  await sendToGroup(large, members);
  await until(
    () => smtp.mails.length,
    (many) => many > 20,
  );
  await register(small, draft);
  const before = smtp.mails.length;
  await smtp.waitForMail(({ subject }) => subject.endsWith('Liten AS'));
  expect(smtp.mails.length - before).toBeLessThan(20);

  smtp.faults.acceptDelay = 0;
  await until(
    () => mailsFrom('Stor AS').length,
    (many) => many === MANY,
  );
  expect(tally(mailsFrom('Stor AS'))).toEqual({ invoices: MANY, repeated: 0, doubled: 0 });
});

test('a mail is recorded at once, though the counts of another company are held', async () => {
  const { db } = testApp.context;
  const held = await newCompany('Holdt AS', 'holdt@example.no');
  const free = await newCompany('Ledig AS');
  const companyId = await companyIdOf(db, 'holdt@example.no');
  smtp.faults.acceptDelay = 500;
  await sendInvoice(held, 'en@holdt.no');
  const holder = await db.startTransaction().execute();
  await sql`SELECT FROM invoice_count WHERE company_id = ${companyId} FOR UPDATE`.execute(holder);
  try {
    await smtp.waitForMail(({ subject }) => subject.endsWith('Holdt AS'));
    smtp.faults.acceptDelay = 0;
    const number = await sendInvoice(free, 'en@ledig.no');
    await smtp.waitForMail(({ subject }) => subject.endsWith('Ledig AS'));
    const status = await until(
      async () => (await free.get(`/api/invoices/${number}/`)).body.delivery_status as string,
      (found) => found === 'SENT',
      2000,
    );
    expect(status).toBe('SENT');
  } finally {
    await holder.rollback().execute();
  }
});
