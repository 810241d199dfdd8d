import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { startTestApp } from '../testing/app.ts';
import { completeProfile, createCustomer, createDraft } from '../testing/factories.ts';
import { RECEIVER, startEhfWorld, type EhfWorld } from '../testing/peppol/ehf-world.ts';
import { until } from '../testing/until.ts';

const ABSENT = '910502913';
const SILENT = '923609016';
const SETTINGS = '/api/users/einvoice-settings/';
const CHECK = '/api/customers/ehf/check/';

let world: EhfWorld<unknown>;

beforeAll(async () => {
  world = await startEhfWorld('phoss-ap', 'ehf@example.no', { FEATURES: 'einvoice' });
  world.say(ABSENT, 'NXDOMAIN');
  world.say(SILENT, 'SERVFAIL');
});
afterAll(async () => world.close());

describe('EINV-8: the check of all customers', () => {
  let numbers: number[] = [];

  beforeEach(async () => {
    const { db } = world.testApp.context;
    await sql`DELETE FROM ehf_check`.execute(db);
    await sql`DELETE FROM peppol_answer`.execute(db);
    world.smp.asked.length = 0;
    if (numbers.length > 0) return;
    const customers = [
      { org_number: RECEIVER },
      { org_number: ABSENT },
      { org_number: SILENT },
      { org_number: '974760672' },
      { org_number: null, is_private: true },
      { org_number: RECEIVER, country: 'SE' },
      { org_number: null },
    ];
    numbers = [];
    for (const customer of customers) numbers.push(await createCustomer(world.client, customer));
  });

  const done = async () =>
    until(
      async () => (await world.client.get(CHECK)).body,
      ({ state }) => state === 'DONE',
    );

  test('asks about each Norwegian business, for both types of documents', async () => {
    expect((await world.client.get(CHECK)).status).toBe(204);
    const started = await world.client.post(CHECK);
    expect([started.status, started.body]).toMatchObject([
      202,
      { state: 'WORKING', total: 4, asked: 0 },
    ]);
    expect(await done()).toEqual({
      state: 'DONE',
      total: 4,
      asked: 4,
      reachable: 1,
      cannot: 2,
      unknown: 1,
      started_at: started.body.started_at,
      finished_at: expect.any(String),
    });
    expect(world.smp.asked).toHaveLength(2);
    const at = { checked_at: expect.any(String) };
    expect((await world.client.get('/api/customers/ehf/')).body).toEqual([
      { customer_number: numbers[0], status: 'REACHABLE', ...at },
      { customer_number: numbers[1], status: 'NOT_REGISTERED', ...at },
      { customer_number: numbers[2], status: 'UNKNOWN', ...at },
    ]);
    expect((await world.client.get(SETTINGS)).body).toMatchObject({
      business_customers: 4,
      reachable_customers: 1,
    });
  });

  test('is refused while it works, and within the hour', async () => {
    await world.client.post(CHECK);
    const { db } = world.testApp.context;
    await done();
    await sql`UPDATE ehf_check SET finished_at = NULL`.execute(db);
    expect((await world.client.post(CHECK)).status).toBe(409);
    await sql`UPDATE ehf_check SET finished_at = now()`.execute(db);
    const again = await world.client.post(CHECK);
    expect([again.status, Number(again.headers['retry-after'])]).toEqual([429, expect.any(Number)]);
    await sql`UPDATE ehf_check SET started_at = now() - interval '1 hour'`.execute(db);
    expect((await world.client.post(CHECK)).status).toBe(202);
    expect(await done()).toMatchObject({ asked: 4, reachable: 1 });
    // The job was lost, such as with a database that was restored.
    await sql`UPDATE ehf_check SET finished_at = NULL, worked_at = now() - interval '16 minutes',
      started_at = now() - interval '1 hour'`.execute(db);
    expect((await world.client.get(CHECK)).body.state).toBe('DONE');
    expect((await world.client.post(CHECK)).status).toBe(202);
    await done();
  });

  test('keeps the last answer when the network is silent later', async () => {
    await world.client.post(CHECK);
    await done();
    const { db } = world.testApp.context;
    await sql`UPDATE peppol_answer SET checked_at = checked_at - interval '3 days'
      WHERE outcome <> 'UNKNOWN'`.execute(db);
    world.say(RECEIVER, 'SERVFAIL');
    expect((await world.client.get(`/api/customers/${numbers[0]}/ehf/`)).body.status).toBe(
      'UNKNOWN',
    );
    const { body } = await world.client.get('/api/customers/ehf/');
    expect(body[0]).toMatchObject({ customer_number: numbers[0], status: 'REACHABLE' });
    world.say(RECEIVER, { publisher: 'https://smp.test' });
  });
});

test('a customer gets EHF first unless it says otherwise, which a change without it keeps (CUS-20)', async () => {
  const client = await world.testApp.login();
  const number = await createCustomer(client);
  const url = `/api/customers/${number}/`;
  const isFirst = async () => (await client.get(url)).body.ehf_first as boolean;
  const change = async (fields: object) =>
    client.put(`${url}update/`, { name: 'Ørsta Båt AS', ...fields });
  expect(await isFirst()).toBe(true);
  expect((await change({ ehf_first: false })).body).toMatchObject({ ehf_first: false });
  await change({});
  expect(await isFirst()).toBe(false);
  const rows = [
    { customer_number: number, city: 'Ørsta' },
    { name: 'Åse', ehf_first: false },
    { name: 'Bo' },
  ];
  expect((await client.post('/api/customers/import/', { rows })).status).toBe(200);
  const { body } = await client.get('/api/customers/');
  expect(body.map((one: { ehf_first: boolean }) => one.ehf_first)).toEqual([false, false, true]);
});

describe('EINV-9: settings and banner', () => {
  const banner = async (client = world.client) => (await client.get(SETTINGS)).body.banner;

  test('are both stated, and say what is missing', async () => {
    const before = (await world.client.get(SETTINGS)).body;
    expect(before).toMatchObject({
      exempt: false,
      ehf_first: true,
      duty_from: '2027-01-01',
      banner: null,
    });
    for (const body of [{ exempt: true }, { exempt: 'ja', ehf_first: true }, {}]) {
      expect((await world.client.put(SETTINGS, body)).status).toBe(400);
    }
    const chosen = { exempt: true, ehf_first: false };
    expect((await world.client.put(SETTINGS, chosen)).body).toEqual({ ...before, ...chosen });
    expect((await world.client.get(SETTINGS)).body).toMatchObject(chosen);
    await world.client.put(SETTINGS, { exempt: false, ehf_first: true });
  });

  test('a company is told until it has an agreement, if it has business customers', async () => {
    const client = await world.testApp.login();
    await completeProfile(client);
    expect(await banner(client)).toBeNull();
    await createCustomer(client);
    expect(await banner(client)).toBe('NO_AGREEMENT');
    await client.post('/api/users/ehf-agreement/');
    expect(await banner(client)).toBe('REQUESTED');
    await client.put(SETTINGS, { exempt: true, ehf_first: true });
    expect(await banner(client)).toBeNull();
  });

  test('where nothing is sent, it is the operator who has to act', async () => {
    const plain = await startTestApp({ FEATURES: 'einvoice', PEPPOL_NETWORK: 'test' });
    const client = await plain.login();
    await completeProfile(client);
    const number = await createCustomer(client, { org_number: '974760672' });
    expect(await banner(client)).toBe('NO_ACCESS_POINT');
    expect((await client.get(`/api/customers/${number}/ehf/`)).body.status).toBe('NOT_REGISTERED');
    await plain.close();
  });
});

// EINV-1
test('without a network there is no check, and the start says so once', async () => {
  const lines: string[] = [];
  const logStream = { write: (line: string) => void lines.push(line) };
  const settings = { FEATURES: 'einvoice', LOG_LEVEL: 'warn' };
  const plain = await startTestApp(settings, { logStream });
  const client = await plain.login();
  expect((await client.post(CHECK)).status).toBe(409);
  expect((await client.get(CHECK)).status).toBe(204);
  expect((await client.get('/api/customers/ehf/')).body).toEqual([]);
  expect(lines.filter((line) => line.includes('PEPPOL_NETWORK'))).toHaveLength(1);
  await plain.close();
});

// EINV-10
test('from 2028 a draft hints at the number that is missing', async () => {
  const hints = async (customer: object) => {
    const uuid = await createDraft(world.client, await createCustomer(world.client, customer));
    const { body } = await world.client.get(`/api/invoices/${uuid}/`);
    return body.hints.map(({ code }: { code: string }) => code);
  };
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-12-31T22:59:59Z') });
  expect(await hints({ org_number: null })).toEqual([]);
  vi.setSystemTime(new Date('2027-12-31T23:00:00Z'));
  expect(await hints({ org_number: null })).toEqual(['BUYER_NUMBER_2028']);
  expect(await hints({ org_number: null, is_private: true })).toEqual([]);
  expect(await hints({ org_number: null, country: 'SE' })).toEqual([]);
  expect(await hints({ org_number: RECEIVER })).toEqual([]);
  vi.useRealTimers();
});
