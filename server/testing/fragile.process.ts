// A program that obeys orders such as dying, to test the faults that the server must survive.

import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { answerTasks } from '../platform/tasks/answer-tasks.ts';

/** The order. `dieOnce` names a file that remembers whether it was carried out. */
export type FragileOrder =
  | 'answer'
  | 'retire'
  | 'refuse'
  | 'die'
  | 'crash'
  | 'fill'
  | 'hang'
  | 'work'
  | { dieOnce: string };

let isLast = false;

answerTasks<number>(
  async (order: FragileOrder, goOn) => {
    if (typeof order === 'object' && !existsSync(order.dieOnce)) {
      writeFileSync(order.dieOnce, '');
      process.exit(1);
    }
    if (order === 'die') process.exit(1);
    if (order === 'crash') process.abort();
    if (order === 'fill')
      for (const all: unknown[] = []; ;) all.push(Array(100_000).fill(all.length));
    if (order === 'hang') for (;;);
    if (order === 'refuse') throw new Error('not today');
    if (order === 'work') {
      for (let sign = 0; sign < 4; sign++) {
        await sleep(1001);
        goOn();
      }
    }
    isLast = order === 'retire';
    return process.pid;
  },
  { isLast: () => isLast },
);
