import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { addDays, todayInOslo } from '../../domain/date.ts';
import { sha256 } from '../platform/crypto.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import { completeProfile, createCustomer, createDraft, register } from '../testing/factories.ts';
import { lateInvoice } from '../testing/late-invoices.ts';
import { readMail } from '../testing/mails.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';
import { findLinkUrl, openLink } from './invoice-link.service.ts';

const SETTINGS = '/api/users/portal-settings/';
const TODAY = todayInOslo();

let smtp: MailServer;
let testApp: TestApp;
let owner: TestClient;
let companyId: number;
let people = 0;

beforeAll(async () => {
  smtp = await startMailServer();
  testApp = await startTestApp({
    FEATURES: 'portal,reminders,payments,credit',
    SMTP_URL: smtp.url,
    REQUESTS_PER_MINUTE: '0',
  });
});
afterAll(async () => {
  await testApp.close();
  await smtp.close();
});
beforeEach(async () => {
  const email = `lenke${++people}@example.no`;
  owner = await testApp.login(email);
  await completeProfile(owner);
  companyId = await companyIdOf(testApp.context.db, email);
});

async function issue(changes: object = {}, customer: object = {}): Promise<string> {
  const uuid = await createDraft(owner, await createCustomer(owner, customer), changes);
  await register(owner, uuid);
  return uuid;
}

async function linkOf(uuid: string) {
  const { status, body } = await owner.get(`/api/invoices/${uuid}/link/`);
  expect(status).toBe(200);
  return body as { url: string; expires_on: string | null; renewed_at: string | null };
}

const tokenIn = (text = '') => /\/kunde\/([a-z2-7]{32})\//.exec(text)?.[1] ?? 'none';

/** Whether the link of a token works. */
async function works(token: string): Promise<boolean> {
  return openLink(testApp.context, token).then(
    () => true,
    () => false,
  );
}

async function payOn(uuid: string, date: string): Promise<void> {
  const { amount_due: amount } = (await owner.get(`/api/invoices/${uuid}/`)).body;
  const paid = await owner.post('/api/payments/', { invoice_uuid: uuid, amount, date });
  expect(paid.status).toBe(201);
}

// PORT-4
describe('the link of an invoice', () => {
  test('is the same at each call, and while something is due it has no end', async () => {
    const uuid = await issue();
    const first = await linkOf(uuid);
    expect(first).toEqual({
      url: expect.stringMatching(/^http:\/\/faktur\.test\/kunde\/[a-z2-7]{32}\/$/),
      expires_on: null,
      renewed_at: null,
    });
    expect(await linkOf(uuid)).toEqual(first);
    expect(await works(tokenIn(first.url))).toBe(true);
    const other = await issue();
    expect((await linkOf(other)).url).not.toBe(first.url);
  });

  test('is one also when it is first asked for many times at once', async () => {
    const uuid = await issue();
    const links = await Promise.all(Array.from({ length: 8 }, async () => linkOf(uuid)));
    expect(new Set(links.map(({ url }) => url)).size).toBe(1);
  });

  test('is made anew, and the old one ends at once', async () => {
    const uuid = await issue();
    const old = await linkOf(uuid);
    const renewed = await owner.post(`/api/invoices/${uuid}/link/renew/`);
    expect(renewed.status).toBe(200);
    expect(renewed.body).toEqual({
      url: expect.stringMatching(/\/kunde\/[a-z2-7]{32}\/$/),
      expires_on: null,
      renewed_at: expect.any(String),
    });
    expect(await linkOf(uuid)).toEqual(renewed.body);
    expect(await works(tokenIn(old.url))).toBe(false);
    expect(await works(tokenIn(renewed.body.url))).toBe(true);
  });

  test('is no link of a draft or a credit note', async () => {
    const draft = await createDraft(owner, await createCustomer(owner));
    const uuid = await issue();
    await owner.delete(`/api/invoices/${uuid}/`);
    const { credit_note: note } = (await owner.get(`/api/invoices/${uuid}/`)).body;
    for (const path of [`${draft}/link/`, `${note.uuid}/link/`]) {
      expect((await owner.get(`/api/invoices/${path}`)).status).toBe(409);
      expect((await owner.post(`/api/invoices/${path}renew/`)).status).toBe(409);
    }
    const nobodys = '00000000-0000-4000-8000-000000000000';
    expect((await owner.get(`/api/invoices/${nobodys}/link/`)).status).toBe(404);
  });
});

// PORT-2
describe('the token', () => {
  test('is in no table', async () => {
    const token = tokenIn((await linkOf(await issue())).url);
    const { rows } = await sql<{ row: string }>`
      SELECT to_jsonb(link)::text AS row FROM invoice_link link
      WHERE company_id = ${companyId}`.execute(testApp.context.db);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).not.toContain(token);
    expect(rows[0]?.row).toContain(sha256(token).toString('hex'));
  });

  test('of another secret key is made anew, because its holder could not be given it again', async () => {
    const uuid = await issue();
    const old = await linkOf(uuid);
    const { config, ...context } = testApp.context;
    const { id: invoiceId } = await context.db
      .selectFrom('invoice')
      .select('id')
      .where('uuid', '=', uuid)
      .where('companyId', '=', companyId)
      .executeTakeFirstOrThrow();
    const other = { ...context, config: { ...config, secretKey: 'f'.repeat(64) } };
    const url = await findLinkUrl(other, { companyId, invoiceId });
    expect(url).not.toBe(old.url);
    expect(await works(tokenIn(url ?? ''))).toBe(true);
    expect(await works(tokenIn(old.url))).toBe(false);
    expect(await findLinkUrl(other, { companyId, invoiceId })).toBe(url);
  });
});

// PORT-3
describe('a link works', () => {
  const day = (days: number) => addDays(TODAY, -days);

  test.each([
    [400, true],
    [401, false],
  ])('%i days after the last payment: %s', async (days, expected) => {
    const uuid = await issue({ issue_date: day(days + 30) });
    const { url } = await linkOf(uuid);
    expect(await works(tokenIn(url))).toBe(true);
    await payOn(uuid, day(days));
    expect(await works(tokenIn(url))).toBe(expected);
    const after = await linkOf(uuid);
    expect(after).toEqual({ url, expires_on: addDays(day(days), 400), renewed_at: null });
    const renewed = await owner.post(`/api/invoices/${uuid}/link/renew/`);
    expect(renewed.body.expires_on).toBe(after.expires_on);
    expect(await works(tokenIn(renewed.body.url))).toBe(expected);
  });

  test('from the last credit note, and from the issue date of what was paid before', async () => {
    const credited = await issue({ issue_date: day(500) });
    await owner.delete(`/api/invoices/${credited}/`);
    expect((await linkOf(credited)).expires_on).toBe(addDays(TODAY, 400));
    const early = await issue({ issue_date: day(10) });
    await payOn(early, day(40));
    expect((await linkOf(early)).expires_on).toBe(addDays(day(10), 400));
  });

  test('again when a payment is taken back', async () => {
    const uuid = await issue({ issue_date: day(600) });
    await payOn(uuid, day(500));
    const { url } = await linkOf(uuid);
    expect(await works(tokenIn(url))).toBe(false);
    await owner.post(`/api/invoices/${uuid}/update/`, { status: 'REGISTERED' });
    expect(await linkOf(uuid)).toMatchObject({ url, expires_on: null });
    expect(await works(tokenIn(url))).toBe(true);
  });
});

// PORT-6
describe('the settings', () => {
  test('are both on at first, and are saved whole', async () => {
    expect((await owner.get(SETTINGS)).body).toEqual({ enabled: true, show_all: true });
    const chosen = { enabled: false, show_all: true };
    expect((await owner.put(SETTINGS, chosen)).body).toEqual(chosen);
    expect((await owner.get(SETTINGS)).body).toEqual(chosen);
    expect((await owner.put(SETTINGS, { enabled: true })).status).toBe(400);
    expect((await owner.put(SETTINGS, { enabled: 'yes', show_all: true })).status).toBe(400);
  });

  test('end all links while pages are off, and let them work again', async () => {
    const uuid = await issue();
    const { url } = await linkOf(uuid);
    await owner.put(SETTINGS, { enabled: false, show_all: true });
    expect(await works(tokenIn(url))).toBe(false);
    expect((await owner.get(`/api/invoices/${uuid}/link/`)).status).toBe(409);
    expect((await owner.post(`/api/invoices/${uuid}/link/renew/`)).status).toBe(409);
    await owner.put(SETTINGS, { enabled: true, show_all: false });
    expect((await linkOf(uuid)).url).toBe(url);
    expect(await works(tokenIn(url))).toBe(true);
  });
});

// PORT-1
describe('mails', () => {
  /** The next mail with this in its subject. */
  async function nextMail(subject: string, send: () => Promise<unknown>) {
    const before = smtp.mails.length;
    await send();
    const caught = await smtp.waitForMail(
      (mail) => smtp.mails.indexOf(mail) >= before && mail.subject.includes(subject),
    );
    return readMail(caught);
  }

  test('have the same link: the invoice, its reminder and its credit note', async () => {
    const uuid = await lateInvoice(testApp.context.db, owner, {
      customer: await createCustomer(owner),
      dueDate: addDays(TODAY, -20),
    });
    const post = async (path: string, body: object) => {
      expect((await owner.post(`/api/invoices/${uuid}/${path}/`, body)).status).toBe(201);
    };
    const friendly = { kind: 'REMINDER', fee: false, interest: false };
    const mails = [
      await nextMail('Påminnelse', async () => post('reminders', friendly)),
      await nextMail('Faktura', async () => post('deliveries', { delivery_type: 'EMAIL' })),
      await nextMail('Kreditnota', async () => owner.delete(`/api/invoices/${uuid}/`)),
    ];
    const { url } = await linkOf(uuid);
    for (const { text, html } of mails) {
      expect(text).toContain(`\nSe fakturaen på nett: ${url}\n`);
      expect(html).toContain(`Se fakturaen på nett: <a href="${url}"`);
    }
    // Neither the EHF nor the text of the PDF has it.
    for (const { content } of mails.flatMap(({ attachments }) => attachments)) {
      expect(Buffer.from(content as ArrayBuffer).includes(tokenIn(url))).toBe(false);
    }
  });

  test('have none while pages are off, and none that has ended', async () => {
    await owner.put(SETTINGS, { enabled: false, show_all: true });
    const mail = await nextMail('Faktura', async () => issue({ delivery_type: 'EMAIL' }));
    expect(mail.text).not.toContain('/kunde/');
    await owner.put(SETTINGS, { enabled: true, show_all: true });
    const old = await issue({ issue_date: addDays(TODAY, -500) });
    await payOn(old, addDays(TODAY, -450));
    const again = await nextMail('Faktura', async () =>
      owner.post(`/api/invoices/${old}/deliveries/`, { delivery_type: 'EMAIL' }),
    );
    expect(again.text).not.toContain('/kunde/');
  });
});
