import { openAsBlob } from 'node:fs';
import { cp } from 'node:fs/promises';

import { inject } from 'vitest';

import { CALL_LIMITS } from '../platform/db/connections.ts';
import { openServer, wrapEmbedded, type Database } from '../platform/db/database.ts';
import { openMemoryDatabase } from '../platform/db/embedded.ts';
import { createServerDatabase } from './server-database.ts';

/** A busy machine is not a fault (milliseconds). */
const PATIENCE = 30_000;

/**
 * Opens an empty database of the kind of this test project, which closing removes. It uses the pooler of this run, if
 * any, unless the test needs features that poolers lack.
 */
export async function openTestDatabase({ isDirect = false } = {}): Promise<Database> {
  return process.env['TEST_DATABASE'] === 'postgres'
    ? openOnServer(inject('postgresUrl'), { isDirect })
    : openEmbedded(inject('embeddedTemplates').empty);
}

/** Opens a copy of a database on which the product has started, so it has the tables. */
export async function openMigratedDatabase(): Promise<Database> {
  return process.env['TEST_DATABASE'] === 'postgres'
    ? openOnServer(inject('postgresUrl'), { template: inject('postgresTemplate') })
    : openEmbedded(inject('embeddedTemplates').started);
}

async function openEmbedded(template: string): Promise<Database> {
  return wrapEmbedded(await openMemoryDatabase(await openAsBlob(template)));
}

/**
 * Creates the database for processes with this DATA_DIR. It has the tables, or is empty when `isNew`. Returns the
 * database on the server, which the caller drops; null when it is embedded in the folder.
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

/** Settings with which the product connects to a database of this run, through the pooler if there is one. */
export function databaseSettings(url: string): NodeJS.ProcessEnv & { DATABASE_URL: string } {
  const pooler = inject('postgresPooler');
  if (pooler === null) return { DATABASE_URL: url };
  const pooled = new URL(url);
  pooled.host = `127.0.0.1:${pooler.port}`;
  if (pooler.mode === 'session') return { DATABASE_URL: pooled.href };
  return {
    DATABASE_URL: pooled.href,
    DATABASE_DIRECT_URL: url,
    // PgBouncer in Debian is older than 1.21.
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
    limits: { ...CALL_LIMITS, connect: PATIENCE },
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
