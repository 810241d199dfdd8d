import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Makes one call of many: calls that come while an earlier batch is under way go together in the
 * next. A lone call waits for nothing; under load a statement serves as many as have gathered.
 *
 * @param most how many one batch may hold
 * @param run answers a batch in its order; when it throws, every call of the batch does
 */
export function batchWhileBusy<Item, Result>(
  most: number,
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  const waiting: { item: Item; settle: PromiseWithResolvers<Result> }[] = [];
  let isBusy = false;
  // A batch is everybody's, and not the affair of whoever happened to begin it.
  const forEverybody = AsyncLocalStorage.snapshot();

  const work = async () => {
    isBusy = true;
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
    isBusy = false;
  };

  return async (item) => {
    const settle = Promise.withResolvers<Result>();
    waiting.push({ item, settle });
    if (!isBusy) void forEverybody(work);
    return settle.promise;
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
