import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import type { Context } from '../context.ts';
import { OutsideError } from '../platform/log/outside-error.ts';
import type { S3Settings } from '../platform/object-store/object-store.ts';
import { DocumentsIssued } from './archive/snapshot.ts';
import type { Basis, ExportScope, Range } from './books.ts';
import { Overtaken, storeFile, type MadeFile } from './export-file.service.ts';
import { isText, printerOf, type KindWithoutPdf } from './export-formats.ts';
import type { PrintOrder } from './export-printer.ts';
import type { ExportRow } from './export.repository.ts';

/** A making of an export's file. */
export interface FileTask {
  readonly row: ExportRow;
  /** The numbers that the filter found when the export was asked for; null without a filter. */
  readonly listed: readonly number[] | null;
  /** The last document that has its PDF; archives only. */
  readonly printedTo?: number;
  /** Null: an export of a period. */
  readonly ranges?: readonly Range[] | null;
  /** Null of exports of before it was kept. */
  readonly basis?: Basis | null;
}

/** The order of a process. */
export interface ProcessOrder extends FileTask {
  /** The database's URL. */
  readonly url: string;
  readonly documentStore: S3Settings | null;
  readonly dataDir: string;
  readonly kind: KindWithoutPdf;
}

/** The properties of an `OutsideError`, which do not come along with it; null for a fault of ours. */
export type OutsideFault = Pick<OutsideError, 'advice' | 'isUrgent'> | null;

/** A sign of life, or the end. */
export type ProcessMessage =
  | { readonly type: 'ALIVE' }
  | { readonly type: 'MADE'; readonly file: MadeFile }
  | { readonly type: 'OVERTAKEN' }
  | { readonly type: 'ISSUED' }
  | {
      readonly type: 'FAILED';
      readonly error: unknown;
      readonly outside: OutsideFault;
    };

const PROGRAM = new URL('file-maker.process.ts', import.meta.url);
/**
 * The books of a million documents take less: some hundred rows at a time are read of them. Without these limits V8 lets garbage
 * grow to three times as much. An archive keeps some hundred bytes of each document.
 */
const MEGABYTES = 256;
const MEGABYTES_OF_ARCHIVE = 1024;
/** V8 has three spaces of this size for new values. */
const MEGABYTES_OF_THE_YOUNG = 4;
/** How long a process may read and print nothing (milliseconds). */
const PATIENCE = 120_000;
/** A making says that it is done by its file alone. */
const NEARLY_DONE = 0.99;

/**
 * Prints an export and stores its file, in parts.
 *
 * @param goOn is called whenever documents were read, and each second in which something is printed; it may throw
 * @throws Overtaken, DocumentsIssued, ObjectStoreAway, what `goOn` throws
 */
export async function makeFile(
  stores: Pick<Context, 'db' | 'objectStore'>,
  { row, listed, printedTo, ranges = null, basis = null }: FileTask,
  print: (order: PrintOrder) => AsyncIterable<Uint8Array>,
  goOn: () => void,
): Promise<MadeFile> {
  const documents = row.invoices + row.creditNotes;
  let read = printedTo === undefined ? 0 : documents;
  const count = (some: number) => {
    goOn();
    read += some;
  };
  const all = Math.max(1, documents) * (printerOf(row.kind).passes ?? 1);
  const printed = print({
    scope: { ...scopeOf(row), ...(listed && { listed }), ...(ranges && { ranges }) },
    basis,
    madeBy: row.byName,
    madeAt: row.createdAt.toISOString(),
    printedTo,
    count,
  });
  const progress = () => {
    goOn();
    return Math.min(NEARLY_DONE, read / all);
  };
  return storeFile(stores, row, printed, { packed: isText(row), progress });
}

function scopeOf(row: ExportRow): ExportScope {
  return {
    companyId: row.companyId,
    from: row.fromDate,
    to: row.toDate,
    filter: row.filter,
    lastNumber: row.throughNumber,
    lastPaymentId: row.throughPaymentId,
  };
}

/**
 * As `makeFile`, for a large file that needs no PDF made: half a minute of a processor for the books of 100,000 documents. A
 * process of its own makes it with bounded memory and two connections of its own, while nobody else needs the processor. It ends
 * with this process.
 *
 * @throws Overtaken, DocumentsIssued, Error of the database or the process, OutsideError of the document store, the signal's reason
 */
export async function makeFileInProcess(
  order: ProcessOrder,
  signal: AbortSignal,
): Promise<MadeFile> {
  signal.throwIfAborted();
  const child = startProcess(order.kind);
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    // Without a process there is none that ends.
    child.once('error', () => child.pid ?? resolve());
  });
  try {
    // Its end says why it does not take an order.
    child.send(order, () => undefined);
    return await fileFrom(child, signal);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

function startProcess(kind: KindWithoutPdf): ChildProcess {
  const megabytes = kind === 'ARCHIVE' ? MEGABYTES_OF_ARCHIVE : MEGABYTES;
  return fork(fileURLToPath(PROGRAM), {
    execArgv: [
      `--max-old-space-size=${megabytes}`,
      `--max-semi-space-size=${MEGABYTES_OF_THE_YOUNG}`,
    ],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

/** The file that a process has made. @throws what failed in it, its end, the signal's reason */
async function fileFrom(child: ChildProcess, signal: AbortSignal): Promise<MadeFile> {
  const made = Promise.withResolvers<MadeFile>();
  const stop = () => made.reject(signal.reason);
  const fallSilent = () => made.reject(endOf('fell silent'));
  const timer = setTimeout(fallSilent, PATIENCE);
  signal.addEventListener('abort', stop);
  child.on('message', (message: ProcessMessage) => {
    if (message.type === 'ALIVE') timer.refresh();
    else if (message.type === 'MADE') made.resolve(message.file);
    else made.reject(errorIn(message));
  });
  child.once('error', (error) => made.reject(error));
  child.once('close', (code, killedBy) => {
    const end = endOf(`ended by ${killedBy ?? code}`);
    made.reject(killedBy === null ? new Error(end.message) : end);
  });
  try {
    return await made.promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** The system kills a process without memory, and one on a busy machine falls silent. */
function endOf(how: string): OutsideError {
  const advice = 'see that the machine has memory and time for exports; it is made again';
  return new OutsideError(`The process that makes an export ${how}`, { advice });
}

function errorIn(
  message: Extract<ProcessMessage, { type: 'OVERTAKEN' | 'ISSUED' | 'FAILED' }>,
): unknown {
  if (message.type === 'OVERTAKEN') return new Overtaken();
  if (message.type === 'ISSUED') return new DocumentsIssued();
  const { error, outside } = message;
  if (!outside) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new OutsideError(text, { ...outside, cause: error });
}
