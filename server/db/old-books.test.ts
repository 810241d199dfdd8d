import { createHash } from 'node:crypto';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { readConfig } from '../config.ts';
import { restore } from '../operator/restore.command.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { openTestDatabase } from '../testing/database.ts';

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
const said: string[] = [];
let testApp: TestApp;

beforeAll(async () => {
  const database = await openTestDatabase();
  const output = { line: (text: string) => void said.push(text), bytes: async () => undefined };
  exit = await restore(readConfig({ SECRET_KEY: 'x'.repeat(32) }), database, [BACKUP], output);
  testApp = await startTestApp({ DISPATCH: 'staff' }, { database });
});
afterAll(async () => testApp.close());

describe('the books of version 1.0', () => {
  test('are in order, with the hashes that they had', () => {
    expect(said).toEqual([...LEDGER, '65 rows restored, 10 of them invoices']);
    expect(exit).toBe(0);
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

  test('go on with the next number', async () => {
    const client = await testApp.login('snekker@example.no');
    const { body } = await client.get('/api/invoices/');
    const { results } = body as { results: { uuid: string; status: string }[] };
    const draft = results.find(({ status }) => status === 'DRAFT');
    const queued = await client.post(`/api/invoices/queue/?invoice_uuid=${draft?.uuid}`);
    expect(queued.body).toMatchObject({ registered: [{ invoice_number: 8 }] });
  });
});

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
