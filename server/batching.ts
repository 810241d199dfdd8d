import { AsyncLocalStorage } from 'node:async_hooks';

interface Call<Item, Result> {
  readonly item: Item;
  readonly settle: PromiseWithResolvers<Result>;
}

/**
 * Batches calls: those that come while an earlier batch runs go together in the next one. A single call
 * does not wait; under load one statement serves many calls.
 *
 * @param most how many one batch may hold
 * @param run answers a batch in its order; when it throws, every call of the batch does
 * @param groupOf the group of an item; groups do not wait for each other. All are in one when absent
 */
export function batchWhileBusy<Item, Result>(
  most: number,
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  groupOf: (item: Item) => unknown = () => null,
): (item: Item) => Promise<Result> {
  /** The waiting calls of each busy group. */
  const groups = new Map<unknown, Call<Item, Result>[]>();
  // A batch belongs to all its callers, so it runs in the context of none of them.
  const forEverybody = AsyncLocalStorage.snapshot();

  const work = async (group: unknown, waiting: Call<Item, Result>[]) => {
    // Collects what is asked for in the same turn of the event loop.
    await Promise.resolve();
    while (waiting.length > 0) {
      const calls = waiting.splice(0, most);
      try {
        const results = await run(calls.map(({ item }) => item));
        calls.forEach(({ settle }, index) => settle.resolve(results[index] as Result));
      } catch (error) {
        for (const { settle } of calls) settle.reject(error);
      }
    }
    groups.delete(group);
  };

  return async (item) => {
    const call = { item, settle: Promise.withResolvers<Result>() };
    const group = groupOf(item);
    const waiting = groups.get(group);
    if (waiting) {
      waiting.push(call);
    } else {
      const first = [call];
      groups.set(group, first);
      void forEverybody(work, group, first);
    }
    return call.settle.promise;
  };
}
