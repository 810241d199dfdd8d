import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { todayInOslo } from '../../domain/date.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import {
  completeProfile,
  createCustomer,
  createDraft,
  createTemplate,
  line,
  LINES,
  register,
} from '../testing/factories.ts';

const EMAIL = 'utkast@example.no';
let testApp: TestApp;
let client: TestClient;
let customer: number;
let other: number;

beforeAll(async () => {
  testApp = await startTestApp();
  client = await testApp.login(EMAIL);
  await completeProfile(client);
  customer = await createCustomer(client);
  other = await createCustomer(client, { name: 'Ny Kunde AS', email: 'ny@example.no' });
});
afterAll(async () => testApp.close());

/** A body that changes every field, in snake_case. */
function change(changes: object = {}) {
  return {
    customer_number: other,
    delivery_type: 'EMAIL',
    issue_date: '2026-11-02',
    due_days: 30,
    delivery_date: '2026-10-30',
    reference: 'Kari',
    message: 'Takk for sist!\nHilsen oss',
    invoice_lines: [line('Snekring', 800, 25, 4)],
    version: 1,
    ...changes,
  };
}

const put = async (uuid: string | number, changes: object = {}) =>
  client.put(`/api/invoices/${uuid}/`, change(changes));
const get = async (uuid: string) => (await client.get(`/api/invoices/${uuid}/`)).body;
const historyOf = async (uuid: string) =>
  ((await client.get(`/api/invoices/${uuid}/history/`)).body as { kind: string }[]).map(
    ({ kind }) => kind,
  );
const draft = async () => createDraft(client, customer);
const changedMeanwhile = {
  detail: [
    {
      field: 'version',
      message: 'It was changed meanwhile; read it again and send the version that you read',
    },
  ],
};

describe('a draft', () => {
  // INV-2, INV-6
  test('can be changed in every field', async () => {
    const uuid = await draft();
    expect(await get(uuid)).toMatchObject({ version: 1, message: null });
    const { status, body } = await put(uuid);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      uuid,
      version: 2,
      status: 'DRAFT',
      customer_number: other,
      customer_name: 'Ny Kunde AS',
      delivery_type: 'EMAIL',
      delivery_status: 'PENDING',
      issue_date: '2026-11-02',
      due_days: 30,
      due_date: '2026-12-02',
      delivery_date: '2026-10-30',
      reference: 'Kari',
      message: 'Takk for sist!\nHilsen oss',
      net_amount: 3200,
      vat_amount: 800,
      gross_amount: 4000,
      lines: [{ description: 'Snekring', invoiced_quantity: 4, net_amount: 3200 }],
    });
    expect(await get(uuid)).toEqual(body);
    expect(await historyOf(uuid)).toEqual(['CHANGED', 'CREATED']);

    const plain = await put(uuid, {
      delivery_type: 'NONE',
      delivery_date: '',
      reference: null,
      message: '',
      version: 2,
    });
    expect(plain.body).toMatchObject({
      version: 3,
      delivery_status: null,
      delivery_date: '2026-11-02',
      reference: null,
      message: null,
    });
    await register(client, uuid);
    expect(await get(uuid)).toMatchObject({ status: 'REGISTERED', version: 3, gross_amount: 4000 });
  });

  test('takes the current values of a template', async () => {
    const templateId = await createTemplate(client);
    const { body } = await put(await draft(), { template_id: templateId, due_days: 'nei' });
    expect(body).toMatchObject({ delivery_type: 'NONE', due_days: 30, gross_amount: 173.46 });
    const { body: none } = await put(await draft(), { template_id: 999_999 });
    expect(none.detail).toMatchObject([{ field: 'template_id' }]);
  });

  // WIRE-19
  test('is validated as on creation', async () => {
    const uuid = await draft();
    const faults = async (changes: object) => {
      const { status, body } = await put(uuid, changes);
      expect(status).toBe(400);
      return (body.detail as { field: string }[]).map(({ field }) => field);
    };
    expect(await faults({ version: undefined })).toEqual(['version']);
    expect(await faults({ version: null })).toEqual(['version']);
    expect(await faults({ customer_number: undefined })).toEqual(['customer_number']);
    expect(await faults({ customer_number: 987_654 })).toEqual(['customer_number']);
    expect(await faults({ issue_date: '2026-02-30' })).toEqual(['issue_date']);
    expect(await faults({ invoice_lines: [] })).toEqual(['invoice_lines']);
    expect(await faults({ delivery_type: null, due_days: 0 })).toEqual(
      expect.arrayContaining(['delivery_type', 'due_days']),
    );
    expect(await faults({ message: 'x'.repeat(1001) })).toEqual(['message']);
    expect(await faults({ message: 'a\u0000b' })).toEqual(['message']);
    const large = line('Dyr', 90_000_000_000_000, 0);
    expect(await faults({ invoice_lines: [large, large] })).toEqual(['invoice_lines']);
    expect(await get(uuid)).toMatchObject({ version: 1, gross_amount: 173.46 });
    expect(await historyOf(uuid)).toEqual(['CREATED']);
  });

  // INV-6
  test('is changed only with its latest version', async () => {
    const uuid = await draft();
    await put(uuid);
    const late = await put(uuid, { reference: 'For sent' });
    expect([late.status, late.body]).toEqual([409, changedMeanwhile]);
    const answers = await Promise.all(
      [1, 2, 3].map(async (it) => put(uuid, { version: 2, reference: `${it}` })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    const saved = answers.find(({ status }) => status === 200);
    expect(await get(uuid)).toEqual(saved?.body);
    expect(await historyOf(uuid)).toEqual(['CHANGED', 'CHANGED', 'CREATED']);
  });
});

describe('an invoice that is not a draft', () => {
  // INV-6
  test('stays unchanged, by uuid and by number', async () => {
    const uuid = await draft();
    const number = await register(client, uuid);
    const before = await get(uuid);
    for (const name of [uuid, number]) {
      const { status, body } = await put(name, { version: before.version });
      expect([status, body]).toEqual([
        409,
        { detail: [{ message: 'Only a draft can be changed' }] },
      ]);
    }
    expect(await get(uuid)).toEqual(before);
    expect((await put('00000000-0000-4000-8000-000000000000')).status).toBe(404);
    expect((await put(987_654)).status).toBe(404);
  });

  test('has the content that was registered, whichever call came first', async () => {
    for (let round = 0; round < 4; round++) {
      const uuid = await draft();
      const queue = async () => client.post(`/api/invoices/queue/?invoice_uuid=${uuid}`);
      const calls = round % 2 ? [put(uuid), queue()] : [queue(), put(uuid)];
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      const changed = statuses[round % 2 ? 0 : 1] === 200;
      expect([...statuses, 200]).toContain(changed ? 200 : 409);
      const now = await get(uuid);
      expect(now).toMatchObject({
        status: 'REGISTERED',
        gross_amount: changed ? 4000 : 173.46,
        version: changed ? 2 : 1,
      });
      // The document has the registered content.
      const { text } = await client.get(`/api/invoices/${uuid}/efaktura/`);
      expect(text.includes('Snekring')).toBe(changed);
    }
  });

  test('cannot be changed by another company', async () => {
    const uuid = await draft();
    const stranger = await testApp.login('fremmed@example.no');
    await completeProfile(stranger);
    const own = await createCustomer(stranger);
    const stolen = await stranger.put(`/api/invoices/${uuid}/`, change({ customer_number: own }));
    expect(stolen.status).toBe(404);
    const theirs = await createDraft(stranger, own);
    const { status, body } = await stranger.put(
      `/api/invoices/${theirs}/`,
      change({ customer_number: 9_999 }),
    );
    expect([status, body.detail[0].field]).toEqual([400, 'customer_number']);
  });
});

test('the former customer of a changed draft can be deleted', async () => {
  const leaving = await createCustomer(client, { name: 'Slutter AS' });
  const uuid = await createDraft(client, leaving);
  const remove = async () => client.delete(`/api/customers/${leaving}/`);
  expect((await remove()).status).toBe(409);
  await put(uuid);
  expect((await remove()).status).toBe(204);
  expect(await get(uuid)).toMatchObject({ customer_number: other, version: 2 });
});

test('a draft of many lines is changed quickly', async () => {
  const uuid = await createDraft(client, customer, { issue_date: todayInOslo() });
  const invoice_lines = Array.from({ length: 1000 }, () => LINES[2]);
  const { status, body } = await put(uuid, { invoice_lines });
  expect(status).toBe(200);
  expect(body.lines).toHaveLength(1000);
});

// INV-3, INV-18
test('a draft names all that keeps it from being registered, and where to correct it', async () => {
  const without = await createCustomer(client, { name: 'Uten adresse', email: null });
  const uuid = await createDraft(client, without, {
    delivery_type: 'EMAIL',
    invoice_lines: [line('Avslag', -100, 25)],
  });
  expect((await get(uuid)).obstacles).toEqual([
    { message: 'The customer has no e-mail address', mended_at: 'CUSTOMER' },
    { message: 'An invoice with a negative total cannot be registered', mended_at: 'INVOICE' },
  ]);
  expect((await client.post(`/api/invoices/queue/?invoice_uuid=${uuid}`)).status).toBe(409);
  expect((await put(uuid)).status).toBe(200);
  expect(await get(uuid)).not.toHaveProperty('obstacles');
});
