import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Db } from '../platform/db/database.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import { planOf } from '../testing/plan.ts';
import { countProducts, listProducts } from './product.repository.ts';

const OWNER = 'stor@example.no';
const MANY = 10_000;

let testApp: TestApp;
let few: TestClient;
let many: TestClient;
let companyId: number;

async function create(who: TestClient, product: object): Promise<void> {
  const answer = await who.post('/api/products/create/', { net_price: 1, ...product });
  expect(answer.status).toBe(201);
}

async function find(query: string, who = few): Promise<string[]> {
  const { body } = await who.get(`/api/products/?query=${encodeURIComponent(query)}`);
  return (body as { results: { number: string }[] }).results.map(({ number }) => number);
}

beforeAll(async () => {
  testApp = await startTestApp({ FEATURES: 'products' });
  few = await testApp.login();
  many = await testApp.login(OWNER);
  companyId = await companyIdOf(testApp.context.db, OWNER);
});
afterAll(async () => testApp.close());

// PRD-5
describe('a search', () => {
  beforeAll(async () => {
    await create(few, { number: '47', name: 'Hårklipp' });
    await create(few, { number: 'KL-2', name: 'Klipp herre', description: 'Vask og KLIPP, Ørsta' });
    await create(few, { number: '4711', name: 'Klipp barn' });
    await create(few, { number: 'X', name: 'Farge', description: 'Striper 100 %' });
  });

  test.each([
    ['klipp', ['4711', 'KL-2', '47']],
    ['KLIPP barn', ['4711']],
    ['barn klipp', ['4711']],
    ['kl-2', ['KL-2']],
    ['47', ['47', '4711']],
    ['ØRSTA', ['KL-2']],
    ['100 %', ['X']],
    ['%', ['X']],
    ['far', ['X']],
    ['', ['47', '4711', 'KL-2', 'X']],
    ['finnes ikke', []],
  ])('for %j finds %j, the best first', async (query, numbers) => {
    expect(await find(query)).toEqual(numbers);
  });
});

// PRD-6
describe(`among ${MANY} products`, () => {
  beforeAll(async () => {
    const { db } = testApp.context;
    await fill(companyId, MANY);
    // Those of other companies must not slow the search.
    for (let other = 0; other < 10; other += 1) {
      const email = `liten${other}@example.no`;
      await testApp.login(email);
      await fill(await companyIdOf(db, email), MANY / 20);
    }
    await create(many, { number: 'KL-1', name: 'Klipp, kort hår' });
    await sql`VACUUM ANALYZE product`.execute(db);
  }, 240_000);

  /** In a transaction, whose statements have a longer limit, for a busy machine. */
  async function fill(company: number, count: number): Promise<void> {
    const statement = sql`
      INSERT INTO product (company_id, number, number_key, name, net_price, active, search_text)
      SELECT ${company}, n::text, n::text, name, 100, true, ' ' || lower(name) || ' ' || n
      FROM (
        SELECT n, initcap(substr(md5(n::text), 1, 8)) || ' ' || substr(md5((n * 7)::text), 1, 6)
          || ' vare' AS name
        FROM generate_series(1, ${count}::integer) n
      ) made`;
    await testApp.context.db.transaction().execute(async (trx) => statement.execute(trx));
  }

  const filter = (query: string) => ({ query, active: undefined });
  const page = (query: string) => ({ ...filter(query), page: 1, size: 20 });

  test.each(['klipp', 'kort hår', 'kl-1', '9999', 'hå'])(
    '%j is looked up in the index, its count too',
    async (query) => {
      const { db } = testApp.context;
      const statements = [
        async (at: Db) => listProducts(at, companyId, page(query)),
        async (at: Db) => countProducts(at, companyId, filter(query)),
      ];
      for (const statement of statements) {
        for (const mode of ['force_custom_plan', 'force_generic_plan'] as const) {
          const plan = await planOf(db, statement, mode);
          expect(plan).toContain('Bitmap Index Scan on product_search');
          expect(/Index Cond: (.*)/.exec(plan)?.[1]).toContain('company_id');
        }
      }
    },
  );

  test('a page of all is read from the index in its order', async () => {
    const plan = await planOf(testApp.context.db, async (db) =>
      listProducts(db, companyId, page('')),
    );
    expect(plan).toContain('Index Scan using product_order');
    expect(plan).not.toContain('Sort');
  });

  test.each(['?query=klipp', '?query=kort%20h', '', '?query=9999', '?page=500'])(
    'the list %j is as fast as among four',
    async (query) => {
      const timeOf = async (who: TestClient) => {
        const times: number[] = [];
        for (let round = 0; round < 7; round += 1) {
          const began = performance.now();
          expect((await who.get(`/api/products/${query}`)).status).toBe(200);
          times.push(performance.now() - began);
        }
        return Math.min(...times);
      };
      const least = await timeOf(few);
      const most = await timeOf(many);
      // Generous: a busy machine, and ten thousand to count.
      expect(most).toBeLessThan(least + 50);
    },
  );

  test('finds the one, and proposes the next number', async () => {
    expect(await find('kort hår', many)).toEqual(['KL-1']);
    expect(await find('9999', many)).toEqual(['9999']);
    const { body } = await many.post('/api/products/create/', { name: 'Ny', net_price: 1 });
    expect(body).toMatchObject({ number: String(MANY + 1) });
  });
});
