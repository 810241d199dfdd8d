import { Worker } from 'node:worker_threads';

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

interface Options {
  readonly file: URL;
  readonly workerData?: unknown;
  /** Workers at a time. They start when there is work for them. */
  readonly threads: number;
  /** A worker that takes longer over a task is given up (milliseconds). */
  readonly timeout: number;
  readonly onCrash: (error: Error) => void;
}

interface Job<In, Out> {
  readonly id: number;
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

/** Some threads that share a queue. */
export class WorkerPool<In, Out> {
  readonly #options: Options;
  readonly #queue: Job<In, Out>[] = [];
  readonly #slots = new Set<Slot<In, Out>>();
  readonly #accepted = new Set<Promise<Out>>();
  #nextId = 1;
  #isClosed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Has the input worked on, after those that came before. When the worker dies over it, another
   * gets it once. @throws Error when it is refused, when two workers died over it, or after close
   */
  async run(input: In): Promise<Out> {
    if (this.#isClosed) throw new Error('The workers have been sent home');
    const done = Promise.withResolvers<Out>();
    this.#queue.push({ id: this.#nextId++, input, done, deaths: 0 });
    this.#accepted.add(done.promise);
    this.#dispatch();
    try {
      return await done.promise;
    } finally {
      this.#accepted.delete(done.promise);
    }
  }

  /** Refuses new work, waits for what was accepted and ends the workers. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#accepted);
    await Promise.all([...this.#slots].map(async ({ worker }) => worker.terminate()));
  }

  #dispatch(): void {
    while (this.#queue.length > 0) {
      const slot = [...this.#slots].find(({ job }) => job === null) ?? this.#start();
      const job = slot && this.#queue.shift();
      if (!slot || !job) return;
      slot.job = job;
      slot.deadline = setTimeout(() => void slot.worker.terminate(), this.#options.timeout);
      slot.worker.ref();
      slot.worker.postMessage({ id: job.id, input: job.input } satisfies Task<In>, []);
    }
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
    if ('error' in answer) job.done.reject(new Error(answer.error));
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
    const error = new Error('A worker died over its task', { cause });
    this.#options.onCrash(error);
    job.deaths += 1;
    if (job.deaths > DEATHS_ALLOWED) job.done.reject(error);
    else this.#queue.unshift(job);
    this.#dispatch();
  }
}

function release<In, Out>(slot: Slot<In, Out>): void {
  clearTimeout(slot.deadline);
  slot.job = null;
  // An idle worker keeps no process alive.
  slot.worker.unref();
}
