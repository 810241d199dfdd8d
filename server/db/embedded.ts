import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { PGlite, types } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';

import { hexOf } from '../crypto.ts';
import { DurableNodeFS, withCode } from './durable-node-fs.ts';
import { damaged, prepareFolder } from './embedded-folder.ts';
import { PreparingPGlite } from './preparing-pglite.ts';
import { UnusableDatabaseError } from './unusable.ts';

const DURABLE = {
  // PGlite starts with -F, which is fsync off. Invoices must outlive a power cut.
  startParams: PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  postgresqlconf: [
    'wal_sync_method=fsync',
    'shared_buffers=16MB',
    // As docs/operations.md has it for servers. With the default, registering took a third longer: PostgreSQL read
    // whole tables for what an index finds.
    'random_page_cost=1.1',
    // What the log keeps for itself after much was written at once.
    'max_wal_size=128MB',
  ],
};

const PARSERS = {
  [types.INT8]: Number,
  [types.DATE]: (date: string) => date,
  // PGlite's own takes 50 ms for a megabyte, in which nobody else is answered.
  [types.BYTEA]: (hex: string) => Buffer.from(hex.slice(2), 'hex'),
};
const SERIALIZERS = {
  [types.BYTEA]: (bytes: Uint8Array) => `\\x${hexOf(bytes)}`,
};

const EXTENSIONS = { btree_gin, pg_trgm };

/** Another process has the folder open. */
export class DatabaseInUseError extends Error {
  override readonly name = 'DatabaseInUseError';
}

/** PostgreSQL inside this process, kept in a folder. */
export interface EmbeddedDatabase {
  readonly pglite: PGlite;
  close(): Promise<void>;
}

/**
 * Opens the embedded database in `<dataDir>/postgres`, and makes one when there is none. Every commit is
 * on disk before it is answered.
 *
 * @throws DatabaseInUseError because two processes would corrupt it
 * @throws UnusableDatabaseError for a folder that is incomplete or damaged, or whose lock cannot be used
 * @throws NodeJS.ErrnoException for a folder that this user may not change
 */
export async function openEmbeddedDatabase(dataDir: string): Promise<EmbeddedDatabase> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = lockFolder(dataDir);
  try {
    const folder = await prepareFolder(dataDir);
    const pglite = await openFolder(folder.path);
    await folder.finish();
    return closeWith(lock, pglite);
  } catch (error) {
    lock.close();
    throw error;
  }
}

async function openFolder(path: string): Promise<PGlite> {
  const pglite = new PreparingPGlite({
    fs: new DurableNodeFS(path),
    extensions: EXTENSIONS,
    parsers: PARSERS,
    serializers: SERIALIZERS,
    ...DURABLE,
  });
  await pglite.waitReady.catch((error: unknown) => {
    throw withCode(error) ?? damaged(path, error);
  });
  return pglite;
}

function closeWith(lock: DatabaseSync, pglite: PGlite): EmbeddedDatabase {
  return {
    pglite,
    close: async () => {
      await pglite.close();
      lock.close();
    },
  };
}

/** An embedded database in memory, for tests: a new one, or what `dumpDataDir` wrote. */
export async function openMemoryDatabase(dump?: Blob): Promise<EmbeddedDatabase> {
  const pglite = new PreparingPGlite({
    extensions: EXTENSIONS,
    parsers: PARSERS,
    serializers: SERIALIZERS,
    ...(dump && { loadDataDir: dump }),
  });
  await pglite.waitReady;
  return { pglite, close: () => pglite.close() };
}

/**
 * Locks the folder for this process, with SQLite's lock on a file beside the database: the operating
 * system releases it when the process ends, however it ends. A file with a process id would be a guess.
 */
function lockFolder(dataDir: string): DatabaseSync {
  const path = join(dataDir, 'lock.sqlite');
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path);
    // SQLite opens what it may not write for reading, and locks it for nobody: what is written, and never committed,
    // shows that it may.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE; PRAGMA user_version = 1');
    return lock;
  } catch (error) {
    lock?.close();
    if (isBusy(error)) {
      throw new DatabaseInUseError(
        `Another process is using the database in ${dataDir}. Stop it first, or set DATA_DIR to another folder; several processes need DATABASE_URL.`,
        { cause: error },
      );
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnusableDatabaseError(
      `${path}, the lock of the database, cannot be used (${reason}). Give it to the user that runs Faktur, or delete it when no process uses the database: it holds nothing.`,
      { cause: error },
    );
  }
}

/** SQLITE_BUSY: the only refusal that means another process. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5;
}
