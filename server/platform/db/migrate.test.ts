import { setTimeout as sleep } from 'node:timers/promises';

import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openTestDatabase } from '../../testing/database.ts';
import { until } from '../../testing/until.ts';
import { wrapEmbedded, type Database, type Trx } from './database.ts';
import { openMemoryDatabase } from './embedded.ts';
import {
  appliedMigrations,
  migrate,
  MIGRATIONS,
  pendingMigrations,
  type Migrations,
} from './migrate.ts';
import { createIndex } from './migration.ts';

const LOCK_TIMEOUT = 200;

const quick: Migrations = {
  '9001-thing': {
    up: async (db) =>
      void (await sql`CREATE TABLE thing (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text)`.execute(db)),
  },
};
const withColumn: Migrations = {
  ...quick,
  '9002-size': {
    up: async (db) =>
      void (await sql`ALTER TABLE thing ADD COLUMN size integer,
        ADD CONSTRAINT thing_size CHECK (size > 0) NOT VALID`.execute(db)),
  },
};
const withIndex: Migrations = {
  ...withColumn,
  '9003-thing-name': {
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

async function findIndex(db = database.db): Promise<{ valid: boolean } | undefined> {
  const { rows } = await sql<{ valid: boolean }>`
    SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('thing_name')
  `.execute(db);
  return rows[0];
}

async function addThing(name: string): Promise<void> {
  await sql`INSERT INTO thing (name) VALUES (${name})`.execute(database.db);
}

/** A transaction that has run `something` and stays open until released. */
async function holdOpen(something: (trx: Trx) => Promise<unknown>): Promise<() => Promise<void>> {
  const started = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const transaction = database.db.transaction().execute(async (trx) => {
    await something(trx);
    started.resolve();
    await end.promise;
  });
  await Promise.race([started.promise, transaction]);
  return async () => {
    end.resolve();
    await transaction;
  };
}

/** As a backup does: it reads, and so prevents others from altering the table until it ends. */
const reading = async (trx: Trx) => sql`SELECT FROM thing`.execute(trx);
const writing = async (trx: Trx) => sql`INSERT INTO thing (name) VALUES ('held')`.execute(trx);

test('processes that start together on an empty database migrate it once', async () => {
  await Promise.all(Array.from({ length: 4 }, async () => migrateBy(withIndex)));
  expect(await appliedMigrations(database.db)).toEqual(Object.keys(withIndex));
  expect(reports.filter((report) => report.startsWith('migrated'))).toHaveLength(3);
  expect(await findIndex()).toEqual({ valid: true });
});

/** The rows of a version that went through the migrations that the baseline replaced. */
async function asBeforeTheBaseline(...names: readonly string[]): Promise<void> {
  await sql`DELETE FROM migration`.execute(database.db);
  await sql`
    INSERT INTO migration (name, "timestamp") SELECT name, '' FROM unnest(${names}::text[]) AS name
  `.execute(database.db);
}

test('a database with the last migration before the baseline is migrated in place', async () => {
  const [baseline] = Object.entries(MIGRATIONS);
  if (!baseline) throw new Error('There is no baseline');
  await migrate(database, { migrations: Object.fromEntries([baseline]) });
  await sql`INSERT INTO account (email) VALUES ('kari@example.no')`.execute(database.db);
  await asBeforeTheBaseline('0048-baseline', '0089-packed-exports', baseline[0]);
  await migrate(database);
  expect(await appliedMigrations(database.db)).toEqual(Object.keys(MIGRATIONS));
  const { rows } = await sql`SELECT email FROM account`.execute(database.db);
  expect(rows).toEqual([{ email: 'kari@example.no' }]);
});

test('a database of a version before the baseline is refused', async () => {
  await migrate(database);
  await asBeforeTheBaseline('0048-baseline', '0089-packed-exports');
  await expect(migrate(database)).rejects.toThrow(
    'The tables are those of an older version of Faktur (0089-packed-exports)',
  );
});

test('a failed migration leaves no trace, and earlier ones stay', async () => {
  const failing: Migrations = {
    '9002-failing': {
      up: async (db) => {
        await sql`ALTER TABLE thing ADD COLUMN half text`.execute(db);
        await sql`SELECT 1 / 0`.execute(db);
      },
    },
  };
  await expect(migrateBy({ ...quick, ...failing })).rejects.toThrow('division by zero');
  expect(await appliedMigrations(database.db)).toEqual(['9001-thing']);
  await migrateBy(withColumn);
  expect(await appliedMigrations(database.db)).toEqual(['9001-thing', '9002-size']);
});

test('while a migration waits for a table, nobody waits long behind it', async () => {
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
  // Behind a lock without a time limit, each would have waited until the reader ended.
  expect(longest).toBeLessThan(LOCK_TIMEOUT + 2000);
  expect(await appliedMigrations(database.db)).toEqual(['9001-thing']);
  await end();
  await migrated;
  expect(await appliedMigrations(database.db)).toEqual(['9001-thing', '9002-size']);
});

test('a table that stays locked is named as the reason', async () => {
  await migrateBy(quick);
  const end = await holdOpen(reading);
  await expect(migrateBy(withColumn, 500)).rejects.toThrow(
    'could not be migrated (9002-size): another transaction has held its tables for too long',
  );
  await end();
});

describe('online', () => {
  beforeEach(async () => migrateBy(withColumn));

  test('an index is created while others write, and a second process waits for it', async () => {
    const end = await holdOpen(writing);
    const first = migrateBy(withIndex);
    await until(findIndex, (index) => index !== undefined);
    const second = migrateBy(withIndex);
    await until(
      async () => reports,
      (all) => all.some((report) => report.includes('another process')),
    );
    await addThing('while it is made');
    expect(await appliedMigrations(database.db)).not.toContain('9003-thing-name');
    await end();
    await Promise.all([first, second]);
    expect(await appliedMigrations(database.db)).toContain('9003-thing-name');
    expect(await findIndex()).toEqual({ valid: true });
    expect(reports.filter((report) => report.startsWith('migrated'))).toHaveLength(3);
  });

  test('an interrupted one is created again', async () => {
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
    expect(await appliedMigrations(database.db)).not.toContain('9003-thing-name');

    await migrateBy(withIndex);
    expect(await appliedMigrations(database.db)).toContain('9003-thing-name');
    expect(await findIndex()).toEqual({ valid: true });
  });

  test('in the embedded database it runs in one transaction', async () => {
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

test('a process of an older version refuses to start on newer tables', async () => {
  await migrateBy(withColumn);
  await expect(pendingMigrations(database.db, quick)).rejects.toThrow(
    'The database belongs to a newer version of Faktur (9002-size).',
  );
});
