import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { runCommand } from '../../operator/run-command.ts';
import { readRestore, restore } from '../../operator/backup.command.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import type { TestClient } from '../../testing/client.ts';
import { companyIdOf } from '../../testing/company.ts';
import { openMigratedDatabase, openTestDatabase } from '../../testing/database.ts';
import {
  completeProfile,
  createCustomer,
  createDraft,
  createGroup,
  createTemplate,
  register,
} from '../../testing/factories.ts';
import { saveLogo, STRIPES } from '../../testing/logos.ts';
import { addBankPayment } from '../../testing/payments.ts';
import { wrapEmbedded, type Database, type Db } from './database.ts';
import { openMemoryDatabase } from './embedded.ts';

// Several embedded databases in one process are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

/** Refusals come before a database is asked, or from PostgreSQL itself, which is the same embedded. */
const onServer = process.env['TEST_DATABASE'] === 'postgres';

let testApp: TestApp;
let client: TestClient;
let customer: number;
let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faktur-backup-'));
  testApp = await startTestApp({ FEATURES: 'payments' });
  client = await testApp.login('æøå@example.no');
  await completeProfile(client);
  customer = await createCustomer(client, { name: '#Linje "og" \\ 🦉' });
  await saveLogo(client, STRIPES);
  await createGroup(client, [customer]);
  await createTemplate(client);
  await createDraft(client, customer);
  const deleted = await createDraft(client, customer);
  await client.delete(`/api/invoices/${deleted}/`);
  for (let i = 0; i < 3; i++) await register(client, await createDraft(client, customer));
  await client.delete('/api/invoices/1/');
  await register(client, await createDraft(client, customer, { delivery_type: 'EMAIL' }));
  await payAndTakeBack();
  await remind(testApp.context);
  await client.post('/api/newsletter/signup/?email=leser@example.no');
  await vi.waitUntil(
    async () => (await client.get('/api/invoices/5/')).body.deliveries[0]?.status === 'SENT',
    { timeout: 240_000 },
  );
});
/** Adds allocated payments, undone ones, and customer credit. */
async function payAndTakeBack(): Promise<void> {
  const { uuid } = (await client.get('/api/invoices/3/')).body;
  for (const status of ['PAID', 'REGISTERED']) {
    await client.post(`/api/invoices/${uuid}/update/`, { status });
  }
  const companyId = await companyIdOf(testApp.context.db, 'æøå@example.no');
  const payment = await addBankPayment(testApp.context.db, companyId, { amount: 200 });
  await client.post(`/api/payments/${payment}/place/`, { invoice_uuid: uuid });
  expect((await client.get(`/api/customers/${customer}/`)).body.credit).toBe(26.54);
}
/** Sends a reminder of the second invoice, with its document, and disputes the invoice. */
async function remind({ db }: { db: Db }): Promise<void> {
  const invoice = sql`invoice WHERE invoice_number = 2`;
  await sql`
    INSERT INTO document (company_id, kind, invoice_id, version, content)
    SELECT company_id, 'REMINDER', id, 1, '{}' FROM ${invoice}`.execute(db);
  await sql`
    INSERT INTO reminder (company_id, invoice_id, document_id, step, kind, sent_on, due_date,
      principal, fee, interest, compensation, by_type, by_name)
    SELECT company_id, id, (SELECT max(id) FROM document), 1, 'NOTICE', '2026-03-01', '2026-03-15',
      gross_amount, 3500, 120, 0, 'SYSTEM', 'Faktur' FROM ${invoice}`.execute(db);
  await sql`
    INSERT INTO delivery (company_id, invoice_id, document_id, delivery_type, status, sent_time,
      recipient, carrier_key, reminder_principal)
    SELECT company_id, id, (SELECT max(id) FROM document), 'EMAIL', 'SENT', now(), 'x@example.no',
      'x', gross_amount FROM ${invoice}`.execute(db);
  await sql`UPDATE invoice SET disputed = true, disputed_note = 'æ' WHERE id IN (
    SELECT id FROM ${invoice})`.execute(db);
}
afterAll(async () => {
  await testApp.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  file = join(folder, `${crypto.randomUUID()}.backup`);
});

async function backUp({ db }: Pick<Database, 'db'> = testApp.context): Promise<void> {
  const handle = await open(file, 'wx');
  const exit = await runCommand({ ...testApp.context, db }, 'db:backup', [file], {
    line: () => undefined,
    bytes: async (chunk) => void (await handle.write(chunk)),
  });
  await handle.close();
  expect(exit).toBe(0);
}

async function restoreInto(database: Database, ...options: string[]) {
  const lines: string[] = [];
  const output = { line: (text: string) => lines.push(text), bytes: async () => undefined };
  const request = await readRestore([file, ...options]);
  const exit = await restore(testApp.context.config, database, request, output);
  return { exit, text: lines.join('\n') };
}

/** The content of every table that a backup keeps and that has rows, as text. */
async function contentOf({ db }: Pick<Database, 'db'>): Promise<Record<string, string[]>> {
  const plain = db.withoutPlugins();
  const { rows: tables } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
      AND table_name NOT IN ('migration', 'rate_limit')`.execute(plain);
  const parts = tables.map(
    ({ name }) =>
      sql`SELECT ${sql.lit(name)} AS name, row.*::text AS line FROM ${sql.table(name)} row`,
  );
  const { rows } = await sql<{ name: string; line: string }>`
    ${sql.join(parts, sql` UNION ALL `)}`.execute(plain);
  // Sorted here, since the two kinds of database may collate differently.
  const content = Map.groupBy(rows, ({ name }) => name)
    .entries()
    .map(([name, lines]): [string, string[]] => [name, lines.map(({ line }) => line).toSorted()]);
  return Object.fromEntries(content);
}

// Embedded, one transaction comes after the other.
test.runIf(onServer)(
  'a backup made while invoices are registered restores the state of one moment',
  async () => {
    const drafts = await Promise.all(
      Array.from({ length: 20 }, () => createDraft(client, customer)),
    );
    const registering = Promise.all(drafts.map(async (uuid) => register(client, uuid)));
    await backUp();
    await registering;

    const copy = await openTestDatabase();
    try {
      const { exit, text } = await restoreInto(copy);
      expect(text).toContain('all in order');
      expect(exit).toBe(0);
    } finally {
      await copy.close();
    }
  },
);

test('restoring gives equal data and a working database, and a waiting job is not lost', async () => {
  await testApp.context.jobs.stop();
  const waiting = await createDraft(client, customer, { delivery_type: 'EMAIL' });
  await register(client, waiting);
  await backUp();
  const original = await contentOf(testApp.context);
  const copy = await openTestDatabase();
  try {
    expect((await restoreInto(copy)).exit).toBe(0);
    expect(await contentOf(copy)).toEqual(original);
    expect(original['document_file']?.length).toBeGreaterThan(0);
    expect(original['company_logo']).toHaveLength(1);

    // Sequences continue, and issued documents are immutable again.
    const highest = Math.max(
      ...(original['invoice'] ?? []).map((row) => Number.parseInt(row.slice(1), 10)),
    );
    const { rows } = await sql<{ id: number }>`
      INSERT INTO invoice (company_id, customer_id, delivery_type, issue_date, due_days,
        delivery_date, net_amount, vat_amount, gross_amount)
      SELECT company_id, id, 'NONE', '2026-01-01', 14, '2026-01-01', 0, 0, 0 FROM customer LIMIT 1
      RETURNING id`.execute(copy.db);
    expect(rows[0]?.id).toBeGreaterThan(highest);
    await expect(
      sql`UPDATE invoice SET reference = 'x' WHERE status <> 'DRAFT'`.execute(copy.db),
    ).rejects.toThrow('a registered invoice never changes');
    await expect(sql`DELETE FROM company_logo`.execute(copy.db)).rejects.toThrow('foreign key');
    const jobs = await sql`
      SELECT FROM jobs.job WHERE name = 'dispatch' AND state = 'created'`.execute(copy.db);
    expect(jobs.rows.length).toBeGreaterThan(0);
  } finally {
    await copy.close();
  }
});

// Companies outgrow the embedded database; a backup moves them to a server.
test.runIf(onServer)(
  'a backup moves everything to an embedded database and back from there',
  async () => {
    const original = await contentOf(testApp.context);
    await backUp();
    const embedded = wrapEmbedded(await openMemoryDatabase());
    const server = await openTestDatabase();
    try {
      expect((await restoreInto(embedded)).exit).toBe(0);
      expect(await contentOf(embedded)).toEqual(original);
      file = join(folder, `${crypto.randomUUID()}.backup`);
      await backUp(embedded);
      const { exit, text } = await restoreInto(server);
      expect(text).toContain('all in order');
      expect(exit).toBe(0);
      expect(await contentOf(server)).toEqual(original);
    } finally {
      await embedded.close();
      await server.close();
    }
  },
);

describe.runIf(onServer)('a backup is refused and nothing changes:', () => {
  let other: Database;
  let whole: Buffer;
  let before: Record<string, string[]>;

  beforeAll(async () => {
    file = join(folder, 'whole.backup');
    await backUp();
    whole = await readFile(file);
    other = await openMigratedDatabase();
    await sql`INSERT INTO suppressed_address VALUES ('kept@example.no', 'BOUNCE')`.execute(
      other.db,
    );
    before = await contentOf(other);
  });
  afterAll(async () => other.close());

  test.each([
    ['cut off in the middle', /backup/, () => whole.subarray(0, whole.length / 2)],
    ['without its last line', /cut off/, () => rewrite(whole, (lines) => lines.slice(0, -2))],
    ['with a row too few', /damaged/, () => rewrite(whole, dropRow)],
    ['of something else', /not a backup/, () => gzipSync('PGDMP\n')],
    ['not compressed', /cannot be read/, () => Buffer.from('#{}\n')],
    ['empty', /cut off/, () => gzipSync('')],
    [
      'with a row that is none',
      /damaged \(account: .*\)/,
      () => alter(whole, /"email":/, '"email:'),
    ],
    ['with a row too wide', /damaged \(account: /, () => alter(whole, /"id":\d+/, '"id":"x"')],
    ['with a row of nobody', /damaged \(bank_account: /, () => alterRow(whole, 'bank_account')],
    ['with another table', /damaged/, () => alter(whole, /"table":"account"/, '"table":"pg_am"')],
    ['with a broken mark', /a line begins with/, () => alter(whole, /#{"table":"acc/, '#{"tab')],
    ['with bytes that are no text', /cannot be read/, () => noText(whole)],
    ['with an altered buyer', /books in the backup are not in order/, () => alterBuyer(whole)],
    ['of a newer version', /newer version of Faktur \(9999-future\)/, () => fromFuture(whole)],
  ])('a backup that is %s', async (_, message, damage) => {
    await writeFile(file, damage());
    await expect(restoreInto(other, '--force')).rejects.toThrow(message);
    expect(await contentOf(other)).toEqual(before);
  });

  test('when its ledger check fails, unless the operator accepts that', async () => {
    await writeFile(file, alterBuyer(whole));
    const copy = await openTestDatabase();
    const { exit, text } = await restoreInto(copy, '--faulty');
    expect(exit).toBe(1);
    expect(text).toContain('✗ æøå@example.no: invoice');
    await copy.close();
  });

  test('when it is complete but the database has data and --force is missing', async () => {
    await writeFile(file, whole);
    await expect(restoreInto(other)).rejects.toThrow('not empty (suppressed_address)');
    expect(await contentOf(other)).toEqual(before);
    expect((await restoreInto(other, '--force')).exit).toBe(0);
    expect(await contentOf(other)).toEqual(await contentOf(testApp.context));
  });
});

function rewrite(bytes: Buffer, change: (lines: string[]) => string[]): Buffer {
  return gzipSync(`${change(gunzipSync(bytes).toString().split('\n')).join('\n')}\n`);
}

function alter(bytes: Buffer, what: RegExp, by: string): Buffer {
  const text = gunzipSync(bytes).toString();
  const altered = text.replace(what, by);
  expect(altered).not.toBe(text);
  return gzipSync(altered);
}

function alterRow(bytes: Buffer, table: string): Buffer {
  return rewrite(bytes, (lines) => {
    const at = lines.findIndex((line) => line.startsWith(`#{"table":"${table}"`)) + 1;
    return lines.with(at, (lines[at] ?? '').replace(/"company_id":\d+/, '"company_id":987'));
  });
}

function alterBuyer(bytes: Buffer): Buffer {
  return alter(bytes, /("status":"REGISTERED".*)Ørsta/, '$1Ersta');
}

function noText(bytes: Buffer): Buffer {
  const text = gunzipSync(bytes);
  text[text.indexOf('@example.no')] = 0xff;
  return gzipSync(text);
}

function dropRow(lines: string[]): string[] {
  const row = lines.findLastIndex((line) => line.startsWith('{'));
  return lines.toSpliced(row, 1);
}

function fromFuture(bytes: Buffer): Buffer {
  return rewrite(bytes, ([header = '', ...lines]) => [
    header.replace('"migrations":[', '"migrations":["9999-future",'),
    ...lines,
  ]);
}
