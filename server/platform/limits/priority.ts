import os from 'node:os';

/** Steps that give a process about a tenth of the time of one that answers requests, while it waits for a processor. */
const PROCESS_STEPS = 10;
/** Steps that give a thread a third of the time of one that answers requests: people wait for both. */
const THREAD_STEPS = 5;

/** Lets the requests of users come before the work of this process. */
export function lowerPriorityOfProcess(): void {
  lower(PROCESS_STEPS);
}

/** Lets the requests of users come before the work of this thread, which has the server's process with them. */
export function lowerPriorityOfThread(): void {
  // On Linux the priority belongs to the thread; elsewhere this would slow the whole process.
  if (process.platform === 'linux') lower(THREAD_STEPS);
}

function lower(steps: number): void {
  os.setPriority(Math.min(os.constants.priority.PRIORITY_LOW, os.getPriority() + steps));
}
