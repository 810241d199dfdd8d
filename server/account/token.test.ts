import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { addDays, todayInOslo } from '../../domain/date.ts';
import { SCOPES } from '../../domain/token/token.schema.ts';
import type { Database } from '../platform/db/database.ts';
import { startTestApp, STAFF_EMAIL, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import { completeProfile, createCustomer, createDraft } from '../testing/factories.ts';
import { openMigratedDatabase } from '../testing/database.ts';
import { addMember } from '../testing/members.ts';
import { clientWithToken, makeKey } from '../testing/tokens.ts';
import { createApiToken, forgetExpired } from './session.service.ts';

const FEATURES = 'integrations,members,overview';
const tomorrow = addDays(todayInOslo(), 1);

/** Two apps share the database, and so its hashes. */
const SETTINGS = { SECRET_KEY: 'a secret key of 32 characters here', DISPATCH: 'staff' };

let database: Database;
let testApp: TestApp;
let owner: TestClient;
let email: string;
let companyId: number;
let count = 0;
let log = '';

beforeAll(async () => {
  database = await openMigratedDatabase();
  testApp = await startApp(FEATURES);
});
afterAll(async () => {
  await testApp.close();
  await database.close();
});
beforeEach(async () => {
  email = `eier${++count}@example.no`;
  owner = await testApp.login(email);
  await completeProfile(owner);
  companyId = await companyIdOf(testApp.context.db, email);
});

async function startApp(features: string): Promise<TestApp> {
  return startTestApp(
    { ...SETTINGS, FEATURES: features, LOG_LEVEL: 'debug' },
    {
      logStream: { write: (line) => (log += line) },
      database: { ...database, close: async () => undefined },
    },
  );
}

const withToken = (token: string) => clientWithToken(testApp.app.http, token);

async function newMember(role: 'EMPLOYEE' | 'AUDITOR') {
  const address = `medlem${++count}@example.no`;
  return { address, ...(await addMember(testApp, { companyId, email: address, role })) };
}

// INT-1
test('a key is told once, works over HTTP, and ends at once', async () => {
  const body = { name: 'Nettbutikk', scopes: ['edit'], expires_on: tomorrow };
  const made = await owner.post('/api/tokens/', body);
  expect(made).toMatchObject({
    status: 201,
    body: {
      name: 'Nettbutikk',
      scopes: ['see', 'edit'],
      expires_on: tomorrow,
      created_by: email,
      last_used_on: null,
      token: expect.stringMatching(/^fkt_[a-z2-7]{32}$/),
    },
  });
  const { token, uuid, ...rest } = made.body;
  expect((await owner.get('/api/tokens/')).body).toEqual([{ uuid, ...rest }]);

  const program = withToken(token);
  const customer = await createCustomer(program);
  await createDraft(program, customer);
  expect(program.cookieHeader).toBe('');
  expect((await owner.get('/api/tokens/')).body).toMatchObject([{ last_used_on: todayInOslo() }]);

  expect((await owner.delete(`/api/tokens/${uuid}/`)).status).toBe(204);
  expect((await program.get('/api/customers/')).status).toBe(401);
  expect((await owner.get('/api/tokens/')).body).toEqual([]);
  expect((await owner.delete(`/api/tokens/${uuid}/`)).status).toBe(404);
});

// INT-1, ACC-11
test('a key is in no log, no metric and no table', async () => {
  const { token } = await makeKey(owner);
  const program = withToken(token);
  await program.get('/api/customers/');
  await program.post('/api/customers/create/', { name: 1 });
  await program.get('/api/nothing/');
  await program.get('/api/tokens/');
  expect(log).toContain('session_needed');
  expect(log).not.toContain(token.slice(4));
  expect((await testApp.visitor().get('/metrics')).text).not.toContain(token.slice(4));
  const { rows } = await sql<{ row: string }>`
    SELECT api_token::text AS row FROM api_token WHERE company_id = ${companyId}`.execute(
    testApp.context.db,
  );
  expect(rows).toHaveLength(1);
  for (const secret of [token, token.slice(4), Buffer.from(token).toString('hex')]) {
    expect(rows[0]?.row).not.toContain(secret);
  }
});

// INT-2, INT-3
test.each([
  [{ scopes: ['profile'] }, 'scopes[0]'],
  [{ scopes: ['see', 'members'] }, 'scopes[1]'],
  [{ scopes: ['archive'] }, 'scopes[0]'],
  [{ scopes: ['everything'] }, 'scopes[0]'],
  [{ scopes: null }, 'scopes'],
  [{ name: '' }, 'name'],
  [{ name: 'x'.repeat(101) }, 'name'],
  [{ expires_on: null }, 'expires_on'],
  [{ expires_on: todayInOslo() }, 'expires_on'],
  [{ expires_on: addDays(todayInOslo(), 366) }, 'expires_on'],
])('%j is refused at its field', async (fault, field) => {
  const body = { name: 'Kasse', scopes: ['see'], expires_on: tomorrow, ...fault };
  const answer = await owner.post('/api/tokens/', body);
  expect(answer).toMatchObject({ status: 400, body: { detail: [{ field }] } });
});

// INT-2
test('nobody makes a key that may more than the maker', async () => {
  const { client } = await newMember('EMPLOYEE');
  for (const scope of SCOPES) {
    const body = { name: 'Kasse', scopes: [scope], expires_on: tomorrow };
    const { status } = await client.post('/api/tokens/', body);
    expect([scope, status]).toEqual([scope, scope === 'see' || scope === 'edit' ? 201 : 403]);
  }
});

// INT-3
test('a company has at most twenty keys, also when two calls make one at once', async () => {
  for (let made = 0; made < 19; made++) await makeKey(owner, ['see']);
  await createApiToken(testApp.context, { companyId, email, name: 'API' });
  const body = { name: 'Kasse', scopes: [], expires_on: tomorrow };
  const answers = await Promise.all([1, 2, 3].map(async () => owner.post('/api/tokens/', body)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
});

// INT-3
test('a key works through its last day in Oslo, and is then gone', async () => {
  const { uuid, token } = await makeKey(owner, ['see'], 1);
  const program = withToken(token);
  const { db } = testApp.context;
  const endOn = async (expiresOn: string) =>
    db
      .updateTable('apiToken')
      .set({ expiresOn })
      .where('companyId', '=', companyId)
      .where('uuid', '=', uuid)
      .execute();
  await endOn(todayInOslo());
  expect((await program.get('/api/customers/')).status).toBe(200);
  await endOn(addDays(todayInOslo(), -1));
  expect((await program.get('/api/customers/')).status).toBe(401);
  expect((await owner.get('/api/tokens/')).body).toEqual([]);
  await forgetExpired(testApp.context);
  expect(
    await db.selectFrom('apiToken').select('id').where('companyId', '=', companyId).execute(),
  ).toEqual([]);
});

// INT-4
describe('a key', () => {
  test('reaches the calls of its company alone', async () => {
    const { token } = await makeKey(owner);
    const program = withToken(token);
    const other = await testApp.login();
    await completeProfile(other);
    const { company } = (await other.get('/api/users/session/')).body;
    const refused = {
      status: 403,
      body: { detail: [{ message: expect.stringContaining('API') }] },
    };
    expect(await program.get('/api/tokens/')).toMatchObject(refused);
    expect(await program.post('/api/tokens/', {})).toMatchObject(refused);
    expect(await program.get('/api/members/')).toMatchObject(refused);
    expect(await program.post('/api/users/company/', {})).toMatchObject(refused);
    expect(await program.post('/api/users/company/create/', {})).toMatchObject(refused);
    expect(await program.get('/api/users/logout/')).toMatchObject(refused);
    expect((await withToken('fkt_unknown').get('/api/users/logout/')).status).toBe(204);
    const headers = { 'x-company': company.uuid };
    const asked = { method: 'GET', url: '/api/customers/', headers } as const;
    expect((await program.send(asked)).status).toBe(409);
  });

  test('says who it is, with its scopes as permissions and no other company', async () => {
    const { token } = await makeKey(owner, ['export']);
    const { body } = await withToken(token).get('/api/users/session/');
    expect(body).toEqual({
      email,
      is_staff: false,
      is_profile_completed: true,
      features: ['members', 'overview', 'integrations'],
      permissions: ['see', 'export'],
    });
  });

  test('is never staff', async () => {
    const staff = await testApp.login(STAFF_EMAIL);
    await completeProfile(staff);
    const { token } = await makeKey(staff);
    expect((await staff.post('/api/invoices/send/')).status).toBe(204);
    expect((await withToken(token).post('/api/invoices/send/')).status).toBe(403);
    expect((await withToken(token).get('/api/users/session/')).body.is_staff).toBe(false);
  });

  test('ends with the membership of its maker', async () => {
    const { client, uuid } = await newMember('AUDITOR');
    const { token } = await makeKey(client, ['export']);
    expect((await withToken(token).get('/api/customers/')).status).toBe(200);
    await owner.put(`/api/members/${uuid}/`, {
      role: 'AUDITOR',
      ends_on: addDays(todayInOslo(), -1),
    });
    expect((await withToken(token).get('/api/customers/')).status).toBe(401);
    await owner.delete(`/api/members/${uuid}/`);
    expect((await withToken(token).get('/api/customers/')).status).toBe(401);
  });

  test('signs what it does in the history with its name', async () => {
    const program = withToken((await makeKey(owner)).token);
    const draft = await createDraft(program, await createCustomer(program));
    const { body } = await owner.get(`/api/invoices/${draft}/history/`);
    expect(body).toMatchObject([{ kind: 'CREATED', by: { type: 'TOKEN', name: 'Regneark' } }]);
  });
});

// INT-5
test('an owner sees and ends all keys, the operator’s only to see; others their own', async () => {
  const { client, address } = await newMember('EMPLOYEE');
  const theirs = await makeKey(client, ['edit']);
  const own = await makeKey(owner, ['see']);
  await createApiToken(testApp.context, { companyId, email: address, name: 'Kassen' });
  const listed = (await owner.get('/api/tokens/')).body;
  expect(listed).toMatchObject([
    { name: 'Kassen', created_by: null, expires_on: null, scopes: ['see', 'edit'] },
    { uuid: own.uuid, created_by: email },
    { uuid: theirs.uuid, created_by: address },
  ]);
  expect((await client.get('/api/tokens/')).body).toMatchObject([{ uuid: theirs.uuid }]);
  expect((await client.delete(`/api/tokens/${own.uuid}/`)).status).toBe(404);
  expect((await client.delete(`/api/tokens/${listed[0].uuid}/`)).status).toBe(404);
  expect((await owner.delete(`/api/tokens/${listed[0].uuid}/`)).status).toBe(409);
  expect((await owner.delete(`/api/tokens/${theirs.uuid}/`)).status).toBe(204);
  expect((await client.delete('/api/tokens/1/')).status).toBe(404);
});

// INT-6
test('while the feature is off, keys are 401 and the operator’s tokens work', async () => {
  const { token } = await makeKey(owner);
  const operators = await createApiToken(testApp.context, { companyId, email, name: 'API' });
  const off = await startApp('members');
  try {
    const asked = async (one: string) =>
      (await clientWithToken(off.app.http, one).get('/api/customers/')).status;
    expect(await asked(token)).toBe(401);
    expect(await asked(operators?.token ?? '')).toBe(200);
    expect((await off.visitor().get('/api/tokens/')).status).toBe(404);
  } finally {
    await off.close();
  }
  expect((await withToken(token).get('/api/customers/')).status).toBe(200);
});
