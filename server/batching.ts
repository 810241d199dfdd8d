import { AsyncLocalStorage } from 'node:async_hooks';

interface Call<Item, Result> {
  readonly item: Item;
  readonly settle: PromiseWithResolvers<Result>;
}

/**
 * Makes one call of many: calls that come while an earlier batch is under way go together in the
 * next. A lone call waits for nothing; under load a statement serves as many as have gathered.
 *
 * @param most how many one batch may hold
 * @param run answers a batch in its order; when it throws, every call of the batch does
 * @param groupOf what may not wait for another is in a group of its own; all are in one when absent
 */
export function batchWhileBusy<Item, Result>(
  most: number,
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  groupOf: (item: Item) => unknown = () => null,
): (item: Item) => Promise<Result> {
  /** What waits, by group; there as long as its group is busy. */
  const groups = new Map<unknown, Call<Item, Result>[]>();
  // A batch is everybody's, and not the affair of whoever happened to begin it.
  const forEverybody = AsyncLocalStorage.snapshot();

  const work = async (group: unknown, waiting: Call<Item, Result>[]) => {
    // What was asked for in the same turn of the event loop belongs together.
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
