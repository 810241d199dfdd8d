import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import { readMail } from '../testing/mails.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';
import { withStatements } from '../testing/statements.ts';
import { until } from '../testing/until.ts';

let smtp: MailServer;
let testApp: TestApp;

beforeAll(async () => {
  smtp = await startMailServer();
  testApp = await startTestApp({ SMTP_URL: smtp.url });
});

afterAll(async () => {
  await testApp.close();
  await smtp.close();
});

/** Subscribes and returns the path for one-click unsubscription. */
async function signUp(email: string): Promise<string> {
  const before = smtp.mails.length;
  const answer = await testApp.visitor().post(`/api/newsletter/signup/?email=${email}`);
  expect(answer.status).toBe(204);
  const mail = await readMail(
    await smtp.waitForMail((mail) => mail.to.includes(email) && smtp.mails.indexOf(mail) >= before),
  );
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  const url = new URL(/^<(.+)>$/.exec(header('list-unsubscribe') ?? '')?.[1] ?? '');
  expect(url.origin).toBe('http://faktur.test');
  expect(url.href).not.toContain(email.split('@', 1)[0]);
  const page = `http://faktur.test/emails/unsubscribe/${url.search}`;
  expect(mail.text?.replaceAll('\r\n', '\n')).toContain(`\nMeld deg av:\n${page}\n`);
  expect(mail.html).toMatch(/<a href="http:\/\/faktur[^"]*token=[\w-]+"[^>]*>Meld deg av<\/a>/);
  return `${url.pathname}${url.search}`;
}

async function isSubscribed(email: string): Promise<boolean> {
  const row = await testApp.context.db
    .selectFrom('newsletterSubscriber')
    .select('unsubscribedAt')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  return row.unsubscribedAt === null;
}

const BOUNDARY = 'x'.repeat(20);

// RFC 8058 § 3.1: the mail program posts a form, with no cookie, and follows no redirect.
// NEWS-3, NEWS-5
test.each([
  ['urlencoded', 'application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
  [
    'multipart',
    `multipart/form-data; boundary=${BOUNDARY}`,
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--${BOUNDARY}--\r\n`,
  ],
])('one click ends the subscription, as a form that is %s', async (name, type, payload) => {
  const email = `${name}@example.no`;
  const path = await signUp(email);
  const click = async () =>
    testApp.visitor().send({
      method: 'POST',
      url: path,
      headers: {
        'content-type': type,
        origin: 'https://mail.example',
        'sec-fetch-site': 'cross-site',
      },
      payload,
    });
  const answer = await click();
  expect([answer.status, answer.text, answer.headers['set-cookie']]).toEqual([204, '', undefined]);
  expect(await isSubscribed(email)).toBe(false);
  expect((await click()).status, 'a second click').toBe(204);
});

// A mail program that knows only RFC 2369 opens the link, and so do mail scanners.
// NEWS-6
test.each(['newsletter', 'emails'])(
  'opening the link of %s leads to the page that asks, and ends nothing',
  async (list) => {
    const email = `apner-${list}@example.no`;
    const path = (await signUp(email)).replace('/newsletter/', `/${list}/`);
    const page = `/emails/unsubscribe/${path.slice(path.indexOf('?'))}`;
    for (const method of ['GET', 'HEAD'] as const) {
      const { status, headers, text } = await testApp.visitor().send({ method, url: path });
      expect([method, status, headers['location'], text]).toEqual([method, 303, page, '']);
      expect(headers['cache-control']).toBe('no-store');
    }
    expect(await isSubscribed(email)).toBe(true);
    expect((await testApp.visitor().post(path)).status).toBe(204);
  },
);

test.each([
  ['', ''],
  ['?token=', ''],
  ['?token=a&token=b', ''],
  ['?other=a', ''],
  ['?token=a%26b%3Dc%2F..%2F%23d%2B%20%C3%A5', '?token=a%26b%3Dc%2F..%2F%23d%2B%20%C3%A5'],
  ['?token=%0D%0ASet-Cookie%3A%20a%3Db', '?token=%0D%0ASet-Cookie%3A%20a%3Db'],
  ['?token=%E0%A4', '?token=%25E0%25A4'],
])('opening the link leads there with whatever token it has, encoded: %s', async (query, led) => {
  const answer = await testApp.visitor().get(`/api/newsletter/unsubscribe/${query}`);
  expect([answer.status, answer.headers['location'], answer.headers['set-cookie']]).toEqual([
    303,
    `/emails/unsubscribe/${led}`,
    undefined,
  ]);
});

// NEWS-4, NEWS-5
test("the list's second address accepts the token too, and neither accepts a wrong one", async () => {
  const path = await signUp('annen@example.no');
  const token = new URLSearchParams(path.split('?')[1]).get('token') ?? '';
  const visitor = testApp.visitor();
  for (const end of ['newsletter', 'emails']) {
    const forged = token.slice(0, 30) + (token[30] === 'A' ? 'B' : 'A') + token.slice(31);
    for (const wrong of ['feil', forged]) {
      expect((await visitor.post(`/api/${end}/unsubscribe/?token=${wrong}`)).status).toBe(404);
    }
  }
  expect(await isSubscribed('annen@example.no')).toBe(true);
  expect((await visitor.post(`/api/emails/unsubscribe/?token=${token}`)).status).toBe(204);
  expect(await isSubscribed('annen@example.no')).toBe(false);
});

// NEWS-1
test('signing up is answered after the same statements, for new and existing subscribers', async () => {
  await signUp('kjent@example.no');
  const statementsFor = async (email: string) => {
    const { answer, statements } = await withStatements(async () =>
      testApp.visitor().post(`/api/newsletter/signup/?email=${email}`),
    );
    expect([answer.status, answer.text]).toEqual([204, '']);
    return statements.map(({ sql: text }) => text);
  };
  const ofKnown = await statementsFor('kjent@example.no');
  expect(await statementsFor('ukjent@example.no')).toEqual(ofKnown);
  // All else is the job's, so that no time tells who subscribes.
  expect(ofKnown.join()).not.toContain('newsletter_subscriber');
  expect(ofKnown.filter((text) => text.includes('INSERT INTO jobs.'))).toHaveLength(1);
});

// NEWS-2
test('signing up twice sends one welcome, and another after unsubscribing', async () => {
  const email = 'igjen@example.no';
  const path = await signUp(email);
  await testApp.visitor().post(`/api/newsletter/signup/?email=${email}`);
  await testApp.visitor().post(path);
  await signUp(email);
  expect(await isSubscribed(email)).toBe(true);
  const mails = await Promise.all(smtp.mails.filter(({ to }) => to.includes(email)).map(readMail));
  expect(mails).toHaveLength(2);
  // A mailbox drops a second mail with the same Message-ID.
  expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(2);
});

test('signing up again adds the same job, and sends no mail', async () => {
  const email = 'likt@example.no';
  await signUp(email);
  const done = async () => {
    const { rows } = await sql<{ name: string; count: number }>`
      SELECT name, count(*)::integer AS count FROM jobs.job
      WHERE state = 'completed' AND (data -> 'payload' ->> 'email' = ${email}
        OR (data -> 'payload' ->> 'subscriberId')::bigint IN (
          SELECT id FROM newsletter_subscriber WHERE email = ${email}))
      GROUP BY name ORDER BY name`.execute(testApp.context.db);
    return rows;
  };
  const twice = async (times: number) =>
    until(done, (jobs) => jobs.length === 2 && jobs.every(({ count }) => count === times));
  await twice(1);
  await testApp.visitor().post(`/api/newsletter/signup/?email=${email}`);
  await twice(2);
  expect(smtp.mails.filter(({ to }) => to.includes(email))).toHaveLength(1);
});

// NEWS-2
test('a welcome that is tried again keeps its Message-ID', async () => {
  const email = 'nesten@example.no';
  smtp.faults.loseAnswerTo = (to) => to === email && smtp.mails.length === before + 1;
  const before = smtp.mails.length;
  await signUp(email);
  const { db } = testApp.context;
  const again = await until(
    async () => {
      await sql`UPDATE jobs.job SET start_after = now()
        WHERE name = 'newsletter-welcome' AND state = 'retry'`.execute(db);
      return smtp.mails.filter(({ to }) => to.includes(email));
    },
    (mails) => mails.length === 2,
  );
  expect(again[0]?.messageId).toBe(again[1]?.messageId);
  smtp.faults.loseAnswerTo = null;
});
