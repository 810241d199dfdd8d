import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { EVENT_TYPES } from '../../domain/integration/webhook.schema.ts';
import { deleteOldMessages } from './webhook-log.service.ts';
import type { Database } from '../platform/db/database.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import { openMigratedDatabase } from '../testing/database.ts';
import {
  addQuote,
  completeProfile,
  createCustomer,
  createDraft,
  register,
} from '../testing/factories.ts';
import { lateInvoice } from '../testing/late-invoices.ts';
import { readMail } from '../testing/mails.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';
import { clientWithToken, makeKey } from '../testing/tokens.ts';
import { until } from '../testing/until.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../testing/webhook-receiver.ts';

/** The embedded database tries the messages and their attempts; all else is the same on both, and cheaper here. */
const onServer = process.env['TEST_DATABASE'] === 'postgres';

const FEATURES = 'integrations,payments,reminders,credit,members,quotes';
const SECRET_KEY = 'a secret key of 32 characters here';
/** Enough that chance makes each kind of failure. */
const EVENTS = 150;

let smtp: MailServer;
let receiver: WebhookReceiver;
let database: Database;
let testApp: TestApp;
let owner: TestClient;
let email: string;
let companyId: number;
let count = 0;
let log = '';

async function startApp(features = FEATURES): Promise<TestApp> {
  return startTestApp(
    {
      FEATURES: features,
      SECRET_KEY,
      SMTP_URL: smtp.url,
      WEBHOOK_HOSTS: receiver.host,
      LOG_LEVEL: 'debug',
    },
    {
      logStream: { write: (line) => (log += line) },
      database: { ...database, close: async () => undefined },
    },
  );
}

beforeAll(async () => {
  smtp = await startMailServer();
  receiver = await startWebhookReceiver();
  database = await openMigratedDatabase();
  testApp = await startApp();
});
afterAll(async () => {
  await testApp.close();
  await database.close();
  await receiver.close();
  await smtp.close();
});
beforeEach(async () => {
  // Messages of the test before would come too, and one that is on its way comes all the same.
  await sql`DELETE FROM webhook`.execute(database.db);
  email = `hook${++count}@example.no`;
  owner = await testApp.login(email);
  await completeProfile(owner);
  companyId = await companyIdOf(testApp.context.db, email);
  const { company } = (await owner.get('/api/users/session/')).body;
  receiver.keeps = ({ body }) => body.includes(company.uuid);
  receiver.received.length = 0;
  receiver.answer = (response) => response.writeHead(204).end();
});

interface Made {
  readonly uuid: string;
  readonly secret: string;
}

async function addWebhook(fields: object = {}): Promise<Made> {
  const body = { url: receiver.url, events: ['*'], ...fields };
  const answer = await owner.post('/api/webhooks/', body);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body as Made;
}

const logOf = async (uuid: string, query = '') =>
  (await owner.get(`/api/webhooks/${uuid}/deliveries/${query}`)).body;

/** Waits until all messages of a webhook have this state. */
async function untilAll(uuid: string, state: string, least = 1) {
  const { results } = await until(
    async () => logOf(uuid),
    (page) =>
      page.results.length >= least &&
      page.results.every((one: { state: string }) => one.state === state),
  );
  return results;
}

/** Makes the next attempt of all messages due. */
async function letDue(): Promise<void> {
  await sql`UPDATE webhook_delivery SET next_attempt_at = now()
    WHERE company_id = ${companyId} AND state = 'WAITING'`.execute(database.db);
  await sql`UPDATE webhook SET due_at = now() WHERE company_id = ${companyId}`.execute(database.db);
}

const types = () => receiver.received.map(({ body }) => String(JSON.parse(body).type));

/** Whether a message is signed with a secret, as the library of Standard Webhooks judges. */
function isSigned(index: number, secret: string): boolean {
  const { headers = {}, body = '' } = receiver.received[index] ?? {};
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
}

// INT-10, INT-16
test('an owner adds, changes and removes a webhook, whose secret is told once', async () => {
  const made = await owner.post('/api/webhooks/', {
    url: 'https://crm.example/hook?a=1',
    description: 'CRM',
    events: ['invoice.paid', 'invoice.registered'],
  });
  expect(made).toMatchObject({
    status: 201,
    body: {
      url: 'https://crm.example/hook?a=1',
      description: 'CRM',
      events: ['invoice.paid', 'invoice.registered'],
      active: true,
      last_success_at: null,
      failing_since: null,
      disabled_reason: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    },
  });
  const { secret, ...shown } = made.body;
  const path = `/api/webhooks/${shown.uuid}/`;
  expect((await owner.get(path)).body).toEqual(shown);
  expect((await owner.get('/api/webhooks/')).body).toEqual([shown]);
  const changed = {
    url: 'https://crm.example/ny',
    description: null,
    events: ['*'],
    active: false,
  };
  expect(await owner.put(path, changed)).toMatchObject({ status: 200, body: changed });
  for (const field of ['url', 'events', 'active'] as const) {
    const { [field]: _, ...rest } = changed;
    expect((await owner.put(path, rest)).status).toBe(400);
  }
  const rotated = await owner.post(`${path}rotate/`);
  expect(rotated.body.secret).toMatch(/^whsec_/);
  expect(rotated.body.secret).not.toBe(secret);
  expect((await owner.delete(path)).status).toBe(204);
  for (const answer of [
    await owner.get(path),
    await owner.put(path, changed),
    await owner.delete(path),
    await owner.post(`${path}rotate/`),
    await owner.post(`${path}test/`),
    await owner.get(`${path}deliveries/`),
  ]) {
    expect(answer.status).toBe(404);
  }
});

// INT-10, INT-15, INT-20
test.runIf(onServer).each([
  [{ url: 'http://crm.example/' }, 'url'],
  [{ url: 'ftp://crm.example/' }, 'url'],
  [{ url: 'https://kari@crm.example/' }, 'url'],
  [{ url: 'https://kari:ord@crm.example/' }, 'url'],
  [{ url: 'https://crm.example/#a' }, 'url'],
  [{ url: `https://crm.example/${'a'.repeat(2000)}` }, 'url'],
  [{ url: 'crm.example' }, 'url'],
  [{ url: null }, 'url'],
  [{ events: [] }, 'events'],
  [{ events: null }, 'events'],
  [{ events: ['invoice.made'] }, 'events[0]'],
  [{ events: ['webhook.test'] }, 'events[0]'],
  [{ events: ['*', 'invoice.paid'] }, 'events'],
  [{ description: 'x'.repeat(256) }, 'description'],
])('%j is refused at its field', async (fault, field) => {
  const body = { url: 'https://crm.example/', events: ['*'], ...fault };
  const answer = await owner.post('/api/webhooks/', body);
  expect(answer).toMatchObject({ status: 400, body: { detail: [{ field }] } });
});

// INT-14
test.runIf(onServer)('a company has at most ten, also when two calls add one at once', async () => {
  for (let made = 0; made < 9; made++) await addWebhook();
  const body = { url: 'https://crm.example/', events: ['*'] };
  const answers = await Promise.all([1, 2, 3].map(async () => owner.post('/api/webhooks/', body)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(2);
});

// INT-10
test.runIf(onServer)('they are the owner’s, and no key’s', async () => {
  const program = clientWithToken(testApp.app.http, (await makeKey(owner)).token);
  expect((await program.get('/api/webhooks/')).status).toBe(403);
  expect((await program.post('/api/webhooks/', {})).status).toBe(403);
});

// INT-17, INT-19
test('a message is signed as the standard says, with both secrets after a rotation', async () => {
  const { uuid, secret } = await addWebhook();
  const answer = await owner.post(`/api/webhooks/${uuid}/test/`);
  expect(answer).toMatchObject({
    status: 201,
    body: { type: 'webhook.test', state: 'WAITING', attempts: 0, last_status: null },
  });
  const [message] = await receiver.waitFor(1);
  const { company } = (await owner.get('/api/users/session/')).body;
  expect(JSON.parse(message?.body ?? '')).toEqual({
    type: 'webhook.test',
    timestamp: expect.stringMatching(/Z$/),
    company_uuid: company.uuid,
    data: { hello: 'Faktur' },
  });
  expect(message?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'Faktur-Webhooks/1',
    'webhook-id': `msg_${answer.body.uuid.replaceAll('-', '')}`,
    'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
  });
  expect(isSigned(0, secret)).toBe(true);
  await untilAll(uuid, 'DELIVERED');
  expect((await owner.get(`/api/webhooks/${uuid}/`)).body.last_success_at).not.toBeNull();

  const second = (await owner.post(`/api/webhooks/${uuid}/rotate/`)).body.secret;
  await owner.post(`/api/webhooks/${uuid}/test/`);
  await receiver.waitFor(2);
  expect([isSigned(1, secret), isSigned(1, second)]).toEqual([true, true]);
  const third = (await owner.post(`/api/webhooks/${uuid}/rotate/`)).body.secret;
  await owner.post(`/api/webhooks/${uuid}/test/`);
  await receiver.waitFor(3);
  const signed = [secret, second, third].map((one) => isSigned(2, one));
  expect(signed).toEqual([false, true, true]);
  await sql`UPDATE webhook SET previous_until = now() WHERE company_id = ${companyId}`.execute(
    database.db,
  );
  await owner.post(`/api/webhooks/${uuid}/test/`);
  await receiver.waitFor(4);
  expect([isSigned(3, second), isSigned(3, third)]).toEqual([false, true]);
});

// INT-18, INT-20
test('each event is told to the webhooks that want it, with its data', async () => {
  const [all, some] = [await addWebhook(), await addWebhook({ events: ['invoice.paid'] })];
  const customer = await createCustomer(owner);
  const draft = await createDraft(owner, customer, { delivery_type: 'EMAIL' });
  const number = await register(owner, draft);
  await until(types, (found) => found.includes('invoice.sent'));
  await owner.post(`/api/invoices/${draft}/update/`, { status: 'PAID' });
  await owner.post(`/api/invoices/${draft}/update/`, { status: 'REGISTERED' });
  const credited = await owner.delete(`/api/invoices/${number}/`);
  expect(credited.status).toBe(204);
  const invoice = (await owner.get(`/api/invoices/${number}/`)).body;
  const note = (await owner.get(`/api/invoices/${number + 1}/`)).body;
  await receiver.waitFor(9);
  await untilAll(all.uuid, 'DELIVERED', 8);
  await untilAll(some.uuid, 'DELIVERED', 1);
  const messages = receiver.received.map(({ body }) => JSON.parse(body));
  const of = (type: string) => messages.filter((one) => one.type === type).map(({ data }) => data);
  const named = { invoice_uuid: draft, invoice_number: number };
  expect(of('invoice.registered').toSorted((a, b) => a.invoice_number - b.invoice_number)).toEqual([
    {
      ...named,
      kind: 'INVOICE',
      customer_number: customer,
      gross_amount: invoice.gross_amount,
      due_date: invoice.due_date,
    },
    expect.objectContaining({ kind: 'CREDIT_NOTE', gross_amount: Math.abs(note.gross_amount) }),
  ]);
  expect(of('invoice.sent')[0]).toEqual({
    ...named,
    delivery_uuid: invoice.deliveries.at(-1).uuid,
    delivery_type: 'EMAIL',
  });
  expect(of('invoice.paid')).toEqual([
    { ...named, paid_date: expect.stringMatching(/^\d{4}-/) },
    { ...named, paid_date: expect.stringMatching(/^\d{4}-/) },
  ]);
  expect(of('invoice.unpaid')).toEqual([{ ...named, paid_date: null }]);
  expect(of('invoice.credited')).toEqual([
    {
      ...named,
      credit_note_uuid: note.uuid,
      credit_note_number: number + 1,
      credited_amount: Math.abs(note.gross_amount),
    },
  ]);
  const amounts = of('payment.received').map(({ amount, invoice_uuid }) => [amount, invoice_uuid]);
  expect(amounts.toSorted((a, b) => a[0] - b[0])).toEqual([
    [-invoice.gross_amount, draft],
    [invoice.gross_amount, draft],
  ]);
});

// INT-20
test.runIf(onServer)('a failed delivery and a reminder are told, with their data', async () => {
  await addWebhook({ events: ['invoice.failed', 'reminder.sent'] });
  const draft = await createDraft(owner, await createCustomer(owner), { delivery_type: 'EMAIL' });
  const refused = { code: 550, text: '5.1.1 No such user' };
  smtp.faults.refuseRecipient = () => refused;
  const number = await register(owner, draft);
  await receiver.waitFor(1);
  smtp.faults.refuseRecipient = null;
  const late = await lateInvoice(database.db, owner, {
    customer: await createCustomer(owner, { email: 'sen@example.no' }),
  });
  const wish = { kind: 'REMINDER', fee: false, interest: false };
  const reminder = await owner.post(`/api/invoices/${late}/reminders/`, wish);
  expect(reminder.status).toBe(201);
  await receiver.waitFor(2);
  expect(receiver.received.map(({ body }) => JSON.parse(body))).toMatchObject([
    {
      type: 'invoice.failed',
      data: {
        invoice_uuid: draft,
        invoice_number: number,
        delivery_uuid: expect.any(String),
        delivery_type: 'EMAIL',
        reason: expect.stringContaining('5.1.1'),
      },
    },
    {
      type: 'reminder.sent',
      data: {
        invoice_uuid: late,
        reminder_uuid: reminder.body.uuid,
        kind: 'REMINDER',
        amount: reminder.body.amount,
      },
    },
  ]);
});

// INT-20
test.runIf(onServer)(
  'a quote tells when a revision is sent, declined and accepted, by hand too',
  async () => {
    const { uuid: hook } = await addWebhook({
      events: ['quote.sent', 'quote.accepted', 'quote.declined'],
    });
    const { uuid } = await addQuote(owner, await createCustomer(owner));
    const post = async (verb: string, body: object = {}) => {
      const answer = await owner.post(`/api/quotes/${uuid}/${verb}/`, body);
      expect([verb, answer.status]).toEqual([verb, 200]);
    };
    await post('send');
    await post('send');
    await post('decline');
    await post('revise');
    await post('send');
    await post('accept', { name: 'Ola' });
    await untilAll(hook, 'DELIVERED', 4);
    const messages = receiver.received.map(({ body }) => JSON.parse(body));
    const byText = (one: unknown, other: unknown) =>
      JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
    const data = (revision: number) => ({
      quote_uuid: uuid,
      quote_number: 1,
      revision,
      gross_amount: 1250,
    });
    expect(messages.map(({ type, data: about }) => [type, about]).toSorted(byText)).toEqual([
      ['quote.accepted', data(2)],
      ['quote.declined', data(1)],
      ['quote.sent', data(1)],
      ['quote.sent', data(2)],
    ]);
  },
);

/** Registers an invoice that is not delivered. Returns its number. */
async function registerOne(): Promise<number> {
  return register(owner, await createDraft(owner, await createCustomer(owner)));
}

/** Makes so many events at once. */
async function payOften(number: number, times: number): Promise<void> {
  await sql`INSERT INTO history_event (company_id, invoice_id, kind, by_type, by_name, details)
    SELECT company_id, id, 'PAID', 'SYSTEM', 'Faktur', '{"paidDate":"2026-11-30"}'
    FROM invoice, generate_series(1, ${times}::integer)
    WHERE company_id = ${companyId} AND invoice_number = ${number}`.execute(database.db);
}

// INT-18
describe('no event is made', () => {
  test('for what was rolled back', async () => {
    const { uuid } = await addWebhook();
    const draft = await createDraft(owner, await createCustomer(owner));
    await database.db
      .transaction()
      .execute(async (trx) => {
        await sql`INSERT INTO history_event (company_id, invoice_id, kind, by_type, by_name, details)
          SELECT company_id, id, 'PAID', 'SYSTEM', 'Faktur', '{}' FROM invoice
          WHERE company_id = ${companyId} AND uuid = ${draft}`.execute(trx);
        throw new Error('rolled back');
      })
      .catch(() => undefined);
    await registerOne();
    const [only] = await untilAll(uuid, 'DELIVERED');
    expect(only.type).toBe('invoice.registered');
    expect((await logOf(uuid)).count).toBe(1);
  });

  test('while the webhook, or the feature, is off; nothing is made up for', async () => {
    const { uuid } = await addWebhook();
    const path = `/api/webhooks/${uuid}/`;
    const form = { url: receiver.url, events: ['*'] };
    await owner.put(path, { ...form, active: false });
    await registerOne();
    await owner.put(path, { ...form, active: true });
    await testApp.close();
    testApp = await startApp('members');
    owner = clientOf(owner);
    await registerOne();
    expect(await countRows('webhook_event')).toBe(0);
    expect((await owner.get('/api/webhooks/')).status).toBe(404);
    await testApp.close();
    testApp = await startApp();
    owner = clientOf(owner);
    await registerOne();
    await untilAll(uuid, 'DELIVERED');
    expect((await logOf(uuid)).count).toBe(1);
  });
});

/** The same session at the app that runs now. */
function clientOf({ cookieHeader }: TestClient): TestClient {
  return new TestClient(testApp.app.http, cookieHeader);
}

async function countRows(table: string): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`SELECT count(*)::int AS count FROM ${sql.table(table)}
    WHERE company_id = ${companyId}`.execute(database.db);
  return rows[0]?.count ?? 0;
}

// INT-21, INT-22
test('a failure is tried again as planned, with the same id and bytes, and then has failed', async () => {
  receiver.answer = (response) => response.writeHead(500).end('i uorden');
  const { uuid } = await addWebhook();
  await registerOne();
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 10; attempt++) {
    await receiver.waitFor(attempt);
    const [message] = await until(
      async () => (await logOf(uuid)).results,
      ([one]) => one.attempts === attempt,
    );
    expect(message).toMatchObject({ last_status: 500, last_error: null });
    expect(message.state).toBe(attempt === 10 ? 'FAILED' : 'WAITING');
    if (attempt < 10) waits.push((Date.parse(message.next_attempt_at) - Date.now()) / 1000);
    await letDue();
  }
  const planned = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
  for (const [index, wait] of planned.entries()) {
    expect(waits[index]).toBeGreaterThan(wait - 4);
    expect(waits[index]).toBeLessThanOrEqual(wait * 1.1);
  }
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  const [failed] = (await logOf(uuid)).results;
  const detail = (await owner.get(`/api/webhooks/${uuid}/deliveries/${failed.uuid}/`)).body;
  expect(detail.body).toBe(receiver.received[0]?.body);
  expect(detail.tries).toHaveLength(10);
  expect(detail.tries[9]).toMatchObject({ status: 500, error: null, response: 'i uorden' });

  // INT-24
  const again = `/api/webhooks/${uuid}/deliveries/${failed.uuid}/resend/`;
  expect(await owner.post(again)).toMatchObject({ status: 200, body: { state: 'WAITING' } });
  await receiver.waitFor(11);
  await until(
    async () => (await logOf(uuid)).results[0],
    (one) => one.state === 'FAILED' && one.attempts === 11,
  );
  receiver.answer = (response) => response.writeHead(200).end();
  await owner.post(again);
  await untilAll(uuid, 'DELIVERED');
  expect(receiver.received.at(-1)?.body).toBe(detail.body);
  expect((await logOf(uuid, '?state=FAILED')).results).toEqual([]);
  expect((await logOf(uuid, '?state=DELIVERED')).count).toBe(1);
  expect((await owner.get(`/api/webhooks/${uuid}/deliveries/?state=LOST`)).status).toBe(400);
});

// INT-24
test.runIf(onServer)('a secret that this SECRET_KEY did not make sends nothing', async () => {
  const { uuid } = await addWebhook();
  await sql`UPDATE webhook SET secret = set_byte(secret, 20, 255 - get_byte(secret, 20))
    WHERE company_id = ${companyId}`.execute(database.db);
  await owner.post(`/api/webhooks/${uuid}/test/`);
  const [message] = await until(
    async () => (await logOf(uuid)).results,
    ([one]) => one.attempts === 1,
  );
  expect(message).toMatchObject({ last_status: null, last_error: 'SECRET_UNREADABLE' });
  expect(receiver.received).toEqual([]);
});

// INT-21, INT-22
test.runIf(onServer)('redirects are failures, and Retry-After makes a wait longer', async () => {
  receiver.answer = (response) =>
    response.writeHead(302, { location: receiver.url, 'retry-after': '600' }).end();
  const { uuid } = await addWebhook();
  await owner.post(`/api/webhooks/${uuid}/test/`);
  const [message] = await until(
    async () => (await logOf(uuid)).results,
    ([one]) => one.attempts === 1,
  );
  expect(message).toMatchObject({ state: 'WAITING', last_status: 302 });
  const wait = (Date.parse(message.next_attempt_at) - Date.now()) / 1000;
  expect(wait).toBeGreaterThan(590);
  expect(wait).toBeLessThanOrEqual(600);
  expect(receiver.received).toHaveLength(1);
  const again = `/api/webhooks/${uuid}/deliveries/${message.uuid}/resend/`;
  expect((await owner.post(again)).status).toBe(409);
});

// INT-23
test.runIf(onServer)('410 turns a webhook off, and what waits is cancelled', async () => {
  receiver.answer = (response) => response.writeHead(503).end();
  const { uuid } = await addWebhook();
  await registerOne();
  await receiver.waitFor(1);
  receiver.answer = (response) => response.writeHead(410).end();
  await owner.post(`/api/webhooks/${uuid}/test/`);
  const off = await until(
    async () => (await owner.get(`/api/webhooks/${uuid}/`)).body,
    ({ active }) => !active,
  );
  expect(off.disabled_reason).toBe('GONE');
  const { results } = await logOf(uuid);
  expect(results.map(({ state }: { state: string }) => state)).toEqual(['FAILED', 'CANCELLED']);
  const again = `/api/webhooks/${uuid}/deliveries/${results[1].uuid}/resend/`;
  expect((await owner.post(again)).status).toBe(409);

  // INT-17
  receiver.answer = (response) => response.writeHead(500).end();
  await owner.post(`/api/webhooks/${uuid}/test/`);
  await until(
    async () => (await logOf(uuid)).results[0],
    ({ state, attempts }) => state === 'FAILED' && attempts === 1,
  );
  const form = { url: receiver.url, events: ['*'], active: true };
  expect((await owner.put(`/api/webhooks/${uuid}/`, form)).body).toMatchObject({
    active: true,
    disabled_reason: null,
    failing_since: null,
  });
});

// INT-23
test.runIf(onServer)(
  'five days without success turn a webhook off, and the owners are mailed once',
  async () => {
    receiver.answer = (response) => response.writeHead(500).end();
    const { uuid } = await addWebhook({ description: 'Butikken' });
    await registerOne();
    await until(
      async () => (await owner.get(`/api/webhooks/${uuid}/`)).body.failing_since,
      (since) => since !== null,
    );
    await sql`UPDATE webhook SET failing_since = now() - interval '5 days'
    WHERE company_id = ${companyId}`.execute(database.db);
    // A test says nothing about the others.
    await owner.post(`/api/webhooks/${uuid}/test/`);
    await receiver.waitFor(2);
    await until(
      async () => (await logOf(uuid)).results[0],
      ({ attempts }) => attempts === 1,
    );
    expect((await owner.get(`/api/webhooks/${uuid}/`)).body.active).toBe(true);
    await letDue();
    await until(
      async () => (await owner.get(`/api/webhooks/${uuid}/`)).body,
      ({ active, disabled_reason: reason }) => !active && reason === 'FAILING',
    );
    await untilAll(uuid, 'CANCELLED', 2);
    const mail = await smtp.waitForMail((one) => one.to.includes(email));
    const { subject, text } = await readMail(mail);
    expect(subject).toBe('En webhook er slått av');
    expect(text).toContain(receiver.url);
    expect(text).toContain('Butikken');
  },
);

// INT-23
test.runIf(onServer)('more than 10,000 waiting messages turn a webhook off', async () => {
  receiver.answer = () => undefined;
  const number = await registerOne();
  const { uuid } = await addWebhook({ events: ['invoice.paid'] });
  await sql`INSERT INTO webhook_delivery (company_id, webhook_id, type, body, state, next_attempt_at)
    SELECT company_id, id, 'invoice.paid', '{}', 'WAITING', now() + interval '1 day'
    FROM webhook, generate_series(1, 9500) WHERE company_id = ${companyId}`.execute(database.db);
  // One transaction makes messages of 500 events; the next one makes the message that is too many.
  await payOften(number, 501);
  const off = await until(
    async () => (await owner.get(`/api/webhooks/${uuid}/`)).body,
    ({ active }) => !active,
  );
  expect(off.disabled_reason).toBe('TOO_MANY');
  expect((await logOf(uuid, '?state=CANCELLED')).count).toBe(10_001);
});

// INT-23
test('a webhook that hangs holds two messages, and delays no other', async () => {
  const held: Set<string> = new Set();
  receiver.answer = (response, { path }) => {
    if (path === '/hang') held.add(path);
    else response.writeHead(204).end();
  };
  await addWebhook({ url: `http://${receiver.host}/hang` });
  const other = await addWebhook();
  for (let made = 0; made < 5; made++) await registerOne();
  await untilAll(other.uuid, 'DELIVERED', 5);
  const { length } = receiver.received.filter(({ path }) => path === '/hang');
  expect(length).toBeLessThanOrEqual(2);
  await until(
    async () => {
      const { rows } = await sql<{
        held: number;
      }>`SELECT count(*)::int AS held FROM webhook_delivery
        WHERE company_id = ${companyId} AND leased_until > now()`.execute(database.db);
      return rows[0]?.held;
    },
    (held) => held === 2,
  );
});

// INT-24
test.runIf(onServer)(
  'the log has twenty a page, no secret, and messages of thirty days',
  async () => {
    const { uuid, secret } = await addWebhook();
    await sql`INSERT INTO webhook_delivery (company_id, webhook_id, type, body, state, created_at)
    SELECT company_id, id, 'invoice.paid', '{}', 'DELIVERED', now() - n * interval '1 day'
    FROM webhook, generate_series(1, 45) AS n WHERE company_id = ${companyId}`.execute(database.db);
    const page = await logOf(uuid);
    expect(page).toMatchObject({ count: 45, previous: null });
    expect(page.results).toHaveLength(20);
    expect(page.next).toBe(`/api/webhooks/${uuid}/deliveries/?page=2`);
    expect((await owner.get(page.next)).body.results).toHaveLength(20);
    await deleteOldMessages(testApp.context);
    expect((await logOf(uuid)).count).toBe(29);
    await owner.post(`/api/webhooks/${uuid}/test/`);
    await receiver.waitFor(1);
    const [tested] = (await logOf(uuid)).results;
    const { text } = await owner.get(`/api/webhooks/${uuid}/deliveries/${tested.uuid}/`);
    const hidden = secret.slice('whsec_'.length);
    for (const place of [text, log, (await testApp.visitor().get('/metrics')).text]) {
      expect(place).not.toContain(hidden);
    }
    const { rows } = await sql<{ row: string }>`SELECT webhook::text AS row FROM webhook
    WHERE company_id = ${companyId}`.execute(database.db);
    expect(rows[0]?.row).not.toContain(hidden);
    expect((await owner.get(`/api/webhooks/${uuid}/deliveries/1/`)).status).toBe(404);
  },
);

// INT-20
test.runIf(onServer)('the paper names each type of event', async () => {
  const { readFile } = await import('node:fs/promises');
  const paper = await readFile('docs/product/integrations.md', 'utf8');
  for (const type of EVENT_TYPES) expect(paper).toContain(`\`${type}\``);
});

// INT-18, INT-22
test.runIf(onServer)(
  'many events all get through to a receiver that fails by chance',
  async () => {
    receiver.answer = (response) => {
      const chance = Math.random();
      if (chance < 0.2) response.writeHead(500).end();
      else if (chance < 0.3) response.destroy();
      else response.writeHead(204).end();
    };
    const { uuid } = await addWebhook({ events: ['invoice.paid'] });
    const number = await registerOne();
    await payOften(number, EVENTS);
    await until(
      async () => {
        await letDue();
        return (await logOf(uuid, '?state=DELIVERED')).count as number;
      },
      (delivered) => delivered === EVENTS,
      600_000,
      500,
    );
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    expect(ids.size).toBe(EVENTS);
    expect((await logOf(uuid)).count).toBe(EVENTS);
  },
  900_000,
);
