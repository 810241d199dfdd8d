import { join } from 'node:path';

import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { readConfig } from '../config.ts';
import { readRestore, restore } from '../operator/backup.command.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { openTestDatabase } from '../testing/database.ts';
import { createDraft, register } from '../testing/factories.ts';
import type { FieldNames } from './document-versions.ts';
import { findDocument } from './show-document.service.ts';
import { checkLedger } from './ledger.service.ts';

const BACKUP = join(import.meta.dirname, '../testing/fixtures/before-baseline.backup');
const EMAIL = 'snekker@example.no';
const DOCUMENTS = 7;

// The product of tomorrow: a document has a remark, its lines have a colour, and the next version of
// the hash names both. Where they would be stored is no matter here.
const { remarks, colours, TOMORROW } = vi.hoisted(() => ({
  TOMORROW: 11,
  remarks: new Map<number, string>(),
  colours: new Map<number, string>(),
}));
vi.mock(import('./document-text.ts'), async (importOriginal) => {
  const today = await importOriginal();
  return {
    ...today,
    toDocument: (row, issuer, isTreated) => {
      const document = today.toDocument(row, issuer, isTreated);
      const lines = document.lines.map((line) => ({
        ...line,
        colour: colours.get(row.id) ?? null,
      }));
      return { ...document, lines, remark: remarks.get(row.id) ?? null };
    },
  };
});
vi.mock(import('./document-versions.ts'), async (importOriginal) => {
  const { CURRENT_VERSION, DOCUMENT_VERSIONS, TREATMENTS_SINCE } = await importOriginal();
  const newest: FieldNames = DOCUMENT_VERSIONS[CURRENT_VERSION] ?? {};
  const lines: FieldNames = { ...(newest['lines'] as FieldNames), colour: true };
  const next: FieldNames = { ...newest, lines, remark: true };
  return {
    CURRENT_VERSION: TOMORROW,
    TREATMENTS_SINCE,
    DOCUMENT_VERSIONS: { ...DOCUMENT_VERSIONS, [TOMORROW]: next },
  };
});

let testApp: TestApp;
let client: TestClient;
let customer: number;

beforeAll(async () => {
  const database = await openTestDatabase();
  const output = { line: () => undefined, bytes: async () => undefined };
  const exit = await restore(
    readConfig({ SECRET_KEY: 'x'.repeat(32) }),
    database,
    await readRestore([BACKUP]),
    output,
  );
  expect(exit).toBe(0);
  testApp = await startTestApp({ DISPATCH: 'staff' }, { database });
  client = await testApp.login(EMAIL);
  const { body } = await client.get('/api/customers/');
  customer = (body as { customer_number: number }[])[0]?.customer_number ?? 0;
});
afterAll(async () => testApp.close());
beforeEach(() => {
  remarks.clear();
  colours.clear();
});

async function check() {
  const [report] = await Array.fromAsync(checkLedger(testApp.context.db, EMAIL));
  return report;
}

interface Found {
  readonly id: number;
  readonly companyId: number;
  readonly version: number;
}

async function find(number: number): Promise<Found> {
  const { rows } = await sql<Found>`
    SELECT invoice.id, invoice.company_id, document.version FROM invoice
    JOIN document ON document.invoice_id = invoice.id
    JOIN company ON company.id = invoice.company_id JOIN account ON account.id = account_id
    WHERE account.email = ${EMAIL} AND invoice_number = ${number}`.execute(testApp.context.db);
  return rows[0] ?? { id: 0, companyId: 0, version: 0 };
}

test('books of before a document had the field are in order', async () => {
  expect(await check()).toMatchObject({ documents: DOCUMENTS, fault: null });
  expect((await find(1)).version).toBe(1);
});

test('nothing is slipped into a document of before', async () => {
  remarks.set((await find(2)).id, 'Betal til en annen konto');
  expect((await check())?.fault).toContain('invoice 2 is not what was registered');
  remarks.clear();
  colours.set((await find(2)).id, 'Blå');
  expect((await check())?.fault).toContain('invoice 2 is not what was registered');
});

test('what is registered from now on has the version that names it, in the same chain', async () => {
  const draft = await createDraft(client, customer);
  const { rows } = await sql<{ id: number }>`SELECT id FROM invoice WHERE uuid = ${draft}`.execute(
    testApp.context.db,
  );
  const id = rows[0]?.id ?? 0;
  remarks.set(id, 'Takk for handelen');
  await register(client, draft);
  expect(await check()).toMatchObject({ documents: DOCUMENTS + 1, fault: null });
  const { companyId, ...found } = await find(DOCUMENTS + 1);
  expect(found).toEqual({ id, version: TOMORROW });

  // The frozen text is read, not the rows.
  remarks.delete(id);
  expect((await findDocument(testApp.context, companyId, draft)).document).toMatchObject({
    remark: 'Takk for handelen',
    lines: [{ colour: null }, { colour: null }, { colour: null }],
  });
  expect((await check())?.fault).toContain(`invoice ${DOCUMENTS + 1} is not what was registered`);
});

test('what holds nothing new keeps the version that processes of before can read', async () => {
  await register(client, await createDraft(client, customer));
  const { rows } = await sql<{ version: number }>`
    SELECT version FROM document ORDER BY id DESC LIMIT 1`.execute(testApp.context.db);
  expect(rows).toEqual([{ version: 1 }]);
});

test('a version is frozen, and one that is not known is told', async () => {
  const { db } = testApp.context;
  await expect(
    sql`UPDATE document SET version = ${TOMORROW} WHERE invoice_id = ${(await find(3)).id}`.execute(
      db,
    ),
  ).rejects.toThrow('a document is kept as it was issued');
  await sql`ALTER TABLE document DISABLE TRIGGER USER`.execute(db);
  await sql`UPDATE document SET version = ${TOMORROW + 1} WHERE invoice_id = ${(await find(3)).id}`.execute(
    db,
  );
  await sql`ALTER TABLE document ENABLE TRIGGER USER`.execute(db);
  expect((await check())?.fault).toBe(
    `invoice 3 has a SHA-256 of version ${TOMORROW + 1}, which only a newer version of Faktur can check`,
  );
});
