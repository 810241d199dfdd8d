import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import type { Answer, TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import { completeProfile, createCustomer, createDraft, register } from '../testing/factories.ts';
import { addBankPayment } from '../testing/payments.ts';
import { todayInOslo } from '../../domain/date.ts';
import { paymentsAreRight } from './payment-check.repository.ts';

const OWNER = 'samtidig@example.no';
const TOTAL = 173.46;
const ROUNDS = 6;

let testApp: TestApp;
let client: TestClient;
let companyId: number;
let customer: number;

beforeAll(async () => {
  testApp = await startTestApp({ DISPATCH: 'staff', FEATURES: 'payments' });
  client = await testApp.login(OWNER);
  await completeProfile(client);
  companyId = await companyIdOf(testApp.context.db, OWNER);
});
afterAll(async () => testApp.close());
beforeEach(async () => {
  customer = await createCustomer(client);
});

async function invoice(): Promise<string> {
  const uuid = await createDraft(client, customer);
  await register(client, uuid);
  return uuid;
}

/** Makes concurrent calls, expects no status above 499 and correct sums, and returns the statuses. */
async function atOnce(...calls: (() => Promise<Answer>)[]): Promise<number[]> {
  const answers = await Promise.all(calls.map(async (call) => call()));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
  expect(await paymentsAreRight(testApp.context.db, companyId)).toBe(true);
  return statuses;
}

function times(many: number, call: () => Promise<Answer>) {
  return Array.from({ length: many }, () => call);
}

const pay = (uuid: string, amount: number) => async () =>
  client.post('/api/payments/', { invoice_uuid: uuid, amount, date: todayInOslo() });
const act = (uuid: string, what: string, body?: object) => async () =>
  client.post(`/api/payments/${uuid}/${what}/`, body);
const place = (uuid: string, invoiceUuid: string) =>
  act(uuid, 'place', { invoice_uuid: invoiceUuid });
const update = (uuid: string, status: string) => async () =>
  client.post(`/api/invoices/${uuid}/update/`, { status });

async function stateOf(uuid: string) {
  return (await client.get(`/api/invoices/${uuid}/`)).body;
}

async function creditOf(): Promise<number> {
  return (await client.get(`/api/customers/${customer}/`)).body.credit;
}

async function unplaced(): Promise<{ uuid: string; amount: number }[]> {
  return (await client.get('/api/payments/?state=UNPLACED')).body.results;
}

test('concurrent manual payments never exceed the total', async () => {
  const uuid = await invoice();
  const statuses = await atOnce(...times(8, pay(uuid, 60)), ...times(2, pay(uuid, TOTAL)));
  const accepted = statuses.filter((status) => status === 201).length;
  const { paid_amount: paid } = await stateOf(uuid);
  expect([60 * accepted, TOTAL]).toContain(paid);
  expect(paid).toBeLessThanOrEqual(TOTAL);
  const marked = await atOnce(...times(5, update(uuid, 'PAID')));
  expect(marked.filter((status) => status === 200)).toHaveLength(paid === TOTAL ? 0 : 1);
  expect(await stateOf(uuid)).toMatchObject({ status: 'PAID', amount_due: 0 });
});

test('a payment made during crediting becomes credit or is refused', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await creditOf();
    const uuid = await invoice();
    const credit = async () => client.delete(`/api/invoices/${uuid}/`);
    const creditPaid = async () => client.delete(`/api/invoices/${uuid}/?expect=PAID`);
    const bank = await addBankPayment(testApp.context.db, companyId, { amount: 50 });
    await atOnce(pay(uuid, 100), credit, place(bank, uuid), update(uuid, 'PAID'), creditPaid);
    const { status, paid_amount: paid } = await stateOf(uuid);
    const [isPaid, isCredit] = [paid > 0, (await creditOf()) !== before];
    expect(status === 'CANCELLED' ? isPaid : isCredit).toBe(false);
    for (const { uuid: money } of await unplaced()) await act(money, 'refund')();
  }
});

test('concurrent calls undo a payment once', async () => {
  const uuid = await invoice();
  const { body } = await pay(uuid, 100)();
  const statuses = await atOnce(...times(6, act(body.uuid, 'undo')));
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 409)).toHaveLength(5);
  await update(uuid, 'PAID')();
  const { results } = (await client.get(`/api/payments/?invoice=${uuid}`)).body;
  await atOnce(...times(3, act(results[0].uuid, 'undo')), ...times(3, update(uuid, 'REGISTERED')));
  expect(await stateOf(uuid)).toMatchObject({ status: 'REGISTERED', paid_amount: 0 });
});

test('concurrent calls place, refund or drop an unplaced payment only once', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const [one, other] = [await invoice(), await invoice()];
    const money = await addBankPayment(testApp.context.db, companyId, {
      amount: round % 2 === 0 ? 200 : 80,
    });
    const drop = async () => client.delete(`/api/payments/${money}/`);
    const ways = [place(money, one), place(money, other), act(money, 'refund'), drop];
    const statuses = await atOnce(...(round % 3 === 0 ? ways : ways.toReversed()));
    expect(statuses.filter((status) => status < 300)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(3);
    for (const { uuid } of await unplaced()) await act(uuid, 'refund')();
  }
});

test('deleting a customer during changes of its credit causes no deadlock', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    customer = await createCustomer(client);
    const [one, other] = [await invoice(), await invoice()];
    const first = await addBankPayment(testApp.context.db, companyId, { amount: 200 });
    const second = await addBankPayment(testApp.context.db, companyId, { amount: 200 });
    await place(first, one)();
    await update(other, 'PAID')();
    await atOnce(
      act(first, 'undo'),
      place(second, other),
      async () => client.delete(`/api/customers/${customer}/`),
      update(other, 'REGISTERED'),
      async () => client.delete(`/api/invoices/${one}/`),
      async () => client.delete(`/api/invoices/${other}/?expect=PAID`),
    );
    for (const { uuid } of await unplaced()) await act(uuid, 'refund')();
  }
  expect(await unplaced()).toEqual([]);
});
