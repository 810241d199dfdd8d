import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { LOGO_BYTES_MAX } from '../../domain/profile/profile.schema.ts';
import { sha256 } from '../platform/crypto.ts';
import { readText } from '../document/document-text.ts';
import { checkLedger } from '../document/ledger.service.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import {
  completeProfile,
  createCustomer,
  createDraft,
  PROFILE,
  register,
} from '../testing/factories.ts';
import { DISC, saveLogo, STRIPES } from '../testing/logos.ts';
import { readMail } from '../testing/mails.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';
import { until } from '../testing/until.ts';

const LOGO = '/api/users/logo/';

let smtp: MailServer;
let testApp: TestApp;
let client: TestClient;
let email: string;
let counter = 0;

beforeAll(async () => {
  smtp = await startMailServer();
  testApp = await startTestApp({ SMTP_URL: smtp.url });
});
afterAll(async () => {
  await testApp.close();
  await smtp.close();
});
beforeEach(async () => {
  email = `logo${++counter}@example.no`;
  client = await testApp.login(email);
  await completeProfile(client);
});

async function fetchBytes(url: string, headers: Record<string, string> = {}) {
  return testApp.app.http.inject({ url, headers: { cookie: client.cookieHeader, ...headers } });
}

/** The names of the logos that are kept. */
async function keptLogos(): Promise<string[]> {
  const { db } = testApp.context;
  const rows = await db
    .selectFrom('companyLogo')
    .select('sha256')
    .where('companyId', '=', await companyIdOf(db, email))
    .orderBy('createdAt')
    .execute();
  return rows.map(({ sha256: hash }) => Buffer.from(hash).toString('hex'));
}

async function logoOfDocument(uuid: string): Promise<string | null> {
  const { version, content } = await testApp.context.db
    .selectFrom('document')
    .innerJoin('invoice', 'invoice.id', 'document.invoiceId')
    .select(['document.version', 'document.content'])
    .where('invoice.uuid', '=', uuid)
    .executeTakeFirstOrThrow();
  return readText(content, version).logo;
}

async function issue(changes: object = {}): Promise<string> {
  const uuid = await createDraft(client, await createCustomer(client), changes);
  await register(client, uuid);
  return uuid;
}

async function pictures(uuid: string): Promise<number> {
  const { rawPayload } = await fetchBytes(`/invoices/${uuid}/pdf/`);
  return rawPayload.toString('latin1').split('/Subtype /Image').length - 1;
}

// PRO-9
test('a logo is sent as a picture, read as PNG while it is another, and taken away', async () => {
  expect((await client.get(LOGO)).status).toBe(204);
  const saved = await saveLogo(client, STRIPES);
  expect(saved.status).toBe(200);
  expect(saved.body).toMatchObject({ company_name: PROFILE.company_name });

  const read = await fetchBytes(LOGO);
  const { etag = '', ...headers } = read.headers;
  expect([read.statusCode, headers['content-type']]).toEqual([200, 'image/png']);
  expect(headers['cache-control']).toBe('private, no-cache');
  const hash = sha256(read.rawPayload).toString('hex');
  expect([etag, saved.body.logo]).toEqual([`"${hash}"`, hash]);
  expect(await sharp(read.rawPayload).metadata()).toMatchObject({ width: 120, height: 40 });
  const again = await fetchBytes(LOGO, { 'if-none-match': etag });
  expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);

  const photo = await sharp(DISC).flatten({ background: '#fff' }).jpeg().toBuffer();
  expect((await saveLogo(client, photo, 'image/jpeg')).status).toBe(200);
  expect((await fetchBytes(LOGO, { 'if-none-match': etag })).statusCode).toBe(200);
  expect(await keptLogos()).toHaveLength(1);

  expect((await client.delete(LOGO)).status).toBe(204);
  expect((await client.delete(LOGO)).status).toBe(204);
  expect((await client.get(LOGO)).status).toBe(204);
  expect((await client.get('/api/users/profile/')).body.logo).toBeNull();
  expect(await keptLogos()).toEqual([]);
});

// PRO-9
test('what is too large, of another kind or none is refused in words, and changes nothing', async () => {
  const { body: before } = await saveLogo(client, STRIPES);
  const large = await saveLogo(client, Buffer.concat([STRIPES, Buffer.alloc(LOGO_BYTES_MAX)]));
  expect([large.status, large.body.detail]).toEqual([413, [{ message: 'The body is too large' }]]);
  const typed = await saveLogo(client, STRIPES, 'image/svg+xml');
  expect(typed.status).toBe(415);
  expect(typed.body.detail[0].message).toBe('Content-Type must be image/png or image/jpeg');
  const other = await client.send({
    method: 'PUT',
    url: LOGO,
    payload: Buffer.from('<svg/>'),
    headers: { 'content-type': 'image/png', 'accept-language': 'nb' },
  });
  expect(other.status).toBe(400);
  expect(other.body.detail[0].message).toBe(
    'Logoen er ikke et PNG- eller JPEG-bilde som kan leses',
  );
  expect((await client.get('/api/users/profile/')).body).toEqual(before);
});

// PRO-8, PRO-9
test('a document keeps the logo that it was issued with, whatever becomes of it', async () => {
  const bare = await issue();
  const { logo: first } = (await saveLogo(client, STRIPES)).body;
  const striped = await issue();
  const unread = await issue();
  const { logo: second } = (await saveLogo(client, DISC)).body;
  const round = await issue();
  await saveLogo(client, STRIPES);
  await client.delete(LOGO);
  const after = await issue();

  const named = await Promise.all([bare, striped, round, after].map(logoOfDocument));
  expect(named).toEqual([null, first, second, null]);
  expect(new Set(await keptLogos())).toEqual(new Set([first, second]));
  // A picture that is seen through is two: one says by how much.
  const drawn = await Promise.all([bare, striped, unread, round, after].map(pictures));
  expect(drawn).toEqual([0, 2, 2, 2, 0]);
  const { db } = testApp.context;
  expect(await Array.fromAsync(checkLedger(db, email))).toMatchObject([{ fault: null }]);
});

test('a draft is shown with the logo that it would get', async () => {
  const draft = await createDraft(client, await createCustomer(client));
  expect(await pictures(draft)).toBe(0);
  await saveLogo(client, STRIPES);
  expect(await pictures(draft)).toBe(2);
});

test('a credit note is issued with the logo of its day', async () => {
  const uuid = await issue();
  const { logo } = (await saveLogo(client, DISC)).body;
  await client.delete(`/api/invoices/${uuid}/`);
  const { credit_note: note } = (await client.get(`/api/invoices/${uuid}/`)).body;
  expect(await logoOfDocument(note.uuid)).toBe(logo);
});

test('a mail shows it above the name, and says the same in words as without', async () => {
  const customer = { delivery_type: 'EMAIL' };
  const send = async () => {
    const uuid = await issue(customer);
    const { invoice_number: number } = (await client.get(`/api/invoices/${uuid}/`)).body;
    const subject = `Faktura ${number} fra ${PROFILE.company_name}`;
    const find = () => smtp.mails.find((mail) => mail.subject === subject);
    const mail = await until(find, (found) => found !== undefined);
    return readMail(mail?.raw ?? Buffer.alloc(0));
  };
  const bare = await send();
  expect(bare.html).not.toContain('<img');
  await saveLogo(client, STRIPES);
  const { rawPayload: png } = await fetchBytes(LOGO);
  const mail = await send();
  const words = (text = '') => text.replaceAll(/faktura \d+|nummer:\s+\d+|KID\S*\s+\d+/gi, '#');
  expect(words(mail.text)).toBe(words(bare.text));
  const [logo, ...files] = mail.attachments;
  expect(logo).toMatchObject({ mimeType: 'image/png', disposition: 'inline', related: true });
  expect(logo?.contentId).toBe('<logo@faktur>');
  expect(Buffer.from(logo?.content as ArrayBuffer)).toEqual(png);
  expect(mail.html).toContain('<img src="cid:logo@faktur" alt="" width="120" height="40"');
  expect(files.map(({ mimeType }) => mimeType)).toEqual(['application/pdf', 'application/xml']);
});

test('the check of the books finds bytes that are not those that were issued', async () => {
  await saveLogo(client, STRIPES);
  await issue();
  const { db } = testApp.context;
  const trx = await db.startTransaction().execute();
  await trx.schema.alterTable('company_logo').dropConstraint('company_logo_sha256').execute();
  await trx
    .updateTable('companyLogo')
    .set({ content: Buffer.from('x') })
    .where('companyId', '=', await companyIdOf(trx, email))
    .execute();
  const reports = await Array.fromAsync(checkLedger(trx, email));
  await trx.rollback().execute();
  expect(reports).toMatchObject([
    { fault: 'invoice 1: the logo is not the one that it was issued with' },
  ]);
});
