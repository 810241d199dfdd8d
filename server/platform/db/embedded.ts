import { fsyncSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import {
  parse,
  PGlite,
  protocol,
  types,
  type QueryOptions,
  type Results,
  type Transaction,
} from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { NodeFS } from '@electric-sql/pglite/nodefs';

import { hexOf } from '../crypto.ts';
import { nameToPrepare } from './client.ts';
import { damaged, prepareFolder } from './embedded-folder.ts';
import { UnusableDatabaseError } from './database-errors.ts';

const DURABLE = {
  // PGlite starts with -F, which turns fsync off. Invoices must survive a power cut.
  startParams: PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  postgresqlconf: [
    'wal_sync_method=fsync',
    'shared_buffers=16MB',
    // As docs/operations.md sets it for servers. With the default, registering took a third longer: PostgreSQL
    // scanned whole tables instead of using indexes.
    'random_page_cost=1.1',
    // Limits the log files that PostgreSQL keeps after a large write.
    'max_wal_size=128MB',
  ],
};

const PARSERS = {
  [types.INT8]: Number,
  [types.DATE]: (date: string) => date,
  // PGlite's own parser takes 50 ms for a megabyte and blocks the event loop meanwhile.
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

/** PostgreSQL inside this process, stored in a folder. */
export interface EmbeddedDatabase {
  readonly pglite: PGlite;
  close(): Promise<void>;
}

/**
 * Opens the embedded database in `<dataDir>/postgres`, and creates it if missing. Every commit is on disk before it
 * is acknowledged.
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

/** An embedded database in memory, for tests: new, or loaded from the output of `dumpDataDir`. */
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
 * Locks the folder for this process, with SQLite's lock on a file beside the database. The operating system releases
 * it when the process ends for any reason; a file with a process id could be stale.
 */
function lockFolder(dataDir: string): DatabaseSync {
  const path = join(dataDir, 'lock.sqlite');
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path);
    // SQLite silently opens a file read-only when it may not write, and then locks nothing. An uncommitted write
    // proves that it may.
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

/** SQLITE_BUSY is the only error that means another process. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5;
}

interface OpenFile {
  readonly nfd: number;
  readonly path: string;
}

interface FileOperations {
  write: (this: void, file: OpenFile, ...rest: unknown[]) => number;
  fsync?: (this: void, file: OpenFile) => number;
}

interface MountedModule {
  readonly NODEFS: { readonly stream_ops: FileOperations };
}

/**
 * PGlite's file system with fsync, which PostgreSQL calls and PGlite does not implement. When PostgreSQL cannot write
 * its log it aborts; PGlite would loop for ever instead, so this ends the process.
 */
class DurableNodeFS extends NodeFS {
  override async init(pg: PGlite, options: Parameters<NodeFS['init']>[1]) {
    const result = await super.init(pg, options);
    const mounted = (module: unknown) => makeDurable((module as MountedModule).NODEFS.stream_ops);
    result.emscriptenOpts.preRun = [result.emscriptenOpts.preRun ?? [], mounted].flat();
    return result;
  }
}

function makeDurable(operations: FileOperations): void {
  const { write } = operations;
  operations.write = (file, ...rest) => {
    try {
      return write(file, ...rest);
    } catch (error) {
      if (file.path.includes('/pg_wal/')) giveUp(error);
      throw error;
    }
  };
  operations.fsync = (file) => {
    try {
      fsyncSync(file.nfd);
    } catch (error) {
      giveUp(error);
    }
    return 0;
  };
}

/** Ends the process as a power cut would; the database survives that. */
function giveUp(error: unknown): never {
  const { code } = withCode(error) ?? (error as NodeJS.ErrnoException);
  process.stderr.write(
    `Faktur stopped: the database could not write its log (${code ?? String(error)}). What was answered with success is kept. See that the disk with DATA_DIR has room and can be written to, and start it again.\n`,
  );
  process.exit(1);
}

/** WASI's numbers of disk errors. */
const WASI_ERRORS: Readonly<Record<number, string>> = {
  2: 'EACCES',
  19: 'EDQUOT',
  29: 'EIO',
  51: 'ENOSPC',
  63: 'EPERM',
  69: 'EROFS',
};

/** The disk error with Node's error code; null when it is not a disk error. */
function withCode(error: unknown): NodeJS.ErrnoException | null {
  const { errno } = (error ?? {}) as { readonly errno?: number };
  const code = WASI_ERRORS[errno ?? 0];
  return code === undefined ? null : Object.assign(new Error(code, { cause: error }), { code });
}

const { serialize } = protocol;

type Messages = Awaited<ReturnType<PGlite['execProtocolStream']>>;

/** A statement that PostgreSQL knows by name. */
interface Prepared {
  readonly parameterTypes: readonly number[];
  /** PostgreSQL's description of the result columns. */
  readonly description: Messages;
}

/**
 * The embedded database with prepared statements, as `WatchedClient` makes them on a server. PGlite alone plans every
 * statement again and makes five round trips for one result.
 */
class PreparingPGlite extends PGlite {
  readonly #prepared = new Map<string, Prepared>();

  override async query<Row>(
    text: string,
    values?: unknown[],
    options?: QueryOptions,
  ): Promise<Results<Row>> {
    const name = values && nameToPrepare(text);
    if (name === undefined) return super.query<Row>(text, values, options);
    await this._checkReady();
    return this._runExclusiveTransaction(async () =>
      this.#runPrepared<Row>({ name, text }, values ?? [], options),
    );
  }

  override async transaction<Result>(work: (trx: Transaction) => Promise<Result>): Promise<Result> {
    return super.transaction(async (trx) => work(this.#preparing(trx)));
  }

  #preparing(trx: Transaction): Transaction {
    const originalQuery = trx.query.bind(trx);
    return Object.assign(trx, {
      query: async <Row>(text: string, values?: unknown[], options?: QueryOptions) => {
        const name = trx.closed ? undefined : values && nameToPrepare(text);
        return name === undefined
          ? originalQuery<Row>(text, values, options)
          : this.#runPrepared<Row>({ name, text }, values ?? [], options);
      },
    });
  }

  async #runPrepared<Row>(
    statement: { readonly name: string; readonly text: string },
    values: readonly unknown[],
    options: QueryOptions | undefined,
  ): Promise<Results<Row>> {
    return this._runExclusiveQuery(async () => {
      const known = this.#prepared.get(statement.name) ?? (await this.#prepare(statement));
      const { parameterTypes, description } = known;
      const bound = values.map((value, index) => this.#serialize(value, parameterTypes[index]));
      const answer = await this.#send(
        serialize.bind({ statement: statement.name, values: bound }),
        serialize.execute(),
      );
      const [result] = parse.parseResults([...description, ...answer], this.parsers, options);
      return result as Results<Row>;
    });
  }

  async #prepare({ name, text }: { name: string; text: string }): Promise<Prepared> {
    const messages = await this.#send(
      serialize.parse({ name, text }),
      serialize.describe({ type: 'S', name }),
    );
    const prepared = {
      parameterTypes: parse.parseDescribeStatementResults(messages),
      description: messages.filter((message) => message.name === 'rowDescription'),
    };
    this.#prepared.set(name, prepared);
    return prepared;
  }

  async #send(...messages: readonly Uint8Array[]): Promise<Messages> {
    const all = Buffer.concat([...messages, serialize.sync()]);
    return this.execProtocolStream(all, { syncToFs: false });
  }

  #serialize(value: unknown, type = 0): string | null {
    if (value === null || value === undefined) return null;
    const serializer = this.serializers[type] as ((from: unknown) => string) | undefined;
    return serializer ? serializer(value) : (value as string | number).toString();
  }
}
