import { createHash } from 'node:crypto';

import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { addDays, dayAndTime, todayInOslo } from '../../domain/date.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import { completeProfile, createCustomer, createDraft, register } from '../testing/factories.ts';
import { loginCodeIn, readMail } from '../testing/mails.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';
import { withStatements } from '../testing/statements.ts';
import { deleteOldLinks } from './overview-link.service.ts';

const OWNER = 'eier@example.no';
const BANK = 'kunderadgiver@banken.example';
const TODAY = todayInOslo();
const EVERYTHING = ['TURNOVER', 'VAT', 'OUTSTANDING', 'OVERDUE', 'CUSTOMERS'];

let smtp: MailServer;
let testApp: TestApp;
let owner: TestClient;
let companyId: number;
let log = '';

beforeAll(async () => {
  smtp = await startMailServer();
  testApp = await startTestApp(
    { FEATURES: 'overview', SMTP_URL: smtp.url, LOG_LEVEL: 'debug', DISPATCH: 'staff' },
    { logStream: { write: (line) => (log += line) } },
  );
  owner = await testApp.login(OWNER);
  await completeProfile(owner, { company_name: 'Øst & <b>Vest</b> AS' });
  companyId = await companyIdOf(testApp.context.db, OWNER);
  const customer = await createCustomer(owner, { name: 'Kunde <script>alert(1)</script>' });
  await register(owner, await createDraft(owner, customer));
});
afterAll(async () => {
  await testApp.close();
  await smtp.close();
});
beforeEach(async () => {
  const { db } = testApp.context;
  await db.deleteFrom('rateLimit').execute();
  // Those of the tests before do not count among the 20.
  for (const { uuid } of (await owner.get('/api/overview/links/')).body) {
    await owner.delete(`/api/overview/links/${uuid}/`);
  }
});

/** Makes a link. Returns its row and its token. */
async function share(changes: object = {}) {
  const answer = await owner.post('/api/overview/links/', {
    name: 'Styret',
    shows: ['TURNOVER', 'VAT', 'OUTSTANDING', 'OVERDUE'],
    period: 'THIS_YEAR',
    days: 30,
    ...changes,
  });
  expect(answer.status).toBe(201);
  const token = /^http:\/\/faktur\.test\/delt\/([a-z2-7]{32})\/$/.exec(answer.body.url)?.[1];
  return { link: answer.body as { uuid: string; url: string }, token: token ?? 'none' };
}

async function listed() {
  return (await owner.get('/api/overview/links/')).body;
}

/** Moves the end of a link to a day before now, as time does. */
async function age(uuid: string, days: number): Promise<void> {
  const { db } = testApp.context;
  await db.transaction().execute(async (trx) => {
    await sql`ALTER TABLE overview_link DISABLE TRIGGER overview_link_kept`.execute(trx);
    await sql`UPDATE overview_link SET created_at = created_at - make_interval(days => ${days}),
      expires_at = expires_at - make_interval(days => ${days}),
      revoked_at = revoked_at - make_interval(days => ${days})
      WHERE company_id = ${companyId} AND uuid = ${uuid}`.execute(trx);
    await sql`ALTER TABLE overview_link ENABLE TRIGGER overview_link_kept`.execute(trx);
  });
}

describe('a link', () => {
  // OVER-14
  test('is told once, and listed with its use', async () => {
    const { link, token } = await share();
    const row = {
      uuid: link.uuid,
      name: 'Styret',
      shows: ['TURNOVER', 'VAT', 'OUTSTANDING', 'OVERDUE'],
      from: null,
      to: null,
      period: 'THIS_YEAR',
      email: null,
      revoked_at: null,
      last_used_at: null,
      days_used: 0,
    };
    const [before] = await listed();
    expect(before).toMatchObject(row);
    expect(JSON.stringify(await listed())).not.toContain(token);
    const inMonth = Date.parse(before.expires_at) - Date.parse(before.created_at);
    expect(inMonth / 86_400_000).toBe(30);
    // Several uses of a day are one day.
    for (const path of [`/api/shared/${token}/`, `/delt/${token}/`]) {
      expect((await testApp.visitor().get(path)).status).toBe(200);
    }
    const [after] = await listed();
    expect(after).toMatchObject({ ...row, days_used: 1, last_used_at: expect.any(String) });
  });

  // OVER-11
  test('shows what it was made for, and the same as the overview', async () => {
    const { token } = await share({ shows: ['VAT', 'OVERDUE'] });
    const { body } = await testApp.visitor().get(`/api/shared/${token}/`);
    const overview = (await owner.get('/api/overview/')).body;
    const year = TODAY.slice(0, 4);
    expect(body).toEqual({
      company: 'Øst & <b>Vest</b> AS',
      name: 'Styret',
      shows: ['VAT', 'OVERDUE'],
      from: `${year}-01-01`,
      to: `${year}-12-31`,
      as_of: TODAY,
      expires_at: expect.any(String),
      turnover: null,
      vat: overview.vat,
      outstanding: null,
      overdue: overview.overdue,
      customers: null,
      median_days: null,
    });
    const page = await testApp.visitor().get(`/delt/${token}/`);
    expect(page.text).toContain('<h2>Utgående mva per termin</h2>');
    expect(page.text).toContain(`Lenken virker til ${dayAndTime(body.expires_at)}.`);
    for (const heading of ['Omsetning', 'Utestående', 'Største kunder']) {
      expect(page.text).not.toContain(`<h2>${heading}`);
    }
  });

  // OVER-11
  test.each([
    [
      { from: '2025-01-01', to: '2025-03-31', period: null },
      '2025-01-01',
      '2025-03-31',
      '2025-03-31',
    ],
    [
      { period: 'LAST_12_MONTHS' },
      addDays(`${Number(TODAY.slice(0, 4)) - 1}${TODAY.slice(4)}`, 1),
      TODAY,
      TODAY,
    ],
  ])('has its period: %j', async (changes, from, to, as_of) => {
    const { token } = await share(changes);
    const { body } = await testApp.visitor().get(`/api/shared/${token}/`);
    expect(body).toMatchObject({ from, to, as_of });
  });

  test('of a year that is over is judged on its last day', async () => {
    const { token } = await share({ period: 'LAST_YEAR' });
    const { body } = await testApp.visitor().get(`/api/shared/${token}/`);
    expect(body.as_of).toBe(`${Number(TODAY.slice(0, 4)) - 1}-12-31`);
    expect(body.outstanding.total).toBe(0);
  });

  // OVER-12
  test.each([
    ['no name', { name: ' ' }],
    ['nothing to show', { shows: [] }],
    ['the same twice', { shows: ['VAT', 'VAT'] }],
    ['an unknown figure', { shows: ['PROFIT'] }],
    ['no period', { period: null }],
    ['two periods', { from: '2026-01-01', to: '2026-01-31' }],
    ['half a period', { period: null, from: '2026-01-01' }],
    ['a period that ends before it begins', { period: null, from: '2026-02-01', to: '2026-01-01' }],
    ['no end', { days: null }],
    ['an end of its own', { days: 1000 }],
    ['names of customers for anybody', { shows: ['CUSTOMERS'] }],
    ['no address', { email: 'styret' }],
  ])('with %s is refused', async (_, changes) => {
    const answer = await owner.post('/api/overview/links/', {
      name: 'Styret',
      shows: ['TURNOVER'],
      period: 'THIS_YEAR',
      days: 30,
      ...changes,
    });
    expect(answer.status).toBe(400);
  });

  // OVER-13
  test('is one of 20 at most, of which ended ones are none', async () => {
    const links = await Promise.all(Array.from({ length: 20 }, async () => share()));
    const body = { name: 'Banken', shows: ['VAT'], period: 'THIS_YEAR', days: 7 };
    const full = await owner.post('/api/overview/links/', body);
    expect(full.status).toBe(409);
    expect(full.body.detail[0].message).toContain('20 links');
    expect((await owner.delete(`/api/overview/links/${links[0]?.link.uuid}/`)).status).toBe(204);
    expect((await owner.post('/api/overview/links/', body)).status).toBe(201);
  });

  // OVER-14
  test('that has ended is listed for 30 days, and then deleted with its use', async () => {
    const { link, token } = await share();
    await testApp.visitor().get(`/api/shared/${token}/`);
    await owner.delete(`/api/overview/links/${link.uuid}/`);
    expect((await owner.delete(`/api/overview/links/${link.uuid}/`)).status).toBe(404);
    await age(link.uuid, 29);
    await deleteOldLinks(testApp.context);
    const isListed = async () =>
      (await listed()).some(({ uuid }: { uuid: string }) => uuid === link.uuid);
    expect(await isListed()).toBe(true);
    await age(link.uuid, 1);
    expect(await isListed()).toBe(false);
    const stored = async () =>
      sql`SELECT FROM overview_link WHERE company_id = ${companyId} AND uuid = ${link.uuid}`.execute(
        testApp.context.db,
      );
    expect((await stored()).rows).toHaveLength(1);
    await deleteOldLinks(testApp.context);
    expect((await stored()).rows).toHaveLength(0);
  });
});

// OVER-10
describe('the page', () => {
  test('needs no session, sets none, and loads nothing', async () => {
    const { token } = await share();
    for (const client of [testApp.visitor(), owner]) {
      const { status, headers, text } = await client.get(`/delt/${token}/`);
      expect(status).toBe(200);
      expect(headers['set-cookie']).toBeUndefined();
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'private, no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex, nofollow, noarchive',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      });
      const style = /<style>([^]*?)<\/style>/.exec(text)?.[1] ?? '';
      const hash = createHash('sha256').update(style).digest('base64');
      expect(headers['content-security-policy']).toBe(
        `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      );
      expect(text).toContain('<title>Oversikt</title>');
      expect(text).not.toMatch(/<script|<link|<img|<iframe| style=| on\w+=|https?:|og:/i);
      expect(text).toContain('Øst &amp; &lt;b&gt;Vest&lt;/b&gt; AS');
      expect(text).toContain('<h2>Omsetning per måned</h2>');
    }
  });

  test('is not used by a look at its headers, and takes nothing but its form', async () => {
    const { token } = await share();
    for (const url of [`/delt/${token}/`, `/api/shared/${token}/`]) {
      const head = await testApp.visitor().send({ method: 'HEAD', url });
      expect(head).toMatchObject({ status: 200, text: '' });
      for (const method of ['PUT', 'DELETE', 'PATCH'] as const) {
        expect((await testApp.visitor().send({ method, url })).status).toBe(404);
      }
    }
    expect((await listed())[0].days_used).toBe(0);
  });
});

/** Sends a form of the page as a browser does. */
async function submit(client: TestClient, token: string, fields: Record<string, string>) {
  return client.send({
    method: 'POST',
    url: `/delt/${token}/`,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'null',
      'sec-fetch-site': 'same-origin',
    },
    payload: new URLSearchParams(fields).toString(),
  });
}

/** The code of the next mail to the bank. */
async function nextCode(ask: () => Promise<unknown>): Promise<string> {
  const before = smtp.mails.length;
  await ask();
  const mail = await smtp.waitForMail(
    (caught) => smtp.mails.indexOf(caught) >= before && caught.to.includes(BANK),
  );
  return loginCodeIn(mail.subject) ?? 'none';
}

// OVER-12
describe('a link for one address', () => {
  const forBank = async () => share({ name: 'Banken', shows: EVERYTHING, email: BANK });

  test('shows nothing before it is confirmed, not even whose it is', async () => {
    const { token } = await forBank();
    const visitor = testApp.visitor();
    const data = await visitor.get(`/api/shared/${token}/`);
    expect(data.status).toBe(403);
    const page = await visitor.get(`/delt/${token}/`);
    expect(page.status).toBe(403);
    expect(page.text).toContain('Er det deg lenken er til?');
    for (const secret of ['Vest', 'Banken', BANK, 'Kunde']) {
      expect(data.text + page.text).not.toContain(secret);
    }
    // The owner too confirms, since no session is read.
    expect((await owner.get(`/api/shared/${token}/`)).status).toBe(403);
    expect((await listed())[0].days_used).toBe(0);
  });

  test('is confirmed on its page, by the code that was mailed', async () => {
    const { token } = await forBank();
    const visitor = testApp.visitor();
    const code = await nextCode(async () => {
      const asked = await submit(visitor, token, { email: ` ${BANK.toUpperCase()} ` });
      expect(asked.status).toBe(200);
      expect(asked.text).toContain('Skriv inn koden');
    });
    const wrong = await submit(visitor, token, { code: 'AAAAAA' });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('role="alert"');
    const right = await submit(visitor, token, { code: ` ${code.toLowerCase()} ` });
    expect(right.status).toBe(303);
    expect(right.headers.location).toBe(`/delt/${token}/`);
    const cookies = [right.headers['set-cookie'] ?? []].flat();
    expect(cookies.map((cookie) => cookie.replace(/=[^;]+/, ''))).toEqual([
      `faktur_delt; Max-Age=2592000; Path=/api/shared/${token}/; HttpOnly; SameSite=Lax`,
      `faktur_delt; Max-Age=2592000; Path=/delt/${token}/; HttpOnly; SameSite=Lax`,
    ]);
    const page = await visitor.get(`/delt/${token}/`);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Kunde &lt;script&gt;alert(1)&lt;/script&gt;');
    const { body } = await visitor.get(`/api/shared/${token}/`);
    expect(body.customers).toHaveLength(1);
    // A code works once. A second press of the button leads to the figures all the same.
    expect((await submit(testApp.visitor(), token, { code })).status).toBe(400);
    expect((await submit(visitor, token, { code })).status).toBe(303);
  });

  test('is confirmed through the API too', async () => {
    const { token } = await forBank();
    const visitor = testApp.visitor();
    const url = `/api/shared/${token}/code/`;
    const ask = async () => expect((await visitor.post(url, {})).status).toBe(204);
    const before = await nextCode(ask);
    const code = await nextCode(ask);
    // A new code voids the one before.
    expect((await visitor.post(url, { code: before })).status).toBe(400);
    expect((await visitor.post(url, { code })).status).toBe(204);
    expect((await visitor.get(`/api/shared/${token}/`)).status).toBe(200);
    // The limits of logging in count.
    await sql`UPDATE rate_limit SET hits = 100 WHERE key LIKE 'login-%-ip:%'`.execute(
      testApp.context.db,
    );
    for (const body of [{}, { code }]) expect((await visitor.post(url, body)).status).toBe(429);
  });

  test('gets its mail in plain words', async () => {
    const { token } = await forBank();
    const before = smtp.mails.length;
    const code = await nextCode(async () => submit(testApp.visitor(), token, { email: BANK }));
    const { subject, text } = await readMail(smtp.mails[before]?.raw ?? Buffer.alloc(0));
    expect(subject).toBe(`${code} er koden din for å se tallene`);
    expect(text).toContain('Se tallene til Øst & <b>Vest</b> AS');
    expect(text).not.toContain(token);
  });

  test('mails nobody else, and answers the same to any address', async () => {
    const { token } = await forBank();
    const before = smtp.mails.length;
    const visitor = testApp.visitor();
    const [other, own] = [
      await submit(visitor, token, { email: 'tyv@example.no' }),
      await submit(visitor, token, { email: BANK }),
    ];
    expect([other.status, other.text]).toEqual([own.status, own.text]);
    await smtp.waitForMail((mail) => smtp.mails.indexOf(mail) >= before && mail.to.includes(BANK));
    expect(smtp.mails.slice(before).flatMap(({ to }) => to)).toEqual([BANK]);
    const empty = await submit(visitor, token, { email: 'ingen adresse' });
    expect(empty.status).toBe(400);
    expect(empty.text).toContain('Skriv en gyldig e-postadresse');
  });

  test('has a code that is void after five wrong ones, also of several at once', async () => {
    const { token } = await forBank();
    const visitor = testApp.visitor();
    const code = await nextCode(async () => submit(visitor, token, { email: BANK }));
    const wrong = Array.from({ length: 5 }, async () => submit(visitor, token, { code: 'AAAAAA' }));
    expect((await Promise.all(wrong)).map(({ status }) => status)).toEqual(Array(5).fill(400));
    expect((await submit(visitor, token, { code })).status).toBe(400);
  });

  test('has a code that ends after ten minutes', async () => {
    const { link, token } = await forBank();
    const visitor = testApp.visitor();
    const code = await nextCode(async () => submit(visitor, token, { email: BANK }));
    await sql`UPDATE overview_link SET code_expires_at = now() - interval '1 second'
      WHERE company_id = ${companyId} AND uuid = ${link.uuid}`.execute(testApp.context.db);
    expect((await submit(visitor, token, { code })).status).toBe(400);
  });

  test('is not opened by the cookie of another link, a changed one or an old one', async () => {
    const { token } = await forBank();
    const other = await forBank();
    const visitor = testApp.visitor();
    const code = await nextCode(async () => submit(visitor, token, { email: BANK }));
    const { headers } = await submit(visitor, token, { code });
    const value = /faktur_delt=([^;]+)/.exec([headers['set-cookie']].flat()[0] ?? '')?.[1] ?? '';
    const [ends = '', hash = ''] = value.split('.');
    const statusWith = async (cookie: string, of = token) =>
      (
        await testApp.visitor().send({
          method: 'GET',
          url: `/api/shared/${of}/`,
          headers: { cookie: `faktur_delt=${cookie}` },
        })
      ).status;
    expect(await statusWith(value)).toBe(200);
    expect(await statusWith(value, other.token)).toBe(403);
    for (const forged of [
      `${Number(ends) + 1}.${hash}`,
      `${ends}.`,
      `.${hash}`,
      'x',
      `NaN.${hash}`,
    ]) {
      expect(await statusWith(forged)).toBe(403);
    }
  });

  test('takes no form of another site, and no other form of its own', async () => {
    const { token } = await forBank();
    const foreign = await testApp.visitor().send({
      method: 'POST',
      url: `/delt/${token}/`,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'cross-site',
      },
      payload: 'code=AAAAAA',
    });
    expect(foreign.status).toBe(404);
    const open = await share();
    expect((await submit(testApp.visitor(), open.token, { code: 'AAAAAA' })).status).toBe(404);
    expect((await testApp.visitor().post(`/api/shared/${open.token}/code/`, {})).status).toBe(404);
  });
});

// OVER-10
describe('one answer for links', () => {
  test('that are wrong, ended or revoked, on each address of them', async () => {
    const [revoked, ended] = [await share(), await share()];
    await owner.delete(`/api/overview/links/${revoked.link.uuid}/`);
    await age(ended.link.uuid, 31);
    const tokens = [
      revoked.token,
      ended.token,
      'a'.repeat(32),
      'x',
      'a'.repeat(3000),
      '%00',
      "'--",
      '%F0%9F%92%A9',
    ];
    const ways = [
      async (token: string) => testApp.visitor().get(`/delt/${token}/`),
      async (token: string) => testApp.visitor().get(`/api/shared/${token}/`),
      async (token: string) => testApp.visitor().post(`/api/shared/${token}/code/`, {}),
      async (token: string) => submit(testApp.visitor(), token, { email: BANK }),
    ];
    for (const way of ways) {
      await testApp.context.db.deleteFrom('rateLimit').execute();
      const answers = await Promise.all(tokens.map(way));
      for (const { status, text, headers } of answers) {
        expect([status, text]).toEqual([404, answers[0]?.text]);
        expect(headers).toMatchObject({
          'cache-control': expect.stringContaining('no-store'),
          'referrer-policy': 'no-referrer',
          'x-robots-tag': 'noindex, nofollow, noarchive',
        });
        expect(headers['set-cookie']).toBeUndefined();
      }
    }
  });

  test('in the same statements, so that the time tells nothing', async () => {
    const revoked = await share();
    await owner.delete(`/api/overview/links/${revoked.link.uuid}/`);
    const statementsWith = async (token: string) => {
      const { statements } = await withStatements(async () => {
        await testApp.visitor().get(`/api/shared/${token}/`);
        await testApp.visitor().get(`/delt/${token}/`);
      });
      return statements.map(({ sql: text }) => text);
    };
    const ofRevoked = await statementsWith(revoked.token);
    expect(ofRevoked.filter((text) => text.includes('token_hash'))).toHaveLength(2);
    expect(ofRevoked).toEqual(await statementsWith('b'.repeat(32)));
  });

  test('for as long as one address asks seldom, whichever address of links it tries', async () => {
    const { token } = await share();
    const statuses = new Set<number>();
    for (let use = 0; use < 61; use += 1) {
      const path = use % 2 === 0 ? '/delt' : '/api/shared';
      statuses.add((await testApp.visitor().get(`${path}/${'b'.repeat(32)}/`)).status);
    }
    expect([...statuses]).toEqual([404, 429]);
    for (const path of [`/delt/${token}/`, `/api/shared/${token}/`]) {
      const last = await testApp.visitor().get(path);
      expect(last.status).toBe(429);
      expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
    }
  });
});

// OVER-10
test('the token is in no log and no metric, however it is written', async () => {
  const { token } = await share();
  log = '';
  for (const path of [`/delt/${token}/`, `/api/shared/${token}/`, `/api/shared/${token}/code/`]) {
    const encoded = path.replace('delt', '%64elt').replace('shared', 's%68ared');
    for (const written of [
      path,
      `/${path}`,
      path.slice(0, -1),
      encoded,
      `${path}mer/`,
      `${path}?a=${token}`,
    ]) {
      await testApp.visitor().get(written);
      await testApp.visitor().post(written, {});
    }
  }
  expect(log).toContain('request completed');
  expect(log).toContain('/api/shared/…');
  expect(log).not.toContain(token);
  expect((await testApp.visitor().get('/metrics')).text).not.toContain(token);
});

// OVER-14
test('only its hash is kept, and of its use only the day', async () => {
  const { link, token } = await share();
  await testApp.visitor().get(`/delt/${token}/`);
  const { db } = testApp.context;
  const row = await db
    .selectFrom('overviewLink')
    .selectAll()
    .where('companyId', '=', companyId)
    .where('uuid', '=', link.uuid)
    .executeTakeFirstOrThrow();
  expect(Buffer.from(row.tokenHash)).toEqual(createHash('sha256').update(token).digest());
  expect(JSON.stringify({ ...row, tokenHash: null })).not.toContain(token);
  const uses = await db
    .selectFrom('overviewLinkUse')
    .selectAll()
    .where('companyId', '=', companyId)
    .where('linkId', '=', row.id)
    .execute();
  expect(uses).toEqual([{ companyId, linkId: row.id, day: TODAY, firstAt: expect.any(Date) }]);
});
