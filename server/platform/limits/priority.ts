import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import os from 'node:os';

/** Steps that give a process about a tenth of the time of one that answers requests, while it waits for a processor. */
const PROCESS_STEPS = 10;
/** Steps that give a thread a third of the time of one that answers requests: people wait for both. */
const THREAD_STEPS = 5;

/** Lets the requests of users come before the work of this process. */
export function lowerPriorityOfProcess(): void {
  // On Linux each thread has a priority of its own, those of V8 that collect garbage beside the program too.
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [0];
  for (const thread of threads) lower(PROCESS_STEPS, thread);
}

/** Lets the requests of users come before the work of this thread, which has the server's process with them. */
export function lowerPriorityOfThread(): void {
  // On Linux the priority belongs to the thread; elsewhere this would slow the whole process.
  if (process.platform === 'linux') lower(THREAD_STEPS);
}

/**
 * Lets this process work only while nobody else needs a processor, for a job whose end nobody waits for. On a machine that
 * is always busy it still gets a few thousandths of one. Cannot be taken back.
 */
export function lowerProcessToIdle(): void {
  // Node cannot choose the class; `chrt` is a part of every Debian, and on no other system.
  const args = ['--all-tasks', '--idle', '--pid', '0', String(process.pid)];
  const { status } = spawnSync('chrt', args, { stdio: 'ignore' });
  if (status !== 0) lowerPriorityOfProcess();
}

/** @param thread 0 is the calling thread, or on other systems the process */
function lower(steps: number, thread = 0): void {
  const next = Math.min(os.constants.priority.PRIORITY_LOW, os.getPriority(thread) + steps);
  os.setPriority(thread, next);
}
