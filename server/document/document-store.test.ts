import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';

import { ConfigError, readConfig } from '../config.ts';
import { hexOf, sha256 } from '../platform/crypto.ts';
import { listObjects, noteObjects } from '../closing/closing.repository.ts';
import { removeExpired } from '../export/export-file.service.ts';
import { markDeleted } from '../export/export.repository.ts';
import { makeFileInProcess } from '../export/file-maker.ts';
import { CALL_LIMITS } from '../platform/db/connections.ts';
import { openServer, type Database } from '../platform/db/database.ts';
import type { ObjectStore } from '../platform/object-store/object-store.ts';
import { openObjectStore } from '../platform/object-store/open-object-store.ts';
import { OutsideError } from '../platform/log/outside-error.ts';
import { runCommand } from '../operator/run-command.ts';
import { readRestore, restore } from '../operator/backup.command.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import {
  askForExport,
  beginMaking,
  bytesAt,
  expire,
  makeExport,
  namesInZip,
  type AnsweredExport,
} from '../testing/exports.ts';
import { startProxy, type CuttableProxy } from '../testing/proxies.ts';
import { openMigratedDatabase, openTestDatabase } from '../testing/database.ts';
import {
  addQuote,
  completeProfile,
  createCustomer,
  createDraft,
  register,
} from '../testing/factories.ts';
import { createServerDatabase } from '../testing/server-database.ts';
import { readMail } from '../testing/mails.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';
import { startSwift, type BucketSettings, type Swift } from '../testing/swift.ts';
import { until } from '../testing/until.ts';

const EMAIL = 'eier@example.no';

let swift: Swift;
let line: CuttableProxy;
let smtp: MailServer;
let bucket: BucketSettings;
let store: ObjectStore;
let server: Awaited<ReturnType<typeof createServerDatabase>>;
/** Without the setting, with it, and with it for reading alone; jobs run in the second. */
let apps: Readonly<Record<'off' | 'on' | 'readOnly', TestApp>>;
let testApp: TestApp;
let client: TestClient;
let customer = 0;

beforeAll(async () => {
  [swift, smtp] = await Promise.all([startSwift(), startMailServer()]);
  line = await startProxy(swift.port);
  bucket = throughLine(await swift.newBucket());
  store = openObjectStore(readConfig(bucket).documentStore);
  server = await createServerDatabase(inject('postgresUrl'), inject('postgresTemplate'));
  const [off, on, readOnly] = await Promise.all([
    startWith({ ROLE: 'web' }),
    startWith({ SMTP_URL: smtp.url, ...bucket }),
    startWith({ ROLE: 'web', ...bucket, DOCUMENT_STORE: `${bucket.DOCUMENT_STORE}&new=no` }),
  ]);
  apps = { off, on, readOnly };
  await use('on');
  await completeProfile(client);
  customer = await createCustomer(client);
});
afterEach(() => line.mend());
afterAll(async () => {
  await Promise.all(Object.values(apps).map(async (app) => app.close()));
  await server.drop();
  store.close();
  await smtp.close();
  await line.close();
  await swift.stop();
});

function throughLine(settings: BucketSettings): BucketSettings {
  const DOCUMENT_STORE = settings.DOCUMENT_STORE.replace(`:${swift.port}`, `:${line.port}`);
  return { ...settings, DOCUMENT_STORE };
}

/** A process with these settings on the database that all of them share. */
async function startWith(settings: NodeJS.ProcessEnv): Promise<TestApp> {
  const database = openServer(server.url, () => undefined, { limits: CALL_LIMITS });
  const shared = {
    FEATURES: 'attachments,export,quotes',
    DATABASE_URL: server.url,
    SECRET_KEY: 'x'.repeat(32),
  };
  return startTestApp({ ...shared, ...settings }, { database });
}

/** The process that what follows goes to. */
async function use(name: keyof typeof apps): Promise<void> {
  testApp = apps[name];
  client = await testApp.login(EMAIL);
}

interface Invoice {
  readonly uuid: string;
  readonly number: number;
}

async function makeInvoice(changes: object = {}): Promise<Invoice> {
  const uuid = await createDraft(client, customer, changes);
  return { uuid, number: await register(client, uuid) };
}

/** An invoice with a file that is sent along, whose bytes are like no other's. */
async function makeWithFile(changes: object = {}): Promise<Invoice & { file: Buffer }> {
  const uuid = await createDraft(client, customer, changes);
  const file = await attach('invoices', uuid);
  return { uuid, file, number: await register(client, uuid) };
}

/** Attaches a file whose bytes are like no other's. */
async function attach(concept: 'invoices' | 'quotes', uuid: string): Promise<Buffer> {
  const payload = Buffer.from(`%PDF-1.7 ${uuid}\n%%EOF\n`);
  await client.send({
    method: 'POST',
    url: `/api/${concept}/${uuid}/attachments/?name=bilag.pdf`,
    headers: { 'content-type': 'application/octet-stream' },
    payload,
  });
  return payload;
}

/** The file that is sent along, and where it is. */
async function fileOf({ uuid }: Invoice): Promise<{ content: Buffer; home: string | undefined }> {
  const list = await client.get(`/api/invoices/${uuid}/attachments/`);
  const [file] = list.body as { uuid: string }[];
  const { rawPayload } = await testApp.app.http.inject({
    url: `/api/invoices/${uuid}/attachments/${file?.uuid}/`,
    headers: { cookie: client.cookieHeader },
  });
  const row = await testApp.context.db
    .selectFrom('attachment')
    .select('home')
    .where('uuid', '=', file?.uuid ?? '')
    .executeTakeFirst();
  return { content: rawPayload, home: row?.home };
}

async function fetchPdf({ uuid }: Invoice, headers: Record<string, string> = {}) {
  return testApp.app.http.inject({
    url: `/invoices/${uuid}/pdf/`,
    headers: { cookie: client.cookieHeader, ...headers },
  });
}

async function pdfOf(invoice: Invoice): Promise<Buffer> {
  const answer = await fetchPdf(invoice);
  expect(answer.statusCode).toBe(200);
  return answer.rawPayload;
}

async function mailOf({ number }: Invoice) {
  return smtp.waitForMail(({ subject }) => subject.includes(String(number)));
}

async function rowsOf({ uuid }: Invoice) {
  return testApp.context.db
    .selectFrom('documentFile as file')
    .innerJoin('document', 'document.id', 'file.documentId')
    .innerJoin('invoice', 'invoice.id', 'document.invoiceId')
    .select(['format', 'home', 'sha256', 'file.companyId', 'file.content'])
    .where('invoice.uuid', '=', uuid)
    .orderBy('format')
    .execute();
}

async function run(command: string, ...args: string[]) {
  const lines: string[] = [];
  const exit = await runCommand(testApp.context, command, args, {
    line: (text) => lines.push(text),
    bytes: async () => undefined,
  });
  return { exit, text: lines.join('\n') };
}

async function keyOf(invoice: Invoice, wanted = 'PDF'): Promise<string> {
  const row = (await rowsOf(invoice)).find(({ format }) => format === wanted);
  if (!row) throw new Error('Nothing is kept');
  return `${row.companyId}/${hexOf(row.sha256)}`;
}

describe('with DOCUMENT_STORE, what is made', () => {
  beforeAll(async () => use('on'));

  test('is in the bucket alone, by its company and SHA-256, and is shown and mailed from there', async () => {
    const invoice = await makeInvoice({ delivery_type: 'EMAIL' });
    const mail = await mailOf(invoice);
    const rows = await rowsOf(invoice);
    expect(rows).toMatchObject([
      { format: 'EHF', home: 'S3', content: null },
      { format: 'PDF', home: 'S3', content: null },
    ]);
    const pdf = await pdfOf(invoice);
    expect(await store.get(await keyOf(invoice))).toEqual(pdf);
    const { attachments } = await readMail(mail);
    expect(attachments.map(({ content }) => sha256(Buffer.from(content as ArrayBuffer)))).toEqual(
      rows.toReversed().map((row) => Buffer.from(row.sha256)),
    );
    const ehf = await client.get(`/api/invoices/${invoice.number}/efaktura/`);
    expect(ehf.text).toBe(
      Buffer.from((await store.get(await keyOf(invoice, 'EHF'))) ?? []).toString(),
    );
  });

  test('is made once, though many look at it at once', async () => {
    const invoice = await makeInvoice();
    const shown = await Promise.all([1, 2, 3].map(async () => pdfOf(invoice)));
    expect(new Set(shown.map((content) => hexOf(sha256(content)))).size).toBe(1);
    expect(await rowsOf(invoice)).toHaveLength(2);
  });

  test('is compared with its SHA-256 by the ledger check, and when it is shown', async () => {
    const invoice = await makeInvoice();
    const pdf = await pdfOf(invoice);
    expect(await run('ledger', 'check')).toMatchObject({ exit: 0 });
    const key = await keyOf(invoice);
    await store.put(key, Buffer.from('exchanged'));
    expect((await run('ledger', 'check')).text).toContain(
      `invoice ${invoice.number}: the PDF is not the one that was kept when it was first made`,
    );
    expect((await fetchPdf(invoice)).statusCode).toBe(500);
    await store.put(key, pdf);
    expect(await run('ledger', 'check')).toMatchObject({ exit: 0 });
  });

  test('is not in a backup, but its row is, which finds it after a restore', async () => {
    const invoice = await makeInvoice();
    const pdf = await pdfOf(invoice);
    const folder = await mkdtemp(join(tmpdir(), 'faktur-store-'));
    const chunks: Uint8Array[] = [];
    await runCommand(testApp.context, 'db:backup', ['file'], {
      line: () => undefined,
      bytes: async (chunk) => void chunks.push(chunk),
    });
    const file = join(folder, 'backup');
    await writeFile(file, Buffer.concat(chunks));
    const restored = await openTestDatabase();
    try {
      const output = { line: () => undefined, bytes: async () => undefined };
      const request = await readRestore([file]);
      expect(await restore(testApp.context.config, restored, request, output)).toBe(0);
      const { db } = restored;
      const lines: string[] = [];
      const exit = await runCommand({ ...testApp.context, db }, 'ledger', ['check'], {
        line: (text) => lines.push(text),
        bytes: async () => undefined,
      });
      expect([exit, lines.at(-1)]).toEqual([0, expect.stringContaining('all in order')]);
      const rows = await db.selectFrom('documentFile').select(['home', 'sha256']).execute();
      expect(rows.map((row) => [row.home, hexOf(row.sha256)])).toContainEqual([
        'S3',
        hexOf(sha256(pdf)),
      ]);
    } finally {
      await restored.close();
      await rm(folder, { recursive: true });
    }
  });
});

test("an export's file is in the bucket, with its bytes, until it is over", async () => {
  await use('on');
  await makeInvoice();
  const done = await makeExport(client);
  const parts = async () =>
    testApp.context.db
      .selectFrom('exportPart')
      .innerJoin('export', (join) =>
        join
          .onRef('export.id', '=', 'exportPart.exportId')
          .onRef('export.companyId', '=', 'exportPart.companyId'),
      )
      .select(['exportPart.companyId', 'exportPart.attempt', 'exportPart.position', 'content'])
      .select('home')
      .where('export.companyId', '=', await companyIdOf(testApp.context.db, EMAIL))
      .where('export.uuid', '=', done.uuid)
      .execute();
  const [part, ...others] = await parts();
  expect(others).toEqual([]);
  expect(part).toMatchObject({ home: 'S3', content: null });
  const key = `${part?.companyId}/exports/${done.uuid}/${part?.attempt}/${part?.position}`;
  const url = `/api/exports/${done.uuid}/file/`;
  const stored = await store.get(key);
  expect(hexOf(sha256(stored ?? ''))).toBe(done.sha256);
  expect(hexOf(sha256(await bytesAt(testApp, client, url)))).toBe(done.sha256);
  await use('readOnly');
  expect(hexOf(sha256(await bytesAt(testApp, client, url)))).toBe(done.sha256);
  await use('on');
  const text = (await askForExport(client, { kind: 'SAFT' })).body as AnsweredExport;
  const xml = await bytesAt(testApp, client, `/api/exports/${text.uuid}/file/`);
  expect(xml.toString()).toContain('</AuditFile>');
  for (const { uuid } of [done, text]) {
    await expire(testApp.context.db, part?.companyId ?? 0, uuid);
  }
  const { objectStore } = testApp.context;
  const remove = objectStore.delete.bind(objectStore);
  const removed: string[] = [];
  vi.spyOn(objectStore, 'delete').mockImplementation(async (name) => {
    if (name === key) throw new Error('It may not be deleted');
    await remove(name);
    removed.push(name);
  });
  // One that cannot be removed holds up no other, and is tried again.
  await expect(removeExpired(testApp.context)).rejects.toThrow('It may not be deleted');
  expect(removed.some((name) => name.includes(text.uuid))).toBe(true);
  expect(await parts()).toHaveLength(1);
  vi.restoreAllMocks();
  await removeExpired(testApp.context);
  expect(await parts()).toEqual([]);
  expect(await store.get(key)).toBeNull();
});

test('the process that makes an archive says so when the bucket is away', async () => {
  await use('on');
  await pdfOf(await makeInvoice());
  const { db } = testApp.context;
  const companyId = await companyIdOf(db, EMAIL);
  const all = { from: null, to: '2099-12-31', filter: null, lastPaymentId: 0 };
  const task = await beginMaking(db, { companyId, lastNumber: 0, ...all }, 'ARCHIVE');
  line.cut();
  const { config, directUrl } = testApp.context;
  const { documentStore, dataDir } = config;
  const stores = { url: directUrl ?? '', documentStore, dataDir };
  const order = { ...task, kind: 'ARCHIVE', ...stores } as const;
  const made = makeFileInProcess(order, new AbortController().signal);
  await expect(made).rejects.toBeInstanceOf(OutsideError);
  await markDeleted(db, task.row);
});

describe('a store that does not answer', () => {
  beforeAll(async () => use('on'));

  test('is said with 503 where its bytes are wanted; all else goes on', async () => {
    const invoice = await makeInvoice();
    const pdf = await pdfOf(invoice);
    line.cut();
    const answer = await fetchPdf(invoice);
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBe('10');
    expect(answer.json()).toEqual({
      detail: [{ message: 'The document cannot be fetched just now; try again in a moment' }],
    });
    const tab = await fetchPdf(invoice, { accept: 'text/html' });
    expect(tab.statusCode).toBe(503);
    expect(tab.headers['retry-after']).toBe('10');
    expect(tab.body).toContain('Dokumentet kan ikke hentes akkurat nå.');
    expect(await client.get(`/api/invoices/${invoice.number}/efaktura/`)).toMatchObject({
      status: 503,
    });
    expect((await testApp.app.http.inject({ url: '/readyz' })).statusCode).toBe(200);
    const next = await makeInvoice();
    expect((await fetchPdf(next)).statusCode).toBe(503);
    expect(await rowsOf(next)).toEqual([]);
    expect(await run('ledger', 'check')).toMatchObject({
      exit: 1,
      text: expect.stringContaining('S3 did not do it'),
    });
    line.mend();
    expect(await pdfOf(invoice)).toEqual(pdf);
    expect((await pdfOf(next)).length).toBeGreaterThan(1000);
  });

  test('holds deliveries up, which count no try and go out when it is back', async () => {
    line.cut();
    const invoice = await makeInvoice({ delivery_type: 'EMAIL' });
    const deliveryOf = async () =>
      testApp.context.db
        .selectFrom('delivery')
        .innerJoin('invoice', 'invoice.id', 'delivery.invoiceId')
        .select(['delivery.status', 'attempts'])
        .where('invoice.uuid', '=', invoice.uuid)
        .executeTakeFirst();
    await until(deliveryOf, (found) => found !== undefined);
    await until(
      async () => testApp.context.jobs.depths(),
      (queues) => queues.some(({ name, waiting }) => name === 'deliver' && waiting > 0),
    );
    expect(await deliveryOf()).toEqual({ status: 'QUEUED', attempts: 0 });
    line.mend();
    await mailOf(invoice);
    expect(await until(deliveryOf, (found) => found?.status === 'SENT')).toMatchObject({
      attempts: 1,
    });
  });
});

// DOC-26
test('a file that is sent along goes to the bucket when it is first sent', async () => {
  await use('on');
  const invoice = await makeWithFile({ delivery_type: 'EMAIL' });
  const { attachments } = await readMail(await mailOf(invoice));
  const sent = attachments.find(({ filename }) => filename === 'bilag.pdf');
  expect(Buffer.from(sent?.content as ArrayBuffer)).toEqual(invoice.file);
  await until(
    async () => fileOf(invoice),
    ({ home }) => home === 'S3',
  );
  expect((await fileOf(invoice)).content).toEqual(invoice.file);
  expect(await run('ledger', 'check')).toMatchObject({ exit: 0 });
});

interface SentQuote {
  readonly uuid: string;
  readonly file: Buffer;
  /** Its PDF, and that of its order confirmation when it was accepted. */
  readonly pdfs: Readonly<Record<string, Buffer>>;
}

/** Mails a quote with a file, and then accepts or revises it. */
async function sendQuote(next: 'accept' | 'revise'): Promise<SentQuote> {
  const { uuid } = await addQuote(client, customer);
  const file = await attach('quotes', uuid);
  const path = `/api/quotes/${uuid}/`;
  const read = async () => (await client.get(path)).body as { deliveries: { status: string }[] };
  await client.post(`${path}send/`, { recipient: 'kunde@example.no' });
  await until(read, ({ deliveries }) => deliveries[0]?.status === 'SENT');
  const pdfs: Record<string, Buffer> = {};
  const keep = async (url: string) => (pdfs[url] = await bytesAt(testApp, client, url));
  if (next === 'accept') await keep(`/quotes/${uuid}/pdf/`);
  expect((await client.post(`${path}${next}/`, { name: 'Kari' })).status).toBe(200);
  if (next === 'accept') await keep(`/quotes/${uuid}/confirmation/pdf/`);
  return { uuid, file, pdfs };
}

/** The files of a quote, each with where it is. */
async function homesOf({ uuid }: SentQuote): Promise<string[]> {
  const { db } = testApp.context;
  const { companyId, id } = await db
    .selectFrom('quote')
    .select(['companyId', 'id'])
    .where('uuid', '=', uuid)
    .executeTakeFirstOrThrow();
  const documents = await db
    .selectFrom('quoteDocument')
    .select(['kind', 'home'])
    .where('companyId', '=', companyId)
    .where('quoteId', '=', id)
    .execute();
  const files = await db
    .selectFrom('quoteAttachment')
    .select(['revision', 'home'])
    .where('companyId', '=', companyId)
    .where('quoteId', '=', id)
    .execute();
  return [
    ...documents.map(({ kind, home }) => `${kind} ${home}`),
    ...files.map(({ revision, home }) => `file of ${revision} ${home}`),
  ].toSorted();
}

/** The quote is shown with the bytes that it had. */
async function expectQuote({ uuid, file, pdfs }: SentQuote): Promise<void> {
  for (const [url, pdf] of Object.entries(pdfs)) {
    expect(await bytesAt(testApp, client, url)).toEqual(pdf);
  }
  const url = `/api/quotes/${uuid}/attachments/`;
  const [attached] = (await client.get(url)).body as { uuid: string }[];
  expect(await bytesAt(testApp, client, `${url}${attached?.uuid}/`)).toEqual(file);
}

describe('moving', () => {
  const made: { invoice: Invoice & { file: Buffer }; pdf: Buffer }[] = [];

  async function make(): Promise<Invoice> {
    const invoice = await makeWithFile();
    made.push({ invoice, pdf: await pdfOf(invoice) });
    return invoice;
  }

  async function expectAll(): Promise<void> {
    for (const { invoice, pdf } of made) {
      expect(await pdfOf(invoice)).toEqual(pdf);
      expect((await fileOf(invoice)).content).toEqual(invoice.file);
    }
    expect(await run('ledger', 'check')).toMatchObject({ exit: 0 });
  }

  test('goes on where it was cut off, while documents are made, and back again', async () => {
    await use('off');
    for (let count = 0; count < 3; count += 1) await make();
    expect(await run('documents', 'move', '--to', 's3')).toEqual({
      exit: 1,
      text: 'DOCUMENT_STORE is not set.',
    });

    await use('on');
    await make();
    await expectAll();
    line.cut();
    expect(await run('documents', 'move', '--to', 's3')).toMatchObject({
      exit: 1,
      text: expect.stringMatching(/^0 files moved, 0.0 MB\nS3 did not do it .*Begin again when/),
    });
    line.mend();
    const [moved] = await Promise.all([run('documents', 'move', '--to', 's3'), make()]);
    expect(moved.text).toMatch(/^\d+ files moved, \d\.\d MB; all are there$/);
    expect(moved.exit).toBe(0);
    expect((await run('documents', 'count')).text).toMatch(/^\d+ files in S3$/);
    await expectAll();

    expect(await run('documents', 'move', '--to', 'database')).toMatchObject({ exit: 1 });
    await use('readOnly');
    const fresh = await make();
    expect(await rowsOf(fresh)).toMatchObject([{ home: 'DATABASE' }, { home: 'DATABASE' }]);
    await expectAll();
    expect(await run('documents', 'move', '--to', 's3')).toMatchObject({ exit: 1 });
    expect(await run('documents', 'move', '--to', 'database')).toMatchObject({ exit: 0 });
    expect((await run('documents', 'count')).text).toMatch(/^\d+ files in the database$/);
    await use('off');
    await expectAll();
  });

  // DOC-26
  test('takes quotes, order confirmations and their files, but no files of drafts', async () => {
    await use('on');
    const accepted = await sendQuote('accept');
    const revised = await sendQuote('revise');
    const expectHomes = async (home: string, ofDraft: string) => {
      expect(await homesOf(accepted)).toEqual([
        `ORDER_CONFIRMATION ${home}`,
        `QUOTE ${home}`,
        `file of 1 ${home}`,
      ]);
      expect(await homesOf(revised)).toEqual([
        `QUOTE ${home}`,
        `file of 1 ${home}`,
        `file of 2 ${ofDraft}`,
      ]);
      await expectQuote(accepted);
      await expectQuote(revised);
    };
    await expectHomes('S3', 'S3');
    const invoice = await makeInvoice();
    await pdfOf(invoice);
    // A process of its own reads the bucket for it.
    const archive = await makeExport(client, { kind: 'ARCHIVE' });
    const url = `/api/exports/${archive.uuid}/file/`;
    const names = await namesInZip(await bytesAt(testApp, client, url));
    expect(names.map((name) => name.replace(/\/\d{4}\//, '/YYYY/'))).toEqual(
      expect.arrayContaining([
        `dokumenter/YYYY/Faktura-${invoice.number}.pdf`,
        'tilbud/YYYY/Tilbud-1.pdf',
        'tilbud/YYYY/Ordrebekreftelse-1.pdf',
        'vedlegg/YYYY/Tilbud-1/bilag.pdf',
        'vedlegg/YYYY/Tilbud-2/bilag.pdf',
        `vedlegg/utkast/${revised.uuid}/bilag.pdf`,
      ]),
    );
    await use('readOnly');
    expect(await run('documents', 'move', '--to', 'database')).toMatchObject({ exit: 0 });
    expect((await run('documents', 'count')).text).toMatch(/^\d+ files in the database$/);
    await expectHomes('DATABASE', 'DATABASE');
    await use('on');
    expect(await run('documents', 'move', '--to', 's3')).toMatchObject({ exit: 0 });
    expect((await run('documents', 'count')).text).toContain('1 files in the database');
    await expectHomes('S3', 'DATABASE');
    await expectAll();
    // CLO-7: their keys are deleted with the company.
    const { db } = testApp.context;
    const companyId = await companyIdOf(db, EMAIL);
    const trx = await db.startTransaction().execute();
    await noteObjects(trx, companyId);
    const keys = await listObjects(trx, companyId, 1000);
    await trx.rollback().execute();
    const bytes = [...Object.values(accepted.pdfs), accepted.file, revised.file];
    expect(keys).toEqual(
      expect.arrayContaining(bytes.map((content) => `${companyId}/${hexOf(sha256(content))}`)),
    );
  });

  test('leaves what is not what it should be where it is, and names it', async () => {
    await use('on');
    const invoice = await makeInvoice();
    const pdf = await pdfOf(invoice);
    const key = await keyOf(invoice);
    await store.put(key, Buffer.from('exchanged'));
    await use('readOnly');
    const { exit, text } = await run('documents', 'move', '--to', 'database');
    expect([exit, text]).toEqual([1, expect.stringMatching(/✗ PDF of document \d+\/\d+ is not/)]);
    expect(await rowsOf(invoice)).toMatchObject([{ home: 'DATABASE' }, { home: 'S3' }]);
    await store.put(key, pdf);
    expect(await run('documents', 'move', '--to', 'database')).toMatchObject({ exit: 0 });
    expect(await pdfOf(invoice)).toEqual(pdf);
  });

  test('cannot be forgotten: without the setting, what is there is out of reach and not made anew', async () => {
    await use('on');
    const invoice = await makeInvoice();
    const pdf = await pdfOf(invoice);
    await use('off');
    expect((await fetchPdf(invoice)).statusCode).toBe(503);
    expect((await run('ledger', 'check')).text).toContain('DOCUMENT_STORE is not set');
    await use('on');
    expect(await pdfOf(invoice)).toEqual(pdf);
  });
});

describe('at start', () => {
  async function startFailing(changes: Partial<BucketSettings>): Promise<string> {
    const database: Database = await openMigratedDatabase();
    try {
      const started = await startTestApp({ ...bucket, ...changes }, { database });
      await started.close();
      return '';
    } catch (error) {
      await database.close();
      if (!(error instanceof ConfigError)) throw error;
      return error.message;
    }
  }

  test.each([
    [
      { AWS_SECRET_ACCESS_KEY: 'wrong' },
      /^DOCUMENT_STORE cannot be used: .*SignatureDoesNotMatch.*$/,
    ],
    [
      { AWS_ACCESS_KEY_ID: 'nobody' },
      /^DOCUMENT_STORE cannot be used: .*; look at DOCUMENT_STORE.*$/,
    ],
  ])('%j is refused with one line', async (changes, words) => {
    expect(await startFailing(changes)).toMatch(words);
  });

  test('so are a bucket and a host that are not there', async () => {
    const { DOCUMENT_STORE } = bucket;
    expect(
      await startFailing({ DOCUMENT_STORE: DOCUMENT_STORE.replace('s3://', 's3://no-') }),
    ).toMatch(/^DOCUMENT_STORE cannot be used: .*NoSuchBucket.*$/);
    expect(
      await startFailing({ DOCUMENT_STORE: 's3://bucket?endpoint=http://no.such.host.invalid' }),
    ).toMatch(/^DOCUMENT_STORE cannot be used: .*no\.such\.host\.invalid.*$/);
  });

  test('a store that is away does not hold the product up', async () => {
    line.cut();
    const started = await startWith({ ROLE: 'web', ...bucket });
    expect((await started.app.http.inject({ url: '/readyz' })).statusCode).toBe(200);
    await started.close();
  });
});
