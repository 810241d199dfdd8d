import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { releaseDeferred } from '../delivery/delivery-housekeeping.service.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { completeProfile, createCustomer, createDraft, register } from '../testing/factories.ts';
import { startMailServer, type MailServer, type SmtpReply } from '../testing/smtp-server.ts';
import { until } from '../testing/until.ts';
import { runCommand } from './run-command.ts';

let smtp: MailServer;
let testApp: TestApp;
let client: TestClient;
let customers = 0;

beforeAll(async () => {
  smtp = await startMailServer();
  testApp = await startTestApp({ SMTP_URL: smtp.url });
  client = await testApp.login();
  await completeProfile(client);
});

afterAll(async () => {
  await testApp.close();
  await smtp.close();
});

beforeEach(() => {
  smtp.faults.refuseRecipient = null;
});

async function run(...args: string[]) {
  const lines: string[] = [];
  const exit = await runCommand(testApp.context, 'delivery', args, {
    line: (text) => lines.push(text),
    bytes: async () => undefined,
  });
  return { exit, text: lines.join('\n') };
}

async function untilStatus(uuid: string, status: string): Promise<void> {
  await until(
    async () => (await client.get(`/api/invoices/${uuid}/`)).body.delivery_status as string,
    (found) => found === status,
  );
}

async function fail(reply: SmtpReply, email = `kunde${++customers}@example.no`): Promise<string> {
  smtp.faults.refuseRecipient = () => reply;
  const customer = await createCustomer(client, { email });
  const uuid = await createDraft(client, customer, { delivery_type: 'EMAIL' });
  await register(client, uuid);
  await untilStatus(uuid, 'FAILED');
  smtp.faults.refuseRecipient = null;
  return uuid;
}

const UNKNOWN = { code: 550, text: '5.1.1 No such user' };
const FULL = { code: 552, text: '5.2.2 Mailbox full' };

test('failed deliveries are sent again once, selected by reason and time', async () => {
  const unknown = await fail(UNKNOWN);
  const full = await fail(FULL);
  expect((await run('requeue', '--reason', '5.7.1')).text).toBe('0 invoices are sent again.');
  expect((await run('requeue', '--since', '2999-01-01')).text).toBe('0 invoices are sent again.');
  const began = new Date(Date.now() - 600_000).toISOString();
  expect(await run('requeue', '--since', began, '--reason', 'postkasse er FULL')).toEqual({
    exit: 0,
    text: '1 invoices are sent again.',
  });
  await releaseDeferred(testApp.context);
  await untilStatus(full, 'SENT');
  await untilStatus(unknown, 'FAILED');
  expect((await run('requeue')).text).toBe('1 invoices are sent again.');
  expect((await run('requeue')).text).toBe('0 invoices are sent again.');
  await releaseDeferred(testApp.context);
  await untilStatus(unknown, 'SENT');
});

test('an address that accepts no mail is skipped', async () => {
  const uuid = await fail(UNKNOWN, 'borte@example.no');
  await testApp.context.db
    .insertInto('suppressedAddress')
    .values({ email: 'borte@example.no', reason: 'BOUNCE' })
    .execute();
  expect((await run('requeue')).text).toBe(
    '0 invoices are sent again.\n1 are not: address_suppressed',
  );
  await untilStatus(uuid, 'FAILED');
  expect(await run('unsuppress', 'Borte@example.no')).toEqual({
    exit: 0,
    text: 'borte@example.no gets mail again. Invoices that failed are sent with requeue.',
  });
  expect((await run('requeue')).text).toBe('1 invoices are sent again.');
  await releaseDeferred(testApp.context);
  await untilStatus(uuid, 'SENT');
});

test.each([
  [['unsuppress', 'her@example.no'], 1, 'her@example.no is on no list'],
  [['unsuppress'], 2, 'An e-mail address is needed'],
  [['allow', 'nobody@example.no'], 1, 'There is no account for nobody@example.no'],
  [['allow'], 2, 'An e-mail address is needed'],
  [['requeue', '--since', 'yesterday'], 2, 'Not a time: yesterday'],
  [['requeue', '--since', '05.11.2026'], 2, 'Not a time: 05.11.2026'],
  [['requeue', '--since', '2999-02-31'], 2, 'Not a time: 2999-02-31'],
  [['requeue', '--since', '0000-01-01'], 2, 'Not a time: 0000-01-01'],
  [['requeue', '--since', '9999-12-31T23:59-01:00'], 2, 'Not a time: 9999-12-31'],
  [['requeue', '--since', '2999-11-20T14:30'], 0, '0 invoices are sent again.'],
  [['requeue', '--since', '2999-11-20T14:30+01:00'], 0, '0 invoices are sent again.'],
  [['requeue', 'all'], 2, 'Too many words: all'],
  [[], 2, 'npm run delivery -- allow EMAIL'],
])('%j is answered with help', async (args, exit, text) => {
  const answer = await run(...args);
  expect(answer.exit).toBe(exit);
  expect(answer.text).toContain(text);
});
