/**
 * Lets background work of this process stand back while somebody waits for an answer. It orders who
 * goes first and limits nothing: whoever has stood back long enough goes on.
 */
export interface RightOfWay {
  /** Somebody waits from now on. */
  enter(): void;
  /** One of those who waited has an answer, or has gone. */
  leave(): void;
  /** Resolves when nobody waits any more, or after the patience that was given. */
  clear(): Promise<void>;
}

/** @param patience how long background work stands back at a time (milliseconds) */
export function createRightOfWay(patience: number): RightOfWay {
  let waiting = 0;
  let cleared = Promise.withResolvers<void>();
  return {
    enter: () => {
      waiting += 1;
    },
    leave: () => {
      waiting -= 1;
      if (waiting > 0) return;
      cleared.resolve();
      cleared = Promise.withResolvers<void>();
    },
    clear: async () => {
      if (waiting === 0) return;
      let timer: NodeJS.Timeout | undefined;
      const enough = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, patience);
      });
      await Promise.race([cleared.promise, enough]);
      clearTimeout(timer);
    },
  };
}
