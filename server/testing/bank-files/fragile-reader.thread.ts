// A program that obeys the bytes it gets (die, throw, hang), to test how the reader of bank files copes.

import type { PieceOfFile, ReaderAnswer } from '../../payment/bank-file/read/bank-file.thread.ts';
import { answerTasks } from '../../platform/tasks/answer-tasks.ts';

answerTasks<ReaderAnswer>((piece: PieceOfFile) => {
  const order = Buffer.from(piece ?? []).toString();
  if (order === 'die') process.exit(1);
  if (order === 'throw') throw new Error('out of order');
  if (order === 'hang') for (;;);
  return null;
});
