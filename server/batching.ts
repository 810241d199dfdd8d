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
    if (!isBusy) void work();
    return settle.promise;
  };
}

/** At most so many at once; the others wait in the order they came. */
export function limitTo(most: number): <T>(run: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (run) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await run();
    } finally {
      // The place goes straight to the next, so that a newcomer cannot take it from under it.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
