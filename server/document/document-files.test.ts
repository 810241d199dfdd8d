import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { sha256 } from '../platform/crypto.ts';
import { dispatchJob } from '../platform/jobs/jobs.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { completeProfile, createCustomer, createDraft, register } from '../testing/factories.ts';
import {
  readWithPoppler,
  removeFolder,
  temporaryFolder,
  type ReadPdf,
} from '../testing/poppler.ts';
import { readMail } from '../testing/mails.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';
import { until } from '../testing/until.ts';

let smtp: MailServer;
let testApp: TestApp;
let client: TestClient;
let folder = '';

beforeAll(async () => {
  smtp = await startMailServer();
  testApp = await startTestApp({ SMTP_URL: smtp.url, FEATURES: '' });
  client = await testApp.login();
  await completeProfile(client);
  folder = temporaryFolder();
});

afterAll(async () => {
  await testApp.close();
  await smtp.close();
  removeFolder(folder);
});

async function registerInvoice(changes: object = {}): Promise<{ uuid: string; number: number }> {
  const uuid = await createDraft(client, await createCustomer(client), changes);
  return { uuid, number: await register(client, uuid) };
}

/** The answer with its bytes, which the client takes for text. */
async function fetchPdf(uuid: string, headers: Record<string, string> = {}, query = '') {
  return testApp.app.http.inject({
    url: `/invoices/${uuid}/pdf/${query}`,
    headers: { cookie: client.cookieHeader, ...headers },
  });
}

async function readPdf(uuid: string): Promise<ReadPdf> {
  return readWithPoppler(folder, (await fetchPdf(uuid)).rawPayload);
}

async function keptOf(uuid: string) {
  return testApp.context.db
    .selectFrom('documentFile')
    .innerJoin('document', 'document.id', 'documentFile.documentId')
    .innerJoin('invoice', 'invoice.id', 'document.invoiceId')
    .select(['format', 'documentFile.content'])
    .where('invoice.uuid', '=', uuid)
    .execute();
}

/** Keeps these bytes as the EHF, as if they had been made then. */
async function keepEhf(uuid: string, content: Buffer): Promise<void> {
  const { id, companyId } = await testApp.context.db
    .selectFrom('document')
    .innerJoin('invoice', 'invoice.id', 'document.invoiceId')
    .select(['document.id', 'document.companyId'])
    .where('invoice.uuid', '=', uuid)
    .executeTakeFirstOrThrow();
  await testApp.context.db
    .insertInto('documentFile')
    .values({ companyId, documentId: id, format: 'EHF', sha256: sha256(content), content })
    .execute();
}

async function setStatus(uuid: string, status: string): Promise<void> {
  expect((await client.post(`/api/invoices/${uuid}/update/`, { status })).status).toBe(200);
}

/** The attachments of a mail, by file name. */
async function attachmentsOf(to: string): Promise<Map<string | null, Buffer>> {
  const mail = await readMail(await smtp.waitForMail((caught) => caught.to.includes(to)));
  return new Map(
    mail.attachments.map(({ filename, content }) => [
      filename,
      Buffer.from(content as ArrayBuffer),
    ]),
  );
}

// DOC-9
describe('the PDF', () => {
  test('is shown in the tab, under a good name, and left in no cache', async () => {
    const { uuid, number } = await registerInvoice();
    const first = await fetchPdf(uuid);
    expect(first.statusCode).toBe(200);
    expect(first.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="Faktura-${number}.pdf"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      etag: `"${sha256(first.rawPayload).toString('hex')}"`,
    });
    const etag = String(first.headers.etag);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await fetchPdf(uuid, { 'if-none-match': known });
      expect(again.statusCode).toBe(304);
      expect(again.rawPayload).toHaveLength(0);
    }
    expect((await fetchPdf(uuid, { 'if-none-match': '"other"' })).rawPayload).toEqual(
      first.rawPayload,
    );
  });

  test('says how an invoice stands that was not mailed', async () => {
    const draft = await createDraft(client, await createCustomer(client));
    expect((await readPdf(draft)).text()).toContain('UTKAST');
    const { uuid, number } = await registerInvoice();
    const open = (await fetchPdf(uuid)).rawPayload;

    await setStatus(uuid, 'PAID');
    expect((await readPdf(uuid)).text()).toMatch(/BETALT – KOPI[^]*Betalt dato/);
    await setStatus(uuid, 'REGISTERED');
    expect((await fetchPdf(uuid)).rawPayload).toEqual(open);

    await client.delete(`/api/invoices/${uuid}/`);
    const credited = (await readPdf(uuid)).text();
    expect(credited).toContain('Kreditert med kreditnota');
    expect(credited).toContain(String(number + 1));
    const note = (await client.get(`/api/invoices/${number + 1}/`)).body as { uuid: string };
    expect((await readPdf(note.uuid)).text()).toContain(`Krediterer faktura ${number} av`);
  });

  // DOC-1
  test('is kept as it was first made, mailed or not, and shown so for ever', async () => {
    const { uuid } = await registerInvoice();
    await setStatus(uuid, 'PAID');
    // First made when it is paid already: what is kept has no stamp all the same.
    expect((await readPdf(uuid)).text()).toContain('BETALT – KOPI');
    const original = (await fetchPdf(uuid, {}, '?original=true')).rawPayload;
    expect(readWithPoppler(folder, original).text()).not.toContain('BETALT');

    const render = vi.spyOn(testApp.context.pdf, 'preview').mockRejectedValue(new Error('Never'));
    expect((await fetchPdf(uuid, {}, '?original=true')).rawPayload).toEqual(original);
    await setStatus(uuid, 'REGISTERED');
    expect((await fetchPdf(uuid)).rawPayload).toEqual(original);
    render.mockRestore();
    const kept = await keptOf(uuid);
    expect(kept.map(({ format }) => format).toSorted()).toEqual(['EHF', 'PDF']);
    const { content } = kept.find(({ format }) => format === 'PDF') ?? {};
    expect(Buffer.from(content ?? [])).toEqual(original);
  });

  test('is kept once, though it is first shown to many at once, and is then what is mailed', async () => {
    const email = 'samtidig@example.no';
    const uuid = await createDraft(client, await createCustomer(client, { email }), {
      delivery_type: 'EMAIL',
    });
    const number = await register(client, uuid);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(async () => fetchPdf(uuid)));
    expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(1);
    const mailed = (await attachmentsOf(email)).get(`Faktura-${number}.pdf`);
    expect(answers[0]?.rawPayload).toEqual(mailed);
    expect(await keptOf(uuid)).toHaveLength(2);
  });

  test('is the one that was mailed, whatever became of the invoice since', async () => {
    const to = 'kunde@example.no';
    const { uuid, number } = await registerInvoice({ delivery_type: 'EMAIL' });
    const mailed = (await attachmentsOf(to)).get(`Faktura-${number}.pdf`);
    await until(
      async () => client.get(`/api/invoices/${uuid}/`),
      ({ body }) => body.delivery_status === 'SENT',
    );
    await setStatus(uuid, 'PAID');
    const shown = await fetchPdf(uuid);
    expect(shown.rawPayload).toEqual(mailed);
    const kept = await testApp.context.db
      .selectFrom('documentFile')
      .innerJoin('document', 'document.id', 'documentFile.documentId')
      .innerJoin('invoice', 'invoice.id', 'document.invoiceId')
      .select('sha256')
      .where('invoice.uuid', '=', uuid)
      .where('format', '=', 'PDF')
      .executeTakeFirstOrThrow();
    expect(shown.headers.etag).toBe(`"${Buffer.from(kept.sha256).toString('hex')}"`);
  });
});

describe('the EHF', () => {
  // DOC-15
  test('is a file with a good name', async () => {
    const { uuid, number } = await registerInvoice();
    await client.delete(`/api/invoices/${uuid}/`);
    const invoice = await client.get(`/api/invoices/${number}/efaktura/`);
    expect(invoice.headers).toMatchObject({
      'content-type': expect.stringMatching(/^application\/xml/),
      'content-disposition': `attachment; filename="Faktura-${number}.xml"`,
      'x-content-type-options': 'nosniff',
    });
    const note = await client.get(`/api/invoices/${number + 1}/efaktura/`);
    expect(note.headers['content-disposition']).toBe(
      `attachment; filename="Kreditnota-${number + 1}.xml"`,
    );
    expect(note.text).toContain('<cbc:CreditNoteTypeCode>381<');
  });

  // DOC-1
  test('is kept when it is first made, though nothing can be printed just then', async () => {
    const { uuid } = await registerInvoice();
    const render = vi.spyOn(testApp.context.pdf, 'preview').mockRejectedValue(new Error('Busy'));
    const answers = await Promise.all(
      [1, 2, 3].map(async () => client.get(`/api/invoices/${uuid}/efaktura/`)),
    );
    render.mockRestore();
    const [kept, ...others] = await keptOf(uuid);
    expect(others).toEqual([]);
    const text = Buffer.from(kept?.content ?? []).toString();
    expect(answers.map((answer) => answer.text)).toEqual([text, text, text]);
  });

  test('is in the PDF that is made after it, and is what is mailed', async () => {
    const email = 'ehf@example.no';
    // Written otherwise than today, to be told from what would be made anew.
    const content = Buffer.from('<Invoice>as it was written then</Invoice>');
    const uuid = await createDraft(client, await createCustomer(client, { email }), {
      delivery_type: 'EMAIL',
    });
    const { db, jobs } = testApp.context;
    const enqueue = vi.spyOn(jobs, 'enqueue').mockResolvedValueOnce();
    const number = await register(client, uuid);
    expect(enqueue).toHaveBeenCalledTimes(1);
    enqueue.mockRestore();
    await keepEhf(uuid, content);
    await jobs.enqueue(db, dispatchJob, { companyId: null });
    const mailed = await attachmentsOf(email);
    expect(mailed.get(`Faktura-${number}.xml`)?.toString()).toBe(content.toString());
    const pdf = mailed.get(`Faktura-${number}.pdf`);
    expect((await fetchPdf(uuid)).rawPayload).toEqual(pdf);
    expect(readWithPoppler(folder, pdf ?? Buffer.of()).attachments()).toEqual({
      [`Faktura-${number}.xml`]: content.toString(),
    });
  });

  test('is what was sent, even if we would write it otherwise today', async () => {
    const { uuid } = await registerInvoice();
    const content = Buffer.from('<Invoice>as it was written then: æøå</Invoice>');
    await keepEhf(uuid, content);
    expect((await client.get(`/api/invoices/${uuid}/efaktura/`)).text).toBe(content.toString());
  });

  test('is not in the mail, nor in the PDF, where the buyer has no organisation number (DOC-17)', async () => {
    const email = 'uten-nummer@example.no';
    const uuid = await createDraft(
      client,
      await createCustomer(client, { email, org_number: '' }),
      {
        delivery_type: 'EMAIL',
      },
    );
    const number = await register(client, uuid);
    const [[name, pdf] = [], ...others] = await attachmentsOf(email);
    expect([name, others]).toEqual([`Faktura-${number}.pdf`, []]);
    expect(readWithPoppler(folder, pdf ?? Buffer.of()).attachments()).toEqual({});
  });

  // DOC-17
  test.each([
    ['a buyer without an organisation number', { org_number: null }, {}, 'no organisation number'],
    ['a buyer whose number fails', { org_number: '123456784' }, {}, "buyer's organisation number"],
    [
      'a seller whose number fails',
      {},
      { org_number: '123456784' },
      "seller's organisation number",
    ],
    ['VAT without registration', {}, { vat_registered: false }, 'not VAT-registered'],
  ])('of %s is refused with the reason', async (_, customer, profile, reason) => {
    const seller = await testApp.login();
    await completeProfile(seller, profile);
    const uuid = await createDraft(seller, await createCustomer(seller, customer));
    await register(seller, uuid);
    const answer = await seller.get(`/api/invoices/${uuid}/efaktura/`);
    expect(answer.status).toBe(409);
    expect(answer.body.detail[0].message).toContain(reason);
    expect(answer.headers['content-disposition']).toBeUndefined();
  });
});
