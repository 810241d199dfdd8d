import { on } from 'node:events';
import { Worker } from 'node:worker_threads';

import type { Context } from '../context.ts';
import { printBooks, type BookKind } from './book-formats.ts';
import type { PrintOrder } from './export-printer.ts';
import type { Printing, ThreadMessage } from './printing.worker.ts';

const WORKER = new URL('printing.worker.ts', import.meta.url);
/**
 * The books of a million documents take less: some hundred rows at a time are read of them. Without these limits V8 lets garbage
 * grow to three times as much.
 */
const MEGABYTES = 256;
const MEGABYTES_OF_THE_YOUNG = 12;
/** How long a thread may print and store nothing (milliseconds). */
const PATIENCE = 120_000;

/**
 * The file of large books, in parts: half a minute of a processor for 100,000 documents. A thread of its own prints it with
 * bounded memory and a connection of its own, so that no request waits for it. It prints one part ahead, and ends when
 * nobody reads on. The embedded database belongs to this thread, which prints its books itself.
 *
 * @throws Error of the database or the thread, what `count` throws
 */
export async function* printLargeBooks(
  { db, directUrl: url }: Pick<Context, 'db' | 'directUrl'>,
  kind: BookKind,
  { count, ...order }: PrintOrder,
): AsyncGenerator<Uint8Array> {
  if (url === null) {
    yield* printBooks(db, kind, { ...order, count });
    return;
  }
  const worker = new Worker(WORKER, {
    workerData: { url, kind, order } satisfies Printing,
    resourceLimits: {
      maxOldGenerationSizeMb: MEGABYTES,
      maxYoungGenerationSizeMb: MEGABYTES_OF_THE_YOUNG,
    },
  });
  const silence = new AbortController();
  const fallSilent = () => silence.abort(new Error('The printing thread fell silent'));
  let timer = setTimeout(fallSilent, PATIENCE);
  try {
    // It throws where the thread fails.
    const messages = on(worker, 'message', { signal: silence.signal, close: ['exit'] });
    for await (const [message] of messages as AsyncIterable<[ThreadMessage]>) {
      clearTimeout(timer);
      if (message.type === 'END') return;
      count(message.documents);
      worker.postMessage('MORE', []);
      yield message.bytes;
      timer = setTimeout(fallSilent, PATIENCE);
    }
    throw new Error('The printing thread ended before its file');
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
