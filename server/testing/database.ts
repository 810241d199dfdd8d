import { openAsBlob } from 'node:fs';
import { cp } from 'node:fs/promises';

import { inject } from 'vitest';

import { CALL_LIMITS } from '../platform/db/connections.ts';
import { openServer, wrapEmbedded, type Database } from '../platform/db/database.ts';
import { openMemoryDatabase } from '../platform/db/embedded.ts';
import { createServerDatabase } from './server-database.ts';

/**
 * An empty database of the kind that this project of tests runs on. It goes away when closed. The run's pooler is
 * in front of it, if it has one, unless the test is about what poolers do away with.
 */
export async function openTestDatabase({ isDirect = false } = {}): Promise<Database> {
  return process.env['TEST_DATABASE'] === 'postgres'
    ? openOnServer(inject('postgresUrl'), { isDirect })
    : openEmbedded(inject('embeddedTemplates').empty);
}

/** As `openTestDatabase`, with our tables: a copy of one on which the product has started. */
export async function openMigratedDatabase(): Promise<Database> {
  return process.env['TEST_DATABASE'] === 'postgres'
    ? openOnServer(inject('postgresUrl'), { template: inject('postgresTemplate') })
    : openEmbedded(inject('embeddedTemplates').started);
}

async function openEmbedded(template: string): Promise<Database> {
  return wrapEmbedded(await openMemoryDatabase(await openAsBlob(template)));
}

/**
 * Makes the database that processes with this DATA_DIR find: one on which the product has started once or, when it is new,
 * none of our tables. Returns it where it is on the server, for the caller to drop; null where it is in the folder.
 */
export async function prepareProcessDatabase(
  dataDir: string,
  { isNew = false }: { readonly isNew?: boolean } = {},
): Promise<{ readonly url: string; readonly drop: () => Promise<void> } | null> {
  if (process.env['TEST_DATABASE'] === 'postgres') {
    const template = isNew ? undefined : inject('postgresTemplate');
    return createServerDatabase(inject('postgresUrl'), template);
  }
  if (!isNew) await cp(inject('embeddedTemplates').dataDir, dataDir, { recursive: true });
  return null;
}

/** The settings by which the product finds a database of this run: through its pooler, if it has one. */
export function databaseSettings(url: string): NodeJS.ProcessEnv & { DATABASE_URL: string } {
  const pooler = inject('postgresPooler');
  if (pooler === null) return { DATABASE_URL: url };
  const pooled = new URL(url);
  pooled.host = `127.0.0.1:${pooler.port}`;
  if (pooler.mode === 'session') return { DATABASE_URL: pooled.href };
  return {
    DATABASE_URL: pooled.href,
    DATABASE_DIRECT_URL: url,
    // Debian's PgBouncer is older than 1.21.
    DATABASE_PREPARED_STATEMENTS: 'no',
  };
}

interface Choice {
  readonly template?: string;
  readonly isDirect?: boolean;
}

async function openOnServer(
  serverUrl: string,
  { template, isDirect = false }: Choice,
): Promise<Database> {
  const { url, drop } = await createServerDatabase(serverUrl, template);
  const settings: NodeJS.ProcessEnv = isDirect ? {} : databaseSettings(url);
  const database = openServer(settings['DATABASE_URL'] ?? url, () => undefined, {
    limits: CALL_LIMITS,
    databaseDirectUrl: settings['DATABASE_DIRECT_URL'] ?? null,
    preparesStatements: settings['DATABASE_PREPARED_STATEMENTS'] !== 'no',
  });
  return {
    ...database,
    close: async () => {
      await database.close();
      await drop();
    },
  };
}
