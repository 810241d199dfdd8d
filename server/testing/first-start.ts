import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sql } from 'kysely';

import { createApp } from '../app.ts';
import { createLog } from '../platform/log/log.ts';
import { readConfig } from '../config.ts';
import type { Database, Db } from '../platform/db/database.ts';

/** Starts and ends the product on a new database, which creates its tables and those of the job queue. */
export async function startOnce(database: Database): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'faktur-first-'));
  const config = readConfig({ DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent' });
  const kept = { ...database, close: async () => undefined };
  const app = await createApp({ config, log: createLog(config), database: kept, webFolder: null });
  await app.close();
  await rm(folder, { recursive: true, force: true });
}

/** The tables with a `company_id`, and `company` itself. */
export async function findCompanyTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name = 'company_id'
    ORDER BY 1`.execute(db);
  return ['company', ...rows.map(({ name }) => name)];
}
