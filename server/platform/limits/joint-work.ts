import { unlessAborted } from './unless-aborted.ts';

/** A caller's request for shared work. */
interface Wish {
  /** Requests with the same key share one run. */
  readonly key: string;
  /** Aborted when the caller no longer waits. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Does the work.
 *
 * @param signal aborted when nobody waits for it any more
 * @param close lets nobody join from now on, so that later callers get newer data
 */
type Work<T> = (signal: AbortSignal, close: () => void) => Promise<T>;

interface Joint<T> {
  readonly result: Promise<T>;
  readonly everybodyGone: AbortController;
  waiting: number;
}

/** Runs work once for all callers that wait for it at the same time. */
export class JointWork<T> {
  /** Runs that may be joined, by key. */
  readonly #open = new Map<string, Joint<T>>();
  readonly #underWay = new Set<Promise<T>>();

  /**
   * Joins the running work of this key, or starts it.
   *
   * @throws the work's error, or the signal's reason
   */
  async join({ key, signal }: Wish, work: Work<T>): Promise<T> {
    for (;;) {
      signal?.throwIfAborted();
      const joint = this.#open.get(key) ?? this.#begin(key, work);
      try {
        return await waitFor(joint, signal);
      } catch (error) {
        // All earlier callers had gone, so the work was aborted. This caller still needs it: start again.
        if (signal?.aborted || error !== joint.everybodyGone.signal.reason) throw error;
      }
    }
  }

  /** Resolves when no work is running. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  #begin(key: string, work: Work<T>): Joint<T> {
    const everybodyGone = new AbortController();
    const close = () => {
      if (this.#open.get(key) === joint) this.#open.delete(key);
    };
    // Starts after this joint is registered, so that `close` finds it.
    const working = Promise.resolve().then(async () => work(everybodyGone.signal, close));
    const result = working.finally(() => {
      close();
      this.#underWay.delete(result);
    });
    const joint: Joint<T> = { result, everybodyGone, waiting: 0 };
    // All callers may have gone when it fails.
    result.catch(() => undefined);
    this.#underWay.add(result);
    this.#open.set(key, joint);
    return joint;
  }
}

async function waitFor<T>(joint: Joint<T>, signal: AbortSignal | undefined): Promise<T> {
  joint.waiting += 1;
  try {
    return await unlessAborted(joint.result, signal);
  } finally {
    joint.waiting -= 1;
    if (joint.waiting === 0) joint.everybodyGone.abort();
  }
}
