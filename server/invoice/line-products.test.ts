import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { checkLedger } from '../document/ledger.service.ts';
import type { Database } from '../platform/db/database.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { openMigratedDatabase } from '../testing/database.ts';
import {
  addAssignment,
  completeProfile,
  createCustomer,
  createDraft,
  invoiceBody,
  line,
  register,
} from '../testing/factories.ts';

const OWNER = 'salong@example.no';

let database: Database;
let testApp: TestApp;
let client: TestClient;
let customer: number;

/** Starts the product with these features on the same database. */
async function restart(features: string): Promise<void> {
  await testApp?.close();
  const kept = { ...database, close: async () => undefined };
  testApp = await startTestApp({ DISPATCH: 'staff', FEATURES: features }, { database: kept });
  client = await testApp.login(OWNER);
}

beforeAll(async () => {
  database = await openMigratedDatabase();
  await restart('products,recurring');
  await completeProfile(client);
  customer = await createCustomer(client);
});
afterAll(async () => {
  await testApp.close();
  await database.close();
});

interface Line {
  readonly id?: number;
  readonly description: string;
  readonly product_number?: string | null;
}
interface Read {
  readonly lines: readonly Line[];
  readonly version: number;
}

const of = (product_number: string | null, description = 'Klipp') => ({
  ...line(description, 480, 25),
  product_number,
});
const addProduct = async (number: string) => {
  const product = { number, name: 'Klipp', net_price: 480 };
  expect((await client.post('/api/products/create/', product)).status).toBe(201);
};
const dropProduct = async (number: string) => {
  expect((await client.delete(`/api/products/${number}/`)).status).toBe(204);
};
const draft = async (...numbers: (string | null)[]) =>
  createDraft(client, customer, {
    invoice_lines: numbers.map((number) => of(number)),
  });
const read = async (uuid: string) => (await client.get(`/api/invoices/${uuid}/`)).body as Read;
const numbersOf = (lines: readonly Line[]) => lines.map(({ product_number }) => product_number);
const save = async (uuid: string, lines: readonly object[]) =>
  client.put(`/api/invoices/${uuid}/`, {
    ...invoiceBody([]),
    customer_number: customer,
    version: (await read(uuid)).version,
    invoice_lines: lines,
  });
const refusal = (field: string, number: string) => ({
  status: 400,
  body: { detail: [{ field, message: `There is no product number ${number}` }] },
});
const lastDocument = async () => {
  const { rows } = await sql<{ version: number; content: string }>`
    SELECT version, content FROM document ORDER BY id DESC LIMIT 1`.execute(database.db);
  return rows[0];
};

describe('a line', () => {
  // PRD-13
  test('has the number of its product, as the product writes it', async () => {
    await addProduct('KL-1');
    const created = await client.post(
      '/api/invoices/create/',
      invoiceBody([customer], {
        invoice_lines: [of('kl-1'), of(null), of(''), line('Ved', 1, 25)],
      }),
    );
    expect(numbersOf((created.body as Read[])[0]?.lines ?? [])).toEqual(['KL-1', null, null, null]);
    const unknown = invoiceBody([customer], { invoice_lines: [of('KL-1'), of('KL-2')] });
    expect(await client.post('/api/invoices/create/', unknown)).toMatchObject(
      refusal('invoice_lines[1].product_number', 'KL-2'),
    );
    const tooLong = invoiceBody([customer], { invoice_lines: [of('x'.repeat(21))] });
    expect((await client.post('/api/invoices/create/', tooLong)).status).toBe(400);
  });

  // PRD-8, PRD-13
  test('keeps its copy when the product changes or goes', async () => {
    await addProduct('VOKS');
    const uuid = await draft('VOKS');
    const registered = await draft('VOKS');
    await register(client, registered);
    const change = { number: 'VOKS-2', name: 'Ny', net_price: 1 };
    expect((await client.put('/api/products/VOKS/', change)).status).toBe(200);
    for (const each of [uuid, registered]) {
      expect((await read(each)).lines).toMatchObject([
        { product_number: 'VOKS', description: 'Klipp', net_unit_amount: 480 },
      ]);
    }
    await dropProduct('VOKS-2');
    // The draft is saved with it, and an invoice is copied with it.
    expect((await save(uuid, [of('VOKS'), of('VOKS')])).status).toBe(200);
    expect(numbersOf((await read(uuid)).lines)).toEqual(['VOKS', 'VOKS']);
    await client.delete(`/api/invoices/${uuid}/`);
    expect(numbersOf((await read(await draft('VOKS'))).lines)).toEqual(['VOKS']);
    // Other companies have never had it.
    const other = await testApp.login();
    await completeProfile(other);
    const theirs = invoiceBody([await createCustomer(other)], { invoice_lines: [of('VOKS')] });
    expect(await other.post('/api/invoices/create/', theirs)).toMatchObject(
      refusal('invoice_lines[0].product_number', 'VOKS'),
    );
  });

  test('loses its number where a change leaves it out', async () => {
    await addProduct('F');
    const uuid = await draft('F');
    expect((await save(uuid, [line('Klipp', 480, 25)])).status).toBe(200);
    expect(numbersOf((await read(uuid)).lines)).toEqual([null]);
  });

  // PRD-13
  test('is proposed with its number', async () => {
    await addProduct('P');
    await createDraft(client, customer, { invoice_lines: [of('P', 'Permanent')] });
    expect((await client.get('/api/invoices/lines/search/?query=perm')).body).toMatchObject([
      { description: 'Permanent', product_number: 'P' },
    ]);
  });
});

// PRD-8, PRD-14
test('lines of templates keep it, and their invoices have it', async () => {
  await addProduct('T');
  const body = { name: 'Mal', delivery_type: 'NONE', due_days: 14 };
  const url = '/api/invoices/template';
  const refused = await client.post(`${url}/create/`, { ...body, lines: [of('T9')] });
  expect(refused).toMatchObject(refusal('lines[0].product_number', 'T9'));
  const created = await client.post(`${url}/create/`, { ...body, lines: [of('T')] });
  const { id, lines } = created.body as { id: number; lines: Line[] };
  expect(numbersOf(lines)).toEqual(['T']);
  await dropProduct('T');
  const saved = await client.put(`${url}/${id}/update/`, { ...body, lines: [...lines, of('T')] });
  expect(numbersOf((saved.body as { lines: Line[] }).lines)).toEqual(['T', 'T']);
  const made = await client.post(`${url}/${id}/create-invoice/`, {
    customer_numbers: [customer],
    issue_date: '2026-11-20',
  });
  expect(numbersOf((made.body as Read[])[0]?.lines ?? [])).toEqual(['T', 'T']);
});

// PRD-8, PRD-14
test('a standing assignment keeps it, and its runs use the copy that it saved', async () => {
  await addProduct('A');
  const { uuid } = await addAssignment(client, {
    customer_numbers: [customer],
    interval: { unit: 'WEEK', count: 1 },
    day: null,
    invoice_lines: [of('A', 'Abonnement {måned}')],
  });
  await dropProduct('A');
  const path = `/api/invoices/recurring/${uuid}/`;
  const assignment = (await client.get(path)).body as Read & { invoice_lines: Line[] };
  expect(numbersOf(assignment.invoice_lines)).toEqual(['A']);
  expect((await client.put(path, assignment)).status).toBe(200);
  const run = (await client.post(`${path}run/`)).body as { invoices: string[] };
  expect(numbersOf((await read(run.invoices[0] ?? '')).lines)).toEqual(['A']);
});

describe('an issued document', () => {
  // PRD-14, PRD-16
  test('names it in text, EHF and on paper, and so does its credit note', async () => {
    await addProduct('D & 1');
    const uuid = await draft('D & 1', null);
    const number = await register(client, uuid);
    expect(await lastDocument()).toMatchObject({
      version: 9,
      content: expect.stringContaining('"productNumber":"D & 1"'),
    });
    const item =
      '<cac:SellersItemIdentification><cbc:ID>D &amp; 1</cbc:ID></cac:SellersItemIdentification>';
    const ehfOf = async (name: string) =>
      (await client.get(`/api/invoices/${name}/efaktura/`)).text.replaceAll(/>\s+</g, '><');
    expect((await ehfOf(uuid)).split(item)).toHaveLength(2);
    await client.delete(`/api/invoices/${uuid}/`);
    const { credit_note: note } = (await read(uuid)) as unknown as {
      credit_note: { uuid: string };
    };
    expect(numbersOf((await read(note.uuid)).lines)).toEqual(['D & 1', null]);
    expect((await ehfOf(note.uuid)).split(item)).toHaveLength(2);
    for await (const { fault } of checkLedger(database.db)) expect(fault).toBeNull();
    expect(number).toBeGreaterThan(0);
  });

  // PRD-16
  test('without a product is what it was before there were products', async () => {
    await register(client, await draft(null));
    const document = await lastDocument();
    expect(document?.version).toBe(1);
    expect(document?.content).not.toContain('productNumber');
  });
});

describe('with products off', () => {
  // PRD-15
  test('a number is ignored and absent, and a line that has one keeps it', async () => {
    await addProduct('O');
    const uuid = await draft('O');
    await restart('recurring');
    const { lines } = await read(uuid);
    expect(lines[0]).not.toHaveProperty('product_number');
    expect((await save(uuid, [of('unknown'), of('unknown', 'Annet')])).status).toBe(200);
    await restart('products,recurring');
    expect(numbersOf((await read(uuid)).lines)).toEqual(['O', null]);
    await restart('');
    await register(client, uuid);
    expect(await lastDocument()).toMatchObject({
      content: expect.stringContaining('"productNumber":"O"'),
    });
  });
});
