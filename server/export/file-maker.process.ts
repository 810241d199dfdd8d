// Makes the file of one export in a process of its own, so that no request waits for seconds of work.

import type { TimeLimits } from '../platform/db/client.ts';
import { CALL_LIMITS } from '../platform/db/connections.ts';
import { isOutside } from '../platform/db/database-errors.ts';
import { openServer } from '../platform/db/database.ts';
import { lowerProcessToIdle } from '../platform/limits/priority.ts';
import { OutsideError } from '../platform/log/outside-error.ts';
import { openObjectStore } from '../platform/object-store/open-object-store.ts';
import { answerTasks } from '../platform/tasks/answer-tasks.ts';
import { DocumentsIssued } from './archive/snapshot.ts';
import { Overtaken, type MadeFile } from './export-file.service.ts';
import { printHere } from './export-formats.ts';
import {
  makeFile,
  type OutsideFault,
  type ProcessAnswer,
  type ProcessOrder,
} from './file-maker.ts';

/** A ZIP reads on while a part is stored. */
const CONNECTIONS = 2;
/** Those of a call would end it on a busy machine, where this process may wait many seconds for its turn. */
const LIMITS: TimeLimits = {
  ...CALL_LIMITS,
  connect: 60_000,
  statement: 60_000,
  idleInTransaction: 120_000,
};
const LACKING = 'see that the database can be reached, and has space; the export is made again';

lowerProcessToIdle();

answerTasks<ProcessAnswer>(async (order: ProcessOrder, goOn) => {
  try {
    return { type: 'MADE', file: await make(order, goOn) };
  } catch (error) {
    if (error instanceof Overtaken) return { type: 'OVERTAKEN' };
    if (error instanceof DocumentsIssued) return { type: 'ISSUED' };
    return { type: 'FAILED', error, outside: outsideOf(error) };
  }
});

async function make(
  { url, documentStore, dataDir, kind, ...task }: ProcessOrder,
  goOn: () => void,
): Promise<MadeFile> {
  const { db } = openServer(url, () => undefined, { limits: LIMITS, connections: CONNECTIONS });
  const stores = { db, objectStore: openObjectStore(documentStore), config: { dataDir } };
  return makeFile(stores, task, (order) => printHere(stores, kind, order), goOn);
}

function outsideOf(error: unknown): OutsideFault {
  if (error instanceof OutsideError) return { advice: error.advice, isUrgent: error.isUrgent };
  return isOutside(error) ? { advice: LACKING, isUrgent: false } : null;
}
