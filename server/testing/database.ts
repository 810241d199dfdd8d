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

async function openOnServer(serverUrl: string): Promise<Database> {
  const { url, drop } = await createServerDatabase(serverUrl);
  const database = openServer(url, () => undefined, CALL_LIMITS);
  return {
    ...database,
    close: async () => {
      await database.close();
      await drop();
    },
  };
}
