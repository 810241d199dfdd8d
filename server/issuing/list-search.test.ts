import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import { todayInOslo } from '../../domain/date.ts';
import { makeKid } from '../../domain/kid.ts';
import {
  completeProfile,
  createCustomer,
  createDraft,
  line,
  register,
} from '../testing/factories.ts';
import { hasFew, searches } from './invoice-search.repository.ts';

const OWNER = 'liten@example.no';

let testApp: TestApp;
let client: TestClient;
let companyId: number;

beforeAll(async () => {
  testApp = await startTestApp({ FEATURES: 'payments' });
  client = await testApp.login(OWNER);
  await completeProfile(client);
  companyId = await companyIdOf(testApp.context.db, OWNER);
  const draft = await createDraft(client, await createCustomer(client, { name: 'Ørsta Båt AS' }));
  await client.post(`/api/invoices/queue/?invoice_uuid=${draft}`);
});
afterAll(async () => testApp.close());

/** The plans of all parts of a search. */
async function readPlan(): Promise<string> {
  const { db } = testApp.context;
  const readsAll = await hasFew(db, companyId);
  const today = '2026-11-22';
  const plans = await Promise.all(
    searches(companyId, { query: 'båt', today, readsAll }).map(async (part) =>
      sql<Record<string, string>>`EXPLAIN ${part}`.execute(db),
    ),
  );
  return plans.flatMap(({ rows }) => rows.flatMap((row) => Object.values(row))).join('\n');
}

async function setRegistered(many: number, company = companyId): Promise<void> {
  await sql`UPDATE invoice_count SET registered = ${many} WHERE company_id = ${company}`.execute(
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

describe('a search of what people have in hand (INV-44)', () => {
  let seller: TestClient;
  let sellerId: number;

  beforeAll(async () => {
    seller = await testApp.login('handa@example.no');
    await completeProfile(seller);
    sellerId = await companyIdOf(testApp.context.db, 'handa@example.no');
    const boat = await createCustomer(seller);
    const club = await createCustomer(seller, { name: 'Turlaget', org_number: null });
    const washed = {
      reference: 'PO-4711 Øyvind',
      invoice_lines: [line('Dekksvask på ÅSLA, 3. runde', 15_140, 25), line('Frakt', 0, 0)],
    };
    await register(seller, await createDraft(seller, boat, washed));
    const fee = { invoice_lines: [line('Kontingent', 500, 0)] };
    const uuid = await createDraft(seller, club, fee);
    await register(seller, uuid);
    await register(seller, await createDraft(seller, club, fee));
    const date = todayInOslo();
    await seller.post('/api/payments/', { invoice_uuid: uuid, amount: 199.5, date });
    const drafted = { reference: 'Uke 48 ŁÓDŹ', invoice_lines: [line('Dekksmaling', 1000, 25)] };
    await createDraft(seller, boat, drafted);
  });

  const KID = makeKid(2, 2).replace(/(\d{4})/g, '$1 ');
  const FOUND: [string, (number | null)[]][] = [
    ['18925', [1]],
    ['18 925,00', [1]],
    ['kr 18.925,-', [1]],
    ['500,00', [3, 2]],
    ['300,50', [2]],
    ['1 250,00', [null]],
    [KID, [2]],
    [KID.replaceAll(' ', ''), [2]],
    ['974 760 673', [null, 1]],
    ['#2', [2]],
    ['faktura 3', [3]],
    ['#4', []],
    ['4711', [1]],
    ['po-4711 øyvind', [1]],
    ['UKE', [null]],
    ['łódź', [null]],
    ['kontingent', [3, 2]],
    ['dekks', [null, 1]],
    ['runde åsla', [1]],
    ['på', [1]],
    ['runde frakt', []],
    ['100%', []],
  ];

  describe.each([
    ['few', 3],
    ['many', 100_000],
  ])('among %s invoices', (_, counted) => {
    beforeAll(async () => setRegistered(counted, sellerId));
    afterAll(async () => setRegistered(3, sellerId));

    test.each(FOUND)('%s', async (query, numbers) => {
      const sought = `/api/invoices/?query=${encodeURIComponent(query)}`;
      const { body } = await seller.get(sought);
      expect(numbersOf(body)).toEqual(numbers);
      expect(body).toMatchObject({ count: numbers.length });
      const drafts = numbers.filter((number) => number === null);
      expect(numbersOf((await seller.get(`${sought}&status=DRAFT`)).body)).toEqual(drafts);
      const byCustomer = numbersOf((await seller.get(`${sought}&sort=-customer`)).body);
      expect(new Set(byCustomer)).toEqual(new Set(numbers));
      expect(byCustomer).toHaveLength(numbers.length);
    });
  });
});

function numbersOf(body: unknown): (number | null)[] {
  const { results } = body as { results: { invoice_number: number | null }[] };
  return results.map(({ invoice_number: number }) => number);
}
