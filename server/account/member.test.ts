import { randomBytes } from 'node:crypto';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { addDays, todayInOslo } from '../../domain/date.ts';
import type { Role } from '../../domain/permission.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { Answer, TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import { makeExport } from '../testing/exports.ts';
import { completeProfile, createCustomer, createDraft } from '../testing/factories.ts';
import { saveLogo, STRIPES } from '../testing/logos.ts';
import { readMail } from '../testing/mails.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';
import { runCommand } from '../operator/run-command.ts';
import { withStatements } from '../testing/statements.ts';
import { until } from '../testing/until.ts';
import { createApiToken, openLookups } from './session.service.ts';

let smtp: MailServer;
let testApp: TestApp;
let count = 0;
let log = '';

beforeAll(async () => {
  smtp = await startMailServer();
  testApp = await startTestApp(
    {
      FEATURES: 'members,export,overview',
      SMTP_URL: smtp.url,
      DISPATCH: 'staff',
      LOG_LEVEL: 'debug',
    },
    { logStream: { write: (line) => (log += line) } },
  );
});
afterAll(async () => {
  await testApp.close();
  await smtp.close();
});

/** An owner with a company of its own. */
async function newOwner(name = 'Båtforeningen'): Promise<{ owner: TestClient; email: string }> {
  const email = `eier${++count}@example.no`;
  const owner = await testApp.login(email);
  await completeProfile(owner, { company_name: name });
  return { owner, email };
}

async function invite(
  owner: TestClient,
  email: string,
  role: Role = 'EMPLOYEE',
  access: object = {},
): Promise<Answer> {
  return owner.post('/api/members/', { email, role, ...access });
}

/** The token of the latest mail to an address. */
async function tokenFor(email: string, after = 0): Promise<string> {
  const caught = await smtp.waitForMail(
    (mail) => smtp.mails.indexOf(mail) >= after && mail.to.includes(email),
  );
  const { text } = await readMail(caught);
  return /http:\/\/faktur\.test\/auth\/invitation\/\?token=([\w-]+)/.exec(text ?? '')?.[1] ?? '';
}

async function accept(token: string, client = testApp.visitor()): Promise<Answer> {
  return client.post('/api/members/accept/', { token });
}

/** Somebody who was invited and has accepted. */
async function join(owner: TestClient, role: Role, access: object = {}) {
  const email = `medlem${++count}@example.no`;
  const invited = await invite(owner, email, role, access);
  expect(invited.status).toBe(201);
  const client = testApp.visitor();
  expect((await accept(await tokenFor(email), client)).status).toBe(200);
  return { client, email, uuid: invited.body.uuid as string };
}

describe('an invitation', () => {
  // MEM-1, MEM-6, MEM-11
  test('leads to the company, works once, and needs no account beforehand', async () => {
    const { owner } = await newOwner('Seilforeningen');
    const email = 'kasserer@example.no';
    const invited = await invite(owner, email, 'ACCOUNTANT', { ends_on: '2099-12-31' });
    expect(invited).toMatchObject({
      status: 201,
      body: { email, role: 'ACCOUNTANT', state: 'INVITED', ends_on: '2099-12-31', is_you: false },
    });
    const token = await tokenFor(email);
    const client = testApp.visitor();
    expect(await accept(token, client)).toMatchObject({
      status: 200,
      body: {
        email,
        is_profile_completed: true,
        company: { name: 'Seilforeningen' },
        companies: [{ name: 'Seilforeningen' }],
        role: 'ACCOUNTANT',
        permissions: ['see', 'edit', 'payments', 'export'],
      },
    });
    expect((await client.get('/api/users/profile/')).body).toMatchObject({
      company_name: 'Seilforeningen',
    });
    expect((await accept(token)).status).toBe(404);
    const { body } = await owner.get('/api/members/');
    expect(body).toMatchObject([
      { role: 'OWNER', state: 'ACTIVE', is_you: true },
      { email, role: 'ACCOUNTANT', state: 'ACTIVE', last_login_at: expect.any(String) },
    ]);
  });

  // MEM-20
  test('says who invites whom to what, without being used up', async () => {
    const { owner, email: address } = await newOwner('Snekker Andersen AS');
    const [own] = (await owner.get('/api/members/')).body;
    await owner.put(`/api/members/${own.uuid}/`, { role: 'OWNER', name: ' Kari Nordmann ' });
    const email = `invitert${++count}@example.no`;
    const invited = await invite(owner, email, 'ACCOUNTANT', { name: 'Siri' });
    expect(invited.body).toMatchObject({ name: 'Siri', email });
    const caught = await smtp.waitForMail((mail) => mail.to.includes(email));
    const { text } = await readMail(caught);
    const sentence = `Kari Nordmann (${address}) inviterer deg til Snekker Andersen AS som regnskapsfører.`;
    expect(text).toContain(sentence);
    const token = await tokenFor(email);
    const read = async () => testApp.visitor().post('/api/members/invitation/', { token });
    expect(await read()).toMatchObject({
      status: 200,
      body: {
        company: 'Snekker Andersen AS',
        invited_by: { name: 'Kari Nordmann', email: address },
        email,
        role: 'ACCOUNTANT',
        ends_on: null,
      },
    });
    const client = testApp.visitor();
    expect((await accept(token, client)).status).toBe(200);
    expect((await read()).status).toBe(404);
    expect((await owner.get('/api/members/')).body).toMatchObject([
      { name: 'Kari Nordmann', email: address },
      { name: 'Siri', email, state: 'ACTIVE' },
    ]);
  });

  test('outlives the owner who sent it, and names nobody then', async () => {
    const { owner } = await newOwner('Korpset');
    const other = await join(owner, 'OWNER');
    const email = `invitert${++count}@example.no`;
    await invite(other.client, email);
    const token = await tokenFor(email);
    await owner.delete(`/api/members/${other.uuid}/`);
    const answer = await testApp.visitor().post('/api/members/invitation/', { token });
    expect(answer).toMatchObject({ status: 200, body: { company: 'Korpset', invited_by: null } });
  });

  // MEM-7
  test('ends the session that the browser had', async () => {
    const { owner } = await newOwner();
    const email = `innlogget${++count}@example.no`;
    const client = await testApp.login(email);
    const former = client.cookieHeader;
    await invite(owner, email);
    expect((await accept(await tokenFor(email), client)).status).toBe(200);
    const statusWith = async (cookie: string) =>
      (
        await testApp.visitor().send({
          method: 'GET',
          url: '/api/users/profile/',
          headers: { cookie },
        })
      ).status;
    expect(await statusWith(client.cookieHeader)).toBe(200);
    expect(await statusWith(former)).toBe(401);
  });

  test('is refused to a session of another address, which does not use it up', async () => {
    const { owner } = await newOwner();
    const email = `invitert${++count}@example.no`;
    await invite(owner, email);
    const token = await tokenFor(email);
    const other = await testApp.login();
    expect((await accept(token, other)).status).toBe(403);
    expect((await accept(token)).status).toBe(200);
  });

  // MEM-6
  test('is replaced when the address is invited again', async () => {
    const { owner } = await newOwner();
    const email = `invitert${++count}@example.no`;
    const first = await invite(owner, email);
    const token = await tokenFor(email);
    const seen = smtp.mails.length;
    const again = await invite(owner, email, 'AUDITOR');
    expect(again).toMatchObject({ status: 201, body: { uuid: first.body.uuid, role: 'AUDITOR' } });
    const second = await tokenFor(email, seen);
    expect((await accept(token)).status).toBe(404);
    expect((await accept(second)).body).toMatchObject({ role: 'AUDITOR' });
    expect((await invite(owner, email)).status).toBe(409);
  });

  test('works for 14 days, and not after it was withdrawn', async () => {
    const { owner, email: address } = await newOwner();
    const email = `invitert${++count}@example.no`;
    const { uuid } = (await invite(owner, email)).body;
    const token = await tokenFor(email);
    const { db } = testApp.context;
    const companyId = await companyIdOf(db, address);
    const change = db
      .updateTable('member')
      .where('companyId', '=', companyId)
      .where('uuid', '=', uuid);
    await change.set({ expiresAt: new Date(Date.now() - 1000) }).execute();
    expect((await accept(token)).status).toBe(404);
    expect((await owner.get('/api/members/')).body[1]).toMatchObject({ state: 'EXPIRED' });
    const twoWeeks = 15 * 24 * 3600 * 1000;
    await expect(
      change.set({ expiresAt: new Date(Date.now() + twoWeeks) }).execute(),
    ).rejects.toThrow('member_invitation');
    expect((await owner.delete(`/api/members/${uuid}/`)).status).toBe(204);
    expect((await accept(token)).status).toBe(404);
  });

  // MEM-3
  test('of an auditor has no switches', async () => {
    const { owner } = await newOwner();
    const email = `invitert${++count}@example.no`;
    const { uuid } = (await invite(owner, email)).body;
    const change = async (form: object) => owner.put(`/api/members/${uuid}/`, form);
    for (const field of ['may_register', 'may_handle_payments']) {
      const refused = { status: 400, body: { detail: [{ field }] } };
      const auditor = { role: 'AUDITOR', [field]: true };
      expect(await invite(owner, email, 'AUDITOR', { [field]: true })).toMatchObject(refused);
      expect(await change(auditor)).toMatchObject(refused);
      const employee = { role: 'EMPLOYEE', [field]: true };
      expect(await change(employee)).toMatchObject({ status: 200, body: employee });
    }
  });

  // MEM-6, MEM-11
  test('has a last day that is not over', async () => {
    const { owner } = await newOwner();
    const today = todayInOslo();
    const over = { ends_on: addDays(today, -1) };
    const email = `invitert${++count}@example.no`;
    expect(await invite(owner, email, 'EMPLOYEE', over)).toMatchObject({
      status: 400,
      body: { detail: [{ field: 'ends_on', message: 'ends_on must not be before today' }] },
    });
    expect((await owner.get('/api/members/')).body).toHaveLength(1);
    const invited = await invite(owner, email, 'EMPLOYEE', { ends_on: today });
    expect(invited).toMatchObject({ status: 201, body: { state: 'INVITED' } });
    const url = `/api/members/${invited.body.uuid}/`;
    expect(await owner.put(url, { role: 'EMPLOYEE', ...over })).toMatchObject({
      status: 200,
      body: { state: 'EXPIRED' },
    });
  });

  // MEM-10
  test('is mailed at most twenty times an hour', async () => {
    const { owner } = await newOwner();
    const statuses: number[] = [];
    for (let time = 0; time < 21; time += 1) {
      statuses.push((await invite(owner, `mange${time}@example.no`)).status);
    }
    expect(statuses.slice(0, 20).every((status) => status === 201)).toBe(true);
    expect(statuses[20]).toBe(429);
  });
});

/** Tokens of invitations that work no more, and some that never did. */
async function deadTokens(): Promise<Readonly<Record<string, string>>> {
  const { owner, email: address } = await newOwner();
  const companyId = await companyIdOf(testApp.context.db, address);
  const tokenOf = async (email: string, end: (uuid: string, token: string) => Promise<unknown>) => {
    const { uuid } = (await invite(owner, email)).body;
    const token = await tokenFor(email);
    await end(uuid, token);
    return token;
  };
  const named = (kind: string) => `${kind}${++count}@example.no`;
  const replaced = named('erstattet');
  return {
    used: await tokenOf(named('brukt'), async (_, token) => accept(token)),
    revoked: await tokenOf(named('trukket'), async (uuid) => owner.delete(`/api/members/${uuid}/`)),
    replaced: await tokenOf(replaced, async () => {
      const seen = smtp.mails.length;
      await invite(owner, replaced);
      await tokenFor(replaced, seen);
    }),
    expired: await tokenOf(named('utgaatt'), async (uuid) =>
      testApp.context.db
        .updateTable('member')
        .set({ expiresAt: new Date(Date.now() - 1000) })
        .where('companyId', '=', companyId)
        .where('uuid', '=', uuid)
        .execute(),
    ),
    guessed: 'a'.repeat(43),
    short: 'x',
    long: 'a'.repeat(255),
    strange: "'; DROP TABLE member --",
  };
}

describe('a token of an invitation', () => {
  test('that is used, revoked, replaced, expired or guessed gets one answer, after the same statements', async () => {
    const tokens = await deadTokens();
    for (const client of [testApp.visitor(), await testApp.login()]) {
      const answers: Record<string, unknown> = {};
      for (const [kind, token] of Object.entries(tokens)) {
        const ran = await withStatements(async () => accept(token, client));
        const statements = ran.statements.map(({ sql: statement }) => statement);
        const { status, text, headers } = ran.answer;
        answers[kind] = { status, text, cookie: headers['set-cookie'], statements };
      }
      expect(answers['guessed']).toMatchObject({ status: 404, cookie: undefined });
      const { statements } = answers['guessed'] as { statements: string[] };
      expect(statements.filter((one) => one.includes('token_hash'))).not.toHaveLength(0);
      for (const kind of Object.keys(tokens)) {
        expect([kind, answers[kind]]).toEqual([kind, answers['guessed']]);
      }
    }
  });

  // MEM-10
  test('is tried as seldom as a code of a login', async () => {
    const limited = await startTestApp({ FEATURES: 'members', LOGIN_LIMIT_PER_IP: '3' });
    const statuses: number[] = [];
    for (let time = 0; time < 4; time += 1) {
      const guess = { token: String(time).repeat(43) };
      statuses.push((await limited.visitor().post('/api/members/accept/', guess)).status);
    }
    expect(statuses).toEqual([404, 404, 404, 429]);
    await limited.close();
  });

  test('is in no log and no metric, and nobody keeps or is sent the page that it opens', async () => {
    const { owner } = await newOwner();
    const email = `stille${++count}@example.no`;
    log = '';
    await invite(owner, email);
    const token = await tokenFor(email);
    const page = `/auth/invitation/?token=${token}`;
    for (const url of [
      page,
      `/${page}`,
      page.replace('auth', '%61uth'),
      `${page}&token=${token}`,
    ]) {
      const { headers } = await testApp.visitor().get(url);
      expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer' });
      expect(headers['cache-control']).toMatch(/no-(store|cache)/);
    }
    await testApp.visitor().get(`/api/members/accept/?token=${token}`);
    await accept(`${token} `, await testApp.login());
    await accept(token);
    await accept(token);
    expect(log).toContain('/auth/invitation/');
    expect(log).toContain('/api/members/accept/');
    expect(log).not.toContain(token);
    expect((await testApp.visitor().get('/metrics')).text).not.toContain(token);
    const stored = await sql<{ row: string }>`
      SELECT member::text AS row FROM member WHERE member.email = ${email}`.execute(
      testApp.context.db,
    );
    expect(stored.rows).toHaveLength(1);
    for (const written of [token, Buffer.from(token).toString('hex')]) {
      expect(stored.rows[0]?.row).not.toContain(written);
    }
  });
});

describe('a member who is removed', () => {
  test('loses sessions and tokens for the company at once, and is told', async () => {
    const { owner, email: address } = await newOwner('Korpset');
    const { client, email, uuid } = await join(owner, 'EMPLOYEE');
    const companyId = await companyIdOf(testApp.context.db, address);
    const token = await createApiToken(testApp.context, { companyId, email, name: 'API' });
    const headers = { authorization: `Bearer ${token?.token}` };
    const byToken = async () =>
      testApp.visitor().send({ method: 'GET', url: '/api/customers/', headers });
    expect((await byToken()).status).toBe(200);
    expect((await client.get('/api/customers/')).status).toBe(200);
    const seen = smtp.mails.length;
    expect((await owner.delete(`/api/members/${uuid}/`)).status).toBe(204);
    expect((await byToken()).status).toBe(401);
    expect(await client.get('/api/customers/')).toMatchObject({
      status: 403,
      body: { detail: [{ message: 'You are not a member of any company' }] },
    });
    expect((await client.get('/api/users/session/')).body).toMatchObject({
      email,
      is_profile_completed: false,
      company: null,
      companies: [],
      role: null,
      permissions: [],
    });
    const mail = await smtp.waitForMail(
      (one) => smtp.mails.indexOf(one) >= seen && one.to.includes(email),
    );
    expect((await readMail(mail)).subject).toBe('Tilgangen din til Korpset er avsluttet');
  });

  test('is not answered from what the browser has kept', async () => {
    const { owner } = await newOwner();
    await saveLogo(owner, STRIPES);
    const invoice = await createDraft(owner, await createCustomer(owner));
    const { client, uuid } = await join(owner, 'AUDITOR');
    const urls = ['/api/users/logo/', `/invoices/${invoice}/pdf/`];
    const kept = await Promise.all(urls.map(async (url) => client.get(url)));
    const again = async () =>
      Promise.all(
        kept.map(async ({ headers: { etag } }, index) =>
          client.send({
            method: 'GET',
            url: urls[index] ?? '',
            headers: { 'if-none-match': String(etag) },
          }),
        ),
      );
    const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status);
    expect(statuses(await again())).toEqual([304, 304]);
    await owner.delete(`/api/members/${uuid}/`);
    expect(statuses(await again())).toEqual([403, 403]);
  });

  // MEM-8
  test('goes on in another company', async () => {
    const [first, second] = [await newOwner('Første AS'), await newOwner('Andre AS')];
    const { client, email, uuid } = await join(first.owner, 'AUDITOR');
    await invite(second.owner, email, 'EMPLOYEE');
    const { body } = await accept(await secondToken(email), client);
    expect(body).toMatchObject({ company: { name: 'Andre AS' }, companies: [{}, {}] });
    const chosen = body.companies.find(({ name }: { name: string }) => name === 'Første AS');
    expect(await client.post('/api/users/company/', { company_uuid: chosen.uuid })).toMatchObject({
      status: 200,
      body: { company: chosen, role: 'AUDITOR' },
    });
    expect((await client.get('/api/users/profile/')).body.company_name).toBe('Første AS');
    await first.owner.delete(`/api/members/${uuid}/`);
    expect((await client.get('/api/users/session/')).body).toMatchObject({
      company: { name: 'Andre AS' },
      companies: [{ name: 'Andre AS' }],
      role: 'EMPLOYEE',
    });
    expect((await client.post('/api/users/company/', { company_uuid: chosen.uuid })).status).toBe(
      404,
    );
  });
});

// MEM-16
describe('an account that owns no company', () => {
  const create = async (client: TestClient) => client.post('/api/users/company/create/');

  test('creates one of its own, and keeps its access to the others', async () => {
    const { owner } = await newOwner('Kunden');
    const { client, email } = await join(owner, 'ACCOUNTANT');
    expect((await client.get('/api/users/session/')).body).toMatchObject({
      role: 'ACCOUNTANT',
      may_create_company: true,
    });
    const { status, body } = await create(client);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      email,
      company: { name: '' },
      companies: [{ name: 'Kunden' }, body.company],
      role: 'OWNER',
      is_profile_completed: false,
    });
    expect(body).not.toHaveProperty('may_create_company');
    await completeProfile(client, { company_name: 'Min egen' });
    expect(await createCustomer(client)).toBe(1);
    expect((await owner.get('/api/customers/')).body).toEqual([]);
    const [{ uuid: company_uuid }] = body.companies;
    const back = await client.post('/api/users/company/', { company_uuid });
    expect(back.body).toMatchObject({ company: { name: 'Kunden' } });
    expect(back.body).not.toHaveProperty('may_create_company');
  });

  test('also one that was removed from its last', async () => {
    const { owner } = await newOwner();
    const { client, email, uuid } = await join(owner, 'EMPLOYEE');
    await owner.delete(`/api/members/${uuid}/`);
    const again = await testApp.login(email);
    expect((await again.get('/api/users/session/')).body).toMatchObject({
      company: null,
      may_create_company: true,
    });
    expect((await create(again)).body).toMatchObject({ role: 'OWNER', companies: [{}] });
    expect((await client.get('/api/users/session/')).body).toMatchObject({ role: 'OWNER' });
  });

  test('creates one only, also of two calls at once, and none where registration is closed', async () => {
    const { owner } = await newOwner();
    expect((await create(owner)).status).toBe(409);
    const { client } = await join(owner, 'EMPLOYEE');
    const statuses = await Promise.all([create(client), create(client)]);
    expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([201, 409]));
    expect((await testApp.visitor().post('/api/users/company/create/')).status).toBe(401);
    const closed = await startTestApp({ FEATURES: 'members', REGISTRATION: 'closed' });
    const known = await closed.login();
    expect(await create(known)).toMatchObject({ status: 404 });
    await closed.close();
  });
});

/** The token of the second invitation of an address. */
async function secondToken(email: string): Promise<string> {
  const first = smtp.mails.findIndex((mail) => mail.to.includes(email));
  return tokenFor(email, first + 1);
}

describe('the last owner', () => {
  test('can neither leave, be lowered nor get a last day', async () => {
    const { owner } = await newOwner();
    const [{ uuid }] = (await owner.get('/api/members/')).body;
    expect((await owner.delete(`/api/members/${uuid}/`)).status).toBe(409);
    for (const change of [{ role: 'EMPLOYEE' }, { role: 'OWNER', ends_on: '2099-01-01' }]) {
      expect(await owner.put(`/api/members/${uuid}/`, change)).toMatchObject({ status: 409 });
    }
    // Somebody who has not accepted is no owner yet.
    await invite(owner, `ny${++count}@example.no`, 'OWNER');
    expect((await owner.delete(`/api/members/${uuid}/`)).status).toBe(409);
  });

  test('leaves when there is another one, who has the company then', async () => {
    const { owner, email } = await newOwner();
    const next = await join(owner, 'OWNER');
    const { uuid } = (await owner.get('/api/members/')).body.find(
      (member: { is_you: boolean }) => member.is_you,
    );
    const companyId = await companyIdOf(testApp.context.db, email);
    expect((await owner.delete(`/api/members/${uuid}/`)).status).toBe(204);
    expect((await owner.get('/api/members/')).status).toBe(403);
    expect(await companyIdOf(testApp.context.db, next.email)).toBe(companyId);
    expect((await next.client.get('/api/members/')).body).toHaveLength(1);
  });
});

// MEM-8
describe('X-Company', () => {
  test('of another company refuses a call, also one that only reads', async () => {
    const [{ owner }, other] = [await newOwner(), await newOwner()];
    const { company } = (await owner.get('/api/users/session/')).body;
    const { company: theirs } = (await other.owner.get('/api/users/session/')).body;
    const send = async (method: 'GET' | 'POST', header: string) =>
      owner.send({
        method,
        url: method === 'GET' ? '/api/customers/' : '/api/customers/create/',
        headers: { 'x-company': header },
        ...(method === 'POST' && { payload: { name: 'Kari' } }),
      });
    expect((await send('POST', company.uuid)).status).toBe(201);
    expect((await send('POST', theirs.uuid)).status).toBe(409);
    expect((await send('POST', 'x')).status).toBe(409);
    expect((await send('GET', company.uuid.toUpperCase())).status).toBe(200);
    expect(await send('GET', theirs.uuid)).toMatchObject({
      status: 409,
      body: { detail: [{ message: expect.stringContaining('another company') }] },
    });
    expect((await owner.get('/api/customers/')).body).toHaveLength(1);
  });
});

// MEM-2
test('a last day that is over ends access', async () => {
  const { owner } = await newOwner();
  const { client, uuid } = await join(owner, 'ACCOUNTANT');
  const change = async (endsOn: string) =>
    owner.put(`/api/members/${uuid}/`, { role: 'ACCOUNTANT', ends_on: endsOn });
  expect((await change('2020-01-01')).body).toMatchObject({ state: 'ENDED' });
  expect((await client.get('/api/customers/')).status).toBe(403);
  expect((await change(todayInOslo())).body).toMatchObject({ state: 'ACTIVE' });
  expect((await client.get('/api/customers/')).status).toBe(200);
  expect((await change('2099-01-01')).body).toMatchObject({ state: 'ACTIVE' });
  expect((await client.get('/api/customers/')).status).toBe(200);
});

/** The first mail to an address after so many. */
async function mailTo(email: string, after: number) {
  const caught = await smtp.waitForMail(
    (mail) => smtp.mails.indexOf(mail) >= after && mail.to.includes(email),
  );
  return readMail(caught);
}

// MEM-13
test('a changed bank account is mailed to every owner, and only a changed one', async () => {
  const { owner, email } = await newOwner('Kunstlaget');
  const second = await join(owner, 'OWNER');
  await join(owner, 'EMPLOYEE');
  const subject = 'Bankkontoen til Kunstlaget er endret';
  const before = smtp.mails.length;
  const profile = (await owner.get('/api/users/profile/')).body;
  const { company } = (await owner.get('/api/users/session/')).body;
  expect((await owner.post('/api/users/update/', profile)).status).toBe(200);
  const saved = (await owner.get('/api/users/profile/')).body;
  const account = '86011117947';
  const accounts = [{ bank_account_number: account, is_primary: true }];
  const change = { ...saved, bank_accounts: accounts };
  expect((await second.client.post('/api/users/update/', change)).status).toBe(200);
  for (const address of [email, second.email]) {
    const { text, ...mail } = await mailTo(address, before);
    expect(mail.subject).toBe(subject);
    expect(text).toContain(`${second.email} har endret bankkontoene`);
    expect(text).toContain('8601.11.17947');
    expect(text).toContain(`http://faktur.test/profile/?company=${company.uuid}\n`);
  }
  expect(smtp.mails.length - before).toBe(1);
  // Nor was the company's first account.
  expect(smtp.mails.filter((mail) => mail.subject === subject)).toHaveLength(1);
});

// MEM-15, MEM-18
test('an export that is shared with a member leads to the login, not to an open link', async () => {
  const { owner } = await newOwner('Regnskapsklubben');
  const [accountant, employee] = [await join(owner, 'ACCOUNTANT'), await join(owner, 'EMPLOYEE')];
  const textFor = async (email: string) => {
    const before = smtp.mails.length;
    await makeExport(owner, { send_to: email });
    return (await mailTo(email, before)).text ?? '';
  };
  const { company } = (await owner.get('/api/users/session/')).body;
  const url = `http://faktur.test/invoices/export/?company=${company.uuid}\n`;
  expect(await textFor(accountant.email)).toContain(url);
  expect(await textFor(accountant.email)).not.toContain('/delt/');
  await makeExport(accountant.client);
  const { to } = await smtp.waitForMail(
    (mail) => mail.subject === 'Eksporten er klar' && mail.to.includes(accountant.email),
  );
  expect(to).toEqual([accountant.email]);
  // An employee may fetch no export with a login.
  expect(await textFor(employee.email)).toContain('http://faktur.test/delt/eksport/');
});

describe('links of a member who is removed', () => {
  const OVERVIEW_LINK = { name: 'Til banken', shows: ['VAT'], period: 'THIS_YEAR', days: 30 };

  /** A company with an auditor and a second owner, who shared a link each. */
  async function share() {
    const { owner, email } = await newOwner('Delingslaget');
    const auditor = await join(owner, 'AUDITOR');
    const other = await join(owner, 'OWNER');
    const before = smtp.mails.length;
    await makeExport(auditor.client, { send_to: 'privat@example.no' });
    const { text } = await mailTo('privat@example.no', before);
    const file = /http:\/\/faktur\.test(\/delt\/eksport\/\w+\/)/.exec(text ?? '')?.[1] ?? '';
    const made = await other.client.post('/api/overview/links/', OVERVIEW_LINK);
    expect(made.status).toBe(201);
    const figures = new URL((made.body as { url: string }).url).pathname;
    const statuses = async () =>
      Promise.all([file, figures].map(async (url) => (await testApp.visitor().get(url)).status));
    expect(await statuses()).toEqual([200, 200]);
    return { owner, email, auditor, other, statuses };
  }

  // MEM-9, MEM-11
  test('are named to the owner, and end with the membership, unless they are kept', async () => {
    const { owner, email, auditor, other, statuses } = await share();
    const listed = (await owner.get('/api/members/')).body as { email: string }[];
    expect(listed.map((one) => one.email)).toEqual([email, other.email, auditor.email]);
    const linksOf = async (address: string) => {
      const { body } = await owner.get('/api/members/');
      return body.find((one: { email: string }) => one.email === address).open_links;
    };
    expect(await linksOf(auditor.email)).toMatchObject([
      { kind: 'EXPORT', name: 'privat@example.no', expires_at: expect.any(String) },
    ]);
    expect(await linksOf(other.email)).toMatchObject([{ kind: 'OVERVIEW', name: 'Til banken' }]);
    expect(await linksOf(email)).toEqual([]);
    expect((await owner.delete(`/api/members/${auditor.uuid}/?keep_links=ja`)).status).toBe(400);
    expect((await owner.delete(`/api/members/${auditor.uuid}/?keep_links=true`)).status).toBe(204);
    expect((await owner.delete(`/api/members/${other.uuid}/`)).status).toBe(204);
    expect(await statuses()).toEqual([200, 404]);
    // Kept links are the owner's.
    expect(await linksOf(email)).toMatchObject([{ kind: 'EXPORT', name: 'privat@example.no' }]);
  });

  // MEM-14
  test('also of the operator, who ends them all', async () => {
    const { auditor, other, statuses } = await share();
    const output = { line: () => undefined, bytes: async () => undefined };
    for (const { email } of [auditor, other]) {
      const exit = await runCommand(testApp.context, 'members', ['remove', email], output);
      expect(exit).toBe(0);
    }
    expect(await statuses()).toEqual([404, 404]);
  });

  test.each([
    [
      'removed',
      'not mailed',
      async ({ owner, uuid }: Asker) => owner.delete(`/api/members/${uuid}/`),
    ],
    [
      'removed, with the links kept',
      'mailed',
      async ({ owner, uuid }: Asker) => owner.delete(`/api/members/${uuid}/?keep_links=true`),
    ],
    [
      'lowered',
      'not mailed',
      async ({ owner, uuid }: Asker) => owner.put(`/api/members/${uuid}/`, { role: 'EMPLOYEE' }),
    ],
  ])('and that are not mailed yet when the member is %s are %s', async (_how, what, change) => {
    const { owner } = await newOwner();
    await createDraft(owner, await createCustomer(owner));
    const { client, uuid } = await join(owner, 'AUDITOR');
    const address = `privat${++count}@example.no`;
    smtp.faults.refuseRecipient = (to) =>
      to === address ? { code: 451, text: '4.7.1 Later' } : null;
    const asked = await makeExport(client, { send_to: address });
    const { db } = testApp.context;
    const jobs = async () =>
      (
        await sql<{ state: string }>`
          SELECT state FROM jobs.job WHERE name = 'export-mail' AND state <> 'completed'
            AND data -> 'payload' ->> 'exportUuid' = ${asked.uuid}`.execute(db)
      ).rows.map(({ state }) => state);
    await until(jobs, (states) => states.join() === 'retry');
    expect((await change({ owner, uuid })).status).toBeLessThan(300);
    smtp.faults.refuseRecipient = null;
    await sql`UPDATE jobs.job SET start_after = now() WHERE name = 'export-mail'`.execute(db);
    await until(jobs, (states) => states.length === 0);
    expect(smtp.mails.some((mail) => mail.to.includes(address))).toBe(what === 'mailed');
    expect((await owner.get(`/api/exports/${asked.uuid}/`)).body.link_sent_at === null).toBe(
      what !== 'mailed',
    );
  });
});

/** Someone who asked for an export, and the owner of the company. */
interface Asker {
  readonly owner: TestClient;
  readonly uuid: string;
}

// MEM-4
test('an auditor deletes own exports alone: names of tokens say nothing', async () => {
  const { owner, email } = await newOwner();
  const companyId = await companyIdOf(testApp.context.db, email);
  const auditor = await join(owner, 'AUDITOR');
  const api = async (address: string) => {
    const made = await createApiToken(testApp.context, { companyId, email: address, name: 'API' });
    const headers = { authorization: `Bearer ${made?.token}` };
    return async (method: 'DELETE' | 'GET' | 'POST', url: string, payload?: object) =>
      testApp.visitor().send({ method, url, headers, ...(payload && { payload }) });
  };
  const ofOwner = await api(email);
  const [first, second] = [await api(auditor.email), await api(auditor.email)];
  const ask = { kind: 'XLSX', from: '2020-01-01', to: '2035-12-31' };
  const askBy = async (call: typeof first) => {
    const { body, status } = await call('POST', '/api/exports/', ask);
    expect([status, body.is_yours]).toEqual([201, true]);
    return `/api/exports/${body.uuid}/`;
  };
  const [foreign, own, other] = [await askBy(ofOwner), await askBy(first), await askBy(first)];
  expect((await first('DELETE', foreign)).status).toBe(403);
  expect((await auditor.client.delete(foreign)).status).toBe(403);
  expect((await second('DELETE', own)).status).toBe(403);
  expect((await second('GET', own)).body.is_yours).toBe(false);
  expect((await first('DELETE', own)).status).toBe(204);
  expect((await auditor.client.delete(other)).status).toBe(204);
});

// MEM-2
test('with members off, only owners of a company get in', async () => {
  const { owner, email: ofOwner } = await newOwner('Speiderne');
  const { email, client } = await join(owner, 'ACCOUNTANT');
  expect((await client.get('/api/customers/')).status).toBe(200);
  const { db, config } = testApp.context;
  const sessions = [ofOwner, email].map((address) => ({ address, hash: randomBytes(32) }));
  for (const { address, hash } of sessions) {
    const { accountId } = await db
      .selectFrom('member')
      .select('accountId')
      .where('email', '=', address)
      .executeTakeFirstOrThrow();
    const expiresAt = new Date(Date.now() + 60_000);
    await db
      .insertInto('session')
      .values({ accountId: accountId ?? 0, tokenHash: hash, expiresAt })
      .execute();
  }
  const lookups = openLookups({ db, config: { ...config, features: new Set() } });
  const [first, second] = await Promise.all(
    sessions.map(async ({ hash }) => lookups.findSession(hash)),
  );
  expect(first).toMatchObject({ email: ofOwner, role: 'OWNER' });
  expect(second).toMatchObject({ email, companyId: null, role: null });
});

// ACC-16, MEM-2
test('with members off, a member without a company logs in, and is told that there is none', async () => {
  const off = await startTestApp({ FEATURES: '' });
  const owner = await off.login('eier@speiderne.example');
  const { db } = off.context;
  const companyId = await companyIdOf(db, 'eier@speiderne.example');
  const email = 'invitert@speiderne.example';
  const { id: accountId } = await db
    .insertInto('account')
    .values({ email })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('member')
    .values({ companyId, accountId, email, role: 'ACCOUNTANT' })
    .execute();
  const member = await off.login(email);
  expect((await member.get('/api/users/session/')).body).toEqual({
    email,
    is_staff: false,
    is_profile_completed: false,
    features: [],
    company: null,
  });
  expect((await member.get('/api/customers/')).status).toBe(403);
  expect((await member.post('/api/users/company/create/')).status).toBe(404);
  // An owner sees nothing of members.
  expect((await owner.get('/api/users/session/')).body).not.toHaveProperty('company');
  await off.close();
});
