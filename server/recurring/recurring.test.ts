import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import { companyIdOf } from '../testing/company.ts';
import type { TestClient } from '../testing/client.ts';
import {
  addAssignment,
  type AssignmentAnswer,
  assignmentBody,
  completeProfile,
  createCustomer,
  createGroup,
  createTemplate,
  line,
} from '../testing/factories.ts';
import { addMember } from '../testing/members.ts';
import { recurringJobs } from './due-runs.service.ts';

vi.mock(import('../../domain/date.ts'), async (importOriginal) => ({
  ...(await importOriginal()),
  todayInOslo: () => '2027-03-01',
}));

const URL = '/api/invoices/recurring/';
/** Long enough for a call to find the group that is being deleted (milliseconds). */
const WHILE_DELETED = 300;

let testApp: TestApp;
let client: TestClient;
let customer: number;

beforeAll(async () => {
  testApp = await startTestApp({ FEATURES: 'recurring,members', DISPATCH: 'staff' });
});
afterAll(async () => testApp.close());

beforeEach(async () => {
  client = await testApp.login();
  await completeProfile(client);
  customer = await createCustomer(client);
});

interface Invoice {
  readonly uuid: string;
  readonly status: string;
  readonly issue_date: string;
  readonly customer_number: number;
  readonly lines: readonly { description: string }[];
}

interface Run {
  readonly period_from: string;
  readonly period_to: string;
  readonly date: string;
  readonly invoices: readonly string[];
  readonly failures: readonly { customer_number: number; message: string }[];
  readonly mode: string;
  readonly state: string;
}

const add = async (changes: object = {}) =>
  addAssignment(client, { customer_numbers: [customer], ...changes });
const get = async ({ uuid }: { uuid: string }) =>
  (await client.get(`${URL}${uuid}/`)).body as AssignmentAnswer;
const run = async ({ uuid }: { uuid: string }) => client.post(`${URL}${uuid}/run/`);
const runsOf = async ({ uuid }: { uuid: string }) =>
  (await client.get(`${URL}${uuid}/runs/`)).body as Run[];
const invoices = async () => (await client.get('/api/invoices/')).body.results as Invoice[];

describe('an assignment', () => {
  // REC-1, REC-15
  test('is kept as it was filled in', async () => {
    const group = await createGroup(client, [customer]);
    const body = assignmentBody({
      customer_numbers: [customer],
      group_uuid: group,
      message: 'Hei\nTakk for {måned}',
      occurrences: 12,
      mode: 'SEND',
    });
    const made = await client.post(`${URL}create/`, body);
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      uuid: expect.any(String),
      customer_count: 1,
      template_id: null,
      last_date: null,
      state: 'ACTIVE',
      next_date: '2027-03-01',
      has_run: false,
      waiting_reason: null,
      version: 1,
      ...body,
    });
    expect((await client.get(`${URL}${made.body.uuid}/`)).body).toEqual(made.body);
    expect((await client.get(URL)).body).toEqual([made.body]);
  });

  // REC-17
  test('refuses unknown customers, groups and templates, and an early first date', async () => {
    const refused = async (changes: object) => {
      const answer = await client.post(`${URL}create/`, assignmentBody(changes));
      return [answer.status, answer.body.detail[0].field];
    };
    const nobody = '00000000-0000-4000-8000-000000000000';
    expect(await refused({ customer_numbers: [999] })).toEqual([400, 'customer_numbers']);
    expect(await refused({ group_uuid: nobody })).toEqual([400, 'group_uuid']);
    const named = { customer_numbers: [customer] };
    expect(await refused({ ...named, template_id: 999_999 })).toEqual([400, 'template_id']);
    expect(await refused({ ...named, first_date: '2026-01-01' })).toEqual([400, 'first_date']);
    expect(await refused({ ...named, first_date: '2026-02-27' })).toEqual([400, 'first_date']);
    expect(await add({ first_date: '2026-03-01' })).toMatchObject({ next_date: '2026-03-01' });
  });

  // PRO-5, REC-13
  test('is refused with an incomplete profile', async () => {
    const incomplete = await testApp.login();
    const body = assignmentBody({ customer_numbers: [await createCustomer(incomplete)] });
    const create = async () => (await incomplete.post(`${URL}create/`, body)).status;
    expect(await create()).toBe(409);
    expect((await incomplete.get(URL)).body).toEqual([]);
    await completeProfile(incomplete);
    expect(await create()).toBe(201);
  });

  test('is refused when its group is being deleted', async () => {
    client = await testApp.login('sletter@example.no');
    await completeProfile(client);
    const group = await createGroup(client, [await createCustomer(client)]);
    const body = assignmentBody({ group_uuid: group, customer_numbers: [] });
    const { db } = testApp.context;
    const companyId = await companyIdOf(db, 'sletter@example.no');
    const saving = await db.transaction().execute(async (trx) => {
      await trx
        .deleteFrom('customerGroup')
        .where('companyId', '=', companyId)
        .where('uuid', '=', group)
        .execute();
      const call = client.post(`${URL}create/`, body);
      await sleep(WHILE_DELETED);
      return { call };
    });
    const { status, body: refusal } = await saving.call;
    expect([status, refusal.detail[0].field]).toEqual([400, 'group_uuid']);
  });

  test('refuses a text that a run would make too long, and reads an older one', async () => {
    client = await testApp.login('lang@example.no');
    await completeProfile(client);
    customer = await createCustomer(client);
    const isLong = `${'x'.repeat(980)}{periode}`;
    const body = assignmentBody({ customer_numbers: [customer], message: isLong });
    const rule = 'with its placeholders filled in must be at most 1000 characters';
    const refusal = [{ message: `message ${rule}`, field: 'message' }];
    const made = await client.post(`${URL}create/`, body);
    expect([made.status, made.body.detail]).toEqual([400, refusal]);

    const { uuid } = await add();
    await testApp.context.db
      .updateTable('assignment')
      .set({ message: isLong })
      .where('companyId', '=', await companyIdOf(testApp.context.db, 'lang@example.no'))
      .where('uuid', '=', uuid)
      .execute();
    expect(await get({ uuid })).toMatchObject({ message: isLong });
    const kept = await client.put(`${URL}${uuid}/`, body);
    expect([kept.status, kept.body.detail]).toEqual([400, refusal]);
    const field = 'invoice_lines[0].description';
    const invoice_lines = [line(isLong, 9000, 0)];
    const changed = await client.put(`${URL}${uuid}/`, { ...body, message: null, invoice_lines });
    expect([changed.status, changed.body.detail]).toEqual([
      400,
      [{ message: `${field} ${rule}`, field }],
    ]);
  });

  test('is saved only with its latest version', async () => {
    const { uuid, version } = await add();
    const save = async (changes: object) =>
      client.put(`${URL}${uuid}/`, assignmentBody({ customer_numbers: [customer], ...changes }));
    const saved = await save({ name: 'Leie', day: 'LAST', version });
    expect(saved).toMatchObject({
      status: 200,
      body: { name: 'Leie', day: 'LAST', next_date: '2027-03-31', version: version + 1 },
    });
    expect((await save({ version })).status).toBe(409);
    expect((await save({})).status).toBe(200);
  });

  // MEM-4
  test('that sends needs the permission to register', async () => {
    client = await testApp.login('eier@example.no');
    await completeProfile(client);
    customer = await createCustomer(client);
    const companyId = await companyIdOf(testApp.context.db, 'eier@example.no');
    const join = async (email: string, mayRegister: boolean) =>
      (await addMember(testApp, { companyId, email, role: 'EMPLOYEE', mayRegister })).client;
    const employee = await join('ansatt@example.no', false);
    const refused = { status: 403, text: expect.stringContaining('role') };
    const form = { customer_numbers: [customer] };
    const sending = assignmentBody({ ...form, mode: 'SEND' });
    expect(await employee.post(`${URL}create/`, sending)).toMatchObject(refused);
    const { uuid, version } = await add({ mode: 'SEND' });
    const url = `${URL}${uuid}/`;
    expect(await employee.put(url, { ...sending, version })).toMatchObject(refused);
    // To drafts too, which would stop it unnoticed; to pause it is to be seen.
    const quiet = assignmentBody({ ...form, mode: 'DRAFT', version });
    expect(await employee.put(url, quiet)).toMatchObject(refused);
    expect(await get({ uuid })).toMatchObject({ mode: 'SEND', version });
    expect((await employee.post(`${url}pause/`)).status).toBe(200);
    expect(await employee.post(`${url}resume/`)).toMatchObject(refused);
    const registrar = await join('registrerer@example.no', true);
    expect((await registrar.post(`${url}resume/`)).status).toBe(200);
    expect((await employee.post(`${URL}create/`, assignmentBody(form))).status).toBe(201);
  });

  test('is deleted, and its invoices stay', async () => {
    const assignment = await add();
    await run(assignment);
    expect((await client.delete(`${URL}${assignment.uuid}/`)).status).toBe(204);
    expect((await client.get(`${URL}${assignment.uuid}/`)).status).toBe(404);
    expect(await invoices()).toHaveLength(1);
  });
});

describe('a run by hand', () => {
  // REC-11, REC-12
  test('makes the period that is due, once', async () => {
    const assignment = await add({ message: 'Takk for {måned}' });
    const made = await run(assignment);
    const [invoice] = await invoices();
    expect(made).toMatchObject({
      status: 200,
      body: {
        period_from: '2027-03-01',
        period_to: '2027-03-31',
        date: '2027-03-01',
        invoices: [invoice?.uuid],
        invoice_count: 1,
        failures: [],
        mode: 'DRAFT',
        state: 'DONE',
      },
    });
    expect(invoice).toMatchObject({
      status: 'DRAFT',
      issue_date: '2027-03-01',
      message: 'Takk for mars',
    });
    expect(invoice?.lines[0]?.description).toBe('Husleie mars 2027');
    expect(await get(assignment)).toMatchObject({ next_date: '2027-04-01', has_run: true });
    const again = await run(assignment);
    expect(again.status).toBe(409);
    expect(again.body.detail[0].message).toContain('2027-04-01');
    expect(await runsOf(assignment)).toEqual([made.body]);
  });

  // REC-6
  test('registers and sends what is made on its day', async () => {
    const assignment = await add({ mode: 'SEND', delivery_type: 'EMAIL' });
    await run(assignment);
    // Its mail waits for the staff.
    expect(await invoices()).toMatchObject([
      { status: 'REGISTERED', issue_date: '2027-03-01', delivery_status: 'PENDING' },
    ]);
  });

  // REC-1
  test('uses the current terms of the template', async () => {
    const templateId = await createTemplate(client, {
      lines: [
        {
          invoiced_quantity: 2,
          description: 'Kontingent {år}',
          net_unit_amount: 10,
          vat_rate_percentage: 0,
        },
      ],
    });
    const assignment = await add({ template_id: templateId });
    await run(assignment);
    const [invoice] = await invoices();
    expect(invoice?.lines).toMatchObject([
      { description: 'Kontingent 2027', invoiced_quantity: 2 },
    ]);
    expect(invoice).toMatchObject({ due_days: 30 });
  });
});

// FEAT-3
test('the jobs belong to the feature', () => {
  const jobs = recurringJobs(testApp.context);
  expect(jobs.map(({ feature }) => feature)).toEqual(jobs.map(() => 'recurring'));
});
