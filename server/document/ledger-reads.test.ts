import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import type { Trx } from '../platform/db/database.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { completeProfile, createCustomer, createDraft, register } from '../testing/factories.ts';
import { checkLedger } from './ledger.service.ts';

const COMPANIES = 1000;

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp();
  const client = await testApp.login();
  await completeProfile(client);
  const customer = await createCustomer(client);
  for (let number = 1; number <= 2; number++) {
    await register(client, await createDraft(client, customer, { delivery_type: 'EMAIL' }));
  }
  await vi.waitUntil(async () => (await client.get('/api/invoices/')).body.summary.sent === 2, {
    timeout: 240_000,
  });
});
afterAll(async () => testApp.close());

/** As many companies with the books of the first: a hash covers nothing that tells them apart. */
async function multiply(trx: Trx): Promise<void> {
  for (const table of ['company', 'invoice', 'invoice_line', 'document', 'document_file']) {
    await sql`ALTER TABLE ${sql.table(table)} DISABLE TRIGGER USER`.execute(trx);
  }
  await sql`
    INSERT INTO account (email)
    SELECT 'copy' || number || '@example.no' FROM generate_series(2, ${COMPANIES}::int) number
  `.execute(trx);
  await copy(
    trx,
    'company',
    { accountId: sql`account.id` },
    sql`
    JOIN account ON account.email LIKE 'copy%'`,
  );
  const others = sql`
    JOIN company other ON other.id <> row.company_id`;
  const companyId = sql`other.id`;
  await copy(trx, 'invoice_count', { companyId }, others);
  await copy(trx, 'invoice_due', { companyId }, others);
  await copy(trx, 'invoice_day', { companyId }, others);
  await copy(trx, 'invoice', { companyId, customerId: sql`NULL` }, others);
  const twin = sql`
    JOIN invoice original ON original.id = row.invoice_id
    JOIN invoice twin ON twin.invoice_number = original.invoice_number AND twin.id <> original.id`;
  const ofTwin = { companyId: sql`twin.company_id`, invoiceId: sql`twin.id` };
  await copy(trx, 'invoice_line', ofTwin, twin);
  await copy(trx, 'document', ofTwin, twin);
  await copy(
    trx,
    'document_file',
    { companyId: sql`twin.company_id`, documentId: sql`twin.id` },
    sql`
    JOIN document original ON original.id = row.document_id
    JOIN document twin ON twin.hash = original.hash AND twin.id <> original.id`,
  );
}

/** Copies a table's rows, with all their columns but those that are given, or that make themselves. */
async function copy(
  trx: Trx,
  table: string,
  given: Readonly<Record<string, ReturnType<typeof sql>>>,
  join: ReturnType<typeof sql>,
): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    SELECT attname::text AS name FROM pg_attribute
    WHERE attrelid = ${table}::regclass AND attnum > 0 AND NOT attisdropped
      AND attgenerated = '' AND attname NOT IN ('id', 'uuid')`.execute(trx);
  const values = new Map(
    Object.entries(given).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
  const names = rows.map(({ name }) => name);
  await sql`
    INSERT INTO ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
    SELECT ${sql.join(names.map((name) => values.get(name) ?? sql.ref(`row.${name}`)))}
    FROM ${sql.table(table)} row ${join}`.execute(trx);
}

test('a thousand companies: what one company issued is not read for the others', async () => {
  await testApp.context.db.transaction().execute(multiply);
  await sql`ANALYZE`.execute(testApp.context.db);

  // Counted by PostgreSQL itself, of one transaction.
  const { reports, read } = await testApp.context.db.transaction().execute(async (trx) => ({
    reports: await Array.fromAsync(checkLedger(trx)),
    read: await sql<{ table: string; rows: number }>`
      SELECT relname::text AS "table", (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS rows
      FROM pg_stat_xact_user_tables WHERE relname IN ('document', 'document_file', 'invoice_line')
    `.execute(trx),
  }));
  expect(reports).toHaveLength(COMPANIES);
  expect(reports.filter(({ fault, documents }) => fault !== null || documents !== 2)).toEqual([]);
  const rows = new Map(read.rows.map((row) => [row.table, row.rows]));
  // PostgreSQL may read so small a table whole, but not for each company.
  expect(rows.get('document')).toBeLessThan(COMPANIES * 20);
  expect(rows.get('document_file')).toBeLessThan(COMPANIES * 20);
  expect(rows.get('invoice_line')).toBeLessThan(COMPANIES * 20);
});
