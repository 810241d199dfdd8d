import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { readConfig } from '../config.ts';
import { checkLedger } from '../document/ledger.service.ts';
import { readRestore, restore } from '../operator/restore.command.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { openTestDatabase } from '../testing/database.ts';
import type { Database } from './database.ts';

// A backup made by version 1.0, before documents were a concept of their own. Books are kept for
// five years (bokføringsloven § 13), so every later version must read it and find it in order.
const BACKUP = join(import.meta.dirname, '../testing/fixtures/books-1.0.backup');

/** What version 1.0 said of its own books when it made the backup. */
const LEDGER = [
  '✓ snekker@example.no: 1 to 7, ending in SHA-256 315437df36f49a887e68480ad66cb5c37bb5098fbca18f8729e0f7b22a0dc093',
  '✓ lag@example.no: 1001 to 1001, ending in SHA-256 80b480b8c6ab3b5eab8c68ffe2abe472c8943a2b71e4198e864f10a74b9d7aff',
  '2 companies with 8 registered documents: all in order',
];

/** SHA-256 of what version 1.0 had mailed. */
const MAILED = [
  {
    email: 'snekker@example.no',
    number: 1,
    pdf: '626634adb4f0f5f74a5d98cbb22cc1555062a9fec7644f51e430c39d158c0b1a',
    ehf: 'a1015fd8af6b4507f7eee4849861573b11f8f8a0acd4bfe65dfad176fbd9f628',
  },
  {
    email: 'snekker@example.no',
    number: 2,
    pdf: 'c9409a67011f48988c6b002fb77d3d0bb945dee9ee0b313d879821ec6be0d631',
  },
  {
    email: 'snekker@example.no',
    number: 6,
    pdf: 'c1a2e8aceba460fbd8a715e5f958a3be40c2a022834e4774687a4d5feaab1f0f',
  },
  {
    email: 'lag@example.no',
    number: 1001,
    pdf: 'f6a9e67cee3a83d0ea3be4f57033293e5179d50443179c845e4ec14ed8881456',
  },
];

let exit: number;
let said: readonly string[];
let testApp: TestApp;

async function restoreInto(database: Database, ...args: readonly string[]) {
  const lines: string[] = [];
  const output = { line: (text: string) => void lines.push(text), bytes: async () => undefined };
  const config = readConfig({ SECRET_KEY: 'x'.repeat(32) });
  const code = await restore(config, database, await readRestore(args), output);
  return { exit: code, said: lines };
}

/** The rows of a table as the backup has them. */
async function readTable<Row>(table: string): Promise<Row[]> {
  const lines = gunzipSync(await readFile(BACKUP))
    .toString()
    .split('\n');
  const from = lines.findIndex((line) => line.startsWith(`#{"table":"${table}"`)) + 1;
  const to = lines.findIndex((line, index) => index >= from && line.startsWith('#'));
  return lines.slice(from, to).map((line) => JSON.parse(line) as Row);
}

beforeAll(async () => {
  const database = await openTestDatabase();
  ({ exit, said } = await restoreInto(database, BACKUP));
  testApp = await startTestApp({ DISPATCH: 'staff' }, { database });
});
afterAll(async () => testApp.close());

describe('the books of version 1.0', () => {
  test('are in order, with the hashes that they had', () => {
    expect(said).toEqual([...LEDGER, '65 rows restored, 10 of them invoices']);
    expect(exit).toBe(0);
  });

  test('have their hashes byte for byte, each of the text that was frozen with it', async () => {
    const before = await readTable<{
      id: number;
      invoice_number: number | null;
      previous_hash: string | null;
      document_hash: string;
    }>('invoice');
    const { rows } = await sql<Document>`
      SELECT invoice_id, encode(previous_hash, 'hex') AS previous, encode(hash, 'hex') AS hash,
        content, version FROM document ORDER BY invoice_id`.execute(testApp.context.db);
    const registered = before.filter((row) => row.invoice_number !== null);
    expect(rows.map(({ invoiceId, previous, hash }) => [invoiceId, previous, hash])).toEqual(
      registered.map((row) => [row.id, fromHex(row.previous_hash), fromHex(row.document_hash)]),
    );
    for (const { previous, content, hash, version } of rows) {
      const bytes = Buffer.concat([Buffer.from(previous ?? '', 'hex'), Buffer.from(content)]);
      expect([version, sha256(bytes)]).toEqual([1, hash]);
    }
  });

  test('have every kept file byte for byte', async () => {
    const before = await readTable<{
      invoice_id: number;
      format: string;
      sha256: string;
      content: string;
      created_at: string;
    }>('sent_document');
    const { rows } = await sql`
      SELECT invoice_id, format, encode(sha256, 'hex') AS sha256,
        encode(file.content, 'hex') AS content, to_json(file.created_at) AS created_at
      FROM document_file file JOIN document ON document.id = document_id
      ORDER BY invoice_id, format`.execute(testApp.context.db);
    expect(before.length).toBeGreaterThan(MAILED.length);
    expect(rows).toEqual(
      before.map((row) => ({
        invoiceId: row.invoice_id,
        format: row.format,
        sha256: fromHex(row.sha256),
        content: fromHex(row.content),
        createdAt: row.created_at,
      })),
    );
  });

  test.each(MAILED)('$email $number comes out as the bytes that were mailed', async (mailed) => {
    const client = await testApp.login(mailed.email);
    const { uuid } = (await client.get(`/api/invoices/${mailed.number}/`)).body as { uuid: string };
    const pdf = await testApp.app.http.inject({
      url: `/invoices/${uuid}/pdf/`,
      headers: { cookie: client.cookieHeader },
    });
    expect(sha256(pdf.rawPayload)).toBe(mailed.pdf);
    if (mailed.ehf === undefined) return;
    const ehf = await client.get(`/api/invoices/${uuid}/efaktura/`);
    expect(sha256(Buffer.from(ehf.text))).toBe(mailed.ehf);
  });

  test('have a payment by hand of each invoice that was paid, of the day that was noted', async () => {
    const before = await readTable<{
      id: number;
      status: string;
      paid_date: string;
      gross_amount: number;
    }>('invoice');
    const { rows } = await sql`
      SELECT invoice_id, amount, paid_on, source, payment.kind, undone, by_type, by_name, invoice.paid_amount
      FROM payment JOIN invoice ON invoice.id = invoice_id
      ORDER BY invoice_id`.execute(testApp.context.db);
    const paid = before.filter(({ status }) => status === 'PAID');
    expect(paid.length).toBeGreaterThan(0);
    expect(rows).toEqual(
      paid.map((row) => ({
        invoiceId: row.id,
        amount: row.gross_amount,
        paidOn: row.paid_date,
        source: 'MANUAL',
        kind: 'PAYMENT',
        undone: false,
        byType: 'SYSTEM',
        byName: 'Faktur',
        paidAmount: row.gross_amount,
      })),
    );
    const client = await testApp.login('snekker@example.no');
    const [first] = rows as { invoiceId: number }[];
    const { uuid } = await testApp.context.db
      .selectFrom('invoice')
      .select('uuid')
      .where('id', '=', first?.invoiceId ?? 0)
      .executeTakeFirstOrThrow();
    const path = `/api/invoices/${uuid}/update/`;
    expect(await client.post(path, { status: 'REGISTERED' })).toMatchObject({ status: 200 });
    expect(await client.post(path, { status: 'PAID' })).toMatchObject({ status: 200 });
  });

  test('go on with the next number', async () => {
    const client = await testApp.login('snekker@example.no');
    const { body } = await client.get('/api/invoices/');
    const { results } = body as { results: { uuid: string; status: string }[] };
    const draft = results.find(({ status }) => status === 'DRAFT');
    const queued = await client.post(`/api/invoices/queue/?invoice_uuid=${draft?.uuid}`);
    expect(queued.body).toMatchObject({ registered: [{ invoice_number: 8 }] });
    const [report] = await Array.fromAsync(checkLedger(testApp.context.db, 'snekker@example.no'));
    expect(report).toMatchObject({ documents: 8, fault: null });
  });
});

test('books of version 1.0 that were changed are taken over as they are, and told', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'faktur-books-'));
  const database = await openTestDatabase();
  try {
    const text = gunzipSync(await readFile(BACKUP)).toString();
    const invoices = await readTable<{ id: number; invoice_number: number }>('invoice');
    const invoice = invoices.find((row) => row.invoice_number === 3);
    const changed = text.replace(
      new RegExp(`^(\\{"id":${invoice?.id},.*"delivery_date":")2026`, 'm'),
      '$12025',
    );
    expect(changed).not.toBe(text);
    const file = join(folder, 'changed.backup');
    await writeFile(file, gzipSync(changed));
    const restored = await restoreInto(database, file, '--faulty');
    expect(restored.said[0]).toBe(
      '✗ snekker@example.no: invoice 3 is not what was registered: its SHA-256 differs',
    );
    expect(restored.exit).toBe(1);
  } finally {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
});

interface Document {
  readonly invoiceId: number;
  readonly previous: string | null;
  readonly hash: string;
  readonly content: string;
  readonly version: number;
}

/** PostgreSQL's bytea in JSON as plain hexadecimal. */
function fromHex(bytea: string | null): string | null {
  return bytea && bytea.replace(/^\\x/, '');
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
