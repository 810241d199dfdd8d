import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { TestProject } from 'vitest/node';

import { wrapEmbedded } from '../platform/db/database.ts';
import { openEmbeddedDatabase, type EmbeddedDatabase } from '../platform/db/embedded.ts';
import { findCompanyTables, startOnce } from './first-start.ts';

/** Templates of embedded databases. Creating one takes seconds; loading or copying a template takes a tenth. */
interface Templates {
  /** A file with a new database. */
  readonly empty: string;
  /** A file with a database on which the product has started once. */
  readonly started: string;
  /** A DATA_DIR with a database on which the product has started once. */
  readonly dataDir: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    embeddedTemplates: Templates;
    /** The tables whose rows belong to a company. */
    companyTables: readonly string[];
  }
}

interface Made {
  readonly templates: Templates;
  readonly companyTables: readonly string[];
  readonly remove: () => Promise<void>;
}

// Several projects load this file separately within one process, so the process keeps the shared state.
const shared = globalThis as { fakturTestTemplates?: Promise<Made> };

/** Makes the templates once for the run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.fakturTestTemplates ??= makeTemplates();
  const { templates, companyTables, remove } = await shared.fakturTestTemplates;
  project.provide('embeddedTemplates', templates);
  project.provide('companyTables', companyTables);
  return remove;
}

async function makeTemplates(): Promise<Made> {
  const folder = await mkdtemp(join(tmpdir(), 'faktur-template-'));
  const templates = {
    empty: join(folder, 'empty.tar'),
    started: join(folder, 'started.tar'),
    dataDir: join(folder, 'data'),
  };
  const embedded = await openEmbeddedDatabase(templates.dataDir);
  const database = wrapEmbedded(embedded);
  await dump(embedded, templates.empty);
  await startOnce(database);
  await dump(embedded, templates.started);
  const companyTables = await findCompanyTables(database.db);
  await database.close();
  const remove = async () => rm(folder, { recursive: true, force: true });
  return { templates, companyTables, remove };
}

async function dump({ pglite }: EmbeddedDatabase, path: string): Promise<void> {
  // A checkpoint, so that loading it needs no recovery.
  await pglite.exec('CHECKPOINT');
  await writeFile(path, (await pglite.dumpDataDir('none')).stream());
}
