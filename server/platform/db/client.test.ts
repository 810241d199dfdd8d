// A process of its own: it prepares so many statements that others would have used up the names.

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { openTestDatabase } from '../../testing/database.ts';
import { CALL_LIMITS } from './connections.ts';
import { type Database, type Db, openServer } from './database.ts';
import { migrate } from './migrate.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase({ isDirect: true });
  await migrate(database);
});
afterAll(async () => database.close());

async function preparedTexts(connection: Db): Promise<string[]> {
  const { rows } = await sql<{ statement: string }>`
    SELECT statement FROM pg_prepared_statements`.execute(connection);
  return rows.map((row) => row.statement);
}

/** Runs all queries of `work` on one connection. */
async function onOneConnection(work: (connection: Db) => Promise<void>): Promise<void> {
  if (database.pglite) await work(database.db);
  else await database.db.connection().execute(work);
}

async function customers(connection: Db, name: string) {
  return connection
    .selectFrom('customer')
    .select(['id', 'name'])
    .where('name', '=', name)
    .execute();
}

test('a statement is prepared once for a connection, for all values', async () => {
  await onOneConnection(async (connection) => {
    await customers(connection, 'Kari');
    await customers(connection, 'Ola');
    const texts = await preparedTexts(connection);
    expect(texts.filter((text) => text.includes('from "customer" where "name"'))).toHaveLength(1);
  });
});

test('a search is planned for its words', async () => {
  await onOneConnection(async (connection) => {
    await connection.selectFrom('customer').select('id').where('name', 'like', 'Kar%').execute();
    expect(await preparedTexts(connection)).not.toContainEqual(expect.stringContaining('like'));
  });
});

test('searches do not use up names', async () => {
  await onOneConnection(async (connection) => {
    for (let words = 1; words <= 400; words += 1) {
      const conditions = Array.from({ length: words % 90 }, () => sql`name LIKE ${'%a%'}`);
      const condition = sql.join([sql`company_id = ${words}`, ...conditions], sql` AND `);
      await sql`SELECT id AS ${sql.ref(`found${words}`)} FROM customer WHERE ${condition}`.execute(
        connection,
      );
    }
    await sql`SELECT id AS late FROM customer WHERE name = ${'Kari'}`.execute(connection);
    expect(await preparedTexts(connection)).toContainEqual(expect.stringContaining('late'));
  });
});

test('a process continues while a newer version adds a column', async () => {
  await onOneConnection(async (connection) => {
    const everything = async () => connection.selectFrom('customerGroup').selectAll().execute();
    await customers(connection, 'Kari');
    await everything();
    await sql`ALTER TABLE customer ADD COLUMN nickname text`.execute(database.db);
    await sql`ALTER TABLE customer_group ADD COLUMN nickname text`.execute(database.db);
    expect(await customers(connection, 'Kari')).toEqual([]);
    expect(await everything()).toEqual([]);
  });
});

test('a refused statement leaves its connection usable', async () => {
  await onOneConnection(async (connection) => {
    const divide = async (db: Db, by: number) =>
      sql<{ share: number }>`SELECT 6 / ${by}::integer AS share`.execute(db);
    const six = { rows: [{ share: 6 }] };
    await expect(divide(connection, 0)).rejects.toMatchObject({ code: '22012' });
    expect(await divide(connection, 1)).toMatchObject(six);
    await expect(sql`SELECT nothing FROM customer`.execute(connection)).rejects.toMatchObject({
      code: '42703',
    });
    expect(await divide(connection, 1)).toMatchObject(six);
  });
});

test('a statement prepared in a failed transaction is prepared again', async () => {
  const companies = async (db: Db, id: number) =>
    sql<{ email: string }>`SELECT email AS address FROM company WHERE id = ${id}`.execute(db);
  const failed = database.db.transaction().execute(async (trx) => {
    expect((await companies(trx, 1)).rows).toEqual([]);
    await sql`INSERT INTO company (account_id) VALUES (${-1})`.execute(trx);
  });
  await expect(failed).rejects.toMatchObject({ code: '23503' });
  expect((await companies(database.db, 1)).rows).toEqual([]);
});

test('values of every type that we use come back unchanged', async () => {
  const values = {
    number: 9_007_199_254_740_991,
    text: 'Ærlig "talt"\\',
    bytes: Buffer.from([0, 255, 92]),
    day: '2026-11-22',
    list: ['a', 'b,c'],
    nothing: null,
    right: true,
  };
  for (let times = 0; times < 2; times += 1) {
    const { rows } = await sql<typeof values>`
      SELECT ${values.number}::bigint AS number, ${values.text}::text AS text,
        ${values.bytes}::bytea AS bytes, ${values.day}::date AS day, ${values.list}::text[] AS list,
        ${values.nothing}::text AS nothing, ${values.right}::boolean AS "right"`.execute(
      database.db,
    );
    expect(rows[0]).toEqual({ ...values, bytes: rows[0]?.bytes });
    expect(Buffer.from(rows[0]?.bytes ?? [])).toEqual(values.bytes);
  }
});

test.runIf(process.env['TEST_DATABASE'] === 'postgres')(
  'a transaction may let its own statements take longer',
  async () => {
    const limits = { ...CALL_LIMITS, statementOfTransaction: 100 };
    const hasty = openServer(database.directUrl ?? '', () => undefined, { limits });
    // Longer than a connection waits for the answer to a statement.
    const sleep = sql`SELECT pg_sleep(2)`;
    try {
      const patient = hasty.db.transaction().execute(async (trx) => {
        await sql`SET LOCAL statement_timeout = 60000`.execute(trx);
        return sleep.execute(trx);
      });
      expect((await patient).rows).toHaveLength(1);
      const next = hasty.db.transaction().execute(async (trx) => sleep.execute(trx));
      await expect(next).rejects.toThrow('statement timeout');
    } finally {
      await hasty.close();
    }
  },
);
