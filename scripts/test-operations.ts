// npm run test:operations: what an operator relies on, with the real programs: a database that fails
// over, poolers, stores, backups to a moment. Too slow, and too many packages, for npm test.

import { runSuite, runTests } from './test-run.ts';

/** Longer than this nobody waits for it (milliseconds). */
const LIMIT = 30 * 60_000;

await runSuite('operations', async () =>
  runTests(['--project=operations', ...process.argv.slice(2)], LIMIT),
);
