import type { TestProject } from 'vitest/node';

import { openServer } from '../platform/db/database.ts';
import { findCompanyTables, startOnce } from './first-start.ts';
import { startPgBouncer, type PgBouncer, type PoolMode } from './pgbouncer.ts';
import { startPostgres } from './postgres-cluster.ts';
import { createServerDatabase, dropServerDatabases } from './server-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * A superuser's connection to the PostgreSQL of this test run, in the project `server-postgres`:
     * `inject('postgresUrl')`. Every test file creates its own databases in it.
     */
    postgresUrl: string;
    /** The PgBouncer in front of it when TEST_POOLER names a mode, else null. */
    postgresPooler: { readonly port: number; readonly mode: PoolMode } | null;
    /** The name of a database there on which the product has started once. */
    postgresTemplate: string;
  }
}

interface Prepared {
  readonly url: string;
  readonly template: string;
  readonly companyTables: readonly string[];
  readonly pooler: { readonly port: number; readonly mode: PoolMode } | null;
  readonly stop: () => Promise<void>;
}

// Two projects load this file separately within one process, so the process keeps the shared state.
const shared = globalThis as { fakturTestPostgres?: Promise<Prepared> };

/** More connections than the processes of all concurrent tests open. */
const CONNECTIONS = 600;
/** The pool size for each test database. In session mode a process of a test holds up to 17 connections. */
const POOL_SIZE = { session: 300, transaction: 20 };

/**
 * Starts PostgreSQL once for the run, unless TEST_DATABASE_URL names a running one. With TEST_POOLER=session or
 * TEST_POOLER=transaction it also starts a PgBouncer in front of it.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.fakturTestPostgres ??= prepare(process.env.TEST_DATABASE_URL);
  const { url, template, companyTables, pooler, stop } = await shared.fakturTestPostgres;
  project.provide('postgresUrl', url);
  project.provide('postgresTemplate', template);
  project.provide('companyTables', companyTables);
  project.provide('postgresPooler', pooler);
  return stop;
}

async function prepare(given: string | undefined): Promise<Prepared> {
  // Without fsync: the durability tests kill processes, not the machine.
  const mode = poolModeOf(process.env.TEST_POOLER);
  const options = { fsync: false, maxConnections: CONNECTIONS };
  const cluster = given === undefined ? await startPostgres(options) : undefined;
  const serverUrl = cluster?.url ?? given ?? '';
  const template = await createServerDatabase(serverUrl);
  const database = openServer(template.url, () => undefined);
  await startOnce(database);
  const companyTables = await findCompanyTables(database.db);
  await database.close();
  const pooler = mode && (await openPooler(serverUrl, mode));
  return {
    url: serverUrl,
    template: template.name,
    companyTables,
    pooler: mode && pooler ? { port: pooler.port, mode } : null,
    stop: async () => {
      await pooler?.stop();
      await (cluster ? cluster.stop() : dropServerDatabases(serverUrl, template.name));
    },
  };
}

function poolModeOf(text = ''): PoolMode | undefined {
  if (text === '') return undefined;
  if (text === 'session' || text === 'transaction') return text;
  throw new Error('TEST_POOLER must be session or transaction');
}

async function openPooler(serverUrl: string, mode: PoolMode): Promise<PgBouncer> {
  return startPgBouncer(serverUrl, {
    mode,
    changes: {
      default_pool_size: POOL_SIZE[mode],
      // The connections of an ended test must not count as a process of Faktur or towards the limit.
      server_idle_timeout: 1,
      query_wait_timeout: 60,
    },
  });
}
