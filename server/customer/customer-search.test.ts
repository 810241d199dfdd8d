import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { searchText } from '../../domain/search-text.ts';
import type { Db } from '../platform/db/database.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import { createCustomer, createGroup } from '../testing/factories.ts';
import { planOf, type PlanMode } from '../testing/plan.ts';
import { searchCustomers } from './customer.repository.ts';

let testApp: TestApp;
let client: TestClient;

beforeAll(async () => {
  testApp = await startTestApp();
  client = await testApp.login();
});
afterAll(async () => testApp.close());

async function find(query: string, who = client): Promise<string[]> {
  const { status, body } = await who.get(
    `/api/customers/search/?query=${encodeURIComponent(query)}&size=100`,
  );
  expect(status).toBe(200);
  return (body as { name: string }[]).map(({ name }) => name);
}

// CUS-6
describe('a search', () => {
  beforeAll(async () => {
    const details = { email: null, org_number: null };
    await createCustomer(client, { ...details, name: 'ØRSTA BÅT AS', org_number: '974760673' });
    await createCustomer(client, { ...details, name: 'Båtbyggeriet i Ørsta' });
    await createCustomer(client, { ...details, name: 'Nørsta AS', email: 'Post@Kontor.example' });
    await createCustomer(client, { ...details, name: 'Åse Ærlig', customer_number: 4711 });
    await createCustomer(client, { ...details, name: '100 % Rabatt_AS', customer_number: 47 });
  });

  test.each([
    ['ørsta', ['ØRSTA BÅT AS', 'Båtbyggeriet i Ørsta', 'Nørsta AS']],
    ['ØRSTA', ['ØRSTA BÅT AS', 'Båtbyggeriet i Ørsta', 'Nørsta AS']],
    ['ørsta båt', ['ØRSTA BÅT AS', 'Båtbyggeriet i Ørsta']],
    ['båt ørsta', ['Båtbyggeriet i Ørsta', 'ØRSTA BÅT AS']],
    ['ør', ['ØRSTA BÅT AS', 'Båtbyggeriet i Ørsta']],
    ['å', ['Åse Ærlig']],
    ['A\u030ASE', ['Åse Ærlig']],
    ['974760673', ['ØRSTA BÅT AS']],
    ['974 760 673', ['ØRSTA BÅT AS']],
    ['post@kontor', ['Nørsta AS']],
    ['kontor.example', ['Nørsta AS']],
    ['47', ['100 % Rabatt_AS', 'Åse Ærlig']],
    ['4711', ['Åse Ærlig']],
    ['100 %', ['100 % Rabatt_AS']],
    ['t_a', ['100 % Rabatt_AS']],
    ['%', ['100 % Rabatt_AS']],
    ['finnes ikke', []],
  ])('for %j finds %j', async (query, names) => {
    const found = await find(query);
    expect(new Set(found)).toEqual(new Set(names));
    expect(found[0]).toBe(names[0]);
  });

  test('with an empty query finds everything, up to the default size of ten', async () => {
    expect(await find('')).toHaveLength(5);
    for (let index = 0; index < 8; index++) await createCustomer(client, { name: `Fyll ${index}` });
    expect((await client.get('/api/customers/search/')).body).toHaveLength(10);
    expect((await client.get('/api/customers/search/?size=4')).body).toHaveLength(4);
  });

  // GRP-5
  test('for a group finds its name', async () => {
    await createGroup(client, []);
    const { body } = await client.get('/api/customers/groups/search/?query=MEDLEM');
    expect(body).toMatchObject([{ group_name: 'Medlemmer', customers: [] }]);
  });
});

// The embedded database gets fewer rows: it plans alike, only filling it takes longer.
const MANY = process.env['TEST_DATABASE'] === 'postgres' ? 100_000 : 10_000;

describe(`among ${MANY} customers`, () => {
  const OWNER = 'stor@example.no';
  let owner: TestClient;
  let companyId: number;

  beforeAll(async () => {
    owner = await testApp.login(OWNER);
    companyId = await companyIdOf(testApp.context.db, OWNER);
    const { db } = testApp.context;
    // Creating an index afterwards is faster than maintaining it.
    const { rows } = await sql<{ index: string }>`
      SELECT pg_get_indexdef('customer_search'::regclass) AS index`.execute(db);
    await sql`DROP INDEX customer_search`.execute(db);
    await fill(companyId, MANY);
    // Half as many customers of other companies, with the same names: they must not slow the search.
    for (let other = 0; other < 10; other++) {
      const email = `liten${other}@example.no`;
      await testApp.login(email);
      await fill(await companyIdOf(db, email), MANY / 20);
    }
    await sql`INSERT INTO customer (company_id, customer_number, name, search_text)
      VALUES (${companyId}, 200000, 'ØRSTA BÅT AS', ${searchText('ØRSTA BÅT AS', 200000)})
    `.execute(db);
    // In a transaction, whose statements have a longer limit, for a busy machine.
    await db.transaction().execute(async (trx) => sql.raw(rows[0]?.index ?? '').execute(trx));
    await sql`VACUUM ANALYZE customer`.execute(db);
  }, 240_000);

  /** In a transaction, whose statements have a longer limit, for a busy machine. */
  async function fill(company: number, count: number): Promise<void> {
    const statement = sql`
      INSERT INTO customer (company_id, customer_number, name, email, search_text)
      SELECT ${company}, n, name, mail, ' ' || lower(name) || ' ' || n || ' ' || mail
      FROM (
        SELECT n, initcap(substr(md5(n::text), 1, 8)) || ' ' || substr(md5((n * 7)::text), 1, 6)
          || ' AS' AS name, 'kunde' || n || '@example.no' AS mail
        FROM generate_series(1, ${count}::integer) n
      ) made`;
    await testApp.context.db.transaction().execute(async (trx) => statement.execute(trx));
  }

  const queries = ['ørsta', 'båt', 'ør', 'ø', 'kunde77', 'ørsta båt', '99999', 'ørsta as'];

  test.each(queries)('%j is looked up in the index', async (query) => {
    // Planned for this query, and planned once for all, as PostgreSQL may do with prepared statements.
    for (const planMode of ['force_custom_plan', 'force_generic_plan'] as const) {
      const plan = await explain(query, planMode);
      expect(plan).toContain('Bitmap Index Scan on customer_search');
      expect(plan).not.toContain('Seq Scan');
    }
  });

  test('the index contains the company', async () => {
    const plan = await explain('ørsta');
    const condition = /Index Cond: (.*)/.exec(plan)?.[1] ?? '';
    expect(condition).toContain('company_id');
    expect(condition).toContain('search_text');
  });

  test.each(queries)('%j takes no time to notice', async (query) => {
    await find(query, owner);
    const times: number[] = [];
    for (let round = 0; round < 5; round++) {
      const began = performance.now();
      await find(query, owner);
      times.push(performance.now() - began);
    }
    expect(Math.min(...times)).toBeLessThan(250);
  });

  test('a text that every customer has is found in acceptable time', async () => {
    const began = performance.now();
    expect(await find('as', owner)).toHaveLength(100);
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  test('finds one customer, and none of the others', async () => {
    expect(await find('ørsta', owner)).toEqual(['ØRSTA BÅT AS']);
    expect(await find('ør', owner)).toEqual(['ØRSTA BÅT AS']);
    expect(await find('kunde77@', owner)).toHaveLength(1);
  });

  /** The plan of the statement that the API sends. */
  async function explain(query: string, planMode?: PlanMode): Promise<string> {
    const search = async (db: Db) => searchCustomers(db, companyId, { query, size: 10 });
    return planOf(testApp.context.db, search, planMode);
  }
});
