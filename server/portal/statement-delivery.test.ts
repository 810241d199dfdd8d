import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { addDays, todayInOslo } from '../../domain/date.ts';
import { suppress } from '../platform/mail/refusals.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { completeProfile, createCustomer, createDraft, register } from '../testing/factories.ts';
import { readMail } from '../testing/mails.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';
import { until } from '../testing/until.ts';

let smtp: MailServer;
let testApp: TestApp;
let owner: TestClient;

const TODAY = todayInOslo();
const PERIOD = { from: addDays(TODAY, -30), to: TODAY };
const GREYLISTED = { code: 451, text: '4.7.1 Try again later' };

beforeAll(async () => {
  smtp = await startMailServer();
  testApp = await startTestApp({
    FEATURES: 'portal',
    SMTP_URL: smtp.url,
    SMTP_TIMEOUT_SECONDS: '5',
  });
  owner = await testApp.login();
  await completeProfile(owner, { company_name: 'Snekker Andersen AS' });
});
afterAll(async () => {
  await testApp.close();
  await smtp.close();
});
afterEach(() => {
  smtp.faults.refuseRecipient = null;
});

const urlOf = (customer: number) => `/api/customers/${customer}/statement/deliveries/`;

async function latestOf(customer: number, status: string) {
  return until(
    async () => (await owner.get(urlOf(customer))).body[0],
    (delivery) => delivery.status === status,
  );
}

const mailsTo = (address: string) => smtp.mails.filter(({ to }) => to.includes(address));

// PORT-38, PORT-40
test('a statement is mailed with its PDF to the addresses of the customer', async () => {
  const invoice_emails = ['regnskap@kiosk.example', 'daglig@kiosk.example'];
  const customer = await createCustomer(owner, { name: 'Kiosken AS', invoice_emails });
  await register(owner, await createDraft(owner, customer, { issue_date: TODAY }));
  const asked = await owner.post(urlOf(customer), PERIOD);
  expect(asked.status).toBe(201);
  const waits = { status: 'QUEUED', reason: null };
  expect(asked.body).toEqual({
    uuid: expect.any(String),
    recipient: invoice_emails[0],
    recipients: invoice_emails.map((address) => ({ address, ...waits })),
    status: 'QUEUED',
    sent_time: null,
    failure_reason: null,
  });
  const sent = await latestOf(customer, 'SENT');
  expect(sent).toMatchObject({ uuid: asked.body.uuid, sent_time: expect.any(String) });
  expect(sent.recipients.map(({ status }: { status: string }) => status)).toEqual(['SENT', 'SENT']);
  const [caught, ...more] = mailsTo('daglig@kiosk.example');
  expect(more).toEqual([]);
  expect(caught?.to).toEqual(invoice_emails);
  const mail = await readMail(caught?.raw ?? Buffer.alloc(0));
  expect(mail.subject).toBe('Kontoutskrift fra Snekker Andersen AS');
  expect(mail.text).toContain('Kontoutskriften ligger ved som PDF. Dette er ikke en faktura.');
  expect(mail.text).toContain('173,46 kr');
  expect(mail.attachments.map(({ filename, mimeType }) => [filename, mimeType])).toEqual([
    [`Kontoutskrift-${customer}-${TODAY}.pdf`, 'application/pdf'],
  ]);
});

// PORT-38
test('it goes to a typed address instead, five times in an hour', async () => {
  const customer = await createCustomer(owner, { email: null });
  expect((await owner.post(urlOf(customer), PERIOD)).status).toBe(409);
  const form = { ...PERIOD, recipient: 'revisor@example.no' };
  for (let turn = 0; turn < 5; turn += 1) {
    expect((await owner.post(urlOf(customer), form)).status).toBe(201);
  }
  const refused = await owner.post(urlOf(customer), form);
  expect(refused.status).toBe(429);
  expect((await owner.get(urlOf(customer))).body).toHaveLength(5);
  const other = await createCustomer(owner);
  expect((await owner.post(urlOf(other), form)).status).toBe(201);
  await until(
    async () => mailsTo('revisor@example.no').length,
    (many) => many === 6,
  );
});

// PORT-31, PORT-38
test.each([
  [{ from: TODAY }, 400],
  [{ from: TODAY, to: addDays(TODAY, 1) }, 400],
  [{ ...PERIOD, recipient: 'ingen' }, 400],
])('%o is refused', async (form, status) => {
  const customer = await createCustomer(owner);
  expect((await owner.post(urlOf(customer), form)).status).toBe(status);
  expect((await owner.get(urlOf(customer))).body).toEqual([]);
});

// PORT-39
test('a suppressed address has failed at once, another one of the same mail gets it', async () => {
  const invoice_emails = ['borte@kiosk.example', 'her@kiosk.example'];
  await suppress(testApp.context.db, 'borte@kiosk.example', 'BOUNCE');
  const customer = await createCustomer(owner, { invoice_emails });
  await owner.post(urlOf(customer), PERIOD);
  const { recipients } = await latestOf(customer, 'SENT');
  expect(recipients).toEqual([
    {
      address: 'borte@kiosk.example',
      status: 'FAILED',
      reason: 'Adressen har avvist e-post tidligere',
    },
    { address: 'her@kiosk.example', status: 'SENT', reason: null },
  ]);
  expect(mailsTo('borte@kiosk.example')).toEqual([]);
  const alone = { ...PERIOD, recipient: 'borte@kiosk.example' };
  expect((await owner.post(urlOf(customer), alone)).body).toMatchObject({
    status: 'FAILED',
    failure_reason: 'Adressen har avvist e-post tidligere',
  });
});

// PORT-39
test('an address that is refused for the moment is tried again, and nobody gets it twice', async () => {
  const invoice_emails = ['snar@kiosk.example', 'treg@kiosk.example'];
  const customer = await createCustomer(owner, { invoice_emails });
  smtp.faults.refuseRecipient = (address) => (address === 'treg@kiosk.example' ? GREYLISTED : null);
  await owner.post(urlOf(customer), PERIOD);
  const { recipients } = await latestOf(customer, 'SENT');
  expect(recipients.map(({ status }: { status: string }) => status)).toEqual(['SENT', 'QUEUED']);
  smtp.faults.refuseRecipient = null;
  const caught = await smtp.waitForMail(({ to }) => to.includes('treg@kiosk.example'));
  expect(caught.to).toEqual(['treg@kiosk.example']);
  const [first, ...more] = mailsTo('snar@kiosk.example');
  expect(more).toEqual([]);
  expect(caught.messageId).toBe(first?.messageId);
});

// PORT-39
test('an address that is refused for good has failed with the reason', async () => {
  const customer = await createCustomer(owner);
  smtp.faults.refuseRecipient = () => ({ code: 550, text: '5.1.1 No such user' });
  await owner.post(urlOf(customer), { ...PERIOD, recipient: 'feil@kiosk.example' });
  const { failure_reason } = await latestOf(customer, 'FAILED');
  expect(failure_reason).toEqual(expect.any(String));
});

// PORT-39
test('after two days of refusals it is given up', async () => {
  const customer = await createCustomer(owner);
  smtp.faults.refuseRecipient = () => GREYLISTED;
  await owner.post(urlOf(customer), { ...PERIOD, recipient: 'stengt@kiosk.example' });
  await testApp.context.db
    .updateTable('statementDelivery')
    .set({ createdAt: new Date(Date.now() - 49 * 3600_000) })
    .where('recipients', '@>', JSON.stringify([{ address: 'stengt@kiosk.example' }]) as never)
    .execute();
  const { failure_reason, sent_time } = await latestOf(customer, 'FAILED');
  expect([failure_reason, sent_time]).toEqual([expect.any(String), null]);
});

// PORT-40
test('the deliveries go with their customer', async () => {
  const customer = await createCustomer(owner);
  await owner.post(urlOf(customer), PERIOD);
  await latestOf(customer, 'SENT');
  expect((await owner.delete(`/api/customers/${customer}/`)).status).toBe(204);
  expect((await owner.get(urlOf(customer))).status).toBe(404);
});
