import { on } from 'node:events';
import { Worker } from 'node:worker_threads';

import type { ExportKind } from '../../domain/export/export.schema.ts';
import type { Context } from '../context.ts';
import { OutsideError } from '../platform/log/outside-error.ts';
import type { S3Settings } from '../platform/object-store/object-store.ts';
import { printArchive } from './archive/archive.ts';
import { printBooks } from './book-formats.ts';
import type { PrintOrder } from './export-printer.ts';

/** The kinds that a thread prints: all that need no PDF made. */
export type ThreadKind = Exclude<ExportKind, 'DOCUMENTS'>;

/** The thread's order. */
export interface Printing {
  /** The database's URL. */
  readonly url: string;
  readonly documentStore: S3Settings | null;
  readonly kind: ThreadKind;
  readonly order: Omit<PrintOrder, 'count'>;
}

/** Documents that were read, where nothing was printed for a while; bytes of the file with them; or its end. */
export type ThreadMessage =
  | { readonly type: 'READ'; readonly documents: number }
  | { readonly type: 'PART'; readonly bytes: Uint8Array; readonly documents: number }
  | { readonly type: 'END' };

const WORKER = new URL('printing.worker.ts', import.meta.url);
/**
 * The books of a million documents take less: some hundred rows at a time are read of them. Without these limits V8 lets garbage
 * grow to three times as much. An archive keeps some hundred bytes of each document.
 */
const MEGABYTES = 256;
const MEGABYTES_OF_ARCHIVE = 1024;
const MEGABYTES_OF_THE_YOUNG = 12;
/** How long a thread may read and print nothing (milliseconds). */
const PATIENCE = 120_000;

/** The file of an export that needs no PDF made, in parts, printed by this thread. @throws ObjectStoreAway */
export function printHere(
  stores: Pick<Context, 'db' | 'objectStore'>,
  kind: ThreadKind,
  order: PrintOrder,
): AsyncIterable<Uint8Array> {
  if (kind !== 'ARCHIVE') return printBooks(stores.db, kind, order);
  return printArchive(stores, order.scope, new Date(order.madeAt), order.count);
}

/**
 * As `printHere`, for a large file: half a minute of a processor for the books of 100,000 documents. A thread of its own prints
 * it with bounded memory and a connection of its own, so that no request waits for it. It prints one part ahead, and ends when
 * nobody reads on. The embedded database belongs to this thread, which prints there itself.
 *
 * @throws Error of the database or the thread, OutsideError of the document store, what `count` throws
 */
export async function* printInThread(
  context: Pick<Context, 'config' | 'db' | 'directUrl' | 'objectStore'>,
  kind: ThreadKind,
  { count, ...order }: PrintOrder,
): AsyncGenerator<Uint8Array> {
  const { config, directUrl: url } = context;
  if (url === null) {
    yield* printHere(context, kind, { ...order, count });
    return;
  }
  const worker = new Worker(WORKER, {
    workerData: { url, documentStore: config.documentStore, kind, order } satisfies Printing,
    resourceLimits: {
      maxOldGenerationSizeMb: kind === 'ARCHIVE' ? MEGABYTES_OF_ARCHIVE : MEGABYTES,
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
      if (message.type === 'PART') {
        worker.postMessage('MORE', []);
        yield message.bytes;
      }
      timer = setTimeout(fallSilent, PATIENCE);
    }
    throw new Error('The printing thread ended before its file');
  } catch (error) {
    throw asOutsideError(error) ?? error;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

/** An error of another thread has lost its class, and kept what it says. */
function asOutsideError(error: unknown): OutsideError | null {
  if (!(error instanceof Error) || !('advice' in error)) return null;
  const { message, advice, isUrgent } = error as OutsideError;
  return new OutsideError(message, { advice, isUrgent, cause: error });
}
