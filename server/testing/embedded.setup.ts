import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { TestProject } from 'vitest/node';

import { wrapEmbedded } from '../db/database.ts';
import { openMemoryDatabase } from '../db/embedded.ts';
import { migrate } from '../db/migrate.ts';
import { findCompanyTables } from './statements/company-tables.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A file with an embedded database that has our tables and nothing in them. */
    embeddedTemplate: string;
    /** The tables whose rows are a company's. */
    companyTables: readonly string[];
  }
}

interface Template {
  readonly path: string;
  readonly companyTables: readonly string[];
  readonly remove: () => Promise<void>;
}

// Several projects name this file and each loads it for itself; what they share is the process.
const shared = globalThis as { fakturTestTemplate?: Promise<Template> };

/** Makes an embedded database once for the run: making one takes seconds, and loading it a tenth. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.fakturTestTemplate ??= makeTemplate();
  const { path, companyTables, remove } = await shared.fakturTestTemplate;
  project.provide('embeddedTemplate', path);
  project.provide('companyTables', companyTables);
  return remove;
}

async function makeTemplate(): Promise<Template> {
  const folder = await mkdtemp(join(tmpdir(), 'faktur-template-'));
  const path = join(folder, 'database.tar');
  const embedded = await openMemoryDatabase();
  const database = wrapEmbedded(embedded);
  await migrate(database);
  const companyTables = await findCompanyTables(database.db);
  await writeFile(path, (await embedded.pglite.dumpDataDir('none')).stream());
  await database.close();
  return { path, companyTables, remove: async () => rm(folder, { recursive: true, force: true }) };
}
