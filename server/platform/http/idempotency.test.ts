import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { todayInOslo } from '../../../domain/date.ts';
import { API_ENDPOINTS } from '../../../domain/endpoints.ts';
import { isOn, successStatus } from '../../../domain/api/endpoint.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import type { TestClient } from '../../testing/client.ts';
import {
  assignmentBody,
  completeProfile,
  createCustomer,
  createDraft,
  createTemplate,
  invoiceBody,
  LINES,
  register,
} from '../../testing/factories.ts';
import { killRounds, logIn, openStage } from '../../testing/stage.ts';
import { deleteOldKeys } from './idempotency.ts';

// A create whose answer was lost is asked for again (WIRE-22).

const onServer = process.env['TEST_DATABASE'] === 'postgres';
const TODAY = todayInOslo();
const KILLS = killRounds(2);
/** The latest moment of a kill, counted from the calls (ms). */
const LATEST_KILL = 60;
const AT_ONCE = 6;

let testApp: TestApp;
let client: TestClient;

beforeAll(async () => {
  testApp = await startTestApp({ FEATURES: 'all' });
  client = await testApp.login('kari@example.no');
  await completeProfile(client);
});
afterAll(async () => testApp.close());

const CREATE = '/api/customers/create/';
const body = (name: string) => ({ name, email: null, address: null });

async function post(url: string, payload: object | undefined, headers: object, by = client) {
  return by.send({ method: 'POST', url, headers: { ...headers }, ...(payload && { payload }) });
}

async function create(name: string, key: string, by = client) {
  return post(CREATE, body(name), { 'idempotency-key': key }, by);
}

async function countCustomers(name: string): Promise<number> {
  const { body: found } = await client.get(
    `/api/customers/search/?query=${encodeURIComponent(name)}`,
  );
  return found.length;
}

test('the same key with the same body is answered as the first time, and makes nothing again', async () => {
  const first = await create('Nøkkel én', 'a key');
  expect(first.status).toBe(201);
  const second = await create('Nøkkel én', 'a key');
  expect(second).toMatchObject({ status: 201, text: first.text });
  expect(second.headers['content-type']).toBe(first.headers['content-type']);
  expect(await countCustomers('Nøkkel én')).toBe(1);
  // Another body, or path, with the key.
  expect(await create('Nøkkel to', 'a key')).toMatchObject({ status: 409 });
  const headers = { 'idempotency-key': 'a key' };
  const customer = first.body.customer_number;
  const drafts = await post('/api/invoices/create/', invoiceBody([customer]), headers);
  expect(drafts.status).toBe(409);
  expect(await countCustomers('Nøkkel to')).toBe(0);
});

test('also when they come at once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 5 }, async () => create('Samtidig', 'at once')),
  );
  const made = answers.filter(({ status }) => status === 201);
  expect(made.length).toBeGreaterThan(0);
  expect(new Set(made.map(({ text }) => text)).size).toBe(1);
  for (const { status, headers } of answers) {
    if (status === 201) continue;
    expect([409, 503]).toContain(status);
    expect(headers['retry-after']).toMatch(/^\d+$/);
  }
  expect(await countCustomers('Samtidig')).toBe(1);
});

test('a refusal is not kept, so a corrected call may have the same key', async () => {
  expect((await create('', 'corrected')).status).toBe(400);
  const drafts = { ...invoiceBody([999_999]) };
  const headers = { 'idempotency-key': 'corrected' };
  const refused = await post('/api/invoices/create/', drafts, headers);
  expect(refused.status).toBeGreaterThanOrEqual(400);
  expect((await create('Rettet', 'corrected')).status).toBe(201);
});

test('a key is of account and company, has up to 100 printable characters, and an empty one is none', async () => {
  const other = await testApp.login('annen@example.no');
  expect((await create('Eier', 'shared')).status).toBe(201);
  const theirs = await create('Annen', 'shared', other);
  expect(theirs).toMatchObject({ status: 201, body: { name: 'Annen' } });
  expect((await create('Lang', 'x'.repeat(100))).status).toBe(201);
  expect((await create('Lang', 'x'.repeat(101))).status).toBe(400);
  expect((await create('Tegn', 'a\tb')).status).toBe(400);
  expect((await create('Tegn', 'nøkkel')).status).toBe(400);
  for (const _ of [1, 2]) expect((await create('Tom', '')).status).toBe(201);
  expect(await countCustomers('Tom')).toBe(2);
  // A call that makes nothing takes none.
  const headers = { 'idempotency-key': 'x'.repeat(101) };
  expect((await client.send({ method: 'GET', url: '/api/customers/', headers })).status).toBe(200);
});

test('whatever is made is made once, also when two ask at once', async () => {
  const customer = await createCustomer(client);
  const draft = await createDraft(client, customer);
  const registered = await createDraft(client, customer);
  await register(client, registered);
  const template = await createTemplate(client);
  const file = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n');
  const calls: [string, object | undefined][] = [
    ['/api/invoices/create/', invoiceBody([customer])],
    [
      `/api/invoices/template/${template}/create-invoice/`,
      { customer_numbers: [customer], issue_date: TODAY },
    ],
    [
      '/api/invoices/template/create/',
      { name: 'Mal to', delivery_type: 'NONE', due_days: 30, lines: LINES },
    ],
    ['/api/customers/groups/create/', { group_name: 'Gruppe', customers: [customer] }],
    ['/api/products/create/', { number: 'A1', name: 'Vare', net_price: 1 }],
    ['/api/invoices/recurring/create/', assignmentBody({ customer_numbers: [customer] })],
    ['/api/customers/import/', { rows: [{ name: 'Lest inn' }] }],
    [`/api/invoices/${registered}/deliveries/`, { delivery_type: 'EMAIL', recipient: 'a@b.no' }],
    [
      `/api/invoices/${registered}/credit/`,
      { reductions: [{ description: 'Avslag', net_amount: 1, vat_treatment: 'STANDARD' }] },
    ],
    ['/api/payments/', { invoice_uuid: registered, amount: 10, date: TODAY }],
    ['/api/exports/', { kind: 'XLSX', from: '2020-01-01', to: '2035-12-31' }],
    ['/api/members/', { email: 'ansatt@example.no', role: 'EMPLOYEE' }],
    [
      '/api/overview/links/',
      { name: 'Banken', shows: ['OUTSTANDING'], period: 'THIS_YEAR', days: 30 },
    ],
    [`/api/invoices/${draft}/attachments/?name=a.pdf`, file],
  ];
  const outcomes: Record<string, unknown> = {};
  for (const [path, content] of calls) {
    const isFile = Buffer.isBuffer(content);
    const headers = {
      'idempotency-key': randomUUID(),
      ...(isFile && { 'content-type': 'application/octet-stream' }),
    };
    const ask = async () => post(path, content, headers);
    const answers = [...(await Promise.all([ask(), ask()])), await ask()];
    const last = answers.at(-1);
    const others = answers.filter(({ text }) => text !== last?.text);
    outcomes[path] = [last?.status, ...others.map(({ status, text }) => `${status} ${text}`)];
  }
  expect(outcomes).toEqual(
    Object.fromEntries(calls.map(([path]) => [path, [path.endsWith('/import/') ? 200 : 201]])),
  );
});

test('what is kept is unreadable without the key, and deleted after a day', async () => {
  const { db } = testApp.context;
  const first = await create('Hemmelig', 'secret');
  const { rows } = await sql<{ row: string }>`
    SELECT encode(answer, 'escape') AS row FROM idempotency_key`.execute(db);
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain('Hemmelig');
  await sql`UPDATE idempotency_key SET created_at = now() - interval '25 hours'`.execute(db);
  // Expired, though housekeeping has not run.
  const second = await create('Hemmelig', 'secret');
  expect(second.body.customer_number).not.toBe(first.body.customer_number);
  await deleteOldKeys(db);
  const left = await db.selectFrom('idempotencyKey').select('id').execute();
  expect(left).toHaveLength(1);
});

test('OpenAPI names the header for every call that makes something', async () => {
  const { body: document } = await client.get('/api/openapi.json');
  const named = Object.values<
    Record<string, { operationId: string; parameters: { name: string }[] }>
  >(document.paths)
    .flatMap((path) => Object.values(path))
    .filter(({ parameters }) => parameters.some(({ name }) => name === 'Idempotency-Key'))
    .map(({ operationId }) => operationId);
  const { features } = testApp.context.config;
  const makers = API_ENDPOINTS.filter(
    (one) =>
      one.method === 'POST' && (successStatus(one) === 201 || one.makes) && isOn(one, features),
  );
  expect(named.toSorted()).toEqual(makers.map(({ id }) => id).toSorted());
  expect(named).toEqual(expect.arrayContaining(['createInvoices', 'resendInvoice']));
});

test('a key that another call has, and a fault of ours, are told apart from an answer', async () => {
  const { db } = testApp.context;
  await create('Borte', 'lost');
  await sql`UPDATE idempotency_key SET status = NULL, answer = NULL`.execute(db);
  // As when the process ended between the making and the answer.
  const soon = await create('Borte', 'lost');
  expect(soon).toMatchObject({ status: 409 });
  expect(soon.headers['retry-after']).toMatch(/^\d+$/);
  await sql`UPDATE idempotency_key SET created_at = now() - interval '4 minutes'`.execute(db);
  const late = await create('Borte', 'lost');
  expect(late).toMatchObject({ status: 409 });
  expect(late.headers['retry-after']).toBeUndefined();
  expect(await countCustomers('Borte')).toBe(1);
});

// The embedded database survives kills too, as other tests show; what is made and its key are one transaction on both.
test.runIf(onServer)(
  'a call that dies with its process leaves what it made and its key, or neither',
  async () => {
    const stage = await openStage();
    try {
      let product = await stage.start();
      let caller = await logIn(product, stage.smtp, 'drept@example.no');
      for (let kill = 1; kill <= KILLS; kill += 1) {
        const names = Array.from({ length: AT_ONCE }, (_, index) => `Kunde ${kill}-${index}`);
        const first = names.map(async (name) => create(name, name, caller).catch(() => null));
        await sleep(Math.random() * LATEST_KILL);
        await product.kill();
        const answered = (await Promise.all(first)).map((one) =>
          one?.status === 201 ? one : null,
        );
        const { cookieHeader } = caller;
        product = await stage.start();
        caller = product.visitor(cookieHeader);
        for (const [index, name] of names.entries()) {
          const again = await create(name, name, caller);
          // 409: made, but the process died before it kept the answer.
          expect(answered[index] ? [201] : [201, 409]).toContain(again.status);
          expect(answered[index]?.text ?? again.text).toBe(again.text);
          const { body: found } = await caller.get(`/api/customers/search/?query=${name}`);
          expect(found).toHaveLength(1);
        }
      }
    } finally {
      await stage.close();
    }
  },
  240_000,
);
