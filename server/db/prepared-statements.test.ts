import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { openTestDatabase } from '../testing/database.ts';
import type { Database, Db } from './database.ts';
import { migrate } from './migrate.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
  await migrate(database);
});
afterAll(async () => database.close());

async function preparedTexts(connection: Db): Promise<string[]> {
  const { rows } = await sql<{ statement: string }>`
    SELECT statement FROM pg_prepared_statements`.execute(connection);
  return rows.map((row) => row.statement);
}

async function customers(connection: Db, name: string) {
  return connection
    .selectFrom('customer')
    .select(['id', 'name'])
    .where('name', '=', name)
    .execute();
}

test('a statement is prepared once for a connection, whatever its values', async () => {
  await database.db.connection().execute(async (connection) => {
    await customers(connection, 'Kari');
    await customers(connection, 'Ola');
    const texts = await preparedTexts(connection);
    expect(texts.filter((text) => text.includes('"customer"'))).toHaveLength(1);
  });
});

test('a search is planned for what it searches', async () => {
  await database.db.connection().execute(async (connection) => {
    await connection.selectFrom('customer').select('id').where('name', 'like', 'Kar%').execute();
    expect(await preparedTexts(connection)).not.toContainEqual(expect.stringContaining('like'));
  });
});

test('searches take no place from what comes again', async () => {
  await database.db.connection().execute(async (connection) => {
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

test('a process goes on while a newer version adds a column', async () => {
  await database.db.connection().execute(async (connection) => {
    const everything = async () => connection.selectFrom('customerGroup').selectAll().execute();
    await customers(connection, 'Kari');
    await everything();
    await sql`ALTER TABLE customer ADD COLUMN nickname text`.execute(database.db);
    await sql`ALTER TABLE customer_group ADD COLUMN nickname text`.execute(database.db);
    expect(await customers(connection, 'Kari')).toEqual([]);
    expect(await everything()).toEqual([]);
  });
});
