import { setTimeout as sleep } from 'node:timers/promises';

import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openTestDatabase } from '../testing/database.ts';
import { until } from '../testing/until.ts';
import { appliedMigrations, findPending, type Migrations } from './applied-migrations.ts';
import { wrapEmbedded, type Database, type Trx } from './database.ts';
import { openMemoryDatabase } from './embedded.ts';
import { KNOWN_MIGRATIONS, migrate } from './migrate.ts';
import { createIndex } from './migration.ts';

const LOCK_TIMEOUT = 200;

const quick: Migrations = {
  '0001-thing': {
    runsBeside: null,
    up: async (db) =>
      void (await sql`CREATE TABLE thing (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text)`.execute(db)),
  },
};
const withColumn: Migrations = {
  ...quick,
  '0002-size': {
    runsBeside: '0001-thing',
    up: async (db) =>
      void (await sql`ALTER TABLE thing ADD COLUMN size integer,
        ADD CONSTRAINT thing_size CHECK (size > 0) NOT VALID`.execute(db)),
  },
};
const withIndex: Migrations = {
  ...withColumn,
  '0003-thing-name': {
    runsBeside: '0001-thing',
    online: true,
    up: async (db) => {
      await createIndex(db, { name: 'thing_name', on: sql`thing (name)`, unique: true });
      await sql`ALTER TABLE thing VALIDATE CONSTRAINT thing_size`.execute(db);
    },
  },
};

let database: Database;
let reports: string[];

beforeEach(async () => {
  database = await openTestDatabase();
  reports = [];
});
afterEach(async () => database.close());

async function migrateBy(migrations: Migrations, tryFor = 60_000): Promise<void> {
  await migrate(database, {
    migrations,
    lockTimeout: LOCK_TIMEOUT,
    pause: 100,
    tryFor,
    report: (message) => reports.push(message),
  });
}

async function stateOf(name: string): Promise<string | undefined> {
  const { rows } = await sql<{ state: string }>`
    SELECT state FROM migration WHERE name = ${name}`.execute(database.db);
  return rows[0]?.state;
}

async function findIndex(db = database.db): Promise<{ valid: boolean } | undefined> {
  const { rows } = await sql<{ valid: boolean }>`
    SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('thing_name')
  `.execute(db);
  return rows[0];
}

async function addThing(name: string): Promise<void> {
  await sql`INSERT INTO thing (name) VALUES (${name})`.execute(database.db);
}

/** A transaction that has done something, and stays open until it is told to end. */
async function holdOpen(something: (trx: Trx) => Promise<unknown>): Promise<() => Promise<void>> {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const transaction = database.db.transaction().execute(async (trx) => {
    await something(trx);
    begun.resolve();
    await end.promise;
  });
  await Promise.race([begun.promise, transaction]);
  return async () => {
    end.resolve();
    await transaction;
  };
}

/** As a backup does: it reads, and keeps others from altering the table until it is done. */
const reading = async (trx: Trx) => sql`SELECT FROM thing`.execute(trx);
const writing = async (trx: Trx) => sql`INSERT INTO thing (name) VALUES ('held')`.execute(trx);

test('processes that start together on an empty database prepare it once', async () => {
  await Promise.all(Array.from({ length: 4 }, async () => migrateBy(withIndex)));
  expect(await appliedMigrations(database.db)).toEqual(Object.keys(withIndex));
  expect(reports.filter((report) => report.startsWith('migrated'))).toHaveLength(3);
  expect(await findIndex()).toEqual({ valid: true });
});

test('the tables of migrations that version 1.0 left are completed', async () => {
  await migrate(database);
  await sql`ALTER TABLE migration DROP COLUMN state, DROP COLUMN runs_beside`.execute(database.db);
  await sql`CREATE TABLE migration_lock (id varchar(255), is_locked integer)`.execute(database.db);
  expect(await appliedMigrations(database.db)).toEqual(KNOWN_MIGRATIONS);
  await sql`DELETE FROM migration WHERE name = '0005-staff'`.execute(database.db);
  await sql`ALTER TABLE account DROP COLUMN is_staff`.execute(database.db);
  await migrate(database);
  expect(await stateOf('0005-staff')).toBe('DONE');
  expect(await appliedMigrations(database.db)).toEqual(KNOWN_MIGRATIONS);
});

test('a migration that fails leaves nothing of itself, and those before it stay', async () => {
  const failing: Migrations = {
    '0002-failing': {
      runsBeside: null,
      up: async (db) => {
        await sql`ALTER TABLE thing ADD COLUMN half text`.execute(db);
        await sql`SELECT 1 / 0`.execute(db);
      },
    },
  };
  await expect(migrateBy({ ...quick, ...failing })).rejects.toThrow('division by zero');
  expect(await appliedMigrations(database.db)).toEqual(['0001-thing']);
  await migrateBy(withColumn);
  expect(await appliedMigrations(database.db)).toEqual(['0001-thing', '0002-size']);
});

test('while a migration waits for a table, nobody waits behind it for long', async () => {
  await migrateBy(quick);
  const end = await holdOpen(reading);
  const migrated = migrateBy(withColumn);
  await until(
    async () => reports.filter((report) => report.includes('trying again')).length,
    (many) => many >= 2,
  );
  let longest = 0;
  for (let i = 0; i < 20; i++) {
    const start = performance.now();
    await addThing(`while it waits ${i}`);
    longest = Math.max(longest, performance.now() - start);
    await sleep(20);
  }
  // Behind a lock that waits without end, each would have waited until the reader was done.
  expect(longest).toBeLessThan(LOCK_TIMEOUT + 2000);
  expect(await appliedMigrations(database.db)).toEqual(['0001-thing']);
  await end();
  await migrated;
  expect(await appliedMigrations(database.db)).toEqual(['0001-thing', '0002-size']);
});

test('a table that is held for ever is named as the reason', async () => {
  await migrateBy(quick);
  const end = await holdOpen(reading);
  await expect(migrateBy(withColumn, 500)).rejects.toThrow(
    'could not be migrated (0002-size): another transaction has held its tables for too long',
  );
  await end();
});

describe('online', () => {
  beforeEach(async () => migrateBy(withColumn));

  test('an index is made while others write, and a second process waits for it', async () => {
    const end = await holdOpen(writing);
    const first = migrateBy(withIndex);
    await until(
      async () => stateOf('0003-thing-name'),
      (state) => state === 'BEGUN',
    );
    const second = migrateBy(withIndex);
    await until(
      async () => reports,
      (all) => all.some((report) => report.includes('another process')),
    );
    await addThing('while it is made');
    expect(await appliedMigrations(database.db)).not.toContain('0003-thing-name');
    await end();
    await Promise.all([first, second]);
    expect(await stateOf('0003-thing-name')).toBe('DONE');
    expect(await findIndex()).toEqual({ valid: true });
    expect(reports.filter((report) => report.startsWith('migrated'))).toHaveLength(3);
  });

  test('one that was cut off is made anew', async () => {
    const end = await holdOpen(writing);
    const cutOff = migrateBy(withIndex);
    const outcome = cutOff.catch((error: unknown) => error);
    await until(findIndex, (index) => index?.valid === false);
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'faktur-migration'
    `.execute(database.db);
    expect(await outcome).toBeInstanceOf(Error);
    await end();
    expect(await findIndex()).toEqual({ valid: false });
    expect(await stateOf('0003-thing-name')).toBe('BEGUN');

    await migrateBy(withIndex);
    expect(await stateOf('0003-thing-name')).toBe('DONE');
    expect(await findIndex()).toEqual({ valid: true });
  });

  test('in the embedded database it is one transaction', async () => {
    const embedded = wrapEmbedded(await openMemoryDatabase());
    try {
      await migrate(embedded, { migrations: withIndex });
      expect(await appliedMigrations(embedded.db)).toEqual(Object.keys(withIndex));
      expect(await findIndex(embedded.db)).toEqual({ valid: true });
    } finally {
      await embedded.close();
    }
  });
});

describe('a process of an older version', () => {
  test('works beside migrations that say so', async () => {
    await migrateBy(withIndex);
    expect(await findPending(database.db, quick)).toEqual([]);
    await migrateBy(quick);
  });

  test('refuses to work beside one that asks for a newer one, or for none', async () => {
    await migrateBy({
      ...withColumn,
      '0003-later': { runsBeside: '0002-size', up: async () => undefined },
    });
    expect(await findPending(database.db, withColumn)).toEqual([]);
    await expect(migrateBy(quick)).rejects.toThrow(
      'The database belongs to a newer version of Faktur (0003-later).',
    );
    await migrateBy({
      ...withColumn,
      '0004-alone': { runsBeside: null, up: async () => undefined },
    });
    await expect(migrateBy(withColumn)).rejects.toThrow('newer version of Faktur (0004-alone)');
  });
});
