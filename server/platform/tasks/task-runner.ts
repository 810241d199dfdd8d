import { basename } from 'node:path';

import { unlessAborted } from '../limits/unless-aborted.ts';
import type { Message } from './answer-tasks.ts';
import { startProcess, startThread, type HowEnded, type Program } from './start-program.ts';

/** A runner refused its task, or ended over it. */
export class TaskFailed extends Error {
  override readonly name: string = 'TaskFailed';
}

/** A runner ended before it answered. */
export class RunnerEnded extends TaskFailed {
  override readonly name = 'RunnerEnded';
  readonly how: HowEnded;

  constructor(how: HowEnded, message: string, options: ErrorOptions) {
    super(message, options);
    this.how = how;
  }
}

/** A process, or a thread, that answers one task after the other. It ends with the server. */
export class TaskRunner<In, Out> {
  readonly #name: string;
  readonly #started: ReturnType<typeof startProcess>;
  readonly #closed = Promise.withResolvers<void>();
  #task: { readonly answer: PromiseWithResolvers<Out>; readonly timer: NodeJS.Timeout } | null =
    null;
  #end: RunnerEnded | null = null;

  constructor(program: Program) {
    this.#name = basename(program.file.pathname);
    const start = program.isThread ? startThread : startProcess;
    this.#started = start(program, {
      onMessage: (message) => this.#take(message as Message<Out>),
      onEnd: (how, text, cause) => {
        this.#fail(how, text, cause);
        this.#closed.resolve();
      },
    });
  }

  /** Whether it takes another task. */
  get isAlive(): boolean {
    return this.#end === null;
  }

  /**
   * Has a task answered.
   *
   * @param patience how long it may give no sign of life (milliseconds)
   * @throws TaskFailed when it refuses the task, after which it ends; RunnerEnded
   */
  async ask(input: In, patience: number): Promise<Out> {
    if (this.#end) throw this.#end;
    const answer = Promise.withResolvers<Out>();
    const timer = setTimeout(() => this.#stop('SILENT', 'gave no sign of life'), patience);
    this.#task = { answer, timer };
    this.#started.keepServerAlive(true);
    this.#started.send(input);
    try {
      return await answer.promise;
    } finally {
      clearTimeout(timer);
      this.#task = null;
      if (this.isAlive) this.#started.keepServerAlive(false);
    }
  }

  /** Ends it at once, and waits for its end. */
  async end(): Promise<void> {
    this.#stop();
    this.#started.keepServerAlive(true);
    await this.#closed.promise;
  }

  #take(message: Message<Out>): void {
    if (message.type === 'ALIVE') this.#task?.timer.refresh();
    else if (message.type === 'DONE') {
      this.#task?.answer.resolve(message.output);
      if (message.isLast) this.#stop();
    } else {
      const { error: cause } = message;
      const reason = cause instanceof Error ? cause.message : String(cause);
      this.#task?.answer.reject(new TaskFailed(reason, { cause }));
      // It may be the cause itself.
      this.#stop();
    }
  }

  #stop(how: HowEnded = 'KILLED', text = 'was ended'): void {
    this.#fail(how, text);
    this.#started.kill();
  }

  #fail(how: HowEnded, text: string, cause?: unknown): void {
    this.#end ??= new RunnerEnded(how, `${this.#name} ${text}`, { cause });
    this.#task?.answer.reject(this.#end);
  }
}

/**
 * Does work with a runner that is started for it, and has ended when this returns.
 *
 * @throws what the work throws, and the signal's reason
 */
export async function withRunner<In, Out, T>(
  program: Program,
  work: (runner: TaskRunner<In, Out>) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  signal?.throwIfAborted();
  const runner = new TaskRunner<In, Out>(program);
  try {
    return await unlessAborted(work(runner), signal);
  } finally {
    await runner.end();
  }
}
