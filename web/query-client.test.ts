import { expect, test } from 'vitest';

import { ApiError } from './api/api-error.ts';
import { retryDelay, shouldRetry } from './query-client.ts';

test('queries are tried again three times at growing distances, but not for 401 and 404', () => {
  const failed = (status: number) => new ApiError({ url: '', status, statusText: '', body: null });
  expect([0, 1, 2, 3].map((failures) => shouldRetry(failures, failed(500)))).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(shouldRetry(0, failed(404))).toBe(false);
  expect(shouldRetry(0, failed(401))).toBe(false);
  expect([0, 1, 2, 9].map(retryDelay)).toEqual([1000, 2000, 4000, 30_000]);
});
