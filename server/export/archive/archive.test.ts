import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sql } from 'kysely';
import { openPromise } from 'yauzl';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { addDays, todayInOslo } from '../../../domain/date.ts';
import { setStaff } from '../../account/account.repository.ts';
import { insertApiToken } from '../../account/token.repository.ts';
import { request } from '../../delivery/carriers/ehf/ehf.repository.ts';
import { printMissing } from '../../document/document-file.service.ts';
import { runCommand } from '../../operator/run-command.ts';
import { sha256 } from '../../platform/crypto.ts';
import { wrapEmbedded, type Database, type Db } from '../../platform/db/database.ts';
import { openMemoryDatabase } from '../../platform/db/embedded.ts';
import { migrate, MIGRATIONS } from '../../platform/db/migrate.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import type { TestClient } from '../../testing/client.ts';
import { uploadAndBook } from '../../testing/bank-files/bank-company.ts';
import { ocrFile } from '../../testing/bank-files/payment-files.ts';
import { companyIdOf, seedCompany } from '../../testing/company.ts';
import { openMigratedDatabase } from '../../testing/database.ts';
import {
  addAssignment,
  addQuote,
  createCustomer,
  createDraft,
  line,
  PROFILE,
  register,
} from '../../testing/factories.ts';
import { saveReminderSettings } from '../../testing/late-invoices.ts';
import { saveLogo, STRIPES } from '../../testing/logos.ts';
import { askForExport, bytesAt, makeExport, namesInZip } from '../../testing/exports.ts';
import { addMember } from '../../testing/members.ts';
import { addBankPayment, addReminderClaims } from '../../testing/payments.ts';
import { zipOf, type ZipEntry } from '../zip.ts';
import { printArchive, withAllPrinted } from './archive.ts';
import { ARCHIVED_TABLES, LEFT_OUT_TABLES } from './archive-tables.ts';

// Several embedded databases in one process are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const OWNER = 'kari@fjordlys.no';
const OTHER = 'ola@nordlys.no';
const FEATURES =
  'payments,credit,attachments,products,reminders,recurring,units,vat,export,einvoice,quotes';
const PDF = Buffer.from('%PDF-1.7\n%âãÏÓ\nTimeliste\n%%EOF\n');
const ACCOUNT = '12341112344';
const TODAY = todayInOslo();

let testApp: TestApp;
let client: TestClient;
let customer: number;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faktur-archive-test-'));
  testApp = await startTestApp({ FEATURES });
  await seedCompany(await testApp.login(OTHER));
  client = await testApp.login(OWNER);
  await saveLogo(client, STRIPES);
  await seedCompany(client);
  await client.post('/api/users/update/', { ...PROFILE, org_number: '974760673' });
  customer = await createCustomer(client, { name: '<b>Ærlig & "Øde" 🦉</b>', org_number: null });
  await client.post('/api/products/create/', {
    number: 'A/1'.replace('/', '-'),
    name: 'Time',
    net_price: 900,
  });
  await fillBooks();
  await fillQuotes();
  await fillSurroundings();
});
afterAll(async () => {
  await testApp.close();
  await rm(folder, { recursive: true, force: true });
});

/** Part credit, money by hand, undone and refunded, an overpayment, a reminder and a bank file. */
async function fillBooks(): Promise<void> {
  const { db } = testApp.context;
  const companyId = await companyIdOf(db, OWNER);
  const parted = await issue([line('Planke', 250, 25, 5), line('Arbeid', 400, 15)]);
  const reductions = [{ description: 'Avslag', net_amount: 100, vat_treatment: 'STANDARD' }];
  await must(client.post(`/api/invoices/${parted}/credit/`, { reductions }), 201);
  const paid = { invoice_uuid: parted, amount: 500, date: TODAY };
  await must(client.post('/api/payments/', paid), 201);
  await must(client.post('/api/payments/', { ...paid, amount: 50 }), 201);
  const [last] = await listPayments('');
  await must(client.post(`/api/payments/${last}/undo/`), 200);
  const over = await addBankPayment(db, companyId, { amount: 2000 });
  const painted = await issue([line('Maling', 1000, 25)]);
  await must(client.post(`/api/payments/${over}/place/`, { invoice_uuid: painted }), 200);
  for (const uuid of await listPayments('?state=UNPLACED')) {
    await must(client.post(`/api/payments/${uuid}/refund/`), 200);
  }
  await addBankPayment(db, companyId, { amount: 77 });
  const late = await issue([line('Husleie', 9000, 0)]);
  await addReminderClaims(db, companyId, late, { fee: 35, interest: 12 });
  const disputed = { disputed: true, note: 'Uenig' };
  await must(client.post(`/api/invoices/${late}/dispute/`, disputed), 200);
  const { body } = await client.get(`/api/invoices/${await issue([line('Vask', 800, 25)])}/`);
  const { kid } = body as { kid: string };
  const file = ocrFile(
    [
      { kid, amount: 400 },
      { kid: '99', amount: 5 },
    ],
    { account: ACCOUNT },
  );
  await uploadAndBook(client, file);
}

async function listPayments(query: string): Promise<string[]> {
  const { body } = await client.get(`/api/payments/${query}`);
  return (body as { results: { uuid: string }[] }).results.map(({ uuid }) => uuid);
}

/** Attachments, an EMAIL invoice, an assignment, settings, a member. */
async function fillSurroundings(): Promise<void> {
  const withFile = await createDraft(client, customer, { delivery_type: 'EMAIL' });
  await attach(withFile, 'Time liste #1.pdf');
  await register(client, withFile);
  await attach(await createDraft(client, customer), 'utkast.pdf');
  await addAssignment(client, { customer_numbers: [customer], first_date: addDays(TODAY, 40) });
  await saveReminderSettings(client, { automatic: true });
  const { uuid } = await makeExport(client, { kind: 'CSV' });
  await bytesAt(testApp, client, `/api/exports/${uuid}/file/`);
  const url = '/api/users/export-settings/';
  const payload = { customer_offset: 100_000, accounts: { receivables: '1501' } };
  await must(client.send({ method: 'PUT', url, payload }), 200);
  const companyId = await companyIdOf(testApp.context.db, OWNER);
  await addMember(testApp, { companyId, email: 'revisor@example.no', role: 'AUDITOR' });
  const choices = { exempt: false, ehf_first: false };
  await must(client.put('/api/users/einvoice-settings/', choices), 200);
  await vi.waitUntil(
    async () => {
      const { body } = await client.get(`/api/invoices/${withFile}/`);
      return (body as { deliveries: { status: string }[] }).deliveries[0]?.status === 'SENT';
    },
    { timeout: 240_000, interval: 100 },
  );
}

/**
 * A draft; number 1, sent and to be revised, with a file; number 2, accepted by hand, of which an invoice and a draft took
 * parts; number 3, declined.
 */
async function fillQuotes(): Promise<void> {
  const draft = await addQuote(client, customer, { title: 'Utkast' });
  await attach(draft.uuid, 'utkast.pdf', 'quotes');
  const revised = await sendQuote({ message: 'Hei!' }, 'tegning.pdf');
  await must(client.post(`/api/quotes/${revised}/revise/`), 200);
  const lines = [line('Bad', 1000.01, 25), line('Kjøkken', 333.33, 25)];
  const accepted = await sendQuote({ lines });
  await must(client.post(`/api/quotes/${accepted}/accept/`, { name: 'Kari' }), 200);
  for (const percent of [30, 33.33]) {
    const { body } = await client.post(`/api/quotes/${accepted}/invoice/`, { percent });
    if (percent === 30) await register(client, (body as { uuid: string }).uuid);
  }
  await must(client.post(`/api/quotes/${await sendQuote({})}/decline/`, {}), 200);
}

/** Sends a quote, and waits for its mail. */
async function sendQuote(changes: object, file?: string): Promise<string> {
  const { uuid } = await addQuote(client, customer, changes);
  if (file !== undefined) await attach(uuid, file, 'quotes');
  const path = `/api/quotes/${uuid}/`;
  await must(client.post(`${path}send/`, { recipient: 'kjoper@example.no' }), 200);
  await vi.waitUntil(
    async () => {
      const { body } = await client.get(path);
      return (body as { deliveries: { status: string }[] }).deliveries[0]?.status === 'SENT';
    },
    { timeout: 240_000, interval: 100 },
  );
  return uuid;
}

async function must(answer: Promise<{ status: number; text: string }>, status: number) {
  const { status: got, text } = await answer;
  if (got !== status) throw new Error(`${got} instead of ${status}: ${text}`);
}

async function issue(lines: object[]): Promise<string> {
  const uuid = await createDraft(client, customer, {
    invoice_lines: lines,
    issue_date: addDays(TODAY, -20),
  });
  await register(client, uuid);
  return uuid;
}

async function attach(uuid: string, name: string, concept = 'invoices'): Promise<void> {
  await must(
    client.send({
      method: 'POST',
      url: `/api/${concept}/${uuid}/attachments/?name=${encodeURIComponent(name)}`,
      headers: { 'content-type': 'application/octet-stream' },
      payload: PDF,
    }),
    201,
  );
}

async function exportTo(file: string, db: Db = testApp.context.db, email = OWNER): Promise<void> {
  const handle = await open(file, 'wx');
  const exit = await runCommand({ ...testApp.context, db }, 'company', ['export', email, file], {
    line: () => undefined,
    bytes: async (chunk) => void (await handle.write(chunk)),
  });
  await handle.close();
  expect(exit).toBe(0);
}

async function importFrom(file: string, db: Db) {
  const lines: string[] = [];
  const output = { line: (text: string) => lines.push(text), bytes: async () => undefined };
  const exit = await runCommand({ ...testApp.context, db }, 'company', ['import', file], output);
  return { exit, text: lines.join('\n') };
}

type Files = Map<string, Buffer>;

async function unzip(file: string): Promise<Files> {
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false });
  const files: Files = new Map();
  for await (const entry of zip.eachEntry()) {
    const content = await Array.fromAsync(await zip.openReadStreamPromise(entry));
    files.set(entry.fileName, Buffer.concat(content as Buffer[]));
  }
  zip.close();
  return files;
}

type Row = Record<string, unknown>;

interface AnyManifest {
  made_at?: string;
  company: object;
  counts: Record<string, number>;
  sums: Record<'net' | 'vat' | 'gross' | 'paid', number>;
  format: number;
  product: { name: string };
  schema: string;
  numbers: { last: number | null };
  files: { path: string; bytes: number; sha256: string }[];
}

function manifestOf(files: Files): AnyManifest {
  return JSON.parse(String(files.get('manifest.json'))) as AnyManifest;
}

/** Without what may differ between two archives of the same data. */
function comparable(files: Files): object {
  const { made_at: _, ...rest } = manifestOf(files);
  return {
    ...rest,
    files: rest.files.filter(({ path }) => !/^(LESMEG.html|regneark\/.*)$/.test(path)),
  };
}

function newFile(): string {
  return join(folder, `${crypto.randomUUID()}.zip`);
}

// EXP-41, OVER-15
test('every table of the database is in an archive, or named with the reason why not', async () => {
  const { db } = testApp.context;
  const { rows: tables } = await sql<{ name: string }>`
    SELECT table_name::text AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`.execute(db);
  const names = tables.map(({ name }) => name);
  const archived = ARCHIVED_TABLES.map(({ name }) => name);
  expect(archived.filter((name) => !names.includes(name))).toEqual([]);
  expect(archived.filter((name) => name in LEFT_OUT_TABLES)).toEqual([]);
  expect(names.filter((name) => !archived.includes(name) && !(name in LEFT_OUT_TABLES))).toEqual(
    [],
  );
  expect(LEFT_OUT_TABLES).toHaveProperty('overview_link');
  // PORT-17
  expect(LEFT_OUT_TABLES).toHaveProperty('invoice_link');
});

// EXP-40, EXP-44
test('an archive has the frozen texts, the files, and pages that open offline', async () => {
  const file = newFile();
  await exportTo(file);
  const files = await unzip(file);
  const { files: listed, ...about } = manifestOf(files);
  expect([...files.keys()].at(-1)).toBe('manifest.json');
  const { net, vat, gross } = about.sums;
  expect(about).toEqual({
    format: 1,
    product: { name: 'Faktur', version: expect.stringMatching(/^\d/) },
    schema: Object.keys(MIGRATIONS).at(-1),
    company: { email: OWNER, name: PROFILE.company_name, org_number: '974760673' },
    made_at: expect.stringMatching(/^\d{4}-.*Z$/),
    counts: expect.objectContaining({ account: 1, company: 1 }),
    sums: { net, vat, gross: net + vat, paid: expect.any(Number) },
    numbers: { first: 1, last: expect.any(Number) },
    last_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(gross).toBeGreaterThan(0);
  // Another company has the first customer of the database.
  const [buyer = ''] = String(files.get('data/customer.jsonl')).split('\n', 1);
  expect(JSON.parse(buyer)).toMatchObject({ id: 1 });
  for (const { path, bytes, sha256: hash } of listed) {
    expect({ path, bytes, hash }).toEqual({
      path,
      bytes: files.get(path)?.byteLength,
      hash: sha256(files.get(path) ?? '').toString('hex'),
    });
  }
  const rows = await issuedTexts();
  for (const { number, kind, content, issueDate } of rows) {
    const name = kind === 'INVOICE' ? 'Faktura' : 'Kreditnota';
    expect(String(files.get(`dokumenter/${issueDate.slice(0, 4)}/${name}-${number}.json`))).toBe(
      content,
    );
  }
  expect(rows.length).toBeGreaterThan(8);
  const paths = [...files.keys()];
  // EXP-43: also what was never shown or mailed.
  const texts = paths.filter((path) => /^(dokumenter|purringer)\/.*\.json$/.test(path));
  expect(texts.filter((path) => !files.has(path.replace(/json$/, 'pdf')))).toEqual([]);
  expect(texts.filter((path) => path.startsWith('purringer/'))).not.toEqual([]);
  const { uuid } = await makeExport(client);
  const names = await namesInZip(await bytesAt(testApp, client, `/api/exports/${uuid}/file/`));
  expect(names.length).toBeGreaterThan(rows.length);
  const last = (path: string) => path.slice(path.lastIndexOf('/') + 1);
  const made = paths.filter((path) => /^dokumenter\/.*(pdf|xml)$/.test(path));
  expect(made.map(last).toSorted()).toEqual(names.map(last).toSorted());
  // Drafts of an invoice, a quote and a quote's next revision have one each.
  expect(paths.filter((path) => path.startsWith('vedlegg/utkast/'))).toHaveLength(3);
  const year = TODAY.slice(0, 4);
  const ofQuotes = ['Ordrebekreftelse-2', 'Tilbud-1', 'Tilbud-2', 'Tilbud-3'];
  // The order confirmation was neither mailed nor shown.
  expect(paths.filter((path) => path.startsWith('tilbud/')).toSorted()).toEqual(
    ofQuotes.map((name) => `tilbud/${year}/${name}.pdf`),
  );
  expect(files.get(`vedlegg/${year}/Tilbud-1/tegning.pdf`)).toEqual(PDF);
  expect(
    paths.filter((path) => /^vedlegg\/\d{4}\/Faktura-\d+\/Time liste #1\.pdf$/.test(path)),
  ).toHaveLength(1);
  expect(paths.filter((path) => path.startsWith('logo/'))).toHaveLength(1);
  expect(files.get('regneark/faktur.xlsx')?.subarray(0, 2).toString()).toBe('PK');
  const page = String(files.get('LESMEG.html'));
  expect(page).not.toMatch(/<script|https?:|<b>Ærlig/);
  const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, link = '']) =>
    decodeURIComponent(link),
  );
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((link) => !files.has(link))).toEqual([]);
  // Nothing of another company, and no secret.
  const everything = Buffer.concat([...files.values()]).toString('latin1');
  expect(everything).not.toContain(OTHER);
  expect(everything).not.toMatch(/token_hash|code_hash|payer_account_hash/);
});

async function issuedTexts() {
  const companyId = await companyIdOf(testApp.context.db, OWNER);
  const rows = await testApp.context.db
    .selectFrom('document')
    .innerJoin('invoice', 'invoice.id', 'document.invoiceId')
    .select(['invoice.invoiceNumber as number', 'document.kind', 'content', 'issueDate'])
    .where('document.companyId', '=', companyId)
    .where('invoice.companyId', '=', companyId)
    .where('document.kind', '<>', 'REMINDER')
    .execute();
  return rows;
}

/** The operator gives these to an account: staff, tokens and the right to send EHF. */
async function givenByOperator(db: Db): Promise<object> {
  const { rows } = await sql<object>`SELECT is_staff,
      (SELECT count(*)::int FROM api_token WHERE account_id = account.id) AS tokens,
      (SELECT count(*)::int FROM ehf_agreement) AS agreements
    FROM account WHERE email = ${OWNER}`.execute(db);
  return rows;
}

// EXP-41, EXP-49, MEM-15
test('export, import and export give equal manifests, and the product goes on', async () => {
  const { db } = testApp.context;
  const companyId = await companyIdOf(db, OWNER);
  await setStaff(db, OWNER, true);
  await insertApiToken(db, { companyId, email: OWNER, name: 'kasse', tokenHash: sha256('kasse') });
  await db.transaction().execute(async (trx) => request(trx, companyId, '974760673'));
  expect(await givenByOperator(db)).toEqual([{ isStaff: true, tokens: 1, agreements: 1 }]);
  const file = newFile();
  await exportTo(file);
  const original = await unzip(file);
  const copy = await openMigratedDatabase();
  const { last } = manifestOf(original).numbers;
  expect(await importFrom(file, copy.db)).toMatchObject({
    exit: 0,
    text: expect.stringContaining(
      `${last} invoices and credit notes, numbers 1 to ${last}; 3 drafts.`,
    ) as string,
  });
  // DEL-15: mails that the source counted today.
  expect(await countedIn(db)).not.toEqual([]);
  expect(await countedIn(copy.db)).toEqual([]);
  expect(await givenByOperator(copy.db)).toEqual([{ isStaff: false, tokens: 0, agreements: 0 }]);
  const again = newFile();
  await exportTo(again, copy.db);
  const restored = await unzip(again);
  expect(comparable(restored)).toEqual(comparable(original));
  const evidence = [...original.keys()].find((path) => path.includes('einvoice_evidence')) ?? '';
  expect(restored.get(evidence)?.toString()).toContain('NOT_ASKED');

  expect(await copy.db.selectFrom('member').select(['email', 'role']).execute()).toEqual([
    { email: OWNER, role: 'OWNER' },
  ]);

  const other = await startTestApp({ FEATURES }, { database: copy });
  try {
    const owner = await other.login(OWNER);
    const before = await client.get('/api/invoices/?size=100');
    const numbers = (answer: { body: unknown }) =>
      (answer.body as { results: { invoice_number: number | null; status: string }[] }).results.map(
        ({ invoice_number: number, status }) => `${number} ${status}`,
      );
    expect(numbers(await owner.get('/api/invoices/?size=100'))).toEqual(numbers(before));
    // EXP-48: the same bytes, and the next export goes on after the last one.
    const { body: registered } = await owner.get('/api/invoices/?size=100&status=REGISTERED');
    const [one] = (registered as { results: { uuid: string; invoice_number: number }[] }).results;
    const printed = await bytesAt(other, owner, `/invoices/${one?.uuid}/pdf/`);
    expect([...original.values()].some((content) => content.equals(printed))).toBe(true);
    const { body: earlier } = await owner.get('/api/exports/');
    const exported = (earlier as { uuid: string; kind: string }[]).find(
      ({ kind }) => kind === 'CSV',
    );
    expect(exported).toMatchObject({ state: 'DONE' });
    expect((await owner.get(`/api/exports/${exported?.uuid}/file/`)).status).toBe(404);
    const since = { kind: 'CSV', since_last: true, from: undefined, to: undefined };
    expect((await askForExport(owner, since)).status).toBe(409);
    const draft = await createDraft(owner, customer);
    expect(await register(owner, draft)).toBe((last ?? 0) + 1);
    expect((await askForExport(owner, since)).body).toMatchObject({
      first_number: (last ?? 0) + 1,
      last_number: (last ?? 0) + 1,
    });
    await expectQuotes(other, owner, original);
    const settings = await owner.get('/api/users/reminder-settings/');
    expect(settings.body).toMatchObject({ automatic: false });
    const { body: assignments } = await owner.get('/api/invoices/recurring/');
    expect(JSON.stringify(assignments)).toContain('"PAUSED"');
    expect(await readdir(other.outbox).catch(() => [])).toEqual([]);
    const exit = await runCommand(other.context, 'ledger', ['check'], {
      line: () => undefined,
      bytes: async () => undefined,
    });
    expect(exit).toBe(0);
  } finally {
    await other.close();
  }
});

async function countedIn(db: Db): Promise<unknown[]> {
  return db.selectFrom('delivery').select('id').where('countedAt', 'is not', null).execute();
}

/** Quotes are as they were, and go on. */
async function expectQuotes(other: TestApp, owner: TestClient, original: Files): Promise<void> {
  const list = async (of: TestClient) =>
    Map.groupBy(((await of.get('/api/quotes/')).body as QuoteList).results, ({ state }) => state);
  const restored = await list(owner);
  expect([...restored.keys()].toSorted()).toEqual(['DECLINED', 'DRAFT', 'PARTLY_INVOICED']);
  const [parted] = restored.get('PARTLY_INVOICED') ?? [];
  const revised = restored.get('DRAFT')?.find(({ revision }) => revision === 2);
  for (const { uuid } of [...restored.values()].flat()) {
    const path = `/api/quotes/${uuid}/`;
    for (const url of [path, `${path}history/`]) {
      expect(comparableQuote((await owner.get(url)).body)).toEqual(
        comparableQuote((await client.get(url)).body),
      );
    }
  }
  const confirmation = await bytesAt(other, owner, `/quotes/${parted?.uuid}/confirmation/pdf/`);
  expect(confirmation).toEqual(original.get(`tilbud/${TODAY.slice(0, 4)}/Ordrebekreftelse-2.pdf`));
  const parts = `/api/quotes/${parted?.uuid}/invoice/`;
  expect((await owner.post(parts, { percent: 36.68 })).status).toBe(409);
  await must(owner.post(parts, {}), 201);
  expect((await owner.get(`/api/quotes/${parted?.uuid}/`)).body).toMatchObject({
    state: 'INVOICED',
    left_net: 0,
  });
  // The link is made anew, and numbers go on.
  const { uuid } = await addQuote(owner, 1);
  const to = { recipient: 'kjoper@example.no' };
  expect((await owner.post(`/api/quotes/${uuid}/send/`, to)).body).toMatchObject({
    quote_number: 4,
    url: expect.stringContaining('/tilbud/') as string,
  });
  expect((await owner.post(`/api/quotes/${revised?.uuid}/send/`, to)).body).toMatchObject({
    quote_number: 1,
    revision: 2,
  });
}

interface QuoteList {
  results: { uuid: string; state: string; revision: number }[];
}

/** Without the ids of lines. QUO-30: after an import the link is null until the quote is sent again. */
function comparableQuote(body: unknown): unknown {
  const differs = (key: string) => key === 'url' || key === 'expires_on' || key === 'id';
  return JSON.parse(
    JSON.stringify(body, (key, value: unknown) => (differs(key) ? null : value)),
  ) as unknown;
}

test('documents that are issued while others are printed get their PDF too', async () => {
  const { context } = testApp;
  const companyId = await companyIdOf(context.db, OWNER);
  const printings: number[] = [];
  const parts = await withAllPrinted(
    async () => {
      const documents = await Array.fromAsync(printMissing(context, companyId));
      printings.push(documents.length);
      if (printings.length === 1) await issue([line('Rens', 100, 25)]);
      return documents.at(-1)?.id ?? 0;
    },
    async (printedTo) =>
      Array.fromAsync(printArchive(context, { companyId, printedTo }, new Date())),
  );
  expect(printings).toEqual([printings[0], (printings[0] ?? 0) + 1]);
  const file = newFile();
  await writeFile(file, parts);
  const names = [...(await unzip(file)).keys()];
  const missing = (path: string) => !names.includes(path.replace(/json$/, 'pdf'));
  expect(names.filter((path) => /^dok.*json$/.test(path) && missing(path))).toEqual([]);
});

// EXP-42: in the image `/tmp` has 64 MB, in memory.
test('nothing of an archive is written to the folder of temporary files', async () => {
  vi.stubEnv('TMPDIR', join(folder, 'is-not-there'));
  try {
    await exportTo(newFile());
  } finally {
    vi.unstubAllEnvs();
  }
  const kept = await readdir(testApp.context.config.dataDir);
  expect(kept.filter((name) => name.startsWith('spool-'))).toEqual([]);
});

// An archive from there is equal, so the way back is that of the test above.
test('a company moves to an embedded database, and has the same archive there', async () => {
  const file = newFile();
  await exportTo(file);
  const embedded = wrapEmbedded(await openMemoryDatabase());
  try {
    await migrate(embedded);
    expect(await importFrom(file, embedded.db)).toMatchObject({ exit: 0 });
    const second = newFile();
    await exportTo(second, embedded.db);
    expect(comparable(await unzip(second))).toEqual(comparable(await unzip(file)));
  } finally {
    await embedded.close();
  }
});

// EXP-45
describe('an archive is refused before anything is written', () => {
  let database: Database;
  /** A whole archive, and its files. */
  let wholeFile: string;
  let whole: Files;

  beforeAll(async () => {
    database = await openMigratedDatabase();
    wholeFile = newFile();
    await exportTo(wholeFile);
    whole = await unzip(wholeFile);
  });
  afterAll(async () => database.close());
  beforeEach(async () => expect(await companies()).toBe(0));

  async function companies(): Promise<number> {
    const { count } = await database.db
      .selectFrom('company')
      .select((company) => company.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  }

  /** Packs the files anew. @param change returns null for a file to leave out */
  async function packed(
    change: (path: string, content: Buffer) => Buffer | null,
    added: Files = new Map(),
  ) {
    const file = newFile();
    const entries = (async function* (): AsyncGenerator<ZipEntry> {
      for (const [path, old] of [...whole, ...added]) {
        const content = change(path, old);
        if (content) yield { path, content, modifiedAt: new Date() };
      }
    })();
    await writeFile(file, await Array.fromAsync(zipOf(entries)));
    return file;
  }

  /** Changes the manifest, and lists changed files as if they had been made so. */
  async function forged(change: (manifest: AnyManifest) => object, files: Files = new Map()) {
    const manifest = manifestOf(whole);
    const listed = [...files].map(([path, content]) => ({
      path,
      bytes: content.byteLength,
      sha256: sha256(content).toString('hex'),
    }));
    manifest.files = [...manifest.files.filter(({ path }) => !files.has(path)), ...listed];
    const text = Buffer.from(JSON.stringify({ ...manifest, ...change(manifest) }));
    const added = new Map([...files].filter(([path]) => !whole.has(path)));
    return packed(
      (path, content) => (path === 'manifest.json' ? text : (files.get(path) ?? content)),
      added,
    );
  }

  async function refused(file: string): Promise<string> {
    const { exit, text } = await importFrom(file, database.db);
    expect(exit).toBe(1);
    expect(await companies()).toBe(0);
    return text;
  }

  const document = () => [...whole.keys()].find((path) => path.endsWith('Faktura-1.json')) ?? '';

  test('with a changed byte', async () => {
    const file = await packed((path, content) =>
      path === document() ? Buffer.from(String(content).replace('1', '2')) : content,
    );
    expect(await refused(file)).toContain('Faktura-1.json was changed: its SHA-256 differs');
  });

  test('with a file less or more', async () => {
    const less = await packed((path, content) => (path === document() ? null : content));
    expect(await refused(less)).toContain('Faktura-1.json is missing');
    const more = await packed((_, content) => content, new Map([['data/mer.jsonl', PDF]]));
    expect(await refused(more)).toContain('data/mer.jsonl was added');
  });

  /** Renames a file in both of its places, to a name of the same length. */
  async function renamed(from: string, to: string): Promise<string> {
    const file = await packed((_, content) => content);
    const bytes = await readFile(file, 'latin1');
    expect(bytes.split(from)).not.toHaveLength(1);
    await writeFile(file, bytes.replaceAll(from, to), 'latin1');
    return file;
  }

  /** Changes the entry of a file in the directory at the end. */
  async function withEntry(
    path: string,
    change: (bytes: Buffer, at: number) => void,
    file: string,
  ) {
    const bytes = await readFile(file);
    const name = bytes.lastIndexOf(path);
    // A name comes after 46 bytes of its entry (APPNOTE.TXT, § 4.3.12).
    expect(bytes.readUInt32LE(name - 46)).toBe(0x02014b50);
    change(bytes, name - 46);
    await writeFile(file, bytes);
    return file;
  }

  test.each([
    ['up', '../SMEG.htm', 'invalid relative path'],
    ['from the root', '/LESMEG.htm', 'absolute path'],
    ['by backslashes', String.raw`..\SMEG.htm`, 'invalid characters in fileName'],
  ])('with a path that leads out, %s', async (_, path, reason) => {
    expect(path).toHaveLength('LESMEG.html'.length);
    expect(await refused(await renamed('LESMEG.html', path))).toContain(reason);
  });

  test('with a link', async () => {
    const file = await packed((_, content) => content);
    const linked = withEntry(
      'LESMEG.html',
      (bytes, at) => bytes.writeUInt32LE((0o120777 << 16) >>> 0, at + 38),
      file,
    );
    expect(await refused(await linked)).toContain('LESMEG.html is a link');
  });

  test('with a file that inflates to more than the manifest says', async () => {
    const listed = whole.get('LESMEG.html')?.byteLength ?? 0;
    const bomb = Buffer.alloc(8 * 1024 * 1024);
    const honest = await packed((path, content) => (path === 'LESMEG.html' ? bomb : content));
    expect(await refused(honest)).toContain('LESMEG.html has another size than when it was made');
    const lying = withEntry(
      'LESMEG.html',
      (bytes, at) => bytes.writeUInt32LE(listed, at + 24),
      honest,
    );
    expect(await refused(await lying)).toContain('LESMEG.html: too many bytes in the stream');
  });

  test('of another product, another version, or none at all', async () => {
    expect(
      await refused(await forged(() => ({ product: { name: 'Annet', version: '1' } }))),
    ).toContain('This is not an archive of Faktur');
    expect(await refused(await forged(() => ({ format: 2 })))).toContain('newer version of Faktur');
    expect(await refused(await forged(() => ({ schema: '9999-later' })))).toContain(
      'newer version of Faktur (9999-later)',
    );
    const text = newFile();
    await writeFile(text, 'ikke en zip');
    expect(await refused(text)).toContain('is not a whole ZIP');
    expect(await refused(newFile())).toContain('cannot be read');
  });

  test('cut off', async () => {
    const cut = newFile();
    const bytes = await readFile(wholeFile);
    await writeFile(cut, bytes.subarray(0, bytes.length - 100));
    expect(await refused(cut)).toContain('is not a whole ZIP');
  });

  test('whose texts, numbers or sums were rewritten together with their hashes', async () => {
    const path = 'data/document.jsonl';
    const changed = Buffer.from(String(whole.get(path)).replace('Reparasjon', 'Preparasjon'));
    expect(await refused(await forged(() => ({}), new Map([[path, changed]])))).toContain(
      'the chain of documents is broken at number 1',
    );
    const invoices = String(whole.get('data/invoice.jsonl'));
    const gap = Buffer.from(invoices.replace('"invoice_number":1,', '"invoice_number":900,'));
    expect(
      await refused(await forged(() => ({}), new Map([['data/invoice.jsonl', gap]]))),
    ).toContain('is not as it was made');
    const sum = Buffer.from(invoices.replace(/"paid_amount":[1-9]\d*/, '"paid_amount":1'));
    expect(await refused(await forged(() => ({}), new Map([['data/invoice.jsonl', sum]])))).toMatch(
      /The books in the archive are not in order|is not as it was made/,
    );
  });

  /** Changes the rows of a table, and the manifest with them. */
  async function withRows(
    table: string,
    change: (rows: Row[]) => readonly object[],
    about: (manifest: AnyManifest) => object = () => ({}),
  ): Promise<string> {
    const path = `data/${table}.jsonl`;
    const lines = String(whole.get(path) ?? '').match(/.+/g) ?? [];
    const changed = change(lines.map((line) => JSON.parse(line) as Row));
    const text = changed.map((row) => `${JSON.stringify(row)}\n`).join('');
    return forged(
      (manifest) => ({
        counts: { ...manifest.counts, [table]: changed.length },
        ...about(manifest),
      }),
      new Map([[path, Buffer.from(text)]]),
    );
  }

  test('whose quotes were rewritten, or are of more than their lines have', async () => {
    const path = `tilbud/${TODAY.slice(0, 4)}/Tilbud-1.pdf`;
    expect(await refused(await forged(() => ({}), new Map([[path, PDF]])))).toContain(
      `${path} is not the file that was kept`,
    );
    const twice = await withRows('quote_part', (rows) =>
      rows.map((row) => ({ ...row, share: 9_000_000 })),
    );
    expect(await refused(twice)).toContain('no more is taken of a quote than its lines have');
  });

  // EXP-46
  test('with a column, a row or a table that no export writes', async () => {
    const isStaff = (row: object) => ({ ...row, is_staff: true });
    expect(await refused(await withRows('account', (rows) => rows.map(isStaff)))).toContain(
      'row 1 of account has is_staff',
    );
    const last = await withRows('history_event', (rows) => [
      ...rows.slice(0, -1),
      { ...rows.at(-1), company_id: 1 },
    ]);
    expect(await refused(last)).toMatch(/row \d+ of history_event has company_id/);
    const less = await withRows('invoice_line', (rows) =>
      rows.map((row, i) => (i === 0 ? { ...row, unit: undefined } : row)),
    );
    expect(await refused(less)).toContain('row 2 of invoice_line has other columns than row 1');
    const intruder = await withRows('account', (rows) => [
      ...rows,
      { ...rows[0], id: 2, email: 'ny@fjordlys.no' },
    ]);
    expect(await refused(intruder)).toContain('row 2 of account is of another one');
    const second = await withRows('company', (rows) => [...rows, { ...rows[0], id: 2 }]);
    expect(await refused(second)).toContain('row 2 of company is of another one');
    const member = await withRows('member', () => [{ id: 1, role: 'OWNER' }]);
    expect(await refused(member)).toContain('data/member.jsonl is of no table');
  });

  test('whose manifest names another account or company', async () => {
    const email = 'ny@fjordlys.no';
    const other = await forged(({ company }) => ({ company: { ...company, email } }));
    expect(await refused(other)).toContain('the manifest names another account');
    const capital = await withRows(
      'account',
      ([own]) => [{ ...own, email: 'Kari@fjordlys.no' }],
      ({ company }) => ({ company: { ...company, email: 'Kari@fjordlys.no' } }),
    );
    expect(await refused(capital)).toContain('the manifest names another account');
    const number = await forged(({ company }) => ({ company: { ...company, org_number: null } }));
    expect(await refused(number)).toContain('the manifest names another company');
  });

  // EXP-47
  test('but not with what was changed to go on by itself, which is stopped', async () => {
    const file = await withRows('reminder_settings', (rows) =>
      rows.map((row) => ({ ...row, automatic: true })),
    );
    const copy = await openMigratedDatabase();
    try {
      expect(await importFrom(file, copy.db)).toMatchObject({ exit: 0 });
      const settings = copy.db.selectFrom('reminderSettings').select('automatic');
      const companyId = await companyIdOf(copy.db, OWNER);
      expect(await settings.where('companyId', '=', companyId).execute()).toEqual([
        { automatic: false },
      ]);
    } finally {
      await copy.close();
    }
  });

  // EXP-45
  test('for an account that is here already, which then owns it', async () => {
    const copy = await openMigratedDatabase();
    try {
      await copy.db.insertInto('account').values({ email: OWNER, isStaff: true }).execute();
      expect(await importFrom(wholeFile, copy.db)).toMatchObject({ exit: 0 });
      const companyId = await companyIdOf(copy.db, OWNER);
      const members = copy.db.selectFrom('member').select(['companyId', 'email', 'role']);
      expect(await members.execute()).toEqual([{ companyId, email: OWNER, role: 'OWNER' }]);
    } finally {
      await copy.close();
    }
  });

  test('twice, and beside a company of the same number', async () => {
    expect(await importFrom(wholeFile, testApp.context.db)).toMatchObject({
      exit: 1,
      text: expect.stringContaining('the organisation number 974760673 here already') as string,
    });
    const email = 'ny@fjordlys.no';
    const moved = await withRows(
      'account',
      ([own]) => [{ ...own, email }],
      ({ company }) => ({ company: { ...company, email } }),
    );
    expect(await importFrom(moved, testApp.context.db)).toMatchObject({
      exit: 1,
      text: expect.stringContaining('the organisation number 974760673 here already') as string,
    });
  });
});
