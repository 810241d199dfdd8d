import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import type { Answer, TestClient } from '../testing/client.ts';
import { completeProfile, PROFILE } from '../testing/factories.ts';

const URL = '/api/products/import/';

let testApp: TestApp;
let client: TestClient;
let owners = 0;

beforeAll(async () => {
  testApp = await startTestApp({ FEATURES: 'products,units,vat', LOGIN_LIMIT_PER_IP: '1000000' });
});
afterAll(async () => testApp.close());
beforeEach(async () => {
  owners += 1;
  client = await testApp.login(`varer${owners}@example.no`);
  await completeProfile(client);
});

async function tryRows(rows: object[], rest: object = {}): Promise<Answer> {
  return client.post(`${URL}?dry_run=true`, { rows, ...rest });
}

async function importRows(rows: object[], rest: object = {}): Promise<Answer> {
  return client.post(URL, { rows, ...rest });
}

async function products(who = client): Promise<unknown[]> {
  return ((await who.get('/api/products/?size=100')).body as { results: unknown[] }).results;
}

test('rows become products with the next numbers, in their order', async () => {
  await client.post('/api/users/update/', { ...PROFILE, default_vat_treatment: 'FOOD' });
  const rows = [
    { name: ' Klipp ', net_price: 480.5, description: 'Klipp, kort hår', unit: 'HUR' },
    { name: 'Voks', net_price: 99, number: "'0040", vat_treatment: 'STANDARD', unknown: true },
    { name: 'Farge', net_price: 0, number: 'F-1', active: false, description: '' },
    { name: 'Føn', net_price: -10, number: '' },
  ];
  const answer = { created: 4, updated: 0, faults: [], known: [] };
  expect(await tryRows(rows)).toMatchObject({ status: 200, body: answer });
  expect(await products()).toEqual([]);
  expect(await importRows(rows)).toMatchObject({ status: 200, body: answer });
  const usual = { description: null, unit: 'EA', vat_treatment: 'FOOD', active: true, version: 1 };
  // Those that are given a number come first, so that no other product gets one of them.
  expect(await products()).toEqual([
    { ...usual, number: '0040', name: 'Voks', net_price: 99, vat_treatment: 'STANDARD' },
    {
      ...usual,
      number: '41',
      name: 'Klipp',
      net_price: 480.5,
      description: 'Klipp, kort hår',
      unit: 'HUR',
    },
    { ...usual, number: '42', name: 'Føn', net_price: -10 },
    { ...usual, number: 'F-1', name: 'Farge', net_price: 0, active: false },
  ]);
  const found = (await client.get('/api/products/?query=kort%20hår')).body;
  expect(found).toMatchObject({ count: 1, results: [{ number: '41' }] });
});

// PRD-9
test('a known product is known by its number in whatever case, and what is empty stays', async () => {
  const before = { name: 'Klipp', net_price: 480, description: 'Kort', unit: 'HUR', active: false };
  await client.post('/api/products/create/', { ...before, number: 'Kl-1', vat_treatment: 'FOOD' });
  await client.post('/api/products/create/', { ...before, number: 'Kl-2', vat_treatment: 'FOOD' });
  const rows = [
    { number: 'KL-1', name: '', description: null, net_price: 500, unit: '' },
    { number: 'kl-2', name: 'Klipp', net_price: 480 },
  ];
  const known = [
    { row: 1, number: 'Kl-1', name: 'Klipp', changes: ['net_price'] },
    { row: 2, number: 'Kl-2', name: 'Klipp', changes: [] },
  ];
  expect((await tryRows(rows)).body).toEqual({ created: 0, updated: 2, faults: [], known });
  const left = await importRows(rows, { update_known: false });
  expect(left.body).toEqual({ created: 0, updated: 0, faults: [], known });
  expect((await importRows(rows)).body).toEqual({ created: 0, updated: 2, faults: [], known });
  const kept = { ...before, vat_treatment: 'FOOD' };
  expect(await products()).toEqual([
    { ...kept, number: 'Kl-1', net_price: 500, version: 2 },
    // A row that changes nothing makes no new version.
    { ...kept, number: 'Kl-2', version: 1 },
  ]);
  const back = [{ number: 'kl-1', active: true, description: 'Langt', vat_treatment: 'REDUCED' }];
  await importRows(back);
  expect((await client.get('/api/products/kl-1/')).body).toMatchObject({
    ...back[0],
    number: 'Kl-1',
  });
});

// PRD-9
test('a price with VAT is reckoned back by the treatment of the row, the known product or new lines', async () => {
  const food = { number: 'K-1', name: 'Kaffe', net_price: 40, vat_treatment: 'FOOD' };
  await client.post('/api/products/create/', food);
  const rows = [
    { number: 'k-1', gross_price: 57.5 },
    { number: 'K-2', name: 'Klipp', gross_price: 600 },
    { number: 'K-3', name: 'Te', gross_price: 34.5, vat_treatment: 'FOOD' },
    { number: 'K-4', name: 'Begge', net_price: 10, gross_price: 99 },
  ];
  const known = [{ row: 1, number: 'K-1', name: 'Kaffe', net_price: 50, changes: ['net_price'] }];
  const answer = { created: 3, updated: 1, faults: [], known };
  expect((await tryRows(rows)).body).toEqual(answer);
  expect((await importRows(rows)).body).toEqual(answer);
  expect(await products()).toMatchObject([
    { number: 'K-1', net_price: 50, vat_treatment: 'FOOD' },
    { number: 'K-2', net_price: 480 },
    { number: 'K-3', net_price: 30 },
    { number: 'K-4', net_price: 10 },
  ]);
  const changed = [{ number: 'K-1', gross_price: 56, vat_treatment: 'REDUCED' }];
  expect((await importRows(changed)).body).toMatchObject({ known: [{ net_price: 50 }] });
  const faulty = await tryRows([{ name: 'Gratis', gross_price: 'gratis' }]);
  expect(faulty.body).toMatchObject({
    faults: [{ field: 'gross_price', message: 'gross_price must be a number' }],
  });
});

// IMP-9
test('a number that a spreadsheet has shortened is a fault', async () => {
  const faults = [
    {
      row: 1,
      field: 'number',
      message: 'number was shortened by a spreadsheet, and lacks its last digits',
      repeats: null,
    },
  ];
  const { body } = await tryRows([
    { number: '7,03801E+12', name: 'Såpe', net_price: 1 },
    { number: '1E5', name: 'Skrue', net_price: 1 },
  ]);
  expect(body).toMatchObject({ created: 1, faults });
});

// PRD-9, WIRE-12
test('rows are judged one by one, and nothing is written if one has a fault', async () => {
  await client.post('/api/products/create/', { number: 'A', name: 'Kjent', net_price: 1 });
  const rows = [
    { number: 'B', name: 'Riktig', net_price: 1 },
    { number: 'b', name: 'Samme', net_price: 1 },
    { number: 'a/b', name: 'x'.repeat(256), net_price: 1.005 },
    { unit: 'QQ', vat_treatment: 'NOT_REGISTERED' },
    { number: 'A', unit: 'stk', net_price: '12' },
    { name: 'Uten pris', vat_treatment: 'HIGH' },
  ];
  const faults = [
    [2, 'number', 'number is on an earlier row too', 1],
    [3, 'name', 'name must be at most 255 characters'],
    [3, 'net_price', 'net_price must have at most two decimals'],
    [3, 'number', 'number must not contain a slash, nor consist of dots'],
    [4, 'name', 'name is a required field'],
    [4, 'net_price', 'net_price is a required field'],
    [4, 'unit', 'There is no unit QQ in UN/ECE Recommendation 20'],
    [4, 'vat_treatment', expect.stringContaining('NOT_REGISTERED')],
    [5, 'net_price', 'net_price must be a number'],
    [5, 'unit', 'unit must be a code of UN/ECE Recommendation 20'],
    [6, 'net_price', 'net_price is a required field'],
    [6, 'vat_treatment', expect.stringContaining('must be one of')],
  ].map(([row, field, message, repeats = null]) => ({ row, field, message, repeats }));
  const inOrder = (answer: Answer) =>
    (answer.body as { faults: typeof faults }).faults.toSorted((left, right) =>
      `${left.row} ${left.field}`.localeCompare(`${right.row} ${right.field}`),
    );
  const tried = await tryRows(rows);
  expect(tried).toMatchObject({ status: 200, body: { created: 1, updated: 0 } });
  expect(inOrder(tried)).toEqual(faults);
  const refused = await importRows(rows);
  expect(refused).toMatchObject({
    status: 400,
    body: { detail: [{ field: 'rows', message: 'Nothing was imported: 5 rows have faults' }] },
  });
  expect(inOrder(refused)).toEqual(faults);
  expect(await products()).toMatchObject([{ number: 'A', version: 1 }]);
  expect((await importRows([])).status).toBe(400);
});

test('ten thousand rows are taken, and no more', async () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => ({
    number: `V-${index}`,
    name: `Vare ${index}`,
    net_price: index,
  }));
  expect(await importRows(rows)).toMatchObject({ status: 200, body: { created: 10_000 } });
  const dearer = rows.map((row) => ({ ...row, net_price: row.net_price + 1 }));
  expect(await importRows(dearer)).toMatchObject({ status: 200, body: { updated: 10_000 } });
  expect((await client.get('/api/products/V-9999/')).body).toMatchObject({
    net_price: 10_000,
    version: 2,
  });
  const { status } = await tryRows([...rows, { name: 'En til', net_price: 1 }]);
  expect(status).toBe(400);
});

test('products of other companies are not known', async () => {
  await importRows([{ number: 'A', name: 'Min', net_price: 1 }]);
  const mine = client;
  client = await testApp.login('andres-varer@example.no');
  const answer = await importRows([{ number: 'A', name: 'Deres', net_price: 2 }]);
  expect(answer.body).toMatchObject({ created: 1, known: [] });
  expect(await products(mine)).toMatchObject([{ name: 'Min', net_price: 1 }]);
});
