import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { todayInOslo } from '../../domain/date.ts';
import { VAT_TREATMENT_NAMES } from '../../domain/vat-treatment.ts';
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
  createTemplate,
  invoiceBody,
  PROFILE,
  register,
} from '../testing/factories.ts';

const OWNER = 'klubben@example.no';
const OTHER = 'uregistrert@example.no';

let database: Database;
let testApp: TestApp;
let client: TestClient;
let other: TestClient;
let customer: number;

/** Starts the product with these features on the same database. */
async function restart(features: string): Promise<void> {
  await testApp?.close();
  const kept = { ...database, close: async () => undefined };
  testApp = await startTestApp({ DISPATCH: 'staff', FEATURES: features }, { database: kept });
  client = await testApp.login(OWNER);
  other = await testApp.login(OTHER);
}

beforeAll(async () => {
  database = await openMigratedDatabase();
  await restart('vat,recurring');
  await completeProfile(client);
  await completeProfile(other, { vat_registered: false });
  customer = await createCustomer(client);
  expect(await createCustomer(other)).toBe(customer);
});
afterAll(async () => {
  await testApp.close();
  await database.close();
});

const priced = { invoiced_quantity: 1, description: 'Vare', net_unit_amount: 100 };
const treated = (vat_treatment: string, rate?: number) =>
  rate === undefined
    ? { ...priced, vat_treatment }
    : { ...priced, vat_treatment, vat_rate_percentage: rate };
const rated = (rate: number) => ({ ...priced, vat_rate_percentage: rate });
const read = async (uuid: string, caller = client) =>
  (await caller.get(`/api/invoices/${uuid}/`)).body;
const vatOf = (lines: { vat_treatment?: string; vat_rate_percentage: number }[]) =>
  lines.map((each) => [each.vat_treatment, each.vat_rate_percentage]);
const create = async (lines: object[], changes: object = {}, caller = client) =>
  caller.post(
    '/api/invoices/create/',
    invoiceBody([customer], { invoice_lines: lines, ...changes }),
  );

describe('with vat on', () => {
  test('a treatment has its rate, and needs none', async () => {
    const names = VAT_TREATMENT_NAMES.filter((name) => name !== 'NOT_REGISTERED');
    const { status, body } = await create(names.map((name) => treated(name)));
    expect(status).toBe(201);
    const expected = [
      ['STANDARD', 25],
      ['FOOD', 15],
      ['REDUCED', 12],
      ['EXEMPT', 0],
      ['EXPORT', 0],
      ['OUTSIDE', 0],
      ['REVERSE', 0],
    ];
    expect(vatOf(body[0].lines)).toEqual(expected);
    expect(body[0]).toMatchObject({ net_amount: 700, vat_amount: 52, gross_amount: 752 });
    expect(vatOf((await read(body[0].uuid)).lines)).toEqual(expected);
  });

  // VAT-1
  test('a rate alone has the treatment that it means', async () => {
    const rates = [25, 15, 12, 0].map(rated);
    const { body } = await create(rates);
    const meant = ['STANDARD', 'FOOD', 'REDUCED', 'EXEMPT'];
    expect(body[0].lines.map((each: { vat_treatment: string }) => each.vat_treatment)).toEqual(
      meant,
    );
    const uncharged = await create([rated(0)], {}, other);
    expect(vatOf(uncharged.body[0].lines)).toEqual([['NOT_REGISTERED', 0]]);
  });

  // VAT-3
  test.each([
    ['2018-01-01', 12],
    ['2020-03-31', 12],
    ['2020-04-01', 6],
    ['2021-09-30', 6],
    ['2021-10-01', 12],
  ])('what is delivered on %s has the low rate of %i %%', async (delivery_date, rate) => {
    const { body } = await create([treated('REDUCED')], { delivery_date });
    expect(vatOf(body[0].lines)).toEqual([['REDUCED', rate]]);
    expect((await create([treated('REDUCED', rate)], { delivery_date })).status).toBe(201);
    const wrong = await create([rated(rate === 6 ? 12 : 6)], { delivery_date });
    expect([wrong.status, wrong.body.detail[0].message]).toEqual([
      400,
      `invoice_lines[0].vat_rate_percentage must be ${rate} % for REDUCED`,
    ]);
  });

  // VAT-3
  test('rates from before 2018 are not known', async () => {
    const { status, body } = await create([rated(25)], { issue_date: '2017-12-31' });
    expect([status, body.detail[0].field]).toEqual([409, 'delivery_date']);
  });

  // VAT-2
  test.each([
    [treated('STANDARD', 15), 'vat_rate_percentage must be 25 % for STANDARD'],
    [treated('OUTSIDE', 25), 'vat_rate_percentage must be 0 % for OUTSIDE'],
    [priced, 'vat_rate_percentage is a required field'],
    [rated(11), 'vat_rate_percentage must be one of the following values: 0, 6, 12, 15, 25'],
  ])('%j is refused', async (wrong, rule) => {
    const { status, body } = await create([rated(25), wrong]);
    const message = `invoice_lines[1].${rule}`;
    expect([status, body.detail]).toEqual([400, [{ field: message.split(' ')[0], message }]]);
  });

  // VAT-5
  test('a registered seller has no lines without VAT, and a draft with one waits', async () => {
    const { status, body } = await create([treated('NOT_REGISTERED')]);
    expect([status, body.detail[0].field]).toEqual([400, 'invoice_lines[0].vat_treatment']);

    const uuid = await createDraft(other, customer, { invoice_lines: [rated(0)] });
    await completeProfile(other, { vat_registered: true });
    const refused = await other.post(`/api/invoices/queue/?invoice_uuid=${uuid}`);
    expect([refused.status, refused.body.detail[0].message]).toEqual([
      409,
      'Line 1 (Ingen mva) is NOT_REGISTERED, and the company is VAT-registered',
    ]);
    await completeProfile(other, { vat_registered: false });
  });

  // VAT-5
  test('a seller who is not registered charges no VAT', async () => {
    const lines = [rated(0), treated('OUTSIDE')];
    const uuid = await createDraft(other, customer, { invoice_lines: lines });
    const [obstacle] = (await read(uuid, other)).obstacles;
    expect(obstacle).toMatchObject({ mended_at: 'INVOICE' });
    expect(obstacle.message).toMatch(/^Line 2 /);
    const refused = await other.post(`/api/invoices/queue/?invoice_uuid=${uuid}`);
    expect([refused.status, refused.body.detail[0].message]).toEqual([409, obstacle.message]);
    const queued = await other.post('/api/invoices/queue/', { uuids: [uuid] });
    expect(queued.body.skipped).toMatchObject([{ uuid, message: obstacle.message }]);
  });

  describe('what EXPORT and REVERSE demand', () => {
    const obstacleOf = async (lines: object[], changes: object, to: number) => {
      const body = invoiceBody([to], { invoice_lines: lines, ...changes });
      const [{ uuid }] = (await client.post('/api/invoices/create/', body)).body;
      const { status, body: answer } = await client.post(
        `/api/invoices/queue/?invoice_uuid=${uuid}`,
      );
      return status === 200 ? uuid : [status, answer.detail[0].message];
    };
    const ehfOf = async (uuid: string) =>
      (await client.get(`/api/invoices/${uuid}/efaktura/`)).text;

    // VAT-6
    test('EXPORT needs another country, of the customer or the delivery', async () => {
      expect(await obstacleOf([treated('EXPORT')], {}, customer)).toEqual([
        409,
        "Line 1 (0 % utførsel) needs a country other than NO: the customer's country, or delivery_country",
      ]);
      const uuid = await obstacleOf([treated('EXPORT')], { delivery_country: 'se' }, customer);
      expect(await read(uuid)).toMatchObject({ delivery_country: 'SE' });
      const ehf = await ehfOf(uuid);
      expect(ehf).toContain('<cac:DeliveryLocation><cac:Address><cac:Country>');
      expect(ehf).toContain('<cbc:TaxExemptionReasonCode>VATEX-EU-G</cbc:TaxExemptionReasonCode>');
      const abroad = await createCustomer(client, { country: 'DK', org_number: null });
      expect(await obstacleOf([treated('EXPORT')], {}, abroad)).toEqual(expect.any(String));
    });

    // VAT-12
    test('EXPORT that is delivered in Norway is a hint, and registered', async () => {
      const abroad = await createCustomer(client, { country: 'DK', org_number: null });
      const lines = [treated('STANDARD'), treated('EXPORT')];
      const draft = await createDraft(client, abroad, { invoice_lines: lines });
      expect((await read(draft)).hints).toEqual([]);
      const change = {
        ...invoiceBody([], { invoice_lines: lines, delivery_country: 'NO' }),
        customer_number: abroad,
        version: 1,
      };
      const hint = {
        code: 'EXPORT_TO_NORWAY',
        field: 'invoice_lines[1].vat_treatment',
        message: 'Line 2 is an export, but delivery_country is NO',
      };
      const changed = await client.put(`/api/invoices/${draft}/`, change);
      expect(changed).toMatchObject({ status: 200, body: { hints: [hint] } });
      expect((await read(draft)).hints).toEqual([hint]);
      const trial = `/api/invoices/queue/?invoice_uuid=${draft}&dry_run=true`;
      expect((await client.post(trial)).body).toMatchObject({
        queueable: { drafts: 1 },
        hinted: 1,
      });
      const hinted = async () =>
        (await client.post('/api/invoices/queue/?dry_run=true')).body.hinted as number;
      const before = await hinted();
      expect(before).toBeGreaterThan(0);
      expect(await obstacleOf(lines, { delivery_country: 'NO' }, abroad)).toEqual(
        expect.any(String),
      );
      expect((await client.post(`/api/invoices/queue/?invoice_uuid=${draft}`)).status).toBe(200);
      expect(await read(draft)).not.toHaveProperty('hints');
      expect(await hinted()).toBe(before - 1);
    });

    // VAT-6, VAT-8
    test("REVERSE needs the customer's VAT number, which a Norwegian firm has", async () => {
      const uuid = await obstacleOf([treated('REVERSE')], {}, customer);
      expect(await ehfOf(uuid)).toContain('<cbc:CompanyID>NO974760673MVA</cbc:CompanyID>');
      const abroad = { country: 'SE', org_number: null };
      const without = await createCustomer(client, abroad);
      expect(await obstacleOf([treated('REVERSE')], {}, without)).toEqual([
        409,
        "Line 1 (0 % omvendt avgiftsplikt) needs the customer's vat_number",
      ]);
      const wrong = await client.post('/api/customers/create/', {
        ...abroad,
        name: 'Feil',
        vat_number: '556677',
      });
      expect([wrong.status, wrong.body.detail[0].message]).toEqual([
        400,
        'vat_number must be a VAT number that begins with its country',
      ]);
      const named = await createCustomer(client, { ...abroad, vat_number: 'se 556677-889901' });
      expect((await client.get(`/api/customers/${named}/`)).body.vat_number).toBe('SE556677889901');
      // An import leaves the number as it is, or writes the one of its row.
      const importRow = async (row: object) =>
        client.post('/api/customers/import/', { rows: [{ customer_number: named, ...row }] });
      await importRow({ city: 'Malmö', vat_number: '' });
      expect((await client.get(`/api/customers/${named}/`)).body).toMatchObject({
        city: 'Malmö',
        vat_number: 'SE556677889901',
      });
      expect((await importRow({ vat_number: 'SE 112233-445501' })).body.known).toMatchObject([
        { changes: ['vat_number'] },
      ]);
      expect((await importRow({ vat_number: '112233' })).status).toBe(400);
      await importRow({ vat_number: 'SE556677889901' });
      const registered = await obstacleOf([treated('REVERSE')], {}, named);
      const { rows } = await sql<{ version: number; content: string }>`
        SELECT version, content FROM document ORDER BY id DESC LIMIT 1`.execute(database.db);
      expect(rows[0]?.version).toBe(7);
      expect(rows[0]?.content).toContain('"buyerVatNumber":"SE556677889901"');
      // The number stays on the credit note, whatever the customer is by then.
      const { body } = await client.get(`/api/customers/${named}/`);
      await client.put(`/api/customers/${named}/update/`, { ...body, vat_number: null });
      expect((await client.delete(`/api/invoices/${registered}/`)).status).toBe(204);
      for await (const { fault } of checkLedger(database.db)) expect(fault).toBeNull();
    });
  });

  test('drafts that lack what a treatment demands are not counted as ready', async () => {
    const counted = async () =>
      (await client.get('/api/invoices/')).body.summary.queueable?.drafts ?? 0;
    const firm = await createCustomer(client);
    const person = await createCustomer(client, { org_number: null });
    const before = await counted();
    const make = async (treatment: string, number: number, given: object = {}) =>
      createDraft(client, number, { invoice_lines: [treated(treatment)], ...given });
    await make('EXPORT', firm);
    await make('REVERSE', person);
    expect(await counted()).toBe(before);
    await make('EXPORT', firm, { delivery_country: 'SE' });
    await make('REVERSE', firm);
    expect(await counted()).toBe(before + 2);
  });

  // VAT-10
  test('new lines begin with the treatment of the profile', async () => {
    const profile = async () => (await client.get('/api/users/profile/')).body;
    expect(await profile()).toMatchObject({ default_vat_treatment: 'STANDARD' });
    await completeProfile(client, { default_vat_treatment: 'OUTSIDE' });
    await completeProfile(client);
    expect(await profile()).toMatchObject({ default_vat_treatment: 'OUTSIDE' });
    const wrong = { ...PROFILE, default_vat_treatment: 'NOT_REGISTERED' };
    expect((await client.post('/api/users/update/', wrong)).status).toBe(400);
    expect((await other.get('/api/users/profile/')).body).toMatchObject({
      default_vat_treatment: 'NOT_REGISTERED',
    });
  });

  // VAT-8
  test('an invoice keeps its treatments, and so does its credit note', async () => {
    const lines = [treated('OUTSIDE'), treated('REDUCED'), rated(0)];
    const uuid = await createDraft(client, customer, { invoice_lines: lines });
    await register(client, uuid);
    expect((await client.delete(`/api/invoices/${uuid}/`)).status).toBe(204);
    const invoice = await read(uuid);
    const note = await read(invoice.credit_note.uuid);
    expect(vatOf(note.lines)).toEqual(vatOf(invoice.lines));
    const { rows } = await sql<{ version: number; content: string }>`
      SELECT version, content FROM document ORDER BY id DESC LIMIT 2`.execute(database.db);
    for (const { version, content } of rows) {
      expect(version).toBe(4);
      expect(content).toContain('"vatRate":0,"vatTreatment":"OUTSIDE"');
    }
    await register(client, await createDraft(client, customer, { invoice_lines: [rated(25)] }));
    const plain = await sql<{ version: number; content: string }>`
      SELECT version, content FROM document ORDER BY id DESC LIMIT 1`.execute(database.db);
    expect(plain.rows[0]?.version).toBe(4);
    expect(plain.rows[0]?.content).toContain('"vatRate":25,"vatTreatment":"STANDARD"');
    for await (const { fault } of checkLedger(database.db)) expect(fault).toBeNull();
  });

  // VAT-2, VAT-3
  test('templates, standing assignments and proposals have treatments', async () => {
    const lines = [treated('OUTSIDE'), treated('REDUCED')];
    const expected = [
      ['OUTSIDE', 0],
      ['REDUCED', 12],
    ];
    const template = await createTemplate(client, { lines });
    const path = `/api/invoices/template/${template}/`;
    expect(vatOf((await client.get(path)).body.lines)).toEqual(expected);
    const made = await client.post(`${path}create-invoice/`, {
      customer_numbers: [customer],
      issue_date: '2020-06-01',
    });
    expect(vatOf(made.body[0].lines)).toEqual([
      ['OUTSIDE', 0],
      ['REDUCED', 6],
    ]);
    const { uuid } = await addAssignment(client, {
      customer_numbers: [customer],
      day: Number(todayInOslo().slice(8)),
      invoice_lines: lines,
    });
    const run = await client.post(`/api/invoices/recurring/${uuid}/run/`);
    expect(vatOf((await read(run.body.invoices[0])).lines)).toEqual(expected);
    const assignment = (await client.get(`/api/invoices/recurring/${uuid}/`)).body;
    expect(vatOf(assignment.invoice_lines)).toEqual(expected);
    const proposed = await client.get('/api/invoices/lines/search/?query=Va&size=5');
    expect(vatOf(proposed.body)).toEqual([['REDUCED', 12]]);
  });
});

describe('with vat off again', () => {
  let before: string;
  beforeAll(async () => {
    before = await createDraft(client, customer, {
      invoice_lines: [treated('OUTSIDE'), { ...treated('REDUCED'), description: 'Rom' }],
    });
    await restart('recurring');
  });

  // VAT-4, VAT-10
  test('there are rates alone, and a treatment is ignored', async () => {
    const uuid = await createDraft(client, customer, {
      invoice_lines: [{ ...treated('nonsense'), vat_rate_percentage: 15 }],
    });
    expect(vatOf((await read(uuid)).lines)).toEqual([[undefined, 15]]);
    expect((await read(uuid)).lines[0]).not.toHaveProperty('vat_treatment');
    await completeProfile(client, { default_vat_treatment: 'nonsense' });
    expect((await client.get('/api/users/profile/')).body).not.toHaveProperty(
      'default_vat_treatment',
    );
    expect(await read(uuid)).not.toHaveProperty('delivery_country');
    const { status, body } = await create([rated(12)]);
    expect([status, body.detail[0].message]).toEqual([
      400,
      'invoice_lines[0].vat_rate_percentage must be one of the following values: 0, 15, 25',
    ]);
    expect(await createDraft(other, customer, { invoice_lines: [rated(25)] })).toBeTruthy();
  });

  // VAT-4
  test('what was made with it stays, and is registered with its reason', async () => {
    const draft = await read(before);
    expect(vatOf(draft.lines)).toEqual([
      [undefined, 0],
      [undefined, 12],
    ]);
    const [outside] = draft.lines;
    const saved = await client.put(`/api/invoices/${before}/`, {
      ...draft,
      invoice_lines: [{ ...outside, net_unit_amount: 200 }],
    });
    expect(saved.status).toBe(200);
    const number = await register(client, before);
    const { rows } = await sql<{ content: string }>`
      SELECT content FROM document ORDER BY id DESC LIMIT 1`.execute(database.db);
    expect(rows[0]?.content).toContain(`"invoiceNumber":${number}`);
    expect(rows[0]?.content).toContain('"vatTreatment":"OUTSIDE"');
  });

  // VAT-8
  test('other documents are as they were before there were treatments', async () => {
    const lines = [rated(25), rated(15), rated(0)];
    await register(client, await createDraft(client, customer, { invoice_lines: lines }));
    const { rows } = await sql<{ version: number; content: string }>`
      SELECT version, content FROM document ORDER BY id DESC LIMIT 1`.execute(database.db);
    expect(rows[0]?.version).toBe(1);
    expect(rows[0]?.content).not.toContain('vatTreatment');
    for await (const { fault } of checkLedger(database.db)) expect(fault).toBeNull();
  });
});
