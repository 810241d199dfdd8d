import { fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

/** A program that answers tasks (`answerTasks`), and how it is started. */
export interface Program {
  readonly file: URL;
  /** Instead of a process: starts faster and takes less memory, but a fault of native code in it ends the server. */
  readonly isThread?: boolean;
  /** Arguments of a process. */
  readonly args?: readonly string[];
  /** Environment of a process; the server's when absent. */
  readonly env?: NodeJS.ProcessEnv;
  /** The most memory for values of JavaScript; V8's own limit when absent. */
  readonly megabytes?: number;
}

/** EXITED: by itself. SILENT: we ended it, because it gave no sign of life. KILLED: by us otherwise, or by the system. */
export type HowEnded = 'EXITED' | 'KILLED' | 'SILENT';

interface Listeners {
  readonly onMessage: (message: unknown) => void;
  /** Is called once, when nothing of it is left. */
  readonly onEnd: (how: HowEnded, text: string, cause?: unknown) => void;
}

/** A process or a thread. */
interface Started {
  send(task: unknown): void;
  kill(): void;
  keepServerAlive(does: boolean): void;
}

/** V8 has three spaces of this size for new values. Without a limit it lets garbage grow. */
const MEGABYTES_OF_THE_YOUNG = 4;
/** The end of what a dying process wrote, for the log (characters). */
const LAST_WORDS = 4000;

export function startProcess(
  { file, args = [], env, megabytes }: Program,
  { onMessage, onEnd }: Listeners,
): Started {
  const limits = [
    `--max-old-space-size=${megabytes}`,
    `--max-semi-space-size=${MEGABYTES_OF_THE_YOUNG}`,
  ];
  const child = fork(fileURLToPath(file), args, {
    env,
    // Ours may say to start anew whenever a file changes.
    execArgv: megabytes === undefined ? [] : limits,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const stderr = child.stderr as Socket | null;
  let words = '';
  stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-LAST_WORDS);
  });
  child.on('message', onMessage);
  child.on('error', (error) => {
    // Without an id there was no process that could end.
    if (child.pid === undefined) onEnd('KILLED', 'did not start', error);
  });
  child.on('close', (code, signal) => {
    onEnd(signal ? 'KILLED' : 'EXITED', `ended by ${signal ?? code}`, words && new Error(words));
  });
  return {
    // Its end says why it does not take a task.
    send: (task) => child.send(task as object, () => undefined),
    kill: () => child.kill('SIGKILL'),
    keepServerAlive: (does) => {
      for (const handle of [child, child.channel, stderr]) handle?.[does ? 'ref' : 'unref']();
    },
  };
}

export function startThread(
  { file, megabytes }: Program,
  { onMessage, onEnd }: Listeners,
): Started {
  const limits = {
    maxOldGenerationSizeMb: megabytes,
    maxYoungGenerationSizeMb: 2 * MEGABYTES_OF_THE_YOUNG,
  };
  const thread = new Worker(file, megabytes === undefined ? {} : { resourceLimits: limits });
  let cause: unknown;
  thread.on('message', onMessage);
  thread.on('error', (error) => (cause = error));
  thread.on('exit', (code) => onEnd('EXITED', `ended by ${code}`, cause));
  return {
    send: (task) => thread.postMessage(task, []),
    kill: () => void thread.terminate(),
    keepServerAlive: (does) => thread[does ? 'ref' : 'unref'](),
  };
}
