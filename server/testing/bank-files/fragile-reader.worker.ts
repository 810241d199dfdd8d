// A worker that obeys the bytes it gets (die, throw, hang, work), to test how the reader of bank files copes.

import { parentPort } from 'node:worker_threads';
import { setTimeout as sleep } from 'node:timers/promises';

import type { ReaderAnswer, ReaderTask } from '../../payment/bank-file/read/reader.worker.ts';

const post = (answer: ReaderAnswer) => parentPort?.postMessage(answer, []);

async function work(): Promise<void> {
  for (let sign = 0; sign < 5; sign++) {
    await sleep(200);
    post({ type: 'WORKING' });
  }
  post({ type: 'FAULTY', faults: [{ message: 'Feil', line: 1 }] });
}

parentPort?.on('message', (task: ReaderTask) => {
  const order = Buffer.from(task ?? []).toString();
  if (order === 'die') process.exit(1);
  if (order === 'throw') throw new Error('out of order');
  if (order === 'hang') for (;;);
  if (order === 'work') void work();
});
