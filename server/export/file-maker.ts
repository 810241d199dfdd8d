import type { Context } from '../context.ts';
import { OutsideError } from '../platform/log/outside-error.ts';
import type { S3Settings } from '../platform/object-store/object-store.ts';
import { RunnerEnded, withRunner } from '../platform/tasks/task-runner.ts';
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

/** The result of an order. */
export type ProcessAnswer =
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
 * The books of a million documents take less: some hundred rows at a time are read of them. Without a limit V8 lets garbage
 * grow to three times as much. An archive keeps some hundred bytes of each document.
 */
const MEGABYTES = 256;
const MEGABYTES_OF_ARCHIVE = 1024;
/** How long a process may read and print nothing (milliseconds). */
const PATIENCE = 120_000;
const LACKING = 'see that the machine has memory and time for exports; it is made again';
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
  const megabytes = order.kind === 'ARCHIVE' ? MEGABYTES_OF_ARCHIVE : MEGABYTES;
  const answer = await withRunner<ProcessOrder, ProcessAnswer, ProcessAnswer>(
    { file: PROGRAM, megabytes },
    async (process) => process.ask(order, PATIENCE),
    signal,
  ).catch((error: unknown) => {
    // The system kills a process without memory, and one on a busy machine falls silent.
    if (!(error instanceof RunnerEnded) || error.how === 'EXITED') throw error;
    throw new OutsideError(error.message, { advice: LACKING, cause: error });
  });
  if (answer.type === 'MADE') return answer.file;
  throw errorIn(answer);
}

function errorIn(answer: Exclude<ProcessAnswer, { type: 'MADE' }>): unknown {
  if (answer.type === 'OVERTAKEN') return new Overtaken();
  if (answer.type === 'ISSUED') return new DocumentsIssued();
  const { error, outside } = answer;
  if (!outside) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new OutsideError(text, { ...outside, cause: error });
}
