import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { openMigratedDatabase } from '../../testing/database.ts';
import { tableTypes } from '../../testing/table-types.ts';
import type { Database } from './database.ts';

const FILE = join(import.meta.dirname, 'tables.ts');

let database: Database;
beforeAll(async () => {
  database = await openMigratedDatabase();
});
afterAll(async () => database.close());

test('the types of the tables are those of the database, and are written anew when it has others', async () => {
  const kept = await readFile(FILE, 'utf8');
  const types = await tableTypes(database.db);
  if (types !== kept) await writeFile(FILE, types);
  expect(kept).toBe(types);
});
