import { AppError } from './errors.ts';

/** A few places for many. Those who wait take turns, and nobody holds more places than is theirs. */
export interface Turns<Whose> {
  /**
   * Waits for a place, and resolves with the way to give it back.
   *
   * @param patience how long to wait (milliseconds); Infinity for as long as it takes
   * @throws AppError unavailable, when there was no place by then or too many of them wait
   */
  enter(whose: Whose, patience: number): Promise<() => void>;
}

interface Options<Whose> {
  readonly places: number;
  /** How many places each may hold at once. */
  readonly most: (whose: Whose) => number;
  /** How many of each may wait with limited patience; what they bring along is held in memory. */
  readonly mostWaiting: number;
}

/** Seconds after which it is worth trying again. */
const RETRY_AFTER = 2;

type Waiter = (leave: () => void) => void;

/** As many places as are asked for, all of them free. */
export function createTurns<Whose>(options: Options<Whose>): Turns<Whose> {
  return new PlacesByTurns(options);
}

class PlacesByTurns<Whose> implements Turns<Whose> {
  readonly #options: Options<Whose>;
  /** In the order of their turns: whoever was let in goes to the end. */
  readonly #queues = new Map<Whose, Waiter[]>();
  readonly #held = new Map<Whose, number>();
  #free: number;

  constructor(options: Options<Whose>) {
    this.#options = options;
    this.#free = options.places;
  }

  async enter(whose: Whose, patience: number): Promise<() => void> {
    const queue = this.#queues.get(whose) ?? [];
    if (queue.length === 0 && this.#mayEnter(whose)) return this.#take(whose);
    const isPatient = patience === Infinity;
    if (!isPatient && queue.length >= this.#options.mostWaiting) throw unavailable();
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#forget(whose, waiter);
        reject(unavailable());
      };
      const timer = isPatient ? undefined : setTimeout(giveUp, patience);
      const waiter: Waiter = (leave) => {
        clearTimeout(timer);
        resolve(leave);
      };
      queue.push(waiter);
      this.#queues.set(whose, queue);
    });
  }

  #mayEnter(whose: Whose): boolean {
    return this.#free > 0 && (this.#held.get(whose) ?? 0) < this.#options.most(whose);
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

function unavailable(): AppError {
  return new AppError('unavailable', { retryAfter: RETRY_AFTER });
}
