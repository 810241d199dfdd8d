import type { TestProject } from 'vitest/node';
import { type PostgresCluster, startPostgres } from './postgres-cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * A superuser's connection to the PostgreSQL of this test run, in the projects
     * `server-postgres` and `e2e`: `inject('postgresUrl')`. Every test file makes databases of
     * its own in it.
     */
    postgresUrl: string;
  }
}

// Two projects name this file and each loads it for itself; what they share is the process.
const shared = globalThis as { fakturTestPostgres?: Promise<PostgresCluster> };

/** Starts PostgreSQL once for the run, unless TEST_DATABASE_URL names one that is there already. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) {
    project.provide('postgresUrl', given);
    return () => Promise.resolve();
  }
  // What the tests prove about durability, they prove by killing processes, not the machine.
  shared.fakturTestPostgres ??= startPostgres({ fsync: false });
  const { url, stop } = await shared.fakturTestPostgres;
  project.provide('postgresUrl', url);
  return stop;
}
