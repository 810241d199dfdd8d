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

/** At most so many at once. Those who wait take turns; each one's own go in the order they came. */
export function takeTurns(most: number): <T>(whose: number, run: () => Promise<T>) => Promise<T> {
  /** In the order of their turns. */
  const waiting = new Map<number, (() => void)[]>();
  let running = 0;

  const letNextIn = () => {
    const next = waiting.entries().next().value;
    if (!next) {
      running -= 1;
      return;
    }
    const [whose, [enter, ...others]] = next;
    waiting.delete(whose);
    if (others.length > 0) waiting.set(whose, others);
    // The place goes straight to the next, so that a newcomer cannot take it from under it.
    enter?.();
  };

  return async (whose, run) => {
    if (running >= most) {
      await new Promise<void>((enter) => {
        waiting.set(whose, [...(waiting.get(whose) ?? []), enter]);
      });
    } else running += 1;
    try {
      return await run();
    } finally {
      letNextIn();
    }
  };
}

/** At most so many at once; the others wait in the order they came. */
export function limitTo(most: number): <T>(run: () => Promise<T>) => Promise<T> {
  const inTurn = takeTurns(most);
  return async (run) => inTurn(0, run);
}
