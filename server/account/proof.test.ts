import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { API_ENDPOINTS } from '../../domain/endpoints.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import { completeProfile } from '../testing/factories.ts';
import { readMail } from '../testing/mails.ts';
import { EVERYTHING_ON } from '../testing/process.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';
import { makeChallenge, makeProofCode } from './login.service.ts';
import { createApiToken } from './session.service.ts';

const PROVE = '/api/users/prove/';
const SESSION = '/api/users/session/';
const NEEDED = {
  status: 403,
  body: {
    detail: [{ message: expect.stringContaining('Prove that it is you') }],
    proof_needed: true,
  },
};
const WRONG = { status: 400, body: { detail: [{ field: 'code' }] } };

let mailServer: MailServer;
let testApp: TestApp;

beforeAll(async () => {
  mailServer = await startMailServer();
  testApp = await startTestApp({
    SMTP_URL: mailServer.url,
    LOGIN_LIMIT_PER_IP: '1000000',
    ...EVERYTHING_ON,
  });
});
afterAll(async () => {
  await testApp.close();
  await mailServer.close();
});

let people = 0;

async function newPerson(): Promise<{ email: string; client: TestClient }> {
  const email = `bevis${++people}@example.no`;
  const client = await testApp.login(email);
  await completeProfile(client);
  return { email, client };
}

/** Lets the proof of all sessions of an address be so old. */
async function age(email: string, minutes: number): Promise<void> {
  await sql`UPDATE session SET proved_at = now() - make_interval(mins => ${minutes})
    WHERE account_id = (SELECT id FROM account WHERE email = ${email})`.execute(testApp.context.db);
}

async function unproved(): Promise<{ email: string; client: TestClient }> {
  const person = await newPerson();
  await age(person.email, 10);
  return person;
}

const provedUntil = async (client: TestClient) =>
  (await client.get(SESSION)).body.proved_until as string | null;

describe('a session', () => {
  // SEC-7
  test('is proved for ten minutes by its login', async () => {
    const { email, client } = await newPerson();
    const until = Date.parse((await provedUntil(client)) ?? '');
    expect(until - Date.now()).toBeGreaterThan(9 * 60_000);
    expect(until - Date.now()).toBeLessThanOrEqual(10 * 60_000);
    await age(email, 9);
    expect(await provedUntil(client)).not.toBeNull();
    expect((await client.delete('/api/users/kid-agreement/')).status).toBe(204);
    await age(email, 10);
    expect(await provedUntil(client)).toBeNull();
    expect(await client.delete('/api/users/kid-agreement/')).toMatchObject(NEEDED);
    // One that was proved while the clock was ahead.
    await age(email, -60);
    expect(await provedUntil(client)).toBeNull();
  });

  // SEC-7, SEC-9
  test('is proved by a mailed code, which is for nothing else', async () => {
    const { email, client } = await unproved();
    expect(await client.post(`${PROVE}email/`)).toMatchObject({ status: 204, text: '' });
    const sent = await mailServer.waitForMail(
      ({ to, subject }) => to.includes(email) && subject === 'Bekreft at det er deg',
    );
    const { text = '', html } = await readMail(sent);
    const code = /\b[A-HJ-NP-Z2-9]{6}\b/.exec(text)?.[0] ?? '';
    expect(html).not.toContain('magic-link');
    const login = { email, registration_token: code };
    expect((await testApp.visitor().post('/api/users/login/verify/', login)).status).toBe(400);
    const answer = await client.post(PROVE, { code: ` ${code.toLowerCase()}` });
    expect(answer).toMatchObject({
      status: 200,
      body: { email, proved_until: expect.any(String) },
    });
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect((await client.delete('/api/users/kid-agreement/')).status).toBe(204);
    expect(await client.post(PROVE, { code })).toMatchObject(WRONG);
  });

  test('is proved alone: other sessions of the account are not', async () => {
    const { email, client } = await newPerson();
    const other = await testApp.login(email);
    await age(email, 10);
    const code = await makeProofCode(testApp.context, email);
    expect((await client.post(PROVE, { code })).status).toBe(200);
    expect(await other.delete('/api/users/kid-agreement/')).toMatchObject(NEEDED);
  });
});

describe('a code that is wrong', () => {
  // SEC-9
  test('does not end the session, and the fifth ends the code', async () => {
    const { email, client } = await unproved();
    const code = await makeProofCode(testApp.context, email);
    for (let tries = 0; tries < 5; tries += 1) {
      expect(await client.post(PROVE, { code: 'AAAAAA' })).toMatchObject(WRONG);
    }
    expect(await client.post(PROVE, { code })).toMatchObject(WRONG);
    expect(await provedUntil(client)).toBeNull();
    expect((await client.get(SESSION)).status).toBe(200);
  });

  // SEC-9
  test.each([
    [
      'of a login',
      async (email: string) => (await makeChallenge(testApp.context, 'login', email))?.code,
    ],
    ['of another account', async () => makeProofCode(testApp.context, (await newPerson()).email)],
    [
      'that is older than ten minutes',
      async (email: string) => {
        const code = await makeProofCode(testApp.context, email);
        await sql`UPDATE login_challenge SET expires_at = now() WHERE email = ${email}`.execute(
          testApp.context.db,
        );
        return code;
      },
    ],
  ])('is one %s', async (_, codeFor) => {
    const { email, client } = await unproved();
    expect(await client.post(PROVE, { code: await codeFor(email) })).toMatchObject(WRONG);
  });

  // SEC-9
  test('counts for nothing else: a login code outlives it', async () => {
    const { email, client } = await unproved();
    const challenge = await makeChallenge(testApp.context, 'login', email);
    for (let tries = 0; tries < 5; tries += 1) await client.post(PROVE, { code: 'AAAAAA' });
    const login = { email, registration_token: challenge?.code };
    expect((await testApp.visitor().post('/api/users/login/verify/', login)).status).toBe(200);
  });
});

// SEC-9
test('beyond the limits a code is asked for in vain, and tries are refused', async () => {
  const plain = await startTestApp({ FEATURES: 'security', LOGIN_LIMIT_PER_IP: '3' });
  const client = await plain.login();
  const count = async () =>
    (
      await sql`SELECT 1 FROM jobs.job WHERE name = 'login-mail' UNION ALL SELECT 1 FROM login_challenge
        WHERE purpose = 'PROOF'`.execute(plain.context.db)
    ).rows.length;
  for (let asked = 0; asked < 3; asked += 1) await client.post(`${PROVE}email/`);
  const before = await count();
  expect((await client.post(`${PROVE}email/`)).status).toBe(204);
  const after = await count();
  expect(after).toBeLessThanOrEqual(before + 3);
  for (let tries = 0; tries < 3; tries += 1) await client.post(PROVE, { code: 'AAAAAA' });
  expect(await client.post(PROVE, { code: 'AAAAAA' })).toMatchObject({ status: 429 });
  await plain.close();
});

describe('without a proof', () => {
  // SEC-7, SEC-8
  test('each call that asks for one is refused before its body and its id, and does nothing', async () => {
    const { client } = await unproved();
    const asked = API_ENDPOINTS.filter(({ proof }) => proof);
    expect(asked.map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        'saveKidAgreement',
        'deleteKidAgreement',
        'requestEhfAgreement',
        'inviteMember',
        'updateMember',
        'removeMember',
        'createOverviewLink',
      ]),
    );
    for (const { method, path } of asked) {
      const url = path.replaceAll(/\{(\w+)\}/g, 'x');
      const payload = method === 'DELETE' ? {} : { payload: { rubbish: true } };
      expect(await client.send({ method, url, ...payload })).toMatchObject(NEEDED);
    }
  });

  // SEC-8
  test('bank accounts, number and address of a company stay; the rest may change', async () => {
    const { client } = await unproved();
    const url = '/api/users/update/';
    const { body: profile } = await client.get('/api/users/profile/');
    const accounts = [{ bank_account_number: '86011117947', is_primary: true }];
    for (const change of [
      { bank_accounts: accounts },
      { bank_accounts: [...profile.bank_accounts, { ...accounts[0], is_primary: false }] },
      { org_number: '974760673' },
      { email: 'tyv@example.no' },
    ]) {
      expect(await client.post(url, { ...profile, ...change })).toMatchObject(NEEDED);
    }
    expect((await client.get('/api/users/profile/')).body).toEqual(profile);
    const moved = { ...profile, billing_city: 'Tromsø' };
    expect((await client.post(url, moved)).body).toMatchObject({ billing_city: 'Tromsø' });
  });

  // SEC-8
  test('the first filling-in of a company is saved', async () => {
    const email = `bevis${++people}@example.no`;
    const client = await testApp.login(email);
    await age(email, 10);
    await completeProfile(client);
    expect((await client.get(SESSION)).body.is_profile_completed).toBe(true);
  });

  // SEC-8
  test('no archive is made, and no export is sent; a trial and others are', async () => {
    const { client } = await unproved();
    const period = { from: '2020-01-01', to: '2035-12-31' };
    const url = '/api/exports/';
    expect(await client.post(url, { kind: 'ARCHIVE' })).toMatchObject(NEEDED);
    const sent = { kind: 'XLSX', ...period, send_to: 'tyv@example.no' };
    expect(await client.post(url, sent)).toMatchObject(NEEDED);
    expect((await client.get(url)).body).toEqual([]);
    const trial = await client.post(`${url}?dry_run=true`, { kind: 'ARCHIVE' });
    expect(trial.body.proof_needed).toBeUndefined();
    expect(trial.status).not.toBe(403);
  });

  // SEC-7
  test('who may not anyway gets the plain refusal', async () => {
    const { email, client: owner } = await newPerson();
    const guest = await newPerson();
    await sql`INSERT INTO member (company_id, account_id, email, role)
      SELECT ${await companyIdOf(testApp.context.db, email)}, id, email, 'EMPLOYEE' FROM account
      WHERE email = ${guest.email}`.execute(testApp.context.db);
    const { uuid } = (await owner.get(SESSION)).body.company;
    await guest.client.post('/api/users/company/', { company_uuid: uuid });
    await age(guest.email, 10);
    const answer = await guest.client.post('/api/members/', { email: 'x@example.no' });
    expect(answer.status).toBe(403);
    expect(answer.body.proof_needed).toBeUndefined();
  });

  // SEC-7, SEC-8
  test('a token can do none of it, and is not asked', async () => {
    const { email, client } = await newPerson();
    const companyId = await companyIdOf(testApp.context.db, email);
    const made = await createApiToken(testApp.context, { companyId, email, name: 'Kasse' });
    const headers = { authorization: `Bearer ${made?.token}` };
    const { body: profile } = await client.get('/api/users/profile/');
    for (const [method, url, payload] of [
      ['DELETE', '/api/users/kid-agreement/', undefined],
      ['POST', '/api/users/update/', { ...profile, email: 'ny@example.no' }],
      ['POST', PROVE, { code: 'AAAAAA' }],
      ['POST', `${PROVE}email/`, undefined],
    ] as const) {
      const call = { method, url, headers, ...(payload && { payload }) };
      const answer = await testApp.visitor().send(call);
      expect(answer.status).toBe(403);
      expect(answer.body.proof_needed).toBeUndefined();
    }
  });
});

// SEC-7
test('with the feature off nothing asks for a proof', async () => {
  const plain = await startTestApp({ FEATURES: 'payments,members' });
  const client = await plain.login();
  await sql`UPDATE session SET proved_at = NULL`.execute(plain.context.db);
  expect((await client.delete('/api/users/kid-agreement/')).status).toBe(204);
  expect((await client.get(SESSION)).body).not.toHaveProperty('proved_until');
  await plain.close();
});
