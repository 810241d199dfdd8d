import { expect, test } from 'vitest';

import { pollEvery } from './poll-every.ts';

test('what is delivered is asked for quickly for a minute, and again after each new sending', () => {
  const query = { state: { dataUpdateCount: 3 } };
  const first = { uuid: 'a', deliveryStatus: 'PENDING' } as const;
  expect(pollEvery(query, [first])).toBe(2_000);
  query.state.dataUpdateCount += 29;
  expect(pollEvery(query, [first])).toBe(2_000);
  query.state.dataUpdateCount += 1;
  expect(pollEvery(query, [first])).toBe(15_000);
  expect(pollEvery(query, [first, { uuid: 'b', deliveryStatus: 'PENDING' }])).toBe(2_000);
  query.state.dataUpdateCount += 30;
  expect(pollEvery(query, [first])).toBe(2_000);
  expect(pollEvery(query, [])).toBe(false);
  query.state.dataUpdateCount += 100;
  expect(pollEvery(query, [first])).toBe(2_000);
});
