import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openServer } from '../server/db/database.ts';
import { migrate } from '../server/db/migrate.ts';
import { createServerDatabase } from '../server/testing/server-database.ts';
import { startPostgres, type PostgresCluster } from '../server/testing/postgres-cluster.ts';
import { findPostgresPrograms } from '../server/testing/postgres-programs.ts';
import type { Options } from './options.ts';
import { startServer, type RunningServer } from './server-process.ts';

/** Every server of a run shares it, so that the run can make sessions for all of them. */
export const SECRET_KEY = 'a key for measuring, and nothing else';

/** What a topic works with. Whatever it takes from here is cleaned up after it. */
export interface Harness {
  readonly options: Options;
  /** Says what is going on, beside the table. */
  say(message: string): void;
  /** A new, migrated database, by its address. */
  newDatabase(): Promise<string>;
  /** The product, in a process of its own. */
  newServer(settings: Readonly<Record<string, string>>): Promise<RunningServer>;
  /** An empty folder. */
  newFolder(): Promise<string>;
  /** Runs when the topic is over, last first. */
  defer(cleanUp: () => Promise<void> | void): void;
}

/** Thrown by a topic that needs PostgreSQL where there is none. */
export class NoPostgres extends Error {
  override readonly name = 'NoPostgres';
}

/** One throwaway PostgreSQL for the run; started when it is first needed. */
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
