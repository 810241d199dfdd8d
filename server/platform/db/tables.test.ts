import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../testing/app.ts';
import { tableTypes } from '../../testing/table-types.ts';

const FILE = join(import.meta.dirname, 'tables.ts');

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => app.close());

test('the types of the tables are those of the database, and are written anew when it has others', async () => {
  const kept = await readFile(FILE, 'utf8');
  const types = await tableTypes(app.context.db);
  if (types !== kept) await writeFile(FILE, types);
  expect(kept).toBe(types);
});
