// npm test: the static checks, then every test on every database and in the browser, but those of
// npm run test:operations.

import { runChecks } from './checks.ts';
import { root, runSuite, runTests } from './test-run.ts';
import { addTallies } from './test-tally.ts';

await runSuite('test', async () =>
  addTallies(
    await runChecks(root),
    await runTests(['--project=!operations', ...process.argv.slice(2)]),
  ),
);
