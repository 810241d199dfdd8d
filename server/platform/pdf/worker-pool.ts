import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

import { Turns } from '../db/turns.ts';
import { JointWork } from '../limits/joint-work.ts';

/** A task for a worker, which answers each with an `Answer` of the same id. */
export interface Task<In> {
  readonly id: number;
  readonly input: In;
}

/**
 * A worker's answer. `error` is a refusal of that input; a worker that cannot go on dies. After the
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
  /** Tasks of one owner with the same key are one task, whose answer all of them get. */
  readonly key?: string;
}

interface Options {
  readonly file: URL;
  /** Workers at a time. They start when there is work for them. */
  readonly processes: number;
  /** A worker that takes longer over a task is given up (milliseconds). */
  readonly timeout: number;
  /** The most tasks of one owner under way and waiting; no limit when absent. */
  readonly mostOfOwner?: number;
  /** A worker that waits for work so long is ended (milliseconds). */
  readonly idle?: number;
  readonly onCrash: (error: Error) => void;
}

/** A worker ended before it answered. */
class WorkerDied extends TaskFailed {}

interface Slot<Out> {
  readonly worker: ChildProcess;
  task: { readonly id: number; readonly answer: PromiseWithResolvers<Out> } | null;
  /** Ends a worker that takes too long over a task, or that waits for one for long. */
  deadline: NodeJS.Timeout | undefined;
}

/** Processes keep memory that they once needed. One that waits for work is ended after this (milliseconds). */
const IDLE = 45_000;
/** The end of what a dying worker wrote, for the log (characters). */
const LAST_WORDS = 2000;

const DEATHS_ALLOWED = 1;

const NOBODY = 0;

/** Processes that share the tasks that wait. */
export class WorkerPool<In, Out> {
  readonly #options: Options;
  readonly #turns: Turns<number>;
  readonly #slots = new Set<Slot<Out>>();
  readonly #joint = new JointWork<Out>();
  #nextId = 1;
  #isClosed = false;

  constructor(options: Options) {
    this.#options = options;
    this.#turns = new Turns({ places: options.processes });
  }

  /**
   * Has the input worked on, in its owner's turn. When the worker dies over it, another gets it once. A task
   * that has begun is finished, even when its callers have gone; until then others may join it.
   *
   * @throws TaskFailed when it is refused, or when two workers died over it
   * @throws TooManyTasks
   * @throws Error after close, and the signal's reason
   */
  async run(input: In, { owner = NOBODY, signal, key }: Partial<Caller> = {}): Promise<Out> {
    if (this.#isClosed) throw new Error('The pool of workers is closed');
    const most = this.#options.mostOfOwner ?? Infinity;
    return this.#joint.join({ key: `${owner} ${key ?? this.#nextId++}`, signal }, async (work) => {
      if (this.#turns.count(owner) >= most) throw new TooManyTasks();
      return this.#turns.run(owner, async () => this.#runTwice(input, work), { signal: work });
    });
  }

  /** Refuses new work, waits for what was accepted and ends the workers. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#joint.ended();
    for (const slot of this.#slots) this.#end(slot);
  }

  /** Runs a task, and once more in another worker when its worker dies and somebody still waits. */
  async #runTwice(input: In, signal: AbortSignal): Promise<Out> {
    for (let deaths = 0; ;) {
      try {
        return await this.#runOnce(input);
      } catch (error) {
        if (!(error instanceof WorkerDied)) throw error;
        deaths += 1;
        if (deaths > DEATHS_ALLOWED || signal.aborted) throw error;
      }
    }
  }

  /** Runs a task in an idle worker, or in a new one. */
  async #runOnce(input: In): Promise<Out> {
    const slot = [...this.#slots].find(({ task }) => task === null) ?? this.#start();
    const id = this.#nextId++;
    const answer = Promise.withResolvers<Out>();
    clearTimeout(slot.deadline);
    slot.task = { id, answer };
    slot.deadline = setTimeout(() => slot.worker.kill('SIGKILL'), this.#options.timeout);
    slot.worker.ref();
    slot.worker.channel?.ref();
    // Its end says why it does not take a task.
    slot.worker.send({ id, input } satisfies Task<In>, () => undefined);
    return answer.promise;
  }

  #start(): Slot<Out> {
    const worker = fork(fileURLToPath(this.#options.file), {
      // Ours may say to start anew whenever a file changes.
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    });
    const slot: Slot<Out> = { worker, task: null, deadline: undefined };
    let words = '';
    worker.stderr?.setEncoding('utf8').on('data', (text: string) => {
      words = (words + text).slice(-LAST_WORDS);
    });
    // Idle workers keep no process alive, nor do their words.
    (worker.stderr as Socket | null)?.unref();
    worker.on('message', (answer) => this.#settle(slot, answer as Answer<Out>));
    worker.on('error', (error) => {
      // Without this there was no process that could end.
      if (worker.pid === undefined) this.#remove(slot, error);
    });
    worker.on('close', (code, signal) => {
      this.#remove(slot, new Error(`Ended by ${signal ?? code}: ${words}`));
    });
    this.#slots.add(slot);
    return slot;
  }

  #settle(slot: Slot<Out>, answer: Answer<Out>): void {
    const { task } = slot;
    if (task?.id !== answer.id) return;
    release(slot);
    if (answer.isLast) this.#end(slot);
    else slot.deadline = setTimeout(() => this.#end(slot), this.#options.idle ?? IDLE).unref();
    if ('error' in answer) task.answer.reject(new TaskFailed(answer.error));
    else task.answer.resolve(answer.output);
  }

  #end(slot: Slot<Out>): void {
    this.#slots.delete(slot);
    slot.worker.kill('SIGKILL');
  }

  /** Forgets a worker that ended; its task fails. */
  #remove(slot: Slot<Out>, cause: unknown): void {
    this.#slots.delete(slot);
    const { task } = slot;
    release(slot);
    if (!task) return;
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
  slot.worker.channel?.unref();
}
