import { Turns } from '../db/turns.ts';
import { JointWork } from '../limits/joint-work.ts';
import type { Program } from './start-program.ts';
import { RunnerEnded, TaskRunner } from './task-runner.ts';

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

interface Options extends Program {
  /** Processes at a time. They start when there is work for them. */
  readonly processes: number;
  /** A process that takes longer over a task is given up (milliseconds). */
  readonly timeout: number;
  /** The most tasks of one owner under way and waiting; no limit when absent. */
  readonly mostOfOwner?: number;
  /** A process that waits for work so long is ended (milliseconds). */
  readonly idle?: number;
  readonly onCrash: (error: RunnerEnded) => void;
}

/** Processes keep memory that they once needed. One that waits for work is ended after this (milliseconds). */
const IDLE = 45_000;

const DEATHS_ALLOWED = 1;

const NOBODY = 0;

/** Processes that share the tasks that wait. */
export class ProcessPool<In, Out> {
  readonly #options: Options;
  readonly #turns: Turns<number>;
  /** Processes that wait for work, with the timers that end them. */
  readonly #idle = new Map<TaskRunner<In, Out>, NodeJS.Timeout>();
  readonly #joint = new JointWork<Out>();
  #nextId = 1;
  #isClosed = false;

  constructor(options: Options) {
    this.#options = options;
    this.#turns = new Turns({ places: options.processes });
  }

  /**
   * Has the input worked on, in its owner's turn. When the process dies over it, another gets it once. A task
   * that has begun is finished, even when its callers have gone; until then others may join it.
   *
   * @throws TaskFailed when it is refused, or when two processes died over it
   * @throws TooManyTasks
   * @throws Error after close, and the signal's reason
   */
  async run(input: In, { owner = NOBODY, signal, key }: Partial<Caller> = {}): Promise<Out> {
    if (this.#isClosed) throw new Error('The pool of processes is closed');
    const most = this.#options.mostOfOwner ?? Infinity;
    return this.#joint.join({ key: `${owner} ${key ?? this.#nextId++}`, signal }, async (work) => {
      if (this.#turns.count(owner) >= most) throw new TooManyTasks();
      return this.#turns.run(owner, async () => this.#runTwice(input, work), { signal: work });
    });
  }

  /** Refuses new work, waits for what was accepted and ends the processes. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#joint.ended();
    for (const [process, timer] of this.#idle) {
      clearTimeout(timer);
      await process.end();
    }
    this.#idle.clear();
  }

  /** Runs a task, and once more in another process when its process dies and somebody still waits. */
  async #runTwice(input: In, signal: AbortSignal): Promise<Out> {
    for (let deaths = 0; ;) {
      try {
        return await this.#runOnce(input);
      } catch (error) {
        if (!(error instanceof RunnerEnded)) throw error;
        deaths += 1;
        if (deaths > DEATHS_ALLOWED || signal.aborted) throw error;
      }
    }
  }

  /** Runs a task in an idle process, or in a new one. */
  async #runOnce(input: In): Promise<Out> {
    const process = this.#takeIdle() ?? new TaskRunner<In, Out>(this.#options);
    try {
      return await process.ask(input, this.#options.timeout);
    } catch (error) {
      if (error instanceof RunnerEnded) this.#options.onCrash(error);
      throw error;
    } finally {
      if (process.isAlive) this.#rest(process);
    }
  }

  #takeIdle(): TaskRunner<In, Out> | undefined {
    for (const [process, timer] of this.#idle) {
      this.#idle.delete(process);
      clearTimeout(timer);
      if (process.isAlive) return process;
    }
    return undefined;
  }

  #rest(process: TaskRunner<In, Out>): void {
    const end = () => {
      this.#idle.delete(process);
      void process.end();
    };
    this.#idle.set(process, setTimeout(end, this.#options.idle ?? IDLE).unref());
  }
}
