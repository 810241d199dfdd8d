import { expect, test } from 'vitest';

import { tryEach } from '../jobs/job.ts';

async function tryNumbers(faulty: readonly number[]) {
  const done: number[] = [];
  const trying = tryEach([1, 2, 3], async (number) => {
    if (faulty.includes(number)) throw new Error(`not ${number}`);
    done.push(number);
  });
  const error: unknown = await trying.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return { done, error };
}

test('a failure does not stop the others, and is thrown after all were tried', async () => {
  expect(await tryNumbers([])).toEqual({ done: [1, 2, 3], error: null });
  expect(await tryNumbers([1])).toEqual({ done: [2, 3], error: new Error('not 1') });
  const { done, error } = await tryNumbers([1, 3]);
  expect(done).toEqual([2]);
  expect(error).toBeInstanceOf(AggregateError);
  expect((error as AggregateError).errors).toEqual([new Error('not 1'), new Error('not 3')]);
});
