import { Worker } from 'node:worker_threads';

import { Turns } from '../turns.ts';

/** What a worker is sent; it answers each with an `Answer` of the same id. */
export interface Task<In> {
  readonly id: number;
  readonly input: In;
}

/**
 * What a worker posts. `error` is a refusal of that input; a worker that cannot go on dies. After the
 * answer that `isLast`, the worker is replaced.
 */
export type Answer<Out> = { readonly id: number; readonly isLast: boolean } & (
  | { readonly output: Out }
  | { readonly error: string }
);

/** A worker refused the input, or two died over it. */
export class TaskFailed extends Error {
  override readonly name = 'TaskFailed';
}

/** The owner has as many tasks under way and waiting as it may. */
export class TooManyTasks extends Error {
  override readonly name = 'TooManyTasks';
}

/** The one who waits for a task. */
export interface Caller {
  /** Owners take turns; without one, all tasks are one owner's. */
  readonly owner: number;
  /** Aborted when nobody waits for the answer any more: what has not begun is left. */
  readonly signal: AbortSignal;
}

interface Options {
  readonly file: URL;
  /** Workers at a time. They start when there is work for them. */
  readonly threads: number;
  /** A worker that takes longer over a task is given up (milliseconds). */
  readonly timeout: number;
  /** What one owner may have under way and waiting; as much as it likes when absent. */
  readonly mostOfOwner?: number;
  readonly onCrash: (error: Error) => void;
}

/** A worker ended before it answered. */
class WorkerDied extends TaskFailed {}

interface Slot<Out> {
  readonly worker: Worker;
  task: { readonly id: number; readonly answer: PromiseWithResolvers<Out> } | null;
  deadline: NodeJS.Timeout | undefined;
}

const DEATHS_ALLOWED = 1;

const NOBODY = 0;

/** Threads that share the tasks that wait. */
export class WorkerPool<In, Out> {
  readonly #options: Options;
  readonly #turns: Turns<number>;
  readonly #slots = new Set<Slot<Out>>();
  readonly #accepted = new Set<Promise<Out>>();
  #nextId = 1;
  #isClosed = false;

  constructor(options: Options) {
    this.#options = options;
    this.#turns = new Turns({ places: options.threads });
  }

  /**
   * Has the input worked on, in its owner's turn. When the worker dies over it, another gets it once.
   *
   * @throws TaskFailed when it is refused, or when two workers died over it
   * @throws TooManyTasks
   * @throws Error after close, and the signal's reason
   */
  async run(input: In, { owner = NOBODY, signal }: Partial<Caller> = {}): Promise<Out> {
    if (this.#isClosed) throw new Error('The pool of workers is closed');
    signal?.throwIfAborted();
    const most = this.#options.mostOfOwner ?? Infinity;
    if (this.#turns.count(owner) >= most) throw new TooManyTasks();
    const done = Promise.withResolvers<Out>();
    // A task that has begun occupies its worker until the worker is done with it.
    const rejectAborted = () => done.reject(signal?.reason);
    signal?.addEventListener('abort', rejectAborted);
    this.#accepted.add(done.promise);
    const working = this.#turns.run(owner, async () => this.#runTwice(input, signal), { signal });
    working.then(done.resolve, done.reject);
    try {
      return await done.promise;
    } finally {
      this.#accepted.delete(done.promise);
      signal?.removeEventListener('abort', rejectAborted);
    }
  }

  /** Refuses new work, waits for what was accepted and ends the workers. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#accepted);
    await Promise.all([...this.#slots].map(async ({ worker }) => worker.terminate()));
  }

  /** Runs a task, and once more in another worker when its worker dies and somebody still waits. */
  async #runTwice(input: In, signal: AbortSignal | undefined): Promise<Out> {
    for (let deaths = 0; ;) {
      try {
        return await this.#runOnce(input);
      } catch (error) {
        if (!(error instanceof WorkerDied)) throw error;
        deaths += 1;
        if (deaths > DEATHS_ALLOWED || signal?.aborted) throw error;
      }
    }
  }

  /** Runs a task in an idle worker, or in a new one. */
  async #runOnce(input: In): Promise<Out> {
    const slot = [...this.#slots].find(({ task }) => task === null) ?? this.#start();
    const id = this.#nextId++;
    const answer = Promise.withResolvers<Out>();
    slot.task = { id, answer };
    slot.deadline = setTimeout(() => void slot.worker.terminate(), this.#options.timeout);
    slot.worker.ref();
    slot.worker.postMessage({ id, input } satisfies Task<In>, []);
    return answer.promise;
  }

  #start(): Slot<Out> {
    const worker = new Worker(this.#options.file);
    const slot: Slot<Out> = { worker, task: null, deadline: undefined };
    let cause: unknown;
    worker.on('message', (answer: Answer<Out>) => {
      this.#settle(slot, answer);
    });
    worker.on('error', (error: unknown) => {
      cause = error;
    });
    worker.on('exit', () => {
      this.#remove(slot, cause);
    });
    this.#slots.add(slot);
    return slot;
  }

  #settle(slot: Slot<Out>, answer: Answer<Out>): void {
    const { task } = slot;
    if (task?.id !== answer.id) return;
    release(slot);
    if (answer.isLast) {
      this.#slots.delete(slot);
      void slot.worker.terminate();
    }
    if ('error' in answer) task.answer.reject(new TaskFailed(answer.error));
    else task.answer.resolve(answer.output);
  }

  /** Forgets a worker that ended; its task fails. */
  #remove(slot: Slot<Out>, cause: unknown): void {
    this.#slots.delete(slot);
    const { task } = slot;
    if (!task) return;
    release(slot);
    const error = new WorkerDied('A worker died over its task', { cause });
    this.#options.onCrash(error);
    task.answer.reject(error);
  }
}

function release<Out>(slot: Slot<Out>): void {
  clearTimeout(slot.deadline);
  slot.task = null;
  // An idle worker keeps no process alive.
  slot.worker.unref();
}
