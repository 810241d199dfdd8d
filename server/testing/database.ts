import { openAsBlob } from 'node:fs';

import { inject } from 'vitest';

import { CALL_LIMITS } from '../db/connections.ts';
import { openServer, wrapEmbedded, type Database } from '../db/database.ts';
import { openMemoryDatabase } from '../db/embedded.ts';
import { createServerDatabase } from './server-database.ts';

/** An empty database of the kind that this project of tests runs on. It goes away when closed. */
export async function openTestDatabase(): Promise<Database> {
  return process.env['TEST_DATABASE'] === 'postgres'
    ? openOnServer(inject('postgresUrl'))
    : wrapEmbedded(await openMemoryDatabase());
}

/** As `openTestDatabase`, with our tables: a copy of one that was made once for the run. */
export async function openMigratedDatabase(): Promise<Database> {
  return process.env['TEST_DATABASE'] === 'postgres'
    ? openOnServer(inject('postgresUrl'), inject('postgresTemplate'))
    : wrapEmbedded(await openMemoryDatabase(await openAsBlob(inject('embeddedTemplate'))));
}

async function openOnServer(serverUrl: string, template?: string): Promise<Database> {
  const { url, drop } = await createServerDatabase(serverUrl, template);
  const database = openServer(url, () => undefined, CALL_LIMITS);
  return {
    ...database,
    close: async () => {
      await database.close();
      await drop();
    },
  };
}
