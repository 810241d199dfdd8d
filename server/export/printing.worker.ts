// Prints the books of one company in its own thread, so that seconds of work do not block requests.

import { parentPort, workerData } from 'node:worker_threads';

import { CALL_LIMITS } from '../platform/db/connections.ts';
import { openServer } from '../platform/db/database.ts';
import { lowerPriorityOfThread } from '../platform/limits/priority.ts';
import { printBooks, type BookKind } from './book-formats.ts';
import type { PrintOrder } from './export-printer.ts';

/** The thread's order. */
export interface Printing {
  /** The database's URL. */
  readonly url: string;
  readonly kind: BookKind;
  readonly order: Omit<PrintOrder, 'count'>;
}

/** Bytes of the file, and how many documents were read for them; or its end. */
export type ThreadMessage =
  | { readonly type: 'PART'; readonly bytes: Uint8Array; readonly documents: number }
  | { readonly type: 'END' };

const PART_SIZE = 256 * 1024;

lowerPriorityOfThread();

const { url, kind, order } = workerData as Printing;
const database = openServer(url, () => undefined, { limits: CALL_LIMITS });

/** Resolved once the last part was taken. */
let taken = Promise.withResolvers<void>();
taken.resolve();
parentPort?.on('message', () => taken.resolve());

let documents = 0;
let waiting: Uint8Array[] = [];
let size = 0;

async function give(): Promise<void> {
  await taken.promise;
  taken = Promise.withResolvers();
  post({ type: 'PART', bytes: Buffer.concat(waiting), documents });
  documents = 0;
  waiting = [];
  size = 0;
}

const count = (read: number) => {
  documents += read;
};
for await (const chunk of printBooks(database.db, kind, { ...order, count })) {
  waiting.push(chunk);
  size += chunk.byteLength;
  if (size >= PART_SIZE) await give();
}
await give();
post({ type: 'END' });

function post(message: ThreadMessage): void {
  parentPort?.postMessage(message, []);
}
