// Runs in every file of the server's tests: each statement of ours that is run must name its company, or the
// place that it comes from must be among the exceptions. What fails otherwise is that file of tests.

import { DefaultQueryExecutor } from 'kysely';
import { afterAll } from 'vitest';

import { complaint, forget, watch } from './watch.ts';

const shared = globalThis as { fakturWatches?: true };

// A process runs many files of tests, and this before each of them.
if (!shared.fakturWatches) {
  shared.fakturWatches = true;
  // What every statement passes, however it was put together.
  // oxlint-disable-next-line typescript/unbound-method -- called with its object, below
  const { executeQuery } = DefaultQueryExecutor.prototype;
  DefaultQueryExecutor.prototype.executeQuery = async function (query, options) {
    watch(query.sql);
    return executeQuery.call(this, query, options) as never;
  };
}

afterAll(async () => {
  const wrong = await complaint();
  forget();
  if (wrong !== undefined) throw new Error(wrong);
});
