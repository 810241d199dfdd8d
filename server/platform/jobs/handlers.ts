import type { Job, JobHandler } from './job.ts';
import * as declared from './jobs.ts';

const { KEPT_JOBS: _, ...byName } = declared;
const JOBS: readonly Job<object>[] = Object.values(byName);

/**
 * Returns the handlers after checking that each kind of job has exactly one.
 * @throws Error naming the kinds that have none or more than one
 */
export function oneForEachJob(handlers: readonly JobHandler[]): readonly JobHandler[] {
  const handled = handlers.map(({ job }) => job.name);
  const faults = [...new Set([...JOBS.map(({ name }) => name), ...handled])].flatMap((name) => {
    const count = handled.filter((other) => other === name).length;
    return count === 1 ? [] : [`${name} has ${count === 0 ? 'no handler' : `${count} handlers`}`];
  });
  if (faults.length > 0) throw new Error(`Each job needs one handler: ${faults.join(', ')}`);
  return handlers;
}
