import { createHash } from 'node:crypto';

import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import { completeProfile, createCustomer, createDraft, register } from '../testing/factories.ts';
import { bytesAt, expire, makeExport } from '../testing/exports.ts';
import { suppress } from '../platform/mail/refusals.ts';
import { readMail } from '../testing/mails.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';
import { until } from '../testing/until.ts';

const OWNER = 'eier@example.no';
const ACCOUNTANT = 'regnskap@example.no';

let smtp: MailServer;
let testApp: TestApp;
let owner: TestClient;
let log = '';

beforeAll(async () => {
  smtp = await startMailServer();
  testApp = await startTestApp(
    { FEATURES: 'export', SMTP_URL: smtp.url, LOG_LEVEL: 'debug', DISPATCH: 'staff' },
    { logStream: { write: (line) => (log += line) } },
  );
  owner = await testApp.login(OWNER);
  await completeProfile(owner, { company_name: 'Øst & Vest AS', email: 'post@example.no' });
  await register(owner, await createDraft(owner, await createCustomer(owner)));
});
afterAll(async () => {
  await testApp.close();
  await smtp.close();
});
beforeEach(async () => {
  await testApp.context.db.deleteFrom('rateLimit').execute();
});

/** An export whose link was mailed, with the path of the link. */
async function share() {
  const before = smtp.mails.length;
  const done = await makeExport(owner, { send_to: ACCOUNTANT });
  const caught = await smtp.waitForMail(
    (mail) => smtp.mails.indexOf(mail) >= before && mail.to.includes(ACCOUNTANT),
  );
  const mail = await readMail(caught);
  const path = /http:\/\/faktur\.test(\/delt\/eksport\/[a-z2-7]{32}\/)/.exec(mail.text ?? '')?.[1];
  return { done, mail, path: path ?? 'none' };
}

test('the accountant gets a link with the figures, and no file', async () => {
  const { done, mail, path } = await share();
  expect(done.sent_to).toBe(ACCOUNTANT);
  expect(mail.attachments).toEqual([]);
  expect(mail).toMatchObject({
    subject: 'Regnskapsfiler fra Øst & Vest AS',
    from: { name: 'Øst & Vest AS' },
    replyTo: [{ address: 'post@example.no' }],
  });
  for (const text of ['Periode:', 'Fakturaer:', 'Nummer:', 'Sum:', 'Lenken virker til ']) {
    expect(mail.text).toContain(text);
  }
  const content = await bytesAt(testApp, testApp.visitor(), path);
  expect(createHash('sha256').update(content).digest('hex')).toBe(done.sha256);
});

test.each([
  ['refused', 'vekk@example.no'],
  ['suppressed', 'sperret@example.no'],
])(
  'who asked is told that the address is %s, and the link is not called sent',
  async (how, address) => {
    if (how === 'suppressed') await suppress(testApp.context.db, address, 'BOUNCE');
    smtp.faults.refuseRecipient = (to) =>
      to === address ? { code: 550, text: '5.1.1 No such user' } : null;
    const before = smtp.mails.length;
    const { uuid } = await makeExport(owner, { send_to: address });
    const caught = await smtp.waitForMail(
      (mail) => smtp.mails.indexOf(mail) >= before && mail.messageId.startsWith('<refused-'),
    );
    smtp.faults.refuseRecipient = null;
    expect(caught.to).toEqual(['post@example.no']);
    const { subject, text } = await readMail(caught);
    expect(subject).toBe('Regnskapsføreren fikk ikke lenken');
    expect(text).toContain('\nGjelder Øst & Vest AS\n');
    expect(text).toContain(`Adressen ${address} tar ikke imot e-post fra oss`);
    expect(text).toContain('http://faktur.test/invoices/export/');
    expect((await owner.get(`/api/exports/${uuid}/`)).body).toMatchObject({
      sent_to: address,
      link_sent_at: null,
    });
  },
);

test('whoever has it needs no session, and gets none', async () => {
  const { path } = await share();
  // The owner's own session is neither read nor renewed.
  for (const client of [testApp.visitor(), owner]) {
    const { status, headers } = await client.get(path);
    expect(status).toBe(200);
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers).toMatchObject({
      'content-type': 'application/zip',
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow, noarchive',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
    });
  }
});

test('a look at the headers alone changes nothing', async () => {
  const { path } = await share();
  const head = await testApp.visitor().send({ method: 'HEAD', url: path });
  expect(head).toMatchObject({ status: 200, text: '' });
  expect((await testApp.visitor().get(path)).status).toBe(200);
  for (const method of ['POST', 'PUT', 'DELETE'] as const) {
    expect((await testApp.visitor().send({ method, url: path })).status).toBe(404);
  }
});

describe('one answer for links', () => {
  test('that are wrong, ended or revoked', async () => {
    const [revoked, ended] = [await share(), await share()];
    await owner.delete(`/api/exports/${revoked.done.uuid}/`);
    const companyId = await companyIdOf(testApp.context.db, OWNER);
    await expire(testApp.context.db, companyId, ended.done.uuid);
    const tokens = ['a'.repeat(32), 'x', 'a'.repeat(3000), '%00', "'--", '%F0%9F%92%A9', '..%2f'];
    const paths = [revoked.path, ended.path, ...tokens.map((token) => `/delt/eksport/${token}/`)];
    const answers = await Promise.all(paths.map(async (path) => testApp.visitor().get(path)));
    for (const { status, text, headers } of answers) {
      expect(status).toBe(404);
      expect(text).toBe(answers[0]?.text);
      expect(text).toContain('Lenken virker ikke');
      expect(headers).toMatchObject({
        'cache-control': 'private, no-store',
        'x-robots-tag': 'noindex, nofollow, noarchive',
      });
    }
  });

  test('for as long as one address asks seldom', async () => {
    const { path } = await share();
    const statuses = new Set<number>();
    for (let use = 0; use < 61; use += 1) {
      statuses.add((await testApp.visitor().get(`/delt/eksport/${'b'.repeat(32)}/`)).status);
    }
    expect([...statuses]).toEqual([404, 429]);
    const last = await testApp.visitor().get(path);
    expect(last.status).toBe(429);
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
  });
});

test('the token is in no log and no metric, however it is written', async () => {
  const { path } = await share();
  const token = path.split('/')[3] ?? '';
  log = '';
  for (const written of [path, `/${path}`, path.replace('delt', '%64elt'), `/delt/${token}`]) {
    await testApp.visitor().get(written);
  }
  await testApp.visitor().get(`${path}mer/`);
  expect(log).toContain('request completed');
  expect(log).not.toContain(token);
  expect((await testApp.visitor().get('/metrics')).text).not.toContain(token);
});

test('only its hash is kept', async () => {
  const { path } = await share();
  const token = path.split('/')[3] ?? '';
  const links = await testApp.context.db
    .selectFrom('exportLink')
    .select('tokenHash')
    .where('companyId', '=', await companyIdOf(testApp.context.db, OWNER))
    .execute();
  const hashes = links.map(({ tokenHash }) => Buffer.from(tokenHash).toString('hex'));
  expect(hashes).toContain(createHash('sha256').update(token).digest('hex'));
});

// EXP-12
test('a link whose mail waits beyond the end of its export is not mailed', async () => {
  const { db } = testApp.context;
  const address = 'treg@example.no';
  smtp.faults.refuseRecipient = (to) =>
    to === address ? { code: 451, text: '4.7.1 Later' } : null;
  const { uuid } = await makeExport(owner, { send_to: address });
  const states = async () =>
    (
      await sql<{ state: string }>`SELECT state FROM jobs.job WHERE name = 'export-mail'
        AND state <> 'completed' AND data -> 'payload' ->> 'exportUuid' = ${uuid}`.execute(db)
    ).rows.map(({ state }) => state);
  await until(states, (found) => found.join() === 'retry');
  smtp.faults.refuseRecipient = null;
  await expire(db, await companyIdOf(db, OWNER), uuid);
  await sql`UPDATE jobs.job SET start_after = now() WHERE name = 'export-mail'`.execute(db);
  // Neither tried again nor failed.
  await until(states, (found) => found.length === 0);
  expect(smtp.mails.some((mail) => mail.to.includes(address))).toBe(false);
  expect((await owner.get(`/api/exports/${uuid}/`)).body.link_sent_at).toBeNull();
});

// EXP-8
test('a company mails at most 20 links a day', async () => {
  const statuses: number[] = [];
  for (let time = 0; time < 21; time += 1) {
    const { status, body } = await owner.post('/api/exports/', {
      kind: 'DOCUMENTS',
      from: '2001-01-01',
      to: '2001-01-31',
      send_to: ACCOUNTANT,
    });
    statuses.push(status);
    if (status === 201) await owner.delete(`/api/exports/${body.uuid}/`);
  }
  expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 201));
  expect(statuses[20]).toBe(429);
});
