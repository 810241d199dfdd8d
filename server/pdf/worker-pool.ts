import { Worker } from 'node:worker_threads';

import { Turns } from './turns.ts';

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

interface Job<In, Out> {
  readonly id: number;
  readonly owner: number;
  readonly signal: AbortSignal | undefined;
  readonly input: In;
  readonly done: PromiseWithResolvers<Out>;
  deaths: number;
}

interface Slot<In, Out> {
  readonly worker: Worker;
  job: Job<In, Out> | null;
  deadline: NodeJS.Timeout | undefined;
}

const DEATHS_ALLOWED = 1;

const NOBODY = 0;

/** Some threads that share what waits. */
export class WorkerPool<In, Out> {
  readonly #options: Options;
  readonly #waiting = new Turns<Job<In, Out>>();
  readonly #slots = new Set<Slot<In, Out>>();
  readonly #accepted = new Set<Promise<Out>>();
  #nextId = 1;
  #isClosed = false;

  constructor(options: Options) {
    this.#options = options;
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
    if (this.#countOf(owner) >= (this.#options.mostOfOwner ?? Infinity)) throw new TooManyTasks();
    const done = Promise.withResolvers<Out>();
    const job = { id: this.#nextId++, owner, signal, input, done, deaths: 0 };
    const leave = () => {
      this.#waiting.remove(owner, job);
      done.reject(signal?.reason);
    };
    signal?.addEventListener('abort', leave);
    this.#waiting.add(owner, job);
    this.#accepted.add(done.promise);
    this.#dispatch();
    try {
      return await done.promise;
    } finally {
      this.#accepted.delete(done.promise);
      signal?.removeEventListener('abort', leave);
    }
  }

  #countOf(owner: number): number {
    const underWay = [...this.#slots].filter(({ job }) => job?.owner === owner);
    return this.#waiting.count(owner) + underWay.length;
  }

  /** Refuses new work, waits for what was accepted and ends the workers. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#accepted);
    await Promise.all([...this.#slots].map(async ({ worker }) => worker.terminate()));
  }

  #dispatch(): void {
    for (let slot = this.#freeSlot(); slot; slot = this.#freeSlot()) {
      const job = this.#waiting.take();
      if (!job) return;
      slot.job = job;
      const { worker } = slot;
      slot.deadline = setTimeout(() => void worker.terminate(), this.#options.timeout);
      worker.ref();
      worker.postMessage({ id: job.id, input: job.input } satisfies Task<In>, []);
    }
  }

  /** A worker that has nothing to do, or a new one when there is something to do. */
  #freeSlot(): Slot<In, Out> | undefined {
    if (this.#waiting.isEmpty) return undefined;
    return [...this.#slots].find(({ job }) => job === null) ?? this.#start();
  }

  #start(): Slot<In, Out> | undefined {
    const { file, workerData, threads } = this.#options;
    if (this.#slots.size >= threads) return undefined;
    const worker = new Worker(file, { workerData });
    const slot: Slot<In, Out> = { worker, job: null, deadline: undefined };
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

  #settle(slot: Slot<In, Out>, answer: Answer<Out>): void {
    const { job } = slot;
    if (job?.id !== answer.id) return;
    release(slot);
    if ('error' in answer) job.done.reject(new TaskFailed(answer.error));
    else job.done.resolve(answer.output);
    if (answer.isTired) {
      this.#slots.delete(slot);
      void slot.worker.terminate();
    }
    this.#dispatch();
  }

  #bury(slot: Slot<In, Out>, cause: unknown): void {
    this.#slots.delete(slot);
    const { job } = slot;
    if (!job) return;
    release(slot);
    const error = new TaskFailed('A worker died over its task', { cause });
    this.#options.onCrash(error);
    job.deaths += 1;
    if (job.deaths > DEATHS_ALLOWED) job.done.reject(error);
    else if (!job.signal?.aborted) this.#waiting.addFirst(job.owner, job);
    this.#dispatch();
  }
}

function release<In, Out>(slot: Slot<In, Out>): void {
  clearTimeout(slot.deadline);
  slot.job = null;
  // An idle worker keeps no process alive.
  slot.worker.unref();
}
