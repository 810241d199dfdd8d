import { createHash } from 'node:crypto';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { readConfig } from '../../config.ts';
import { checkLedger } from '../../document/ledger.service.ts';
import { readRestore, restore } from '../../operator/backup.command.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import type { Database } from './database.ts';

// A backup made by the version whose tables are the baseline's. Accounting data must be kept for five years (bokføringsloven
// § 13), so every later version must read it and accept its ledger. Version 1.0 registered the invoices of two of its
// companies.
const BACKUP = join(import.meta.dirname, '../../testing/fixtures/before-baseline.backup');

/** The document hashes stored in the backup. */
const LEDGER = [
  '✓ snekker@example.no: 1 to 7, ending in SHA-256 315437df36f49a887e68480ad66cb5c37bb5098fbca18f8729e0f7b22a0dc093',
  '✓ lag@example.no: 1001 to 1001, ending in SHA-256 80b480b8c6ab3b5eab8c68ffe2abe472c8943a2b71e4198e864f10a74b9d7aff',
  '✓ klubb@example.no: 1 to 5, ending in SHA-256 75fa15e367dcf3223ebdbc1ee0e05b8677f2d73d05eef88cc89e06fbb83b9fc7',
  '3 companies with 13 registered documents: all in order',
  '178 rows restored, 18 of them invoices',
];

/** SHA-256 of files that version 1.0 mailed. */
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

beforeAll(async () => {
  const database = await openTestDatabase();
  ({ exit, said } = await restoreInto(database, BACKUP));
  testApp = await startTestApp(
    { DISPATCH: 'staff', FEATURES: 'payments,reminders,recurring,members' },
    { database },
  );
});
afterAll(async () => testApp.close());

describe('data from before the baseline', () => {
  test('passes the ledger check with its original hashes', () => {
    expect(said).toEqual(LEDGER);
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

  test('keeps payments, credit, reminders and the invoices of assignments', async () => {
    const client = await testApp.login('klubb@example.no');
    const { summary } = (await client.get('/api/invoices/')).body;
    expect(summary).toMatchObject({ drafts: 3, outstanding: 3, outstanding_amount: 1223.46 });
    const partPaid = (await client.get('/api/invoices/3/')).body;
    expect(partPaid).toMatchObject({ status: 'REGISTERED', paid_amount: 123.46, amount_due: 50 });
    const reminded = (await client.get('/api/invoices/2/')).body;
    expect(reminded.reminder_amount).toBeGreaterThan(37.5);
    const [reminder] = (await client.get(`/api/invoices/${reminded.uuid}/reminders/`)).body;
    expect(reminder).toMatchObject({ kind: 'NOTICE', fee: 37.5, delivery_status: 'SENT' });
    const [assignment] = (await client.get('/api/invoices/recurring/')).body;
    const [run] = (await client.get(`/api/invoices/recurring/${assignment.uuid}/runs/`)).body;
    expect(run.invoices).toHaveLength(2);
  });

  test('makes the account of each company its one owner', async () => {
    for (const email of ['snekker@example.no', 'lag@example.no', 'klubb@example.no']) {
      const client = await testApp.login(email);
      const { body } = await client.get('/api/members/');
      expect(body).toMatchObject([{ email, role: 'OWNER', state: 'ACTIVE', is_you: true }]);
      const { body: session } = await client.get('/api/users/session/');
      expect(session).toMatchObject({ role: 'OWNER', company: session.companies[0] });
      expect(session.companies).toHaveLength(1);
    }
  });

  test('continues with the next invoice number', async () => {
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

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
