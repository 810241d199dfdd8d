import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { sql } from 'kysely';

import { FEATURES } from '../../domain/api/endpoint.ts';
import { API_ENDPOINTS } from '../../domain/endpoints.ts';
import { EVERYTHING_ON } from '../testing/process.ts';
import { PERMISSIONS } from '../../domain/permission.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { Answer, TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import { CUSTOMER } from '../testing/factories.ts';
import { readMail } from '../testing/mails.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';
import { withStatements } from '../testing/statements.ts';
import { until } from '../testing/until.ts';
import { makeUnsubscribeToken } from '../newsletter/newsletter.service.ts';
import { deleteOldLimits } from '../platform/limits/rate-limit.ts';
import { makeChallenge } from './login.service.ts';
import { createApiToken } from './session.service.ts';

const VERIFY = '/api/users/login/verify/';
const LOGIN = '/api/users/login/email/';
const REGISTER = '/api/users/register/email/';
const SESSION = '/api/users/session/';
const WRONG = 'The code or link is wrong, used or expired';

let mailServer: MailServer;
let testApp: TestApp;
let logged = '';

beforeAll(async () => {
  mailServer = await startMailServer();
  testApp = await startTestApp(
    {
      SMTP_URL: mailServer.url,
      LOG_LEVEL: 'trace',
      LOGIN_LIMIT_PER_IP: '1000000',
      ...EVERYTHING_ON,
    },
    { logStream: { write: (text) => void (logged += text) } },
  );
});
afterAll(async () => {
  await testApp.close();
  await mailServer.close();
});

let people = 0;
const newAddress = () => `person${++people}@example.no`;

async function challenge(email = newAddress()) {
  const made = await makeChallenge(testApp.context, 'register', email);
  if (!made) throw new Error('No code was made');
  return { email, ...made };
}

const verify = async (body: object, client = testApp.visitor()) => client.post(VERIFY, body);
const withCode = async (email: string, code: string) => verify({ email, registration_token: code });

/** Everything in the tables of logging in, as text. */
async function tables(): Promise<string> {
  const { rows } = await sql<{ row: string }>`
    SELECT t::text AS row FROM login_challenge t UNION ALL SELECT t::text FROM session t
    UNION ALL SELECT t::text FROM rate_limit t UNION ALL SELECT t::text FROM api_token t
    UNION ALL SELECT j::text FROM jobs.job j`.execute(testApp.context.db);
  return rows.map(({ row }) => row).join('\n');
}

async function expire(email: string): Promise<void> {
  await testApp.context.db
    .updateTable('loginChallenge')
    .set({ expiresAt: sql<Date>`now() - interval '1 second'` })
    .where('email', '=', email)
    .execute();
}

/** The code and the link's token in the newest mail to an address. */
async function readLoginMail(
  email: string,
): Promise<{ code: string; token: string; text: string }> {
  const mail = await mailServer.waitForMail(({ to }) => to.includes(email));
  const { text = '' } = await readMail(mail);
  const token = /\/auth\/magic-link\/\?token=([\w-]+)/.exec(text)?.[1] ?? '';
  const code = /\b[A-HJ-NP-Z2-9]{6}\b/.exec(text)?.[0] ?? '';
  return { code, token, text };
}

function readOutbox(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith('.eml'));
  return files.map((name) => readFileSync(join(folder, name), 'utf8'));
}

/** With members, a session tells its company too. */
const OWN_COMPANY = {
  company: { uuid: expect.any(String), name: '' },
  companies: [{ uuid: expect.any(String), name: '' }],
  role: 'OWNER',
  permissions: PERMISSIONS,
};

describe('from the mail to the session', () => {
  // ACC-2, ACC-5, ACC-8, ACC-10, ACC-16, MEM-1
  test('an address registers, logs in with the code, and later with the link', async () => {
    const email = newAddress();
    expect(await testApp.visitor().post(REGISTER, { email })).toMatchObject({
      status: 204,
      text: '',
    });
    const { code, token } = await readLoginMail(email);
    const client = testApp.visitor();
    expect(await verify({ email, registration_token: code.toLowerCase() }, client)).toMatchObject({
      status: 200,
      body: { email, is_staff: false, is_profile_completed: false },
    });
    expect((await client.get(SESSION)).body).toEqual({
      email,
      is_staff: false,
      is_profile_completed: false,
      features: FEATURES.filter((feature) => testApp.context.config.features.has(feature)),
      proved_until: expect.any(String),
      company_state: 'OPEN',
      ...OWN_COMPANY,
    });
    // Using the one does not use up the other.
    expect((await verify({ token })).status).toBe(200);
  });

  test('a used code gives a session, even when the database fails afterwards', async () => {
    const { db } = testApp.context;
    await sql`
      CREATE FUNCTION refuse_taking_back() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'busy' USING ERRCODE = 'lock_not_available';
      END $$`.execute(db);
    await sql`
      CREATE TRIGGER refuse_taking_back BEFORE UPDATE ON rate_limit FOR EACH ROW
      WHEN (NEW.hits < OLD.hits) EXECUTE FUNCTION refuse_taking_back()`.execute(db);
    const { email, code } = await challenge();
    const client = testApp.visitor();
    const answer = await verify({ email, registration_token: code }, client);
    await sql`DROP FUNCTION refuse_taking_back CASCADE`.execute(db);
    expect(answer).toMatchObject({ status: 200, body: { email } });
    expect((await client.get(SESSION)).status).toBe(200);
    expect(logged).toContain('the limits of a login could not be given back');
  });

  // ACC-2
  test('addresses are equal regardless of case and surrounding space', async () => {
    const { email, code } = await challenge();
    const answer = await withCode(`  ${email.toUpperCase()} `, code);
    expect(answer).toMatchObject({ status: 200, body: { email } });
  });

  // ACC-5
  test('an unknown address gets a mail that says so, and no account', async () => {
    const email = newAddress();
    expect((await testApp.visitor().post(LOGIN, { email })).status).toBe(204);
    const { code, token, text } = await readLoginMail(email);
    expect({ code, token }).toEqual({ code: '', token: '' });
    expect(text).toContain('http://faktur.test/auth/signup/');
    const accounts = testApp.context.db.selectFrom('account').where('email', '=', email);
    expect(await accounts.selectAll().execute()).toEqual([]);
  });

  // ACC-5
  test('registering a known address sends an ordinary code, and changes no account', async () => {
    const email = newAddress();
    await testApp.login(email);
    await testApp.visitor().post(REGISTER, { email });
    const { code } = await readLoginMail(email);
    expect((await withCode(email, code)).status).toBe(200);
    const accounts = testApp.context.db.selectFrom('account').where('email', '=', email);
    expect(await accounts.selectAll().execute()).toHaveLength(1);
  });
});

describe('a code', () => {
  // ACC-8, ACC-10
  test('and a link work once each, whichever comes first', async () => {
    for (const order of [
      ['code', 'link'],
      ['link', 'code'],
    ]) {
      const { email, code, token } = await challenge();
      for (const way of order) {
        const use = async () => (way === 'code' ? withCode(email, code) : verify({ token }));
        expect((await use()).status).toBe(200);
        expect(await use()).toMatchObject({ status: 400, body: { detail: [{ message: WRONG }] } });
      }
    }
  });

  // ACC-8, ACC-10
  test('and a link expire after ten minutes', async () => {
    const { email, code, token } = await challenge();
    const { rows } = await sql<{ minutes: number }>`
      SELECT extract(epoch FROM expires_at - created_at)::integer / 60 AS minutes
      FROM login_challenge WHERE email = ${email}`.execute(testApp.context.db);
    expect(rows).toEqual([{ minutes: 10 }]);
    await expire(email);
    expect((await withCode(email, code)).status).toBe(400);
    expect((await verify({ token })).status).toBe(400);
  });

  // ACC-9
  test('dies of five wrong ones', async () => {
    const alive = await challenge();
    for (let index = 0; index < 4; index++) await withCode(alive.email, 'AAAAAA');
    expect((await withCode(alive.email, alive.code)).status).toBe(200);
    const dead = await challenge();
    for (let index = 0; index < 5; index++) {
      expect(await withCode(dead.email, 'AAAAAA')).toMatchObject({
        status: 400,
        body: { detail: [{ message: WRONG, field: 'registration_token' }] },
      });
    }
    expect((await withCode(dead.email, dead.code)).status).toBe(400);
  });

  test('dies of five wrong ones that come at once', async () => {
    const { email, code } = await challenge();
    await Promise.all(Array.from({ length: 12 }, async () => withCode(email, 'AAAAAA')));
    expect((await withCode(email, code)).status).toBe(400);
  });

  // ACC-7
  test.each([
    ['a space inside', (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`],
    ['spaces between all and around', (code: string) => ` ${code.split('').join(' ')} `],
    ['a space that does not break', (code: string) => `${code.slice(0, 3)}\u00A0${code.slice(3)}`],
    ['signs that nobody sees', (code: string) => `\u200B\u202A${code}\uFEFF`],
    ['a line break', (code: string) => `${code.slice(0, 3)}\n${code.slice(3)}`],
    ['small letters', (code: string) => code.toLowerCase()],
  ])('is taken with %s', async (_, type) => {
    const { email, code } = await challenge();
    expect((await withCode(email, type(code))).status).toBe(200);
  });

  test('of five characters and a space is too short', async () => {
    expect(await withCode(newAddress(), 'AAA AA')).toMatchObject({
      status: 400,
      body: { detail: [{ message: 'registration_token must be exactly 6 characters' }] },
    });
  });

  test('belongs to its address', async () => {
    const [mine, yours] = [await challenge(), await challenge()];
    expect((await withCode(mine.email, yours.code)).status).toBe(400);
    expect((await withCode(mine.email, mine.code)).status).toBe(200);
  });

  // ACC-7
  test('has six unambiguous characters, and is never repeated', async () => {
    const codes = new Set<string>();
    const email = newAddress();
    for (let index = 0; index < 60; index++) codes.add((await challenge(email)).code);
    expect(codes.size).toBe(60);
    for (const code of codes) expect(code).toMatch(/^[A-HJ-NP-Z2-9]{6}$/);
  });
});

// ACC-11
test('the database holds no code, no token and no cookie', async () => {
  const { email, code, token } = await challenge();
  const client = testApp.visitor();
  await verify({ email, registration_token: code }, client);
  await testApp.visitor().post(LOGIN, { email });
  const mailed = await readLoginMail(email);
  const cookie = client.cookieHeader.replace('faktur_session=', '');
  const companyId = await companyIdOf(testApp.context.db, email);
  const made = await createApiToken(testApp.context, { companyId, email, name: 'API' });
  const apiToken = made?.token ?? '';
  const text = await tables();
  for (const secret of [code, token, mailed.code, mailed.token, cookie, apiToken]) {
    expect(secret.length).toBeGreaterThanOrEqual(6);
    expect(text).not.toContain(secret);
    expect(text).not.toContain(Buffer.from(secret).toString('hex'));
  }
});

// ACC-4
describe('known and unknown addresses', () => {
  test('get the same answer', async () => {
    const known = newAddress();
    await testApp.login(known);
    for (const url of [LOGIN, REGISTER]) {
      const shapes = [];
      for (const email of [known, newAddress()]) {
        const { status, text, headers } = await testApp.visitor().post(url, { email });
        shapes.push({ status, text, headers: Object.keys(headers) });
      }
      expect(shapes[0]).toEqual(shapes[1]);
      expect(shapes[0]).toMatchObject({ status: 204, text: '' });
    }
    expect((await withCode(known, 'AAAAAA')).text).toBe(
      (await withCode(newAddress(), 'AAAAAA')).text,
    );
  });

  test('after the same statements, so that no time tells them apart', async () => {
    const known = newAddress();
    await testApp.login(known);
    const statementsFor = async (email: string) => {
      const { statements } = await withStatements(async () =>
        testApp.visitor().post(LOGIN, { email }),
      );
      return statements.map(({ sql: text }) => text);
    };
    const ofKnown = await statementsFor(known);
    // The mail is a job's, whatever the address is.
    await readLoginMail(known);
    expect(await statementsFor(newAddress())).toEqual(ofKnown);
    expect(ofKnown).toHaveLength(4);
  });
});

describe('too many', () => {
  // ACC-13, ACC-14
  test('mails to one address get 429 until the window is over; others go on', async () => {
    const email = newAddress();
    const ask = async () => testApp.visitor().post(LOGIN, { email });
    for (let index = 0; index < 10; index++) expect((await ask()).status).toBe(204);
    const refused = await ask();
    expect(refused).toMatchObject({
      status: 429,
      body: { detail: [{ message: 'Too many attempts; try again later' }] },
    });
    const wait = Number(refused.headers['retry-after']);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(600);
    expect((await testApp.visitor().post(REGISTER, { email })).status).toBe(429);
    expect((await testApp.visitor().post(LOGIN, { email: newAddress() })).status).toBe(204);
    await sql`UPDATE rate_limit SET resets_at = now() WHERE key LIKE ${`%${email}`}`.execute(
      testApp.context.db,
    );
    expect((await ask()).status).toBe(204);
  });
});

describe('somebody else', () => {
  let proxied: TestApp;
  beforeAll(async () => {
    proxied = await startTestApp({ TRUST_PROXY: 'yes', LOGIN_LIMIT_PER_IP: '1000' });
  });
  afterAll(async () => proxied.close());

  /** Asks for a mail to the address from a network. */
  const askFrom = async (network: string, email: string) => {
    const headers = { 'x-forwarded-for': network };
    const answer = await proxied
      .visitor()
      .send({ method: 'POST', url: LOGIN, headers, payload: { email } });
    return answer.status;
  };
  const askTimes = async (times: number, network: string, email: string) => {
    for (let time = 0; time < times; time += 1) await askFrom(network, email);
  };

  // ACC-13
  test.each([
    ['of IPv4', '192.0.2.1', '192.0.2.2'],
    ['of IPv6', '2001:db8:1:1::1', '2001:db8:1:2::1'],
  ])('cannot use up the login mails of an address: a network %s', async (_, theirs, own) => {
    const email = newAddress();
    await askTimes(10, theirs, email);
    expect(await askFrom(theirs, email)).toBe(429);
    expect(await askFrom(theirs, newAddress())).toBe(204);
    expect(await askFrom(own, email)).toBe(204);
  });

  // ACC-12, ACC-15
  test('is one network with all addresses of a /64, with any port in the proxy header', async () => {
    const email = newAddress();
    for (let index = 1; index <= 10; index += 1) {
      expect(await askFrom(`2001:db8:7:7::${index}`, email)).toBe(204);
      expect(await askFrom(`192.0.2.7:${50_000 + index}`, email)).toBe(204);
    }
    expect(await askFrom('2001:db8:7:7::ffff', email)).toBe(429);
    expect(await askFrom('192.0.2.7:60000', email)).toBe(429);
    // Only the last address was written by the proxy.
    expect(await askFrom('203.0.113.99, 192.0.2.7', email)).toBe(429);
  });

  // ACC-13
  test('cannot use up the mails with many networks, nor flood a mailbox from all networks of a site', async () => {
    const email = newAddress();
    for (let network = 1; network <= 3; network += 1)
      await askTimes(10, `198.51.100.${network}`, email);
    expect(await askFrom('198.51.100.4', email)).toBe(204);
    expect(await askFrom('198.51.100.4', email)).toBe(429);
    expect(await askFrom('192.0.2.5', email)).toBe(204);
    expect(await askFrom('2001:db8:5:1::1', email)).toBe(204);
    expect(await askFrom('2001:db8:5:2::1', email)).toBe(429);
  });

  // ACC-9
  test('cannot disable the link of a mail by trying wrong codes', async () => {
    const { email, code, token } = await challenge();
    for (let time = 0; time < 5; time += 1) await withCode(email, 'AAAAAA');
    expect((await withCode(email, code)).status).toBe(400);
    expect((await verify({ token })).status).toBe(200);
  });
});

describe('a clock that was a day ahead and is put right', () => {
  const aDayLater = sql`now() + interval '1 day'`;

  test('locks nobody out', async () => {
    const { db } = testApp.context;
    const email = newAddress();
    for (let mail = 0; mail < 11; mail += 1) await testApp.visitor().post(LOGIN, { email });
    expect((await testApp.visitor().post(LOGIN, { email })).status).toBe(429);
    await sql`UPDATE rate_limit SET resets_at = ${aDayLater}`.execute(db);
    expect((await testApp.visitor().post(LOGIN, { email })).status).toBe(204);
    // Limits that nobody reaches again are deleted by housekeeping.
    await sql`UPDATE rate_limit SET resets_at = now() + interval '25 hours'`.execute(db);
    await deleteOldLimits(db);
    expect((await sql`SELECT FROM rate_limit`.execute(db)).rows).toEqual([]);
  });

  test('does not extend the lifetime of codes and links', async () => {
    const { email, code, token } = await challenge();
    await sql`UPDATE login_challenge SET expires_at = ${aDayLater} WHERE email = ${email}`.execute(
      testApp.context.db,
    );
    expect((await verify({ email, registration_token: code })).status).toBe(400);
    expect((await verify({ token })).status).toBe(400);
  });
});

// WIRE-21
describe('another site', () => {
  const foreign: [string, Record<string, string>][] = [
    ['its origin', { origin: 'https://evil.example' }],
    ['the same host on another port', { origin: 'http://localhost:81' }],
    ['another scheme', { origin: 'https://faktur.test' }],
    ['another scheme of the host that was asked', { origin: 'https://localhost:80' }],
    ['a sandbox', { origin: 'null' }],
    ['a look-alike', { origin: 'http://faktur.test.evil.example' }],
    ['no origin but the browser’s word', { 'sec-fetch-site': 'cross-site' }],
    ['no origin, from a neighbour of the site', { 'sec-fetch-site': 'same-site' }],
  ];
  const own: [string, Record<string, string>][] = [
    ['the public address', { origin: 'http://faktur.test' }],
    ['the address that was asked', { origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' }],
    ['a client that is no browser', {}],
    ['the same site', { 'sec-fetch-site': 'same-origin' }],
  ];

  test.each(foreign)('by %s cannot change anything', async (_, headers) => {
    const client = await testApp.login();
    for (const { method, path, crossOrigin } of API_ENDPOINTS) {
      if (crossOrigin || method === 'GET') continue;
      const url = path.replaceAll(/\{\w+\}/g, '1');
      const answer = await client.send({ method, url, headers, payload: CUSTOMER });
      expect([path, answer.status, answer.body]).toEqual([
        path,
        403,
        { detail: [{ message: 'The request comes from another site' }] },
      ]);
    }
    const logout = await client.send({ method: 'GET', url: '/api/users/logout/', headers });
    expect(logout.status).toBe(403);
    expect((await client.get(SESSION)).status).toBe(200);
    expect((await client.get('/api/customers/')).body).toEqual([]);
  });

  test.each(own)('is not %s', async (_, headers) => {
    const client = await testApp.login();
    const create = { method: 'POST', url: '/api/customers/create/', payload: CUSTOMER } as const;
    expect((await client.send({ ...create, headers })).status).toBe(201);
  });

  test('may unsubscribe with one click, as mail programs do', async () => {
    const answer = await testApp.visitor().send({
      method: 'POST',
      url: '/api/newsletter/unsubscribe/?token=made-up',
      headers: {
        origin: 'https://mail.example',
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: 'List-Unsubscribe=One-Click',
    });
    expect(answer.status).toBe(404);
  });
});

const cookieOf = (answer: Answer): string => [answer.headers['set-cookie'] ?? ''].flat().join(';');

async function newSession(): Promise<{ client: TestClient; cookie: string; email: string }> {
  const { email, token } = await challenge();
  const client = testApp.visitor();
  const cookie = cookieOf(await verify({ token }, client));
  return { client, cookie, email };
}

/** Moves the end of every session of an address. */
async function endsIn(email: string, interval: string): Promise<void> {
  await sql`
    UPDATE session SET expires_at = now() + ${interval}::interval
    WHERE account_id = (SELECT id FROM account WHERE email = ${email})`.execute(testApp.context.db);
}

describe('the session', () => {
  // ACC-17
  test('is a cookie that scripts and other sites do not get, for 30 days', async () => {
    const { cookie } = await newSession();
    expect(cookie).toMatch(/^faktur_session=[\w-]{43}; /);
    expect(cookie).toContain('; Path=/');
    expect(cookie).toContain('; HttpOnly');
    expect(cookie).toContain('; SameSite=Lax');
    expect(cookie).toContain('; Max-Age=2592000');
    expect(cookie).not.toContain('Secure');
  });

  // ACC-17
  test('is renewed in use, once a day', async () => {
    const { client, email } = await newSession();
    expect(cookieOf(await client.get(SESSION))).toBe('');
    await endsIn(email, '28 days');
    const renewed = await client.get(SESSION);
    expect(cookieOf(renewed)).toContain('Max-Age=2592000');
    expect(cookieOf(await client.get(SESSION))).toBe('');
    const { rows } = await sql<{ days: number }>`
      SELECT round(extract(epoch FROM expires_at - now()) / 86400)::integer AS days FROM session
      WHERE account_id = (SELECT id FROM account WHERE email = ${email})
    `.execute(testApp.context.db);
    expect(rows).toEqual([{ days: 30 }]);
  });

  test('ends when it expires', async () => {
    const { client, email } = await newSession();
    await endsIn(email, '-1 second');
    expect((await client.get(SESSION)).status).toBe(401);
    expect((await client.get('/invoices/7b0f8f2e-5b0e-4c1e-9d0e-0d5c6f7a8b9c/pdf/')).status).toBe(
      302,
    );
  });

  // ACC-18
  test('ends everywhere with its logout, and the account’s other sessions do not', async () => {
    const { client, cookie, email } = await newSession();
    const other = await testApp.login(email);
    const stolen = { cookie: cookie.split(';')[0] ?? '' };
    const copy = async (url: string) =>
      (await testApp.visitor().send({ method: 'GET', url, headers: stolen })).status;
    expect(await copy(SESSION)).toBe(200);
    const logout = await client.get('/api/users/logout/');
    expect(logout).toMatchObject({ status: 204, text: '' });
    expect(cookieOf(logout)).toMatch(/^faktur_session=; .*(Max-Age=0|Expires=Thu, 01 Jan 1970)/);
    expect(await copy(SESSION)).toBe(401);
    expect(await copy('/api/invoices/')).toBe(401);
    expect(await copy('/invoices/7b0f8f2e-5b0e-4c1e-9d0e-0d5c6f7a8b9c/pdf/')).toBe(302);
    expect((await other.get(SESSION)).status).toBe(200);
  });

  // ACC-18
  test('can be ended when it does not exist', async () => {
    expect((await testApp.visitor().get('/api/users/logout/')).status).toBe(204);
  });

  test('is new with every login, which prevents session fixation', async () => {
    const { token } = await challenge();
    const planted = 'A'.repeat(43);
    const answer = await testApp.visitor().send({
      method: 'POST',
      url: VERIFY,
      headers: { cookie: `faktur_session=${planted}` },
      payload: { token },
    });
    expect(answer.status).toBe(200);
    expect(cookieOf(answer)).not.toContain(planted);
  });
});

describe('with other settings', () => {
  let strict: TestApp;
  beforeAll(async () => {
    strict = await startTestApp({
      PUBLIC_URL: 'https://faktur.example',
      REGISTRATION: 'closed',
      LOGIN_LIMIT_PER_IP: '8',
    });
  });
  afterAll(async () => strict.close());

  // ACC-17
  test('the cookie is Secure on https', async () => {
    const made = await makeChallenge(strict.context, 'register', 'a@example.no');
    const answer = await strict.visitor().post(VERIFY, { token: made?.token });
    expect(cookieOf(answer)).toContain('; Secure');
    const own = { origin: 'https://faktur.example' };
    const foreign = { origin: 'http://faktur.example' };
    const ask = async (headers: Record<string, string>) =>
      strict
        .visitor()
        .send({ method: 'POST', url: LOGIN, headers, payload: { email: 'a@example.no' } });
    expect((await ask(own)).status).toBe(204);
    expect((await ask(foreign)).status).toBe(403);
  });

  // ACC-6
  test('registration can be closed, to all alike', async () => {
    for (const email of ['a@example.no', 'ny@example.no']) {
      expect(await strict.visitor().post(REGISTER, { email })).toMatchObject({
        status: 404,
        body: { detail: [{ message: 'Registration is closed' }] },
      });
    }
    await strict.visitor().post(LOGIN, { email: 'ny@example.no' });
    const mails = await until(
      async () => readOutbox(strict.outbox),
      (texts) => texts.some((text) => text.includes('To: ny@example.no')),
    );
    expect(mails.join('')).not.toContain('/auth/signup/');
  });

  // ACC-14
  test('a successful login does not count against limits, so that a school may share one address', async () => {
    const mailsCounted = async () => {
      const { rows } = await sql<{ hits: number }>`
        SELECT hits FROM rate_limit WHERE key LIKE 'login-mail-ip:%'`.execute(strict.context.db);
      return rows.map(({ hits }) => hits);
    };
    const visitor = () => strict.visitor();
    await visitor().post(LOGIN, { email: 'ubrukt@example.no' });
    const before = await mailsCounted();
    for (let pupil = 0; pupil < 24; pupil++) {
      // Half of the logins are of the same person, repeatedly.
      const email = pupil % 2 === 0 ? `elev${pupil}@example.no` : 'elev@example.no';
      expect((await visitor().post(LOGIN, { email })).status).toBe(204);
      const made = await makeChallenge(strict.context, 'register', email);
      const code = { email, registration_token: made?.code };
      expect((await visitor().post(VERIFY, code)).status).toBe(200);
      // The link of the same mail is not refunded again.
      expect((await visitor().post(VERIFY, { token: made?.token })).status).toBe(200);
    }
    expect(await mailsCounted()).toEqual(before);
  });

  // ACC-12, NEWS-9
  test('one address of the network asks and tries only so often', async () => {
    const answers: Answer[] = [];
    for (let index = 0; index < 12; index++) {
      answers.push(await strict.visitor().post(LOGIN, { email: `nr${index}@example.no` }));
    }
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(4);
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
    const tries: number[] = [];
    for (let index = 0; index < 10; index++) {
      const body = { email: `nr${index}@example.no`, registration_token: 'AAAAAA' };
      tries.push((await strict.visitor().post(VERIFY, body)).status);
    }
    expect(tries.at(-1)).toBe(429);
    const signUps: Answer[] = [];
    for (let index = 0; index < 9; index++) {
      const url = `/api/newsletter/signup/?email=nr${index}@example.no`;
      signUps.push(await strict.visitor().post(url));
    }
    expect(signUps.map(({ status }) => status)).toEqual([...Array<number>(8).fill(204), 429]);
    expect(Number(signUps.at(-1)?.headers['retry-after'])).toBeGreaterThan(0);
  });
});

// Last, since it reads everything that has been logged so far, at the finest level.
test('no code, token, cookie or mail is in the log', async () => {
  const email = newAddress();
  const visitor = testApp.visitor();
  await visitor.post(REGISTER, { email });
  const { code, token, text } = await readLoginMail(email);
  const json = { 'content-type': 'application/json' };
  const broken = `{"email": "${email}", "registration_token": "${code}", "token": ${token}}`;
  await visitor.send({ method: 'POST', url: VERIFY, headers: json, payload: broken });
  await visitor.get(`/auth/magic-link/?token=${token}`);
  await visitor.get(`/api/nothing/?token=${token}`);
  await visitor.get(`/api/customers/%E0%A4%A/?token=${token}`);
  const unsubscribe = makeUnsubscribeToken(testApp.context, crypto.randomUUID());
  await visitor.post(`/api/newsletter/unsubscribe/?token=${unsubscribe}`);
  await visitor.send({
    method: 'GET',
    url: SESSION,
    headers: { authorization: `Bearer ${token}` },
  });
  const client = testApp.visitor();
  await verify({ email, registration_token: code }, client);
  await verify({ token });
  await client.post('/api/users/update/', { company_name: 'Hemmelig firma AS', org_number: 7 });
  await client.get('/api/users/logout/');
  const sentence = text.split('\n').find((line) => line.trim().length > 20) ?? 'no mail';
  const cookie = client.cookieHeader.replace('faktur_session=', '');
  expect(logged).toContain('request completed');
  expect(logged).toMatch(/"accountId":\d+,"msg":"logged in"/);
  expect(logged).toContain('/api/newsletter/unsubscribe/');
  for (const secret of [
    code,
    token,
    unsubscribe,
    sentence.trim(),
    'Hemmelig firma',
    cookie || token,
  ]) {
    expect(logged).not.toContain(secret);
  }
});
