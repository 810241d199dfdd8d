// A worker that obeys orders such as dying, to test the faults that the pool must survive.

import { existsSync, writeFileSync } from 'node:fs';

import type { Answer, Task } from '../platform/pdf/worker-pool.ts';

/** The order. `dieOnce` names a file that remembers whether it was carried out. */
export type FragileOrder =
  | 'answer'
  | 'retire'
  | 'refuse'
  | 'die'
  | 'throw'
  | 'hang'
  | { dieOnce: string };

process.on('message', (message) => {
  const { id, input } = message as Task<FragileOrder>;
  if (typeof input === 'object' && !existsSync(input.dieOnce)) {
    writeFileSync(input.dieOnce, '');
    process.exit(1);
  }
  if (input === 'die') process.exit(1);
  if (input === 'throw') throw new Error('out of order');
  if (input === 'hang') for (;;);
  const answer: Answer<number> =
    input === 'refuse'
      ? { id, isLast: false, error: 'not today' }
      : { id, isLast: input === 'retire', output: process.pid };
  process.send?.(answer);
});
