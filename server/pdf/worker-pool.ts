import { Worker } from 'node:worker_threads';

import { createTurns, type Turns } from '../turns.ts';

/** What a worker is sent; it answers each with an `Answer` of the same id. */
export interface Task<In> {
  readonly id: number;
  readonly input: In;
}

/**
 * What a worker posts. `error` is a refusal of that input; a worker that is unwell simply dies. One
 * that is tired wants to be replaced.
 */
export type Answer<Out> = { readonly id: number; readonly isTired: boolean } & (
  | { readonly output: Out }
  | { readonly error: string }
);

/** A worker refused the input, or two died over it. */
export class TaskFailed extends Error {
  override readonly name = 'TaskFailed';
}

/** The owner has as much under way and waiting as it may. */
export class TooManyTasks extends Error {
  override readonly name = 'TooManyTasks';
}

/** For whom a task is. */
export interface Caller {
  /** Owners take turns; without one, all tasks are one owner's. */
  readonly owner: number;
  /** Aborted when nobody waits for the answer any more: what has not begun is left. */
  readonly signal: AbortSignal;
}

interface Options {
  readonly file: URL;
  readonly workerData?: unknown;
  /** Workers at a time. They start when there is work for them. */
  readonly threads: number;
  /** A worker that takes longer over a task is given up (milliseconds). */
  readonly timeout: number;
  /** What one owner may have under way and waiting; as much as it likes when absent. */
  readonly mostOfOwner?: number;
  readonly onCrash: (error: Error) => void;
}

/** A worker that took a task ended before it answered. */
class WorkerDied extends TaskFailed {}

interface Slot<Out> {
  readonly worker: Worker;
  task: { readonly id: number; readonly answer: PromiseWithResolvers<Out> } | null;
  deadline: NodeJS.Timeout | undefined;
}

const DEATHS_ALLOWED = 1;

const NOBODY = 0;

/** Some threads that share what waits. Who has a place has one of them. */
export class WorkerPool<In, Out> {
  readonly #options: Options;
  readonly #turns: Turns<number>;
  readonly #slots = new Set<Slot<Out>>();
  readonly #accepted = new Set<Promise<Out>>();
  #nextId = 1;
  #isClosed = false;

  constructor(options: Options) {
    this.#options = options;
    this.#turns = createTurns({ places: options.threads });
  }

  /**
   * Has the input worked on, in its owner's turn. When the worker dies over it, another gets it once.
   *
   * @throws TaskFailed when it is refused, or when two workers died over it
   * @throws TooManyTasks
   * @throws Error after close, and the signal's reason
   */
  async run(input: In, { owner = NOBODY, signal }: Partial<Caller> = {}): Promise<Out> {
    if (this.#isClosed) throw new Error('The workers have been sent home');
    signal?.throwIfAborted();
    const most = this.#options.mostOfOwner ?? Infinity;
    if (this.#turns.count(owner) >= most) throw new TooManyTasks();
    const done = Promise.withResolvers<Out>();
    // What has begun keeps its place until its worker is done with it.
    const hangUp = () => done.reject(signal?.reason);
    signal?.addEventListener('abort', hangUp);
    this.#accepted.add(done.promise);
    const working = this.#turns.run(owner, async () => this.#work(input, signal), signal);
    working.then(done.resolve, done.reject);
    try {
      return await done.promise;
    } finally {
      this.#accepted.delete(done.promise);
      signal?.removeEventListener('abort', hangUp);
    }
  }

  /** Refuses new work, waits for what was accepted and ends the workers. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#accepted);
    await Promise.all([...this.#slots].map(async ({ worker }) => worker.terminate()));
  }

  /** Has a worker answer, and another when it dies over it and somebody still waits. */
  async #work(input: In, signal: AbortSignal | undefined): Promise<Out> {
    for (let deaths = 0; ;) {
      try {
        return await this.#order(input);
      } catch (error) {
        if (!(error instanceof WorkerDied)) throw error;
        deaths += 1;
        if (deaths > DEATHS_ALLOWED || signal?.aborted) throw error;
      }
    }
  }

  /** Gives the input to a worker that has nothing to do, or to a new one. */
  async #order(input: In): Promise<Out> {
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
    const { file, workerData } = this.#options;
    const worker = new Worker(file, { workerData });
    const slot: Slot<Out> = { worker, task: null, deadline: undefined };
    let cause: unknown;
    worker.on('message', (answer: Answer<Out>) => {
      this.#settle(slot, answer);
    });
    worker.on('error', (error: unknown) => {
      cause = error;
    });
    worker.on('exit', () => {
      this.#bury(slot, cause);
    });
    this.#slots.add(slot);
    return slot;
  }

  #settle(slot: Slot<Out>, answer: Answer<Out>): void {
    const { task } = slot;
    if (task?.id !== answer.id) return;
    release(slot);
    if (answer.isTired) {
      this.#slots.delete(slot);
      void slot.worker.terminate();
    }
    if ('error' in answer) task.answer.reject(new TaskFailed(answer.error));
    else task.answer.resolve(answer.output);
  }

  #bury(slot: Slot<Out>, cause: unknown): void {
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
