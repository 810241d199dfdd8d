import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openServer } from '../server/platform/db/database.ts';
import { migrate } from '../server/platform/db/migrate.ts';
import { type PostgresCluster, startPostgres } from '../server/testing/postgres-cluster.ts';
import { findPostgresPrograms } from '../server/testing/programs.ts';
import { type ProductProcess, startProcess } from '../server/testing/process.ts';
import { createServerDatabase } from '../server/testing/server-database.ts';

/** All servers of a run share it, so that the run can make sessions for each of them. */
export const SECRET_KEY = 'a key for measuring, and nothing else';

/** The options of the command line. */
export interface Options {
  /** Names of topics; empty means all but the long ones. */
  readonly topics: readonly string[];
  /** Smaller sizes and shorter runs, for a functional check; the figures mean little. */
  readonly quick: boolean;
  /** Duration of each measurement of a rate. */
  readonly seconds: number;
  /** Path of the JSON file. */
  readonly out: string;
  readonly help: boolean;
}

/** Resources of a topic. Everything taken from here is cleaned up afterwards. */
export interface Harness {
  readonly options: Options;
  /** Prints progress, beside the table. */
  say(message: string): void;
  /** Makes a new, migrated database and returns its URL. */
  newDatabase(): Promise<string>;
  /** The product, in its own process. */
  newServer(settings: Readonly<Record<string, string>>): Promise<RunningServer>;
  /** Makes an empty folder. */
  newFolder(): Promise<string>;
  /** Runs when the topic is over, last first. */
  defer(cleanUp: () => Promise<void> | void): void;
}

/** Thrown by a topic that needs PostgreSQL when it is missing. */
export class NoPostgres extends Error {
  override readonly name = 'NoPostgres';
}

/** One throwaway PostgreSQL for the run, started when first needed. */
export class SharedPostgres implements AsyncDisposable {
  #cluster: Promise<PostgresCluster> | undefined;

  get isThere(): boolean {
    return findPostgresPrograms() !== undefined;
  }

  async url(): Promise<string> {
    if (!this.isThere) throw new NoPostgres('PostgreSQL 15 or later is not on this machine');
    this.#cluster ??= startPostgres({ fsync: true });
    return (await this.#cluster).url;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#cluster)?.stop();
  }
}

/** Runs one topic in a harness of its own and cleans up after it. */
export async function withHarness<T>(
  options: Options,
  postgres: SharedPostgres,
  work: (harness: Harness) => Promise<T>,
): Promise<T> {
  await using stack = new AsyncDisposableStack();
  const newFolder = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'faktur-bench-'));
    stack.defer(async () => rm(folder, { recursive: true, force: true }));
    return folder;
  };
  const harness: Harness = {
    options,
    say: (message) => process.stderr.write(`  ${message}\n`),
    newFolder,
    newDatabase: async () => {
      const { url, drop } = await createServerDatabase(await postgres.url());
      stack.defer(drop);
      const database = openServer(url, () => undefined);
      await migrate(database);
      await database.close();
      return url;
    },
    newServer: async (settings) => {
      const server = await startServer({ DATA_DIR: await newFolder(), SECRET_KEY, ...settings });
      stack.defer(async () => void (await server.stop()));
      return server;
    },
    defer: (cleanUp) => stack.defer(cleanUp),
  };
  return await work(harness);
}

/** The product in its own process, as `npm start` runs it. */
export interface RunningServer extends ProductProcess {
  /** Resident memory, with the processes that it has started (bytes). */
  memory(): number;
}

/** Starts the product on a free port and waits until it listens. @throws Error with its output */
async function startServer(settings: Readonly<Record<string, string>>): Promise<RunningServer> {
  const server = await startProcess(
    // The measured companies are minutes old, so the limit for new ones would apply.
    { NEW_COMPANY_MAILS_PER_DAY: 'none', ...settings },
    { keepsLog: false },
  );
  return { ...server, memory: () => residentMemory(server.pid) };
}

/**
 * A process with those that it has started, of which only their own values count: they share the program with it. Read from
 * /proc, so only on Linux; NaN elsewhere.
 */
function residentMemory(pid: number, field = 'VmRSS'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
    const own = Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
    // A child may end meanwhile.
    return children
      .filter(Boolean)
      .reduce((sum, child) => sum + (residentMemory(Number(child), 'RssAnon') || 0), own);
  } catch {
    return Number.NaN;
  }
}
