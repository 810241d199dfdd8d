// Prints one export of a company in its own thread, so that seconds of work do not block requests.

import { parentPort, workerData } from 'node:worker_threads';

import { CALL_LIMITS } from '../platform/db/connections.ts';
import { openServer } from '../platform/db/database.ts';
import { lowerPriorityOfThread } from '../platform/limits/priority.ts';
import { openObjectStore } from '../platform/object-store/object-store.ts';
import { printHere, type Printing, type ThreadMessage } from './printing-thread.ts';

const PART_SIZE = 256 * 1024;
/** After so long without a part, the thread tells what it has read (milliseconds). */
const TELL_EVERY = 1000;

lowerPriorityOfThread();

const { url, documentStore, kind, order } = workerData as Printing;
const database = openServer(url, () => undefined, { limits: CALL_LIMITS });

/** Resolved once the last part was taken. */
let taken = Promise.withResolvers<void>();
taken.resolve();
parentPort?.on('message', () => taken.resolve());

let documents = 0;
let waiting: Uint8Array[] = [];
let size = 0;
let toldAt = performance.now();

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
  if (performance.now() - toldAt < TELL_EVERY) return;
  post({ type: 'READ', documents });
  documents = 0;
};
const stores = { db: database.db, objectStore: openObjectStore(documentStore) };
for await (const chunk of printHere(stores, kind, { ...order, count })) {
  waiting.push(chunk);
  size += chunk.byteLength;
  if (size >= PART_SIZE) await give();
}
await give();
post({ type: 'END' });

function post(message: ThreadMessage): void {
  toldAt = performance.now();
  parentPort?.postMessage(message, []);
}
