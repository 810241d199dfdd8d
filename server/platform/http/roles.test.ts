import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { permissionsFor, uploadTypesOf, type Endpoint } from '../../../domain/api/endpoint.ts';
import { addDays, todayInOslo } from '../../../domain/date.ts';
import { API_ENDPOINTS } from '../../../domain/endpoints.ts';
import { type Permission, permissionsOf, type Role } from '../../../domain/permission.ts';
import { SCOPES, type Scope } from '../../../domain/token/token.schema.ts';
import { dispatchJob } from '../jobs/jobs.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { ocrFile } from '../../testing/bank-files/payment-files.ts';
import type { Answer, TestClient } from '../../testing/client.ts';
import { companyIdOf } from '../../testing/company.ts';
import {
  addAssignment,
  addQuote,
  assignmentBody,
  completeProfile,
  createCustomer,
  createDraft,
  createGroup,
  createTemplate,
  register,
} from '../../testing/factories.ts';
import { type AnsweredExport, askForExport, makeExport } from '../../testing/exports.ts';
import { STRIPES } from '../../testing/logos.ts';
import { addAccount, addMember } from '../../testing/members.ts';
import { EVERYTHING_ON, ROOT } from '../../testing/process.ts';
import { clientWithToken, makeKey } from '../../testing/tokens.ts';
import { until } from '../../testing/until.ts';

interface Kind {
  readonly role: Role;
  readonly mayRegister?: boolean;
  readonly mayHandlePayments?: boolean;
}

/** Members of every kind, as the table in docs/security.md names them. */
const KINDS: Readonly<Record<string, Kind>> = {
  owner: { role: 'OWNER' },
  employee: { role: 'EMPLOYEE' },
  '… who may register': { role: 'EMPLOYEE', mayRegister: true },
  '… and payments': { role: 'EMPLOYEE', mayRegister: true, mayHandlePayments: true },
  '… payments alone': { role: 'EMPLOYEE', mayHandlePayments: true },
  accountant: { role: 'ACCOUNTANT' },
  '… who may register ': { role: 'ACCOUNTANT', mayRegister: true },
  auditor: { role: 'AUDITOR' },
};
/** Keys of an owner, by their scopes, as the table names them. */
const KEYS: Readonly<Record<string, readonly Scope[]>> = {
  'key of an owner, `see`': ['see'],
  '… all scopes': SCOPES,
};
/** Callers who have been members, or are of another company, and what they are answered. */
const OTHERS = ['stranger', 'invited', 'removed', 'ended', 'of another company'] as const;

const OF_COMPANY = API_ENDPOINTS.filter(({ access }) => access === undefined);
/** One call of each need, where the need is not looked at endpoint by endpoint. */
const OF_EACH_NEED = [
  ...new Map(
    OF_COMPANY.map((endpoint) => [
      [...permissionsFor(endpoint), endpoint.sessionOnly].join(),
      endpoint,
    ]),
  ).values(),
];
const OWNER = 'eier@example.no';
const NO_SUCH = '11111111-1111-4111-8111-111111111111';

let testApp: TestApp;
let owner: TestClient;
let companyId: number;
let accounts = 0;
const members = new Map<string, TestClient>();

const addressOf = (name: string) => `${name.replaceAll(/\W/g, '')}${++accounts}@example.no`;

async function newMember(name: string, kind: Kind, endsOn: string | null = null) {
  return addMember(testApp, { companyId, email: addressOf(name), endsOn, ...kind });
}

beforeAll(async () => {
  testApp = await startTestApp({ DISPATCH: 'staff', ...EVERYTHING_ON });
  owner = await testApp.login(OWNER);
  await completeProfile(owner);
  companyId = await companyIdOf(testApp.context.db, OWNER);
  for (const [name, kind] of Object.entries(KINDS)) {
    members.set(name, (await newMember(name, kind)).client);
  }
});
afterAll(async () => testApp.close());

/** A call that finds nothing and changes nothing that matters, with empty input. */
async function call(
  client: TestClient,
  endpoint: Endpoint,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const url = endpoint.path.replaceAll(/\{(\w+)\}/g, NO_SUCH);
  const isUpload = endpoint.upload !== undefined;
  return client.send({
    method: endpoint.method,
    url,
    headers,
    ...(isUpload && {
      payload: Buffer.from('x'),
      headers: { ...headers, 'content-type': uploadTypesOf(endpoint)[0] },
    }),
    ...(!isUpload && endpoint.body && { payload: {} }),
  });
}

const isRefused = ({ status, text }: Answer) =>
  status === 403 && text.includes('Your role in the company does not allow this');

// MEM-3
test.each(Object.entries(KINDS))(
  '%s gets what the role allows, and no more',
  async (name, kind) => {
    const client = members.get(name);
    if (!client) throw new Error(name);
    const { mayRegister = false, mayHandlePayments = false, role } = kind;
    // The switches add permissions, which each call is tried with and without as the four roles.
    const hasSwitch = mayRegister || mayHandlePayments;
    const allowed = permissionsOf({ role, mayRegister, mayHandlePayments });
    const answers: Record<string, boolean> = {};
    const expected: Record<string, boolean> = {};
    for (const endpoint of hasSwitch ? OF_EACH_NEED : OF_COMPANY) {
      const answer = await call(client, endpoint);
      expect([endpoint.id, answer.status < 500]).toEqual([endpoint.id, true]);
      answers[endpoint.id] = !isRefused(answer);
      expected[endpoint.id] = permissionsFor(endpoint).every((one) => allowed.includes(one));
    }
    expect(answers).toEqual(expected);
  },
);

/** The calls that a key is not refused. */
async function callsOpenTo(token: string, endpoints = OF_COMPANY): Promise<string[]> {
  const client = clientWithToken(testApp.app.http, token);
  const open: string[] = [];
  for (const endpoint of endpoints) {
    const { status, text } = await call(client, endpoint);
    expect([endpoint.id, status < 500]).toEqual([endpoint.id, true]);
    const isRefused = /The API key may not do this|not an API token/.test(text);
    if (status !== 403 || !isRefused) open.push(endpoint.id);
  }
  return open;
}

/** The calls that a key needs no more than these permissions for. */
function callsWithin(allowed: readonly Permission[], endpoints = OF_COMPANY): string[] {
  return endpoints
    .filter(
      (endpoint) =>
        !endpoint.sessionOnly && permissionsFor(endpoint).every((one) => allowed.includes(one)),
    )
    .map(({ id }) => id);
}

// INT-2, INT-4
describe('an API key', () => {
  test.each(Object.values(KEYS))(
    'of an owner does what its scopes allow, and no more: %s',
    async (...scopes) => {
      const { token } = await makeKey(owner, scopes);
      expect(await callsOpenTo(token)).toEqual(callsWithin(scopes));
    },
  );

  test.each(SCOPES.slice(1))('needs the scope %s for the calls that say so', async (scope) => {
    const needing = OF_COMPANY.filter((endpoint) => permissionsFor(endpoint).includes(scope));
    const { token } = await makeKey(owner, ['see', scope]);
    expect(await callsOpenTo(token, needing)).toEqual(callsWithin(['see', scope], needing));
    const all = SCOPES.filter((one) => one !== scope);
    expect(await callsOpenTo((await makeKey(owner, all)).token, needing)).toEqual([]);
  });

  test('does no more than the role of its maker allows at the moment', async () => {
    const { client, uuid } = await newMember('lowered', { role: 'ACCOUNTANT', mayRegister: true });
    const { token } = await makeKey(client);
    const expectOpen = async (allowed: readonly Permission[]) =>
      expect(await callsOpenTo(token, OF_EACH_NEED)).toEqual(callsWithin(allowed, OF_EACH_NEED));
    await expectOpen(SCOPES);
    await owner.put(`/api/members/${uuid}/`, { role: 'EMPLOYEE' });
    await expectOpen(['see', 'edit']);
    await owner.put(`/api/members/${uuid}/`, { role: 'OWNER' });
    await expectOpen(SCOPES);
  });
});

describe('nobody else', () => {
  test.each(OTHERS)('%s reads or changes anything of the company', async (who) => {
    const client = await outsider(who);
    const { company } = (await owner.get('/api/users/session/')).body;
    const isOfAnother = who === 'of another company';
    const refusal = isOfAnother ? 'another company' : 'You are not a member of any company';
    for (const endpoint of who === 'stranger' ? OF_COMPANY : OF_EACH_NEED) {
      const answer = await call(client, endpoint, { 'x-company': company.uuid });
      expect([endpoint.id, answer.status]).toEqual([endpoint.id, isOfAnother ? 409 : 403]);
      expect(answer.text).toContain(refusal);
    }
  });
});

/** Somebody without a company, who may have been a member of this one, or the owner of another one. */
async function outsider(who: (typeof OTHERS)[number]): Promise<TestClient> {
  if (who === 'of another company') {
    const client = await testApp.login('eier@annen.example');
    await completeProfile(client);
    return client;
  }
  if (who === 'stranger' || who === 'invited') {
    const email = addressOf(who);
    const { client } = await addAccount(testApp, email);
    if (who === 'invited') await owner.post('/api/members/', { email, role: 'OWNER' });
    return client;
  }
  const endsOn = who === 'ended' ? addDays(todayInOslo(), -1) : null;
  const { client, uuid } = await newMember(who, { role: 'OWNER' }, endsOn);
  if (who === 'removed') {
    await client.get('/api/customers/');
    await owner.delete(`/api/members/${uuid}/`);
  }
  return client;
}

// MEM-19
test('a call is refused whose body comes after its member was removed', async () => {
  const { client, uuid } = await newMember('removed meanwhile', { role: 'OWNER' });
  const port = await testApp.app.listen();
  const late = OF_COMPANY.filter(({ body, upload }) => (body ?? upload) !== undefined);
  const customer = await createCustomer(owner);
  const invoiceUuid = await createDraft(owner, customer);
  const { uuid: quoteUuid } = await addQuote(owner, customer);
  const calls = await Promise.all(
    late.map(async (endpoint) => ({
      endpoint,
      finish: await beginCall(`http://127.0.0.1:${port}`, client, endpoint, {
        invoiceUuid,
        quoteUuid,
      }),
    })),
  );
  // The server has identified the callers by then; whom it has not is refused anyway.
  await sleep(500);
  expect((await owner.delete(`/api/members/${uuid}/`)).status).toBe(204);
  const answers = await Promise.all(
    calls.map(async ({ endpoint, finish }) => [endpoint.id, await finish()]),
  );
  expect(answers).toEqual(late.map(({ id }) => [id, 403]));
});

/** Sends a call but for its body, which the function that is returned sends. It resolves to the status. */
async function beginCall(
  origin: string,
  client: TestClient,
  endpoint: Endpoint,
  takesFiles: Readonly<Record<string, string>>,
): Promise<() => Promise<number>> {
  const { method, upload, path } = endpoint;
  const names: Readonly<Record<string, string>> = upload === undefined ? {} : takesFiles;
  const named = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? NO_SUCH);
  const url = new URL(`${named}?name=fil`, origin);
  // Files are judged before the transaction that keeps them.
  const file = endpoint.id === 'uploadBankFile' ? Buffer.from(ocrFile([{ amount: 1 }])) : STRIPES;
  const body = upload === undefined ? Buffer.from('{}') : file;
  const type = upload === undefined ? 'application/json' : uploadTypesOf(endpoint)[0];
  const sent = request(url, {
    method,
    agent: false,
    headers: {
      cookie: client.cookieHeader,
      'content-type': type,
      'content-length': body.byteLength,
      expect: '100-continue',
    },
  });
  const status = new Promise<number>((resolve, reject) => {
    sent.on('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.on('error', reject);
  });
  status.catch(() => undefined);
  sent.flushHeaders();
  await new Promise((resolve) => sent.once('continue', resolve));
  return async () => {
    sent.end(body);
    return status;
  };
}

describe('what the data decides', () => {
  const refused = { status: 403, body: { detail: [{ message: expect.stringContaining('role') }] } };
  const as = (name: string) => members.get(name) ?? owner;

  test('an employee deletes a draft, and not a registered invoice', async () => {
    const customer = await createCustomer(owner);
    const [draft, registered] = [
      await createDraft(owner, customer),
      await createDraft(owner, customer),
    ];
    await register(owner, registered);
    const employee = as('employee');
    expect((await employee.delete(`/api/invoices/${draft}/`)).status).toBe(204);
    expect(await employee.delete(`/api/invoices/${registered}/`)).toMatchObject(refused);
    expect((await owner.get(`/api/invoices/${registered}/`)).body.status).toBe('REGISTERED');
    const paid = { status: 'PAID' };
    expect(await employee.post(`/api/invoices/${registered}/update/`, paid)).toMatchObject(refused);
    const registrar = as('… who may register');
    expect((await registrar.delete(`/api/invoices/${registered}/`)).status).toBe(204);
  });

  test('what an assignment sends by itself is changed by those who may send', async () => {
    const [first, second] = [await createCustomer(owner), await createCustomer(owner)];
    const templateId = await createTemplate(owner);
    const groupUuid = await createGroup(owner, [first]);
    const changes = [
      async (client: TestClient) => {
        const stored = (await owner.get(`/api/invoices/template/${templateId}/`)).body;
        return client.put(`/api/invoices/template/${templateId}/update/`, stored);
      },
      async (client: TestClient) =>
        client.post(`/api/customers/groups/${groupUuid}/update/`, {
          group_name: 'Faste',
          customers: [first, second],
        }),
      async (client: TestClient) =>
        client.post('/api/customers/import/', {
          rows: [{ name: 'Ny i gruppen' }],
          group_uuid: groupUuid,
        }),
    ];
    const [employee, registrar] = [as('employee'), as('… who may register')];
    const statusesFor = async (client: TestClient) => {
      const statuses: number[] = [];
      for (const change of changes) statuses.push((await change(client)).status);
      return statuses;
    };
    const allowed = await statusesFor(employee);
    expect(allowed.every((status) => status < 300)).toBe(true);
    const sources = { template_id: templateId, group_uuid: groupUuid, invoice_lines: null };
    const assignment = { name: 'Leie', customer_numbers: [], ...sources, mode: 'SEND' };
    const { uuid } = await addAssignment(owner, assignment);
    for (const change of changes) {
      const answer = await change(employee);
      expect(answer).toMatchObject(refused);
      expect(answer.text).toContain("'Leie'");
    }
    expect(await statusesFor(registrar)).toEqual(allowed);
    // Nothing is sent while it is paused.
    await owner.post(`/api/invoices/recurring/${uuid}/pause/`);
    expect(await statusesFor(employee)).toEqual(allowed);
  });

  test('whoever may edit stops what an assignment sends by itself, which then waits', async () => {
    const employee = as('employee');
    const customer = await createCustomer(owner);
    const groupUuid = await createGroup(owner, [customer]);
    const templateId = await createTemplate(owner);
    const deletions = [
      [`/api/customers/groups/${groupUuid}/`, { customer_numbers: [], group_uuid: groupUuid }],
      [
        `/api/invoices/template/${templateId}/`,
        { customer_numbers: [customer], template_id: templateId, invoice_lines: null },
      ],
    ] as const;
    for (const [url, source] of deletions) {
      // Not due yet: the clock's job makes what is due.
      const later = { first_date: addDays(todayInOslo(), 1), mode: 'SEND' };
      const { uuid } = await addAssignment(owner, { ...source, ...later });
      expect((await employee.delete(url)).status).toBe(204);
      expect((await owner.get(`/api/invoices/recurring/${uuid}/`)).body).toMatchObject({
        state: 'ACTIVE',
        waiting_reason: expect.stringContaining('has been deleted'),
      });
    }
  });

  test('whoever may edit keeps the addresses to which an assignment sends', async () => {
    const customer = await createCustomer(owner, { email: 'gammel@kunde.example' });
    const day = Number(todayInOslo().slice(8));
    const form = { customer_numbers: [customer], delivery_type: 'EMAIL', mode: 'SEND', day };
    const later = { ...form, first_date: addDays(todayInOslo(), 1) };
    const { uuid, version } = await addAssignment(owner, later);
    const url = `/api/customers/${customer}/`;
    const { body } = await owner.get(url);
    const moved = { ...body, email: 'ny@kunde.example', delivery_type: 'NONE' };
    expect((await as('employee').put(`${url}update/`, moved)).status).toBe(200);
    const assignment = `/api/invoices/recurring/${uuid}/`;
    const due = assignmentBody({ ...form, version });
    expect((await owner.put(assignment, due)).status).toBe(200);
    // 409 where the clock's job has made it already.
    await owner.post(`${assignment}run/`);
    const list = `/api/invoices/?customer_number=${customer}`;
    const [invoice] = await until(
      async () => (await owner.get(list)).body.results,
      ({ length }) => length === 1,
    );
    expect(invoice.delivery_type).toBe('EMAIL');
    const { context } = testApp;
    await context.jobs.enqueue(context.db, dispatchJob, { companyId });
    const deliveries = await until(
      async () => (await owner.get(`/api/invoices/${invoice.uuid}/`)).body.deliveries,
      ({ length }) => length === 1,
    );
    expect(deliveries).toMatchObject([{ recipient: 'ny@kunde.example' }]);
  });

  test('whoever only reads deletes own exports, and nobody else’s', async () => {
    const [theirs, auditor] = [await makeExport(owner), as('auditor')];
    expect(await auditor.delete(`/api/exports/${theirs.uuid}/`)).toMatchObject(refused);
    expect((await owner.get(`/api/exports/${theirs.uuid}/file/`)).status).toBe(200);
    const own = await makeExport(auditor);
    expect((await auditor.delete(`/api/exports/${own.uuid}/`)).status).toBe(204);
    expect((await as('accountant').delete(`/api/exports/${theirs.uuid}/`)).status).toBe(204);
  });

  test('an archive is the owner’s, however it is asked for', async () => {
    // Nobody waits for its end: its job works only while nothing else needs a processor.
    const asked = await askForExport(owner, { kind: 'ARCHIVE' });
    const { uuid } = asked.body as AnsweredExport;
    expect(asked.status).toBe(201);
    for (const name of ['accountant', 'auditor']) {
      const client = as(name);
      const order = { kind: 'ARCHIVE' };
      expect(await client.post('/api/exports/', order)).toMatchObject(refused);
      expect(await client.post('/api/exports/?dry_run=true', order)).toMatchObject(refused);
      for (const path of ['', 'file/']) {
        expect(await client.get(`/api/exports/${uuid}/${path}`)).toMatchObject(refused);
      }
      expect(await client.delete(`/api/exports/${uuid}/`)).toMatchObject(refused);
      const books = { kind: 'XLSX', from: '2020-01-01', to: '2035-12-31' };
      expect((await client.post('/api/exports/', books)).status).toBe(201);
    }
    expect((await owner.delete(`/api/exports/${uuid}/`)).status).toBe(204);
  });
});

const PAPER = join(ROOT, 'docs/security.md');
const [BEGIN, END] = ['<!-- roles: written by roles.test.ts -->', '<!-- end of roles -->'] as const;

test('docs/security.md has the table of calls and roles', async () => {
  const paper = await readFile(PAPER, 'utf8');
  const [before, rest = ''] = paper.split(BEGIN);
  const after = rest.split(END)[1];
  const current = `${before}${BEGIN}\n\n${table()}\n\n${END}${after}`;
  if (current !== paper) await writeFile(PAPER, current);
  expect(paper).toBe(current);
});

function table(): string {
  const byNeed = Map.groupBy(OF_COMPANY, (endpoint) =>
    [...permissionsFor(endpoint), ...(endpoint.sessionOnly ? ['a session'] : [])].join(', '),
  );
  const rows = [...byNeed].map(([need, endpoints]) => {
    const needs = endpoints.slice(0, 1).flatMap(permissionsFor);
    const needsSession = endpoints.some(({ sessionOnly }) => sessionOnly);
    const mayByKey = (scopes: readonly Permission[]) =>
      !needsSession && needs.every((one) => scopes.includes(one));
    const marks = [
      ...Object.values(KINDS).map((kind) => (may(kind, needs) ? '✓' : '–')),
      ...Object.values(KEYS).map((scopes) => (mayByKey(scopes) ? '✓' : '–')),
      ...OTHERS.map(() => '–'),
    ];
    const calls = endpoints.map(({ id, proof }) => `\`${id}\`${proof ? ' (proof)' : ''}`).join(' ');
    return `| ${[need, ...marks, calls].join(' | ')} |`;
  });
  const callers = [
    ...Object.keys(KINDS).map((name) => name.trim()),
    ...Object.keys(KEYS),
    ...OTHERS,
  ];
  return [
    `| needs | ${callers.join(' | ')} | calls |`,
    `| --- |${' --- |'.repeat(callers.length)} --- |`,
    ...rows,
  ].join('\n');
}

function may(
  { role, mayRegister = false, mayHandlePayments = false }: Kind,
  needs: readonly Permission[],
) {
  const allowed = permissionsOf({ role, mayRegister, mayHandlePayments });
  return needs.every((one) => allowed.includes(one));
}
