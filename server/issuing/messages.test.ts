import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { todayInOslo } from '../../domain/date.ts';
import { checkLedger } from '../document/ledger.service.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import {
  addAssignment,
  completeProfile,
  createCustomer,
  createDraft,
  createTemplate,
  PROFILE,
  register,
} from '../testing/factories.ts';

const EMAIL = 'melding@example.no';
const DEFAULT = 'Takk for handelen!\n\nHilsen oss';
let testApp: TestApp;
let client: TestClient;
let customer: number;

beforeAll(async () => {
  testApp = await startTestApp({ DISPATCH: 'staff', FEATURES: 'recurring' });
  client = await testApp.login(EMAIL);
  await completeProfile(client, { default_message: ' Takk for handelen!\r\n\r\nHilsen oss ' });
  customer = await createCustomer(client);
});
afterAll(async () => testApp.close());

const invoice = async (uuid: string) => (await client.get(`/api/invoices/${uuid}/`)).body;
const messageOf = async (uuid: string) => (await invoice(uuid)).message as string | null;
const draft = async (changes: object) => createDraft(client, customer, changes);

// PRO-1
test('the profile has a default message, which stays when a form omits it', async () => {
  const profile = async () => (await client.get('/api/users/profile/')).body;
  const { version } = await profile();
  expect(await profile()).toMatchObject({ default_message: DEFAULT });
  expect((await client.post('/api/users/update/', PROFILE)).body).toMatchObject({
    default_message: DEFAULT,
    version: version + 1,
  });
  const long = await client.post('/api/users/update/', {
    ...PROFILE,
    default_message: 'x'.repeat(1001),
  });
  expect([long.status, long.body.detail[0].field]).toEqual([400, 'default_message']);
});

// INV-2, WIRE-5
test('an invoice has its own message, none, or the default', async () => {
  expect(await messageOf(await draft({}))).toBe(DEFAULT);
  expect(await messageOf(await draft({ message: null }))).toBeNull();
  expect(await messageOf(await draft({ message: ' \n ' }))).toBeNull();
  expect(await messageOf(await draft({ message: 'Hei!\r\nHa det\t!' }))).toBe('Hei!\nHa det !');
  expect(await messageOf(await draft({ message: 'x'.repeat(1000) }))).toHaveLength(1000);

  const uuid = await draft({ message: null });
  const { version, ...read } = await invoice(uuid);
  const put = {
    customer_number: customer,
    delivery_type: 'NONE',
    issue_date: read.issue_date,
    due_days: 14,
    invoice_lines: read.lines,
    version,
  };
  const changed = await client.put(`/api/invoices/${uuid}/`, put);
  expect(changed.body).toMatchObject({ message: DEFAULT, version: 2 });

  const template = await createTemplate(client);
  const make = async (changes: object) =>
    client.post(`/api/invoices/template/${template}/create-invoice/`, {
      customer_numbers: [customer],
      issue_date: todayInOslo(),
      ...changes,
    });
  expect((await make({})).body).toMatchObject([{ message: DEFAULT }]);
  expect((await make({ message: null })).body).toMatchObject([{ message: null }]);
});

test('a registered invoice keeps its message, and its credit note has none', async () => {
  const plain = await draft({ message: null });
  const uuid = await draft({ message: 'Vi sees på mandag.\nTa med nøkkelen.' });
  await register(client, plain);
  await register(client, uuid);
  const versions = async () => {
    const { rows } = await sql<{ version: number }>`
      SELECT document.version FROM document JOIN invoice ON invoice.id = invoice_id
      ORDER BY invoice_number`.execute(testApp.context.db);
    return rows.map(({ version }) => version);
  };
  expect(await versions()).toEqual([1, 3]);
  const { text } = await client.get(`/api/invoices/${uuid}/efaktura/`);
  expect(text).toContain('<cbc:Note>Vi sees på mandag.\nTa med nøkkelen.</cbc:Note>');
  await expect(
    sql`UPDATE invoice SET message = 'Noe annet' WHERE uuid = ${uuid}`.execute(testApp.context.db),
  ).rejects.toThrow('a registered invoice never changes');

  await client.delete(`/api/invoices/${uuid}/`);
  const { credit_note } = await invoice(uuid);
  expect(await invoice(credit_note.uuid)).toMatchObject({ kind: 'CREDIT_NOTE', message: null });
  expect(await versions()).toEqual([1, 3, 1]);
  const [report] = await Array.fromAsync(checkLedger(testApp.context.db, EMAIL));
  expect(report).toMatchObject({ documents: 3, fault: null });
});

test('an earlier version cannot issue an invoice without its message', async () => {
  const uuid = await draft({ message: 'Viktig' });
  const { db } = testApp.context;
  // An earlier version writes the document by the rules that it knows.
  const refused = db.transaction().execute(async (trx) => {
    await sql`
      INSERT INTO document (company_id, kind, invoice_id, version, content, hash)
      SELECT company_id, 'INVOICE', id, 1, '{}', sha256('{}') FROM invoice WHERE uuid = ${uuid}`.execute(
      trx,
    );
  });
  await expect(refused).rejects.toThrow('the document of an invoice would be without its message');
});

test('an assignment uses its own message, filled in, or the default from its creation', async () => {
  const make = async (changes: object) => {
    const { uuid } = await addAssignment(client, { customer_numbers: [customer], ...changes });
    const run = await client.post(`/api/invoices/recurring/${uuid}/run/`);
    expect(run.status).toBe(200);
    const { body } = await client.get(`/api/invoices/recurring/${uuid}/runs/`);
    const [{ invoices }] = body.results ?? body;
    return messageOf(invoices[0]);
  };
  const day = Number(todayInOslo().slice(8));
  expect(await make({ day, message: 'Leie for {år}\nTakk' })).toBe(
    `Leie for ${todayInOslo().slice(0, 4)}\nTakk`,
  );
  expect(await make({ day, message: null })).toBeNull();
  expect(await make({ day })).toBe(DEFAULT);
});
