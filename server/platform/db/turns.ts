import { AppError } from '../../errors.ts';

interface Options<Whose> {
  readonly places: number;
  /** Most places of one owner; all when absent. */
  readonly most?: (whose: Whose) => number;
  /** Most calls of one owner that may wait with a time limit, because each takes memory; no limit when absent. */
  readonly mostWaiting?: number;
}

/** Seconds after which a retry makes sense. */
const RETRY_AFTER = 2;

type Waiter = (leave: () => void) => void;

/** Options of the wait for a place. */
interface Wait {
  /** Longest wait (milliseconds); no limit when absent. */
  readonly patience?: number;
  /** Aborted when the place is no longer needed. */
  readonly signal?: AbortSignal | undefined;
}

/** A fair semaphore: few places for many owners. Waiting owners take turns, and each owner's calls keep their order. */
export class Turns<Whose> {
  readonly #options: Options<Whose>;
  /** In the order of turns: an owner that got a place moves to the end. */
  readonly #queues = new Map<Whose, Waiter[]>();
  readonly #held = new Map<Whose, number>();
  #free: number;

  constructor(options: Options<Whose>) {
    this.#options = options;
    this.#free = options.places;
  }

  /**
   * Waits for a place, and resolves with the function that releases it.
   *
   * @throws AppError unavailable when no place was free in time, or too many already wait
   * @throws the signal's reason
   */
  async enter(whose: Whose, { patience = Infinity, signal }: Wait = {}): Promise<() => void> {
    signal?.throwIfAborted();
    const queue = this.#queues.get(whose) ?? [];
    if (queue.length === 0 && this.#mayEnter(whose)) return this.#take(whose);
    const isPatient = patience === Infinity;
    if (!isPatient && queue.length >= (this.#options.mostWaiting ?? Infinity)) throw unavailable();
    const place = Promise.withResolvers<() => void>();
    const giveUp = (reason: unknown) => {
      this.#forget(whose, place.resolve);
      place.reject(reason);
    };
    const hangUp = () => giveUp(signal?.reason);
    const timer = isPatient ? undefined : setTimeout(() => giveUp(unavailable()), patience);
    signal?.addEventListener('abort', hangUp);
    queue.push(place.resolve);
    this.#queues.set(whose, queue);
    try {
      return await place.promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', hangUp);
    }
  }

  /** Runs work in a place. @throws as `enter` */
  async run<T>(whose: Whose, work: () => Promise<T>, wait?: Wait): Promise<T> {
    const leave = await this.enter(whose, wait);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Number of an owner's calls that have a place or wait for one. */
  count(whose: Whose): number {
    return (this.#held.get(whose) ?? 0) + (this.#queues.get(whose)?.length ?? 0);
  }

  #mayEnter(whose: Whose): boolean {
    const most = this.#options.most?.(whose) ?? Infinity;
    return this.#free > 0 && (this.#held.get(whose) ?? 0) < most;
  }

  #take(whose: Whose): () => void {
    this.#free -= 1;
    this.#held.set(whose, (this.#held.get(whose) ?? 0) + 1);
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      this.#free += 1;
      const rest = (this.#held.get(whose) ?? 0) - 1;
      if (rest > 0) this.#held.set(whose, rest);
      else this.#held.delete(whose);
      this.#admit();
    };
  }

  #admit(): void {
    for (;;) {
      const next = this.#queues.entries().find(([whose]) => this.#mayEnter(whose));
      if (!next) return;
      const [whose, queue] = next;
      const waiter = queue.shift();
      this.#queues.delete(whose);
      if (queue.length > 0) this.#queues.set(whose, queue);
      waiter?.(this.#take(whose));
    }
  }

  #forget(whose: Whose, waiter: Waiter): void {
    const rest = (this.#queues.get(whose) ?? []).filter((other) => other !== waiter);
    if (rest.length > 0) this.#queues.set(whose, rest);
    else this.#queues.delete(whose);
  }
}

/** Limits how many run at once; the others wait in their order. */
export function limitTo(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  const turns = new Turns<null>({ places });
  return async (work) => turns.run(null, work);
}

/** The refusal of what has no room now, and may be tried again. */
export function unavailable(): AppError {
  return new AppError('unavailable', { retryAfter: RETRY_AFTER });
}
