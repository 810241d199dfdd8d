import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { Database } from '../platform/db/database.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { openMigratedDatabase } from '../testing/database.ts';
import { completeProfile, PROFILE } from '../testing/factories.ts';

const FEATURES = 'products,units,vat';

let database: Database;
let testApp: TestApp;
let client: TestClient;
let owners = 0;

/** Starts the product with these features on the same database. */
async function restart(features: string): Promise<void> {
  await testApp?.close();
  const kept = { ...database, close: async () => undefined };
  testApp = await startTestApp({ FEATURES: features }, { database: kept });
}

beforeAll(async () => {
  database = await openMigratedDatabase();
  await restart(FEATURES);
});
afterAll(async () => {
  await testApp.close();
  await database.close();
});
beforeEach(async () => {
  owners += 1;
  client = await testApp.login(`vare${owners}@example.no`);
  await completeProfile(client);
});

const CUT = {
  number: 'KL-1',
  name: 'Klipp',
  description: 'Klipp, kort hår',
  unit: 'HUR',
  net_price: 480.5,
  vat_treatment: 'STANDARD',
  active: true,
};

interface Body {
  readonly number: string;
}

async function create(changes: object = {}, who = client): Promise<string> {
  const { status, body } = await who.post('/api/products/create/', {
    name: 'Vare',
    net_price: 1,
    ...changes,
  });
  expect(status).toBe(201);
  return (body as Body).number;
}

async function numbersOf(query = '', who = client): Promise<string[]> {
  const { status, body } = await who.get(`/api/products/${query}`);
  expect(status).toBe(200);
  return (body as { results: Body[] }).results.map(({ number }) => number);
}

const fault = (field: string, message: string) => ({
  status: 400,
  body: { detail: [{ field, message }] },
});

describe('a product', () => {
  // PRD-1, WIRE-9
  test('is kept as it is given, changed and deleted', async () => {
    const created = await client.post('/api/products/create/', CUT);
    expect(created).toMatchObject({ status: 201, body: { ...CUT, version: 1 } });
    expect(Object.keys(created.body as object)).toEqual([...Object.keys(CUT), 'version']);
    expect(await client.get('/api/products/KL-1/')).toMatchObject({
      status: 200,
      body: created.body,
    });
    const changes = { ...CUT, name: 'Klipp dame', net_price: 0, active: false, version: 1 };
    const changed = await client.put('/api/products/KL-1/', changes);
    expect(changed).toMatchObject({ status: 200, body: { ...changes, version: 2 } });
    expect((await client.delete('/api/products/KL-1/')).status).toBe(204);
    expect((await client.get('/api/products/KL-1/')).status).toBe(404);
    expect((await client.put('/api/products/KL-1/', CUT)).status).toBe(404);
    expect((await client.delete('/api/products/KL-1/')).status).toBe(404);
  });

  // PRD-1, PRD-7
  test('needs a name and a price; the rest has defaults', async () => {
    const answer = await client.post('/api/products/create/', { name: ' ', net_price: null });
    expect(answer).toMatchObject({
      status: 400,
      body: { detail: [{ field: 'name' }, { field: 'net_price' }] },
    });
    const long = { ...CUT, description: 'x'.repeat(1001) };
    expect(await client.post('/api/products/create/', long)).toMatchObject(
      fault('description', 'description must be at most 1000 characters'),
    );
    const few = { name: 'Gavekort', net_price: -100, description: '', unit: null, active: null };
    expect((await client.post('/api/products/create/', few)).body).toEqual({
      number: '1',
      name: 'Gavekort',
      description: null,
      unit: 'EA',
      net_price: -100,
      vat_treatment: 'STANDARD',
      active: true,
      version: 1,
    });
    // A change says everything: what it leaves out has its default.
    await client.post('/api/products/create/', CUT);
    const cleared = await client.put('/api/products/KL-1/', { name: 'Klipp', net_price: 1 });
    const defaults = { description: null, unit: 'EA', vat_treatment: 'STANDARD', active: true };
    expect(cleared.body).toMatchObject({ number: 'KL-1', ...defaults });
  });

  // PRD-4
  test('takes the default VAT treatment of the company, and one that its seller may use', async () => {
    await client.post('/api/users/update/', { ...PROFILE, default_vat_treatment: 'FOOD' });
    const number = await create();
    expect((await client.get(`/api/products/${number}/`)).body).toMatchObject({
      vat_treatment: 'FOOD',
    });
    const refused = await client.post('/api/products/create/', {
      ...CUT,
      vat_treatment: 'NOT_REGISTERED',
    });
    expect(refused).toMatchObject({ status: 400, body: { detail: [{ field: 'vat_treatment' }] } });
    const unknown = await client.post('/api/products/create/', { ...CUT, unit: 'QQ' });
    expect(unknown).toMatchObject({ status: 400, body: { detail: [{ field: 'unit' }] } });
  });

  // PRD-7
  test('is not changed over what somebody else has changed meanwhile', async () => {
    await create({ number: 'A' });
    const change = { name: 'Ny', net_price: 1, version: 1 };
    const answers = await Promise.all(
      [1, 2].map(async () => client.put('/api/products/A/', change)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(answers.find(({ status }) => status === 409)).toMatchObject({
      body: { detail: [{ field: 'version' }] },
    });
    expect((await client.put('/api/products/A/', { ...change, version: null })).status).toBe(200);
  });
});

describe('a number', () => {
  // PRD-3
  test('is proposed by counting from the highest of digits alone', async () => {
    expect(await create()).toBe('1');
    expect(await create({ number: '9' })).toBe('9');
    expect(await create({ number: 'Z-100' })).toBe('Z-100');
    expect(await create({ number: '0010' })).toBe('0010');
    expect(await create()).toBe('11');
    await client.delete('/api/products/11/');
    expect(await create()).toBe('11');
    expect(await create({ number: '7038010000000' })).toBe('7038010000000');
    expect(await create()).toBe('7038010000001');
    await create({ number: '9'.repeat(20) });
    const none = await client.post('/api/products/create/', { name: 'Vare', net_price: 1 });
    expect(none).toMatchObject({ status: 409 });
  });

  // PRD-3
  test('is proposed once when several are made at the same time', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, async () => create()));
    expect(new Set(made).size).toBe(8);
  });

  // PRD-2, PRD-7
  test('is unique in the company in whatever case, and found so', async () => {
    await create({ number: 'Ål-1' });
    const taken = { status: 409, body: { detail: [{ field: 'number' }] } };
    const again = { name: 'Vare', net_price: 1, number: 'åL-1' };
    expect(await client.post('/api/products/create/', again)).toMatchObject(taken);
    expect((await client.get(`/api/products/${encodeURIComponent('ÅL-1')}/`)).body).toMatchObject({
      number: 'Ål-1',
    });
    const other = await testApp.login('annen-vare@example.no');
    await create({ number: 'Ål-1' }, other);

    await create({ number: 'B' });
    const renumbered = await client.put('/api/products/b/', { ...again, number: 'ål-1' });
    expect(renumbered).toMatchObject(taken);
    expect(await client.put('/api/products/b/', { ...again, number: 'b' })).toMatchObject({
      status: 200,
      body: { number: 'b', version: 2 },
    });
    expect(await client.put('/api/products/B/', { ...again, number: 'C' })).toMatchObject({
      body: { number: 'C', version: 3 },
    });
    expect((await client.get('/api/products/b/')).status).toBe(404);
  });

  // PRD-2
  test.each([
    ['a/b', 'number must not contain a slash, nor consist of dots'],
    ['..', 'number must not contain a slash, nor consist of dots'],
    ['a\u0007b', 'number must not contain control characters'],
    ['x'.repeat(21), 'number must be at most 20 characters'],
  ])('%j is refused', async (number, message) => {
    const answer = await client.post('/api/products/create/', { ...CUT, number });
    expect(answer).toMatchObject(fault('number', message));
    const named = await client.get(`/api/products/${encodeURIComponent(number)}/`);
    expect(named.status).toBe(404);
  });

  // PRD-2
  test.each(['100 %', 'a?b#c', '日本語'.repeat(6), 'create', 'import', '\\', '1.'])(
    '%j is a part of an address',
    async (number) => {
      await create({ number });
      const path = `/api/products/${encodeURIComponent(number)}/`;
      expect((await client.get(path)).body).toMatchObject({ number });
      expect((await client.put(path, { name: 'Ny', net_price: 2 })).status).toBe(200);
      expect((await client.delete(path)).status).toBe(204);
    },
  );
});

describe('the list', () => {
  // PRD-5, WIRE-10
  test('is by number as people count, in pages', async () => {
    for (const number of ['10', 'B', '9', 'a2', '010', 'Å']) await create({ number });
    expect(await numbersOf()).toEqual(['9', '010', '10', 'a2', 'B', 'Å']);
    for (let index = 0; index < 18; index += 1) await create();
    expect((await client.get('/api/products/')).body).toMatchObject({
      count: 24,
      next: '/api/products/?page=2',
      previous: null,
    });
    expect(await numbersOf('?page=2')).toEqual(['28', 'a2', 'B', 'Å']);
    const last = await client.get('/api/products/?page=5&size=5&query=vare&active=true');
    expect(last.body).toMatchObject({
      count: 24,
      next: null,
      previous: '/api/products/?page=4&query=vare&size=5&active=true',
      results: [{}, {}, {}, {}],
    });
    expect((await client.get('/api/products/?size=101')).status).toBe(400);
    expect((await client.get('/api/products/?active=yes')).status).toBe(400);
  });

  // PRD-5
  test('has what is active, what is not, or both', async () => {
    await create({ number: 'på' });
    await create({ number: 'av', active: false });
    expect(await numbersOf()).toEqual(['av', 'på']);
    expect(await numbersOf('?active=true')).toEqual(['på']);
    expect(await numbersOf('?active=false')).toEqual(['av']);
    expect((await client.get('/api/products/?active=false')).body).toMatchObject({ count: 1 });
  });

  test('belongs to the company alone', async () => {
    await create({ number: 'min' });
    const other = await testApp.login('fremmed-vare@example.no');
    expect(await numbersOf('', other)).toEqual([]);
    expect((await other.get('/api/products/min/')).status).toBe(404);
  });
});

describe('with units and vat off', () => {
  beforeAll(async () => {
    const owner = await testApp.login('eier-av-vare@example.no');
    await completeProfile(owner);
    await create({ ...CUT, number: 'A', vat_treatment: 'OUTSIDE' }, owner);
    await restart('products');
  });

  // FEAT-4, PRD-4
  test('a product keeps its unit and treatment, which nobody sees', async () => {
    const owner = await testApp.login('eier-av-vare@example.no');
    const changes = { name: 'Ny', net_price: 2, unit: 'nonsense', vat_treatment: 'nonsense' };
    const { status, body } = await owner.put('/api/products/A/', changes);
    expect([status, body]).toEqual([
      200,
      { number: 'A', name: 'Ny', description: null, net_price: 2, active: true, version: 2 },
    ]);
    await create({ ...CUT, ...changes, number: 'B' }, owner);
    await restart(FEATURES);
    const { body: list } = await (
      await testApp.login('eier-av-vare@example.no')
    ).get('/api/products/');
    expect(list).toMatchObject({
      results: [
        { number: 'A', unit: 'HUR', vat_treatment: 'OUTSIDE' },
        { number: 'B', unit: 'EA', vat_treatment: 'STANDARD' },
      ],
    });
  });
});

// FEAT-4
test('with products off there are none', async () => {
  await create({ number: 'A' });
  await restart('');
  client = await testApp.login(`vare${owners}@example.no`);
  for (const [method, path] of [
    ['GET', ''],
    ['POST', 'create/'],
    ['POST', 'import/'],
    ['GET', 'A/'],
    ['PUT', 'A/'],
    ['DELETE', 'A/'],
  ] as const) {
    const { status } = await client.send({ method, url: `/api/products/${path}` });
    expect([method, path, status]).toEqual([method, path, 404]);
  }
  await restart(FEATURES);
  client = await testApp.login(`vare${owners}@example.no`);
  expect((await client.get('/api/products/A/')).body).toMatchObject({ number: 'A' });
});
