import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import { companyIdOf } from '../testing/company.ts';

const OWNER = 'stor@example.no';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(async () => testApp.close());

describe('a list of customers', () => {
  test.each([1999, 2000, 2001, 4000])('of %i is whole and in order', async (count) => {
    const email = `liste${count}@example.no`;
    const client = await testApp.login(email);
    await fill(email, count);
    const { status, headers, body } = await client.get('/api/customers/');
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    const numbers = (body as { customer_number: number }[]).map((row) => row.customer_number);
    expect(numbers).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    expect(Object.keys(body[count - 1])).toEqual(Object.keys(body[0]));
  });

  test('is empty when there are no customers', async () => {
    expect((await (await testApp.login()).get('/api/customers/')).text).toBe('[]');
  });

  test('with many customers is sent while it is read', async () => {
    const client = await testApp.login(OWNER);
    await fill(OWNER, 10_000);
    const port = await testApp.app.listen();
    const answer = await fetch(`http://127.0.0.1:${port}/api/customers/`, {
      headers: { cookie: client.cookieHeader, 'accept-encoding': 'identity' },
    });
    // Its length was unknown at the start.
    expect(answer.headers.get('content-length')).toBeNull();
    expect(await answer.json()).toHaveLength(10_000);
  });
});

async function fill(email: string, count: number): Promise<void> {
  const { db } = testApp.context;
  await sql`
    INSERT INTO customer (company_id, customer_number, name, search_text)
    SELECT ${await companyIdOf(db, email)}, n, 'Medlem ' || n, ''
    FROM generate_series(1, ${count}::integer) n`.execute(db);
  await sql`UPDATE company SET last_customer_number = ${count}
    WHERE id = ${await companyIdOf(db, email)}`.execute(db);
}
