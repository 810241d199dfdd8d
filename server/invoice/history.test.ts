import { afterAll, beforeAll, expect, test } from 'vitest';

import { todayInOslo } from '../../domain/date.ts';
import { requeueFailed } from '../delivery/delivery-by-hand.service.ts';
import { createApiToken } from '../account/session.service.ts';
import { STAFF_EMAIL, startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import {
  completeProfile,
  createCustomer,
  createDraft,
  createGroup,
  createTemplate,
  invoiceBody,
  register,
} from '../testing/factories.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';
import { until } from '../testing/until.ts';

const OWNER = 'kari@fjordlys.no';
const SYSTEM = { type: 'SYSTEM', name: 'Faktur' };
const ACCOUNT = { type: 'ACCOUNT', name: OWNER };

let smtp: MailServer;
let testApp: TestApp;
let client: TestClient;
let refused = new Set<string>();

beforeAll(async () => {
  smtp = await startMailServer();
  smtp.faults.refuseRecipient = (address) =>
    refused.has(address) ? { code: 550, text: '5.1.1 No such user' } : null;
  testApp = await startTestApp({ SMTP_URL: smtp.url });
  client = await testApp.login(OWNER);
  await completeProfile(client);
});
afterAll(async () => {
  await testApp.close();
  await smtp.close();
});

interface Event {
  at: string;
  kind: string;
  by: { type: string; name: string };
  details: Record<string, unknown>;
}

async function historyOf(name: string | number, caller = client): Promise<Event[]> {
  const { status, body } = await caller.get(`/api/invoices/${name}/history/`);
  expect(status).toBe(200);
  return body;
}

/** Newest first, as 'KIND by TYPE'. */
async function kindsOf(name: string | number, caller = client): Promise<string[]> {
  return (await historyOf(name, caller)).map(({ kind, by }) => `${kind} by ${by.type}`);
}

async function untilKind(uuid: string, kind: string, caller = client): Promise<Event> {
  const [newest] = await until(
    async () => historyOf(uuid, caller),
    ([event]) => event?.kind === kind,
  );
  if (!newest) throw new Error('No history');
  return newest;
}

async function sendTo(email: string, caller = client) {
  const customerNumber = await createCustomer(caller, { email });
  const uuid = await createDraft(caller, customerNumber, { delivery_type: 'EMAIL' });
  const number = await register(caller, uuid);
  return { uuid, number, customerNumber };
}

// INV-32, INV-33
test('the history shows creating, registering, sending, paying and unpaying, newest first', async () => {
  const started = Date.now();
  const { uuid, number } = await sendTo('kunde@example.no');
  await untilKind(uuid, 'SENT');
  await client.post(`/api/invoices/${uuid}/update/`, { status: 'PAID' });
  await client.post(`/api/invoices/${uuid}/update/`, { status: 'REGISTERED' });
  const mail = { delivery_type: 'EMAIL', recipient: 'kunde@example.no' };
  const history = await historyOf(uuid);
  const payment = { amount: 173.46, date: todayInOslo(), source: 'MANUAL' };
  expect(history.map(({ kind, by, details }) => ({ kind, by, details }))).toEqual([
    { kind: 'UNPAID', by: ACCOUNT, details: {} },
    { kind: 'PAYMENT', by: ACCOUNT, details: { ...payment, amount: -173.46, taken_back: true } },
    { kind: 'PAID', by: ACCOUNT, details: { paid_date: todayInOslo() } },
    { kind: 'PAYMENT', by: ACCOUNT, details: payment },
    { kind: 'SENT', by: SYSTEM, details: mail },
    { kind: 'QUEUED', by: SYSTEM, details: mail },
    { kind: 'REGISTERED', by: ACCOUNT, details: { invoice_number: number } },
    { kind: 'CREATED', by: ACCOUNT, details: {} },
  ]);
  const times = history.map(({ at }) => Date.parse(at));
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  expect(times.at(-1)).toBeGreaterThan(started - 1000);
  expect(await historyOf(number)).toEqual(history);
});

test('a refused action adds no event', async () => {
  const { uuid } = await sendTo('nei@example.no');
  await untilKind(uuid, 'SENT');
  const before = await historyOf(uuid);
  expect((await client.post(`/api/invoices/${uuid}/resend/`)).status).toBe(409);
  const cancelled = await client.post(`/api/invoices/${uuid}/update/`, { status: 'CANCELLED' });
  expect(cancelled.status).toBe(409);
  // Already registered: succeeds without an event.
  expect((await client.post(`/api/invoices/queue/?invoice_uuid=${uuid}`)).status).toBe(200);
  expect(await historyOf(uuid)).toEqual(before);
});

// INV-33
test('a refused delivery shows its reason, and a resend is an event of its own', async () => {
  refused = new Set(['borte@example.no']);
  const { uuid, customerNumber } = await sendTo('borte@example.no');
  const failed = await untilKind(uuid, 'FAILED');
  expect(failed.by).toEqual(SYSTEM);
  expect(failed.details).toEqual({
    delivery_type: 'EMAIL',
    recipient: 'borte@example.no',
    reason: expect.stringMatching(/5\.1\.1/),
  });
  await client.put(`/api/customers/${customerNumber}/update/`, {
    name: 'Ny',
    email: 'hjemme@example.no',
  });
  expect((await client.post(`/api/invoices/${uuid}/resend/`)).status).toBe(200);
  await untilKind(uuid, 'SENT');
  expect(await kindsOf(uuid)).toEqual([
    'SENT by SYSTEM',
    'QUEUED by ACCOUNT',
    'FAILED by SYSTEM',
    'QUEUED by SYSTEM',
    'REGISTERED by ACCOUNT',
    'CREATED by ACCOUNT',
  ]);
});

test('an operator who resends all failed deliveries is staff without an address', async () => {
  refused = new Set(['senere@example.no']);
  const { uuid } = await sendTo('senere@example.no');
  await untilKind(uuid, 'FAILED');
  await requeueFailed(testApp.context, { since: null, reason: '' });
  const newest = await untilKind(uuid, 'QUEUED');
  expect(newest.by).toEqual({ type: 'STAFF', name: 'Faktur' });
});

test('a credited invoice names its credit note, which has a history of its own', async () => {
  const { uuid, number } = await sendTo('kreditert@example.no');
  await untilKind(uuid, 'SENT');
  expect((await client.delete(`/api/invoices/${uuid}/`)).status).toBe(204);
  const { body: invoice } = await client.get(`/api/invoices/${uuid}/`);
  const [credited] = await historyOf(number);
  expect(credited).toMatchObject({
    kind: 'CREDITED',
    by: ACCOUNT,
    details: { credit_note: invoice.credit_note },
  });
  await untilKind(invoice.credit_note.uuid, 'SENT');
  expect(await kindsOf(invoice.credit_note.uuid)).toEqual([
    'SENT by SYSTEM',
    'QUEUED by SYSTEM',
    'REGISTERED by ACCOUNT',
    'CREATED by ACCOUNT',
  ]);
});

test('creating drafts from a group or a template, and registering them, adds an event to each', async () => {
  const caller = await testApp.login();
  await completeProfile(caller);
  const customers = [await createCustomer(caller), await createCustomer(caller)];
  const groupUuid = await createGroup(caller, customers);
  const template = await createTemplate(caller);
  const made = await caller.post(
    '/api/invoices/create/',
    invoiceBody([], { group_uuid: groupUuid }),
  );
  const turned = await caller.post(`/api/invoices/template/${template}/create-invoice/`, {
    customer_numbers: [customers[0]],
    issue_date: todayInOslo(),
  });
  expect([made.status, turned.status]).toEqual([201, 201]);
  await caller.post('/api/invoices/queue/');
  const uuids = [...made.body, ...turned.body].map(({ uuid }: { uuid: string }) => uuid);
  expect(uuids).toHaveLength(3);
  for (const [index, uuid] of uuids.entries()) {
    const history = await historyOf(uuid, caller);
    expect(history.map(({ kind }) => kind)).toEqual(['REGISTERED', 'CREATED']);
    expect(history[0]?.details).toEqual({ invoice_number: index + 1 });
  }
});

// INV-32
test('a caller with a token is shown by the name of the token', async () => {
  const { config, db } = testApp.context;
  const made = await createApiToken(
    { config, db },
    { companyId: await companyIdOf(db, OWNER), email: OWNER, name: 'Regnskapet' },
  );
  const headers = { authorization: `Bearer ${made?.token}` };
  const customer = await createCustomer(client);
  const uuid = await createDraft(client, customer);
  const answer = await testApp
    .visitor()
    .send({ method: 'POST', url: `/api/invoices/queue/?invoice_uuid=${uuid}`, headers });
  expect(answer.status).toBe(200);
  const [registered, created] = await historyOf(uuid);
  expect(registered?.by).toEqual({ type: 'TOKEN', name: 'Regnskapet' });
  expect(created?.by).toEqual(ACCOUNT);
});

test('sending by staff is shown, also for an invoice credited before it', async () => {
  const staffed = await startTestApp({ SMTP_URL: smtp.url, DISPATCH: 'staff' });
  try {
    const caller = await staffed.login(OWNER);
    await completeProfile(caller);
    const sent = await sendTo('kunde@example.no', caller);
    const cancelled = await sendTo('kunde@example.no', caller);
    await caller.delete(`/api/invoices/${cancelled.uuid}/`);
    const [stopped, credited] = await historyOf(cancelled.uuid, caller);
    expect(stopped).toMatchObject({
      kind: 'FAILED',
      by: ACCOUNT,
      details: { stopped_by: 'CANCELLED', reason: 'Ikke sendt: kreditert før utsending' },
    });
    expect(credited?.kind).toBe('CREDITED');
    const staff = await staffed.login(STAFF_EMAIL);
    expect((await staff.post('/api/invoices/send/')).status).toBe(204);
    await untilKind(sent.uuid, 'SENT', caller);
    const [, queued] = await historyOf(sent.uuid, caller);
    expect(queued).toMatchObject({ kind: 'QUEUED', by: { type: 'STAFF', name: STAFF_EMAIL } });
  } finally {
    await staffed.close();
  }
});

test('other companies and visitors cannot read the history', async () => {
  const customer = await createCustomer(client);
  const uuid = await createDraft(client, customer);
  const number = await register(client, uuid);
  const stranger = await testApp.login();
  for (const name of [uuid, number]) {
    const path = `/api/invoices/${name}/history/`;
    expect((await stranger.get(path)).status).toBe(404);
    expect((await testApp.visitor().get(path)).status).toBe(401);
  }
  // The stranger's own invoice with that number is another one.
  await completeProfile(stranger, { start_invoice_number: number });
  const own = await createDraft(stranger, await createCustomer(stranger));
  expect(await register(stranger, own)).toBe(number);
  expect((await historyOf(number, stranger)).map(({ details }) => details)).toEqual([
    { invoice_number: number },
    {},
  ]);
});

test('a deleted draft is deleted with its history', async () => {
  const uuid = await createDraft(client, await createCustomer(client));
  expect(await kindsOf(uuid)).toEqual(['CREATED by ACCOUNT']);
  const { db } = testApp.context;
  const count = async () =>
    db
      .selectFrom('historyEvent')
      .select((event) => event.fn.countAll<number>().as('many'))
      .executeTakeFirstOrThrow();
  const before = await count();
  expect((await client.delete(`/api/invoices/${uuid}/`)).status).toBe(204);
  expect((await client.get(`/api/invoices/${uuid}/history/`)).status).toBe(404);
  expect((await count()).many).toBe(before.many - 1);
});
