import type { TestProject } from 'vitest/node';

import { openServer } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { startPostgres } from './postgres-cluster.ts';
import { createServerDatabase } from './server-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * A superuser's connection to the PostgreSQL of this test run, in the projects
     * `server-postgres` and `e2e`: `inject('postgresUrl')`. Every test file makes databases of
     * its own in it.
     */
    postgresUrl: string;
    /** The name of a database there that has our tables and nothing in them. */
    postgresTemplate: string;
  }
}

interface Prepared {
  readonly url: string;
  readonly template: string;
  readonly stop: () => Promise<void>;
}

// Two projects name this file and each loads it for itself; what they share is the process.
const shared = globalThis as { fakturTestPostgres?: Promise<Prepared> };

/** Starts PostgreSQL once for the run, unless TEST_DATABASE_URL names one that is there already. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.fakturTestPostgres ??= prepare(process.env.TEST_DATABASE_URL);
  const { url, template, stop } = await shared.fakturTestPostgres;
  project.provide('postgresUrl', url);
  project.provide('postgresTemplate', template);
  return stop;
}

async function prepare(given: string | undefined): Promise<Prepared> {
  // What the tests prove about durability, they prove by killing processes, not the machine.
  const cluster = given === undefined ? await startPostgres({ fsync: false }) : undefined;
  const serverUrl = cluster?.url ?? given ?? '';
  const template = await createServerDatabase(serverUrl);
  const database = openServer(template.url, () => undefined);
  await migrate(database);
  await database.close();
  return { url: serverUrl, template: template.name, stop: cluster?.stop ?? template.drop };
}
