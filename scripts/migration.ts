// npm run migration -- NAME: a file for the next migration, and its line in server/db/migrate.ts.

import path from 'node:path';
import { addMigration } from './new-migration.ts';

const [name = '', ...rest] = process.argv.slice(2);

try {
  if (rest.length > 0)
    throw new TypeError('A migration has one name, with hyphens: npm run migration -- due-dates');
  const file = addMigration(path.resolve(import.meta.dirname, '..'), name);
  console.log(`${file} is there, and server/db/migrate.ts knows it. Before it runs:
  - write what it changes, and in server/db/tables.ts what the tables then are;
  - docs/operations.md § Migrations says what it may do, whether it is online, and what runsBeside means.`);
} catch (error) {
  if (!(error instanceof TypeError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
