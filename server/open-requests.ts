/**
 * The calls of the API that this process is answering. Background work waits for them at each step, so
 * that people get their answers first; it waits for a limited time and then goes on.
 */
export interface OpenRequests {
  /** A call has come. */
  begin(): void;
  /** A call has been answered, or its caller has gone. */
  end(): void;
  /** Resolves when no call is open, or after the longest wait. */
  untilNone(): Promise<void>;
}

/** @param longestWait how long background work waits at a time (milliseconds) */
export function trackOpenRequests(longestWait: number): OpenRequests {
  let open = 0;
  let none = Promise.withResolvers<void>();
  return {
    begin: () => {
      open += 1;
    },
    end: () => {
      open -= 1;
      if (open > 0) return;
      none.resolve();
      none = Promise.withResolvers<void>();
    },
    untilNone: async () => {
      if (open === 0) return;
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, longestWait);
      });
      await Promise.race([none.promise, timeout]);
      clearTimeout(timer);
    },
  };
}
