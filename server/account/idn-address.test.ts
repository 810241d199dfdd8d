import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { runCommand } from '../operator/run-command.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { completeProfile, createCustomer, createDraft, register } from '../testing/factories.ts';
import { loginCodeIn, readMail } from '../testing/mails.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';

const READABLE = 'kari@bjørnsrud.no';
const ASCII = 'kari@xn--bjrnsrud-64a.no';

let smtp: MailServer;
let testApp: TestApp;
let client: TestClient;

beforeAll(async () => {
  smtp = await startMailServer();
  testApp = await startTestApp({ SMTP_URL: smtp.url, STAFF_EMAILS: 'Sjef@Bjørnsrud.no' });
  client = await testApp.login('selger@example.no');
  await completeProfile(client, { email: 'post@bjørnsrud.no' });
});
afterAll(async () => {
  await testApp.close();
  await smtp.close();
});

/** Logs in as a person does, by the code in the mail. */
async function logIn(call: 'register' | 'login', email: string, again = email) {
  const visitor = testApp.visitor();
  const before = smtp.mails.length;
  expect((await visitor.post(`/api/users/${call}/email/`, { email })).status).toBe(204);
  const mail = await smtp.waitForMail(
    (found) => found.raw.includes(`To: ${ASCII}`) && smtp.mails.indexOf(found) >= before,
  );
  const body = { email: again, registration_token: loginCodeIn(mail.subject) };
  return visitor.post('/api/users/login/verify/', body);
}

describe('an address at a domain with ø', () => {
  // ACC-2
  test('is one account, however it is written', async () => {
    const answers = [
      await logIn('register', READABLE),
      await logIn('login', ' Kari@BJØRNSRUD.no '),
      await logIn('login', ASCII, READABLE),
    ];
    expect(answers.map(({ status, body }) => [status, body.email])).toEqual(
      answers.map(() => [200, ASCII]),
    );
    const accounts = await testApp.context.db
      .selectFrom('account')
      .select('email')
      .where('email', 'in', [READABLE, ASCII])
      .execute();
    expect(accounts).toEqual([{ email: ASCII }]);
  });

  test('is staff by the setting, and by the command', async () => {
    const boss = await testApp.login('sjef@xn--bjrnsrud-64a.no');
    expect((await boss.get('/api/users/session/')).body.is_staff).toBe(true);
    const lines: string[] = [];
    const exit = await runCommand(testApp.context, 'staff', ['add', READABLE], {
      line: (text) => lines.push(text),
      bytes: async () => undefined,
    });
    expect([exit, ...lines]).toEqual([0, `${READABLE} is staff now.`]);
  });

  test('is subscribed once', async () => {
    for (const email of [READABLE, ASCII]) {
      const url = `/api/newsletter/signup/?email=${encodeURIComponent(email)}`;
      expect((await testApp.visitor().post(url)).status).toBe(204);
    }
    await smtp.waitForMail(
      ({ raw, subject }) => raw.includes(`To: ${ASCII}`) && subject.startsWith('Velkommen'),
    );
    const subscribers = await testApp.context.db
      .selectFrom('newsletterSubscriber')
      .select('email')
      .execute();
    expect(subscribers).toEqual([{ email: ASCII }]);
  });

  test('may be a customer’s: found in both spellings, and mailed in ASCII', async () => {
    const number = await createCustomer(client, { email: 'ola@bjørnsrud.no' });
    const { body } = await client.get(`/api/customers/${number}/`);
    expect(body.email).toBe('ola@xn--bjrnsrud-64a.no');
    for (const query of ['bjørnsrud', 'ola@bjø', 'xn--bjrnsrud']) {
      const url = `/api/customers/search/?query=${encodeURIComponent(query)}`;
      expect((await client.get(url)).body).toMatchObject([{ customer_number: number }]);
    }
    await register(client, await createDraft(client, number, { delivery_type: 'EMAIL' }));
    const mail = await smtp.waitForMail(({ raw }) => raw.includes('<ola@xn--bjrnsrud-64a.no>'));
    const read = await readMail(mail);
    expect(read.text).toContain('post@bjørnsrud.no');
    expect(mail.raw.toString()).toContain('<post@xn--bjrnsrud-64a.no>');
  });

  test('needs a name in ASCII before its @, and a real domain after', async () => {
    for (const email of ['kåre@bjørnsrud.no', 'kari@bjørnsrud', 'kari@bjørn srud.no', 'a@ø..no']) {
      const answer = await testApp.visitor().post('/api/users/login/email/', { email });
      expect(answer).toMatchObject({
        status: 400,
        body: { detail: [{ field: 'email', message: 'email must be a valid email' }] },
      });
    }
  });

  test('must not grow beyond what mail can carry', async () => {
    const email = `a@${Array.from({ length: 5 }, () => 'ø'.repeat(25)).join('.')}.no`;
    expect(email.length).toBeLessThan(254);
    const answer = await testApp.visitor().post('/api/users/login/email/', { email });
    expect(answer.status).toBe(204);
    const long = `a@${Array.from({ length: 48 }, () => 'øåæø').join('.')}.no`;
    expect(long.length).toBeLessThan(254);
    expect(await testApp.visitor().post('/api/users/login/email/', { email: long })).toMatchObject({
      status: 400,
      body: { detail: [{ message: 'email must be at most 254 characters' }] },
    });
  });
});
