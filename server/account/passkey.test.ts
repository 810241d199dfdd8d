import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { type CaughtMail, readMail } from '../testing/mails.ts';
import {
  addTo,
  Authenticator,
  type KeyKind,
  WITHOUT_PRESENCE,
  WITHOUT_VERIFICATION,
} from '../testing/passkeys.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';
import { withStatements } from '../testing/statements.ts';

const PASSKEYS = '/api/users/passkeys/';
const LOGIN = '/api/users/login/passkey/';
const PROVE = '/api/users/prove/';
const SESSION = '/api/users/session/';
const REFUSED = { status: 400, body: { detail: [{ message: 'The passkey was not accepted' }] } };

let mailServer: MailServer;
let testApp: TestApp;

beforeAll(async () => {
  mailServer = await startMailServer();
  testApp = await startTestApp({
    SMTP_URL: mailServer.url,
    FEATURES: 'security,payments',
    LOGIN_LIMIT_PER_IP: '1000000',
  });
});
afterAll(async () => {
  await testApp.close();
  await mailServer.close();
});

let people = 0;

interface Person {
  readonly email: string;
  readonly client: TestClient;
  readonly key: Authenticator;
}

async function newPerson(kind?: KeyKind): Promise<Person> {
  const email = `nokkel${++people}@example.no`;
  const client = await testApp.login(email);
  const key = new Authenticator(kind);
  expect((await addTo(client, key)).status).toBe(201);
  return { email, client, key };
}

async function loginOptions() {
  return (await testApp.visitor().post(`${LOGIN}options/`, {})).body;
}

type Lies = Parameters<Authenticator['get']>[1];

async function logIn(key: Authenticator, lies?: Lies, client = testApp.visitor()) {
  return client.post(LOGIN, { response: key.get(await loginOptions(), lies) });
}

async function endProofs({ email }: Person): Promise<void> {
  await sql`UPDATE session SET proved_at = NULL
    WHERE account_id = (SELECT id FROM account WHERE email = ${email})`.execute(testApp.context.db);
}

async function subjectTo(email: string, subject: string) {
  return readMail(
    await mailServer.waitForMail((mail) => mail.to.includes(email) && mail.subject === subject),
  );
}

describe('a passkey', () => {
  // SEC-13, SEC-14
  test.each(['P-256', 'Ed25519', 'RSA'] as const)('of %s is added, and logs in', async (kind) => {
    const { email, key } = await newPerson(kind);
    const visitor = testApp.visitor();
    expect(await logIn(key, {}, visitor)).toMatchObject({
      status: 200,
      body: { email, proved_until: expect.any(String) },
    });
    expect((await visitor.get(SESSION)).body.email).toBe(email);
    const [own] = (await visitor.get('/api/users/sessions/')).body;
    expect(own).toMatchObject({ how: 'PASSKEY', is_this: true });
  });

  // SEC-13
  test('is made with options that keep to the specification', async () => {
    const email = `nokkel${++people}@example.no`;
    const client = await testApp.login(email);
    const { status, body } = await client.post(`${PASSKEYS}options/`);
    expect(status).toBe(200);
    expect(body).toEqual({
      rp: { id: 'faktur.test', name: 'Faktur' },
      user: { id: expect.stringMatching(/^[\w-]{22}$/), name: email, displayName: email },
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
      timeout: 300_000,
      excludeCredentials: [],
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      attestation: 'none',
    });
    const key = new Authenticator();
    await addTo(client, key);
    const again = (await client.post(`${PASSKEYS}options/`)).body;
    expect(again.user.id).toBe(body.user.id);
    expect(again.challenge).not.toBe(body.challenge);
    expect(again.excludeCredentials).toEqual([
      { type: 'public-key', id: key.id.toString('base64url') },
    ]);
    expect(await loginOptions()).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      timeout: 300_000,
      rpId: 'faktur.test',
      userVerification: 'required',
    });
  });

  // SEC-13, SEC-15
  test('is listed, renamed and removed, also the last one, and the account is told', async () => {
    const { email, client, key } = await newPerson();
    const [listed] = (await client.get(PASSKEYS)).body;
    expect(listed).toEqual({
      uuid: expect.any(String),
      name: 'Telefon',
      created_at: expect.any(String),
      last_used_at: null,
      is_synced: true,
    });
    const added = await subjectTo(email, 'En passnøkkel er lagt til');
    expect(added.text).toContain('Telefon');
    expect(added.text).toContain('http://faktur.test/profile/#security');
    await logIn(key);
    const url = `${PASSKEYS}${listed.uuid}/`;
    const renamed = await client.put(url, { name: '  Min telefon ' });
    expect(renamed.body).toMatchObject({ name: 'Min telefon', last_used_at: expect.any(String) });
    expect((await client.put(url, { name: 'x'.repeat(101) })).status).toBe(400);
    expect((await client.put(url, { name: ' ' })).status).toBe(400);
    const stranger = await newPerson();
    expect((await stranger.client.put(url, { name: 'Min' })).status).toBe(404);
    expect((await stranger.client.delete(url)).status).toBe(404);
    expect(await client.delete(url)).toMatchObject({ status: 204, text: '' });
    await subjectTo(email, 'En passnøkkel er fjernet');
    expect((await client.get(PASSKEYS)).body).toEqual([]);
    expect(await logIn(key)).toMatchObject(REFUSED);
    expect((await (await testApp.login(email)).get(SESSION)).body.email).toBe(email);
  });

  // SEC-13
  test('is one of ten at most, and none is added twice', async () => {
    const { client, key } = await newPerson();
    const { body: options } = await client.post(`${PASSKEYS}options/`);
    const twice = { name: 'Igjen', response: key.create(options) };
    expect((await client.post(PASSKEYS, twice)).status).toBe(409);
    const { body: spare } = await client.post(`${PASSKEYS}options/`);
    for (let count = 1; count < 10; count += 1) {
      expect((await addTo(client, new Authenticator())).status).toBe(201);
    }
    expect((await client.post(`${PASSKEYS}options/`)).status).toBe(409);
    const eleventh = { name: 'Ellevte', response: new Authenticator().create(spare) };
    expect((await client.post(PASSKEYS, eleventh)).status).toBe(409);
    expect((await client.get(PASSKEYS)).body).toHaveLength(10);
  });

  // SEC-8, SEC-13
  test('is added and removed with a proof alone', async () => {
    const person = await newPerson();
    const { client } = person;
    const [{ uuid }] = (await client.get(PASSKEYS)).body;
    const { body: options } = await client.post(`${PASSKEYS}options/`);
    await endProofs(person);
    const added = { name: 'Ny', response: new Authenticator().create(options) };
    for (const answer of [
      await client.post(`${PASSKEYS}options/`),
      await client.post(PASSKEYS, added),
      await client.delete(`${PASSKEYS}${uuid}/`),
    ]) {
      expect(answer).toMatchObject({ status: 403, body: { proof_needed: true } });
    }
    expect((await client.put(`${PASSKEYS}${uuid}/`, { name: 'Nytt navn' })).status).toBe(200);
  });
});

/** The faults that a use of a passkey can have. */
const LIES: readonly (readonly [what: string, lies: NonNullable<Lies>])[] = [
  ['another origin', { origin: 'https://faktur.test' }],
  ['an origin of another port', { origin: 'http://faktur.test:81' }],
  ['another host', { rpId: 'example.no' }],
  ['another type', { type: 'webauthn.create' }],
  ['a page in another’s frame', { crossOrigin: true }],
  ['nobody present', { flags: WITHOUT_PRESENCE }],
  ['nobody verified', { flags: WITHOUT_VERIFICATION }],
  ['a forged signature', { isForged: true }],
  ['another account', { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' }],
  ['no account', { userHandle: null }],
];

describe('a login is refused with one answer', () => {
  // SEC-14
  test.each(LIES)('with %s, and the challenge is used up', async (_, lies) => {
    const { key } = await newPerson();
    const options = await loginOptions();
    const visitor = testApp.visitor();
    expect(await visitor.post(LOGIN, { response: key.get(options, lies) })).toMatchObject(REFUSED);
    expect(await visitor.post(LOGIN, { response: key.get(options) })).toMatchObject(REFUSED);
    expect((await visitor.get(SESSION)).status).toBe(401);
    expect((await logIn(key, { crossOrigin: false })).status).toBe(200);
  });

  // SEC-14
  test('for an unknown passkey, after the same statements as for a known one', async () => {
    const { key } = await newPerson();
    const unknown = new Authenticator();
    unknown.userHandle = key.userHandle;
    const [known, other] = [
      key.get(await loginOptions(), { isForged: true }),
      unknown.get(await loginOptions()),
    ];
    const statementsOf = async (response: object) =>
      withStatements(async () => testApp.visitor().post(LOGIN, { response }));
    const [ofKnown, ofOther] = [await statementsOf(known), await statementsOf(other)];
    expect([ofKnown.answer, ofOther.answer]).toMatchObject([REFUSED, REFUSED]);
    const textsOf = ({ statements }: typeof ofKnown) => statements.map(({ sql: text }) => text);
    expect(textsOf(ofOther)).toEqual(textsOf(ofKnown));
    expect(textsOf(ofKnown).length).toBeGreaterThan(1);
  });

  // SEC-14
  test('for a challenge that is unknown, used, old, or of another ceremony', async () => {
    const person = await newPerson();
    const { client, key } = person;
    const used = await loginOptions();
    expect((await testApp.visitor().post(LOGIN, { response: key.get(used) })).status).toBe(200);
    const old = await loginOptions();
    await sql`UPDATE passkey_challenge SET expires_at = now()`.execute(testApp.context.db);
    const ahead = await loginOptions();
    await sql`UPDATE passkey_challenge SET expires_at = now() + interval '1 hour'`.execute(
      testApp.context.db,
    );
    const toAdd = (await client.post(`${PASSKEYS}options/`)).body;
    const toProve = (await client.post(`${PROVE}options/`)).body;
    for (const options of [used, old, ahead, toAdd, toProve, { challenge: 'AAAA' }]) {
      const answer = await testApp.visitor().post(LOGIN, { response: key.get(options) });
      expect(answer).toMatchObject(REFUSED);
    }
    const forLogin = key.create({ ...toAdd, challenge: (await loginOptions()).challenge });
    expect((await client.post(PASSKEYS, { name: 'x', response: forLogin })).status).toBe(400);
  });

  // SEC-14
  test.each([
    ['the same', 5, 5],
    ['a lower', 5, 4],
    ['none any more', 5, 0],
  ])('with a counter that is %s, and the account is told', async (_, first, next) => {
    const { email, key } = await newPerson();
    expect((await logIn(key, { counter: first })).status).toBe(200);
    expect(await logIn(key, { counter: next, isForged: true })).toMatchObject(REFUSED);
    const isMailed = ({ to, subject }: CaughtMail) =>
      to.includes(email) && subject === 'En passnøkkel kan være kopiert';
    expect(mailServer.mails.some(isMailed)).toBe(false);
    expect(await logIn(key, { counter: next })).toMatchObject(REFUSED);
    await subjectTo(email, 'En passnøkkel kan være kopiert');
    expect((await logIn(key, { counter: first + 1 })).status).toBe(200);
  });

  // SEC-14
  test('of two that come at once with one counter', async () => {
    const { key } = await newPerson();
    const twice = await Promise.all([logIn(key, { counter: 9 }), logIn(key, { counter: 9 })]);
    expect(new Set(twice.map(({ status }) => status))).toEqual(new Set([200, 400]));
  });

  // SEC-14
  test('of two that come at once with one challenge', async () => {
    const { key } = await newPerson();
    const response = key.get(await loginOptions());
    const post = async () => testApp.visitor().post(LOGIN, { response });
    const twice = await Promise.all([post(), post()]);
    expect(new Set(twice.map(({ status }) => status))).toEqual(new Set([200, 400]));
  });

  // SEC-14
  test('with bytes that are no passkey', async () => {
    const { key } = await newPerson();
    const good = key.get(await loginOptions());
    for (const rubbish of [
      { clientDataJSON: 'AAAA' },
      { clientDataJSON: Buffer.from('null').toString('base64url') },
      { clientDataJSON: Buffer.from('{"challenge":{}}').toString('base64url') },
      { authenticatorData: 'AAAA' },
      { signature: 'AAAA' },
      { signature: '%%%' },
    ]) {
      const response = { ...good, response: { ...good.response, ...rubbish } };
      expect((await testApp.visitor().post(LOGIN, { response })).status).toBe(400);
    }
    expect((await testApp.visitor().post(LOGIN, {})).status).toBe(400);
    expect((await testApp.visitor().post(LOGIN, { response: { id: key.id } })).status).toBe(400);
  });
});

describe('adding is refused', () => {
  // SEC-13
  test.each(
    LIES.slice(0, 7).map(
      ([what, lies]) => [what, { ...lies, ...(lies.type && { type: 'webauthn.get' }) }] as const,
    ),
  )('with %s', async (_, lies) => {
    const client = await testApp.login();
    expect(await addTo(client, new Authenticator(), lies)).toMatchObject(REFUSED);
    expect((await client.get(PASSKEYS)).body).toEqual([]);
  });

  // SEC-13
  test('for a challenge of another account', async () => {
    const [one, other] = [await testApp.login(), await testApp.login()];
    const { body: options } = await one.post(`${PASSKEYS}options/`);
    const response = new Authenticator().create(options);
    expect(await other.post(PASSKEYS, { name: 'x', response })).toMatchObject(REFUSED);
    expect(await one.post(PASSKEYS, { name: 'x', response })).toMatchObject(REFUSED);
  });
});

describe('a session is proved', () => {
  // SEC-9
  test('by a passkey of the account, also without its handle', async () => {
    const person = await newPerson();
    const { client, key } = person;
    for (const lies of [{}, { userHandle: null }]) {
      await endProofs(person);
      const { body: options } = await client.post(`${PROVE}options/`);
      expect(options.allowCredentials).toEqual([
        { type: 'public-key', id: key.id.toString('base64url') },
      ]);
      const answer = await client.post(PROVE, { response: key.get(options, lies) });
      expect(answer).toMatchObject({ status: 200, body: { proved_until: expect.any(String) } });
    }
    expect((await client.delete('/api/users/kid-agreement/')).status).toBe(204);
  });

  // SEC-9
  test('by no passkey of another account, and by none of its own without a right signature', async () => {
    const [person, stranger] = [await newPerson(), await newPerson()];
    await endProofs(person);
    const options = async () => (await person.client.post(`${PROVE}options/`)).body;
    for (const response of [
      stranger.key.get(await options()),
      person.key.get(await options(), { isForged: true }),
      person.key.get((await stranger.client.post(`${PROVE}options/`)).body),
      person.key.get(await loginOptions()),
    ]) {
      expect(await person.client.post(PROVE, { response })).toMatchObject(REFUSED);
    }
    expect((await person.client.get(SESSION)).body.proved_until).toBeNull();
  });

  // SEC-9
  test('by a code or a passkey, not by both or neither; and who has none is told', async () => {
    const person = await newPerson();
    const { body: options } = await person.client.post(`${PROVE}options/`);
    const response = person.key.get(options);
    for (const body of [{}, { code: 'AAAAAA', response }]) {
      expect((await person.client.post(PROVE, body)).status).toBe(400);
    }
    const without = await testApp.login();
    expect((await without.post(`${PROVE}options/`)).status).toBe(409);
  });
});

// SEC-14
test('a hundred refused tries of a network are the last ones for ten minutes', async () => {
  const plain = await startTestApp({ FEATURES: 'security', LOGIN_LIMIT_PER_IP: '3' });
  const key = new Authenticator();
  key.userHandle = 'AAAA';
  const attempt = async () => {
    const { body } = await plain.visitor().post(`${LOGIN}options/`, {});
    return (await plain.visitor().post(LOGIN, { response: key.get(body) })).status;
  };
  expect([await attempt(), await attempt(), await attempt(), await attempt()]).toEqual([
    400, 400, 400, 429,
  ]);
  await plain.close();
});

// SEC-12
test.each(['http://127.0.0.1:3000', 'http://[::1]:3000'])(
  'at the address %s there are no passkeys, and the rest is there',
  async (url) => {
    const plain = await startTestApp({ FEATURES: 'security', PUBLIC_URL: url });
    const client = await plain.login();
    for (const path of [
      `${PASSKEYS}options/`,
      PASSKEYS,
      `${LOGIN}options/`,
      LOGIN,
      `${PROVE}options/`,
    ]) {
      expect((await client.post(path, {})).status).toBe(404);
    }
    expect((await client.get(PASSKEYS)).status).toBe(404);
    expect((await client.get('/api/users/sessions/')).status).toBe(200);
    const { body } = await client.get('/api/openapi.json');
    expect(Object.keys(body.paths).filter((path) => path.includes('passkey'))).toEqual([]);
    expect(body.paths[`${PROVE}options/`]).toBeUndefined();
    await plain.close();
  },
);
