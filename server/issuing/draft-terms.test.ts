import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { todayInOslo } from '../../domain/date.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import {
  completeProfile,
  createCustomer,
  createGroup,
  createTemplate,
  invoiceBody,
} from '../testing/factories.ts';

// A customer's reference, due days and delivery type as defaults of its invoices (CUS-14).

let testApp: TestApp;
let client: TestClient;
let owners = 0;
let customer: number;
let plain: number;

beforeAll(async () => {
  testApp = await startTestApp({ FEATURES: 'recurring' });
});
afterAll(async () => testApp.close());
beforeEach(async () => {
  owners += 1;
  client = await testApp.login(`egne${owners}@example.no`);
  await completeProfile(client);
  const terms = { reference: 'Avdeling 7', due_days: 30, delivery_type: 'NONE' };
  customer = await createCustomer(client, { name: 'Med', ...terms });
  plain = await createCustomer(client, { name: 'Uten' });
});

/** An invoice without these fields. */
function without(fields: readonly string[], numbers: number[], changes: object = {}) {
  const body = Object.entries(invoiceBody(numbers, { delivery_type: 'EMAIL', ...changes }));
  return Object.fromEntries(body.filter(([field]) => !fields.includes(field)));
}

const TERMS = ['due_days', 'delivery_type'];
const create = async (body: object) => client.post('/api/invoices/create/', body);

describe('an invoice to one customer', () => {
  // WIRE-5
  test('has the terms that it states, else those of the customer', async () => {
    expect(await create(without(TERMS, [customer]))).toMatchObject({
      status: 201,
      body: [{ due_days: 30, delivery_type: 'NONE', reference: 'Avdeling 7' }],
    });
    expect(await create(without(['due_days'], [customer]))).toMatchObject({
      body: [{ due_days: 30, delivery_type: 'EMAIL' }],
    });
    expect(await create(without([], [customer], { reference: 'Annen' }))).toMatchObject({
      body: [{ due_days: 14, delivery_type: 'EMAIL', reference: 'Annen' }],
    });
    for (const reference of [null, '', ' ']) {
      expect(await create(without([], [customer], { reference }))).toMatchObject({
        body: [{ reference: null }],
      });
    }
  });

  test('of whom nothing is known is refused as before', async () => {
    const required = (field: string) => ({ field, message: `${field} is a required field` });
    const answer = await create(without(TERMS, [plain]));
    expect(answer).toMatchObject({ status: 400, body: { detail: TERMS.map(required) } });
    expect((await create(without(['due_days'], [plain]))).body.detail).toEqual([
      required('due_days'),
    ]);
    // Beside other faults too.
    const faulty = without([...TERMS, 'invoice_lines', 'issue_date'], [plain]);
    expect((await create(faulty)).body.detail).toEqual(
      expect.arrayContaining([...TERMS, 'invoice_lines', 'issue_date'].map(required)),
    );
    expect(await create(without(TERMS, [4711]))).toMatchObject({ status: 400 });
  });

  test('by a template has the terms of the template, and the reference of the customer', async () => {
    const template = await createTemplate(client);
    const body = { customer_numbers: [customer], issue_date: todayInOslo() };
    const expected = { due_days: 30, delivery_type: 'NONE', reference: 'Avdeling 7' };
    expect(await create({ ...body, template_id: template })).toMatchObject({ body: [expected] });
    const url = `/api/invoices/template/${template}/create-invoice/`;
    expect(await client.post(url, body)).toMatchObject({ status: 201, body: [expected] });
  });
});

test('invoices to several customers state their terms, and each has its own reference', async () => {
  const group = await createGroup(client, [customer]);
  for (const recipients of [
    { customer_numbers: [customer, plain] },
    { customer_numbers: [], group_uuid: group },
    { customer_numbers: [customer], group_uuid: group },
  ]) {
    const answer = await create({ ...without(TERMS, []), ...recipients });
    expect(answer).toMatchObject({ status: 400, body: { detail: [{}, {}] } });
  }
  expect((await create(without([], [customer, plain]))).body).toMatchObject([
    { due_days: 14, delivery_type: 'EMAIL', reference: 'Avdeling 7' },
    { due_days: 14, delivery_type: 'EMAIL', reference: null },
  ]);
  expect(
    (await create(without([], [customer, plain], { reference: 'Dugnad' }))).body,
  ).toMatchObject([{ reference: 'Dugnad' }, { reference: 'Dugnad' }]);
});

test('a draft that is changed keeps what the change says', async () => {
  const [draft] = (await create(without(TERMS, [customer]))).body as { uuid: string }[];
  const { customer_numbers: _, ...body } = invoiceBody([], {
    customer_number: customer,
    version: 1,
  });
  expect(await client.put(`/api/invoices/${draft?.uuid}/`, body)).toMatchObject({
    status: 200,
    body: { due_days: 14, delivery_type: 'NONE', reference: null },
  });
});
