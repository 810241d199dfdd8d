import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import { completeProfile, createCustomer, createDraft } from '../testing/factories.ts';
import { hasFew, searches } from './invoice-search.repository.ts';

const OWNER = 'liten@example.no';

let testApp: TestApp;
let client: TestClient;
let companyId: number;

beforeAll(async () => {
  testApp = await startTestApp();
  client = await testApp.login(OWNER);
  await completeProfile(client);
  companyId = await companyIdOf(testApp.context.db, OWNER);
  const draft = await createDraft(client, await createCustomer(client, { name: 'Ørsta Båt AS' }));
  await client.post(`/api/invoices/queue/?invoice_uuid=${draft}`);
});
afterAll(async () => testApp.close());

/** The plan of a search of registered invoices. */
async function readPlan(): Promise<string> {
  const { db } = testApp.context;
  const readsAll = await hasFew(db, companyId);
  const today = '2026-11-22';
  const [, numbered] = searches(companyId, { query: 'båt', today, vat: false, readsAll });
  const { rows } = await sql<Record<string, string>>`EXPLAIN ${numbered}`.execute(db);
  return rows.flatMap((row) => Object.values(row)).join('\n');
}

async function setRegistered(many: number): Promise<void> {
  await sql`UPDATE invoice_count SET registered = ${many} WHERE company_id = ${companyId}`.execute(
    testApp.context.db,
  );
}

test('a search in a company with few invoices does not use the index of all companies', async () => {
  // The expression differs from the indexed column, so the index cannot apply.
  const withoutIndex = /Filter: .*search_text \|\| ''/;
  expect(await readPlan()).toMatch(withoutIndex);
  const few = await client.get('/api/invoices/?query=b%C3%A5t');
  await setRegistered(100_000);
  expect(await readPlan()).not.toMatch(withoutIndex);
  const many = await client.get('/api/invoices/?query=b%C3%A5t');
  await setRegistered(1);
  expect(few.body).toMatchObject({ count: 1, results: [{ invoice_number: 1 }] });
  expect(many.body).toMatchObject({ count: 1, results: [{ invoice_number: 1 }] });
});
