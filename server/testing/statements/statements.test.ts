import { loadModule } from 'libpg-query';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import type { Database } from '../../db/database.ts';
import { releaseAll } from '../../delivery/deliver.repository.ts';
import { openMigratedDatabase } from '../database.ts';
import { findFunctions, unnamedInFunction } from './functions.ts';
import { findUnnamed } from './watch.ts';

let database: Database;

beforeAll(async () => {
  await loadModule();
  database = await openMigratedDatabase();
});

afterAll(async () => database.close());

/** Functions that are about no company's rows. */
const EXCEPTIONS = new Set([
  // Keeps a table with registered invoices from being emptied, whosever they are.
  'keep_invoices',
]);

test('functions of the database name the company in all they do', async () => {
  const tables = new Set(inject('companyTables'));
  const functions = await findFunctions(database.db);
  expect(functions.length).toBeGreaterThan(10);
  const judged = functions.filter(({ name }) => !EXCEPTIONS.has(name));
  const wrong = judged.flatMap((each) =>
    unnamedInFunction(each, tables).map((unnamed) => `${each.name}: ${unnamed}`),
  );
  expect(wrong).toEqual([]);
});

test('a statement that names no company is seen, with where it came from', async () => {
  await releaseAll(database.db, ['EMAIL']);
  expect(await findUnnamed()).toContainEqual({
    text: expect.stringMatching(/^update "delivery" set "leased_until"/) as string,
    place: 'server/delivery/deliver.repository.ts releaseAll',
    tables: 'delivery',
  });
});
