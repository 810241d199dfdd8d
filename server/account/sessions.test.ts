import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { readMail } from '../testing/mails.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';
import { makeChallenge } from './login.service.ts';
import { createApiToken, forgetExpired } from './session.service.ts';

const SESSIONS = '/api/users/sessions/';
const SESSION = '/api/users/session/';
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

let mailServer: MailServer;
let testApp: TestApp;

beforeAll(async () => {
  mailServer = await startMailServer();
  testApp = await startTestApp({ SMTP_URL: mailServer.url, FEATURES: 'security' });
});
afterAll(async () => {
  await testApp.close();
  await mailServer.close();
});

let people = 0;
const newAddress = () => `okter${++people}@example.no`;

/** A new session of an address, by the code or the link of a mail. */
async function logIn(
  email: string,
  userAgent?: string,
  how: 'CODE' | 'LINK' = 'LINK',
): Promise<TestClient> {
  const { code, token } = (await makeChallenge(testApp.context, 'register', email)) ?? {};
  const client = testApp.visitor();
  const { status } = await client.send({
    method: 'POST',
    url: '/api/users/login/verify/',
    ...(userAgent !== undefined && { headers: { 'user-agent': userAgent } }),
    payload: how === 'LINK' ? { token } : { email, registration_token: code },
  });
  expect(status).toBe(200);
  return client;
}

async function inSessions(email: string, change: string): Promise<void> {
  await sql`UPDATE session SET ${sql.raw(change)}
    WHERE account_id = (SELECT id FROM account WHERE email = ${email})`.execute(testApp.context.db);
}

describe('the list', () => {
  // SEC-1, SEC-2
  test('has this session first, then the last seen, each with its browser and how it began', async () => {
    const email = newAddress();
    const first = await logIn(email, FIREFOX, 'CODE');
    await inSessions(email, "last_seen_at = now() - interval '3 hours'");
    const second = await logIn(email, SAFARI);
    await inSessions(email, "last_seen_at = last_seen_at - interval '20 minutes'");
    await logIn(email);
    const { status, body } = await second.get(SESSIONS);
    expect(status).toBe(200);
    const any: unknown = expect.any(String);
    const its = { uuid: any, created_at: any, last_seen_at: any };
    expect(body).toEqual([
      { ...its, browser: 'Safari på iPhone', how: 'LINK', is_this: true },
      { ...its, browser: 'Ukjent nettleser', how: 'LINK', is_this: false },
      { ...its, browser: 'Firefox på Windows', how: 'CODE', is_this: false },
    ]);
    expect((await first.get(SESSIONS)).body[0]).toMatchObject({ how: 'CODE', is_this: true });
  });

  // SEC-2
  test('says when each was last seen, right to the hour, and writes no more often', async () => {
    const email = newAddress();
    const client = await logIn(email);
    const seen = async () => {
      await client.get(SESSION);
      const { rows } = await sql<{ minutes: number; row: string }>`
        SELECT round(extract(epoch FROM now() - last_seen_at) / 60)::integer AS minutes, session.xmin::text AS row
        FROM session JOIN account ON account.id = session.account_id WHERE email = ${email}`.execute(
        testApp.context.db,
      );
      return rows[0];
    };
    const before = await seen();
    expect(await seen()).toEqual(before);
    await inSessions(email, "last_seen_at = now() - interval '59 minutes'");
    expect(await seen()).toMatchObject({ minutes: 59 });
    await inSessions(email, "last_seen_at = now() - interval '61 minutes'");
    expect(await seen()).toMatchObject({ minutes: 0 });
  });

  // SEC-1
  test('has neither expired sessions nor those of other accounts', async () => {
    const email = newAddress();
    await logIn(email);
    await inSessions(email, "expires_at = now() - interval '1 second'");
    const client = await logIn(email);
    await logIn(newAddress());
    expect((await client.get(SESSIONS)).body).toHaveLength(1);
  });

  // SEC-4
  test('and its calls are closed to API tokens', async () => {
    const email = newAddress();
    const client = await logIn(email);
    const { rows } = await sql<{ id: number }>`
      SELECT company.id FROM company JOIN account ON account.id = company.account_id
      WHERE account.email = ${email}`.execute(testApp.context.db);
    const made = await createApiToken(testApp.context, {
      companyId: rows[0]?.id ?? 0,
      email,
      name: 'Kasse',
    });
    const headers = { authorization: `Bearer ${made?.token}` };
    const [{ uuid }] = (await client.get(SESSIONS)).body;
    for (const [method, url] of [
      ['GET', SESSIONS],
      ['DELETE', SESSIONS],
      ['DELETE', `${SESSIONS}${uuid}/`],
    ] as const) {
      const answer = await testApp.visitor().send({ method, url, headers });
      expect(answer).toMatchObject({
        status: 403,
        body: { detail: [{ message: expect.stringContaining('API token') }] },
      });
    }
    expect((await client.get(SESSION)).status).toBe(200);
  });
});

describe('ending', () => {
  const own = async (client: TestClient) => (await client.get(SESSIONS)).body[0].uuid as string;

  // SEC-3
  test('another session makes its next call 401', async () => {
    const email = newAddress();
    const [here, there] = [await logIn(email), await logIn(email)];
    const answer = await here.delete(`${SESSIONS}${await own(there)}/`);
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect((await there.get(SESSION)).status).toBe(401);
    expect((await here.get(SESSIONS)).body).toHaveLength(1);
  });

  // SEC-3
  test('this session takes its cookie away', async () => {
    const client = await logIn(newAddress());
    const former = client.cookieHeader;
    const answer = await client.delete(`${SESSIONS}${await own(client)}/`);
    expect(answer.status).toBe(204);
    expect(String(answer.headers['set-cookie'])).toMatch(/^faktur_session=;.*Expires=.*1970/);
    const again = { method: 'GET', url: SESSION, headers: { cookie: former } } as const;
    expect((await testApp.visitor().send(again)).status).toBe(401);
  });

  // SEC-3
  test('all others leaves this one alone, and those of other accounts', async () => {
    const email = newAddress();
    const [here, there, stranger] = [
      await logIn(email),
      await logIn(email),
      await logIn(newAddress()),
    ];
    expect(await here.delete(SESSIONS)).toMatchObject({ status: 204, text: '' });
    expect((await there.get(SESSION)).status).toBe(401);
    expect((await here.get(SESSION)).status).toBe(200);
    expect((await stranger.get(SESSION)).status).toBe(200);
  });

  // SEC-3
  test('somebody else’s, an unknown or an ended one is 404', async () => {
    const [client, stranger] = [await logIn(newAddress()), await logIn(newAddress())];
    const theirs = await own(stranger);
    for (const uuid of [theirs, crypto.randomUUID(), 'x']) {
      expect((await client.delete(`${SESSIONS}${uuid}/`)).status).toBe(404);
    }
    expect((await stranger.delete(`${SESSIONS}${theirs}/`)).status).toBe(204);
    expect((await client.delete(`${SESSIONS}${theirs}/`)).status).toBe(404);
  });
});

describe('the mail of a new browser', () => {
  // SEC-5
  test('tells when, with what, and where to end it', async () => {
    const email = newAddress();
    await logIn(email, FIREFOX);
    await logIn(email, SAFARI);
    const mail = await readMail(await mailServer.waitForMail(({ to }) => to.includes(email)));
    expect(mail.subject).toBe('Ny innlogging i Faktur');
    expect(mail.text).toContain('Safari på iPhone');
    expect(mail.text).toMatch(/\d+\. \w+ 20\d\d kl\. \d\d:\d\d/);
    expect(mail.text).toContain('http://faktur.test/profile/#security');
  });

  const age = async (email: string, days: number) =>
    sql`UPDATE known_browser SET last_login_at = now() - make_interval(days => ${days})
      WHERE account_id = (SELECT id FROM account WHERE email = ${email})`.execute(
      testApp.context.db,
    );

  // SEC-5
  test('is not sent at the first login, nor again from the same browser in 90 days', async () => {
    const email = newAddress();
    await logIn(email, FIREFOX);
    await logIn(email, FIREFOX.replaceAll('145.0', '146.0'));
    await age(email, 89);
    await forgetExpired(testApp.context);
    await logIn(email, FIREFOX);
    // A mail that is sent now comes after those that should not be.
    await logIn(email, SAFARI);
    const mailsTo = () => mailServer.mails.filter(({ to }) => to.includes(email));
    await mailServer.waitForMail(({ to }) => to.includes(email));
    expect(mailsTo()).toHaveLength(1);
  });

  // SEC-5
  test('is sent again after 90 days without a login', async () => {
    const email = newAddress();
    await logIn(email, FIREFOX);
    await age(email, 91);
    await forgetExpired(testApp.context);
    await logIn(email, FIREFOX);
    const mail = await readMail(await mailServer.waitForMail(({ to }) => to.includes(email)));
    expect(mail.text).toContain('Firefox på Windows');
  });
});

// SEC-5
test('with the feature off nobody is mailed, and what is known stays', async () => {
  const email = newAddress();
  const plain = await startTestApp({ FEATURES: '' });
  const { context } = plain;
  const client = await plain.login(email);
  await plain.login(email);
  await sql`DELETE FROM known_browser`.execute(context.db);
  await plain.login(email);
  const { rows } = await sql`SELECT name FROM jobs.job WHERE name = 'security-mail'`.execute(
    context.db,
  );
  expect(rows).toEqual([]);
  const known = await sql`SELECT browser FROM known_browser`.execute(context.db);
  expect(known.rows).toEqual([{ browser: '' }]);
  expect((await client.get(SESSIONS)).status).toBe(404);
  await plain.close();
});
