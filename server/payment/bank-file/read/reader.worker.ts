// Reads one file in its own thread, so that seconds of work do not block requests.

import { deflateRawSync } from 'node:zlib';
import { parentPort } from 'node:worker_threads';

import { lowerPriorityOfThread } from '../../../platform/limits/priority.ts';
import { BankFileFault, type FileFault } from './bank-file-fault.ts';
import { BankFileParser } from './bank-file-parser.ts';
import type { BankFileSummary, ReadEntry } from './read-entry.ts';

/** The next bytes of the file; null is its end. */
export type ReaderTask = Uint8Array<ArrayBuffer> | null;

/** A file without faults, as it waits for the database: a seventh of its size as objects. */
export interface PackedFile {
  readonly summary: BankFileSummary;
  /** Batches of `ReadEntry[]`, each as compressed JSON. */
  readonly batches: readonly Uint8Array<ArrayBuffer>[];
}

/** The thread's answer. Each task has one answer other than `WORKING`. */
export type ReaderAnswer =
  | { readonly type: 'WORKING' }
  /** Returns the buffer, to be used for the next bytes. */
  | { readonly type: 'TAKEN'; readonly memory: ArrayBuffer }
  | { readonly type: 'WHOLE'; readonly file: PackedFile }
  | { readonly type: 'FAULTY'; readonly faults: readonly FileFault[] };

/** Entries per batch: parsing one holds the event loop for some milliseconds. */
const BATCH = 600;
/** Interval between signs of life (milliseconds). */
const BETWEEN_SIGNS = 1000;

lowerPriorityOfThread();

let signed = performance.now();

const parser = new BankFileParser(showProgress);

parentPort?.on('message', (task: ReaderTask) => {
  try {
    if (task) {
      parser.write(task);
      post({ type: 'TAKEN', memory: task.buffer }, [task.buffer]);
    } else {
      const { summary, entries } = parser.end();
      const batches = pack(entries);
      const memory = batches.map(({ buffer }) => buffer);
      post({ type: 'WHOLE', file: { summary, batches } }, memory);
    }
  } catch (error) {
    // Any other error ends the thread: it is internal.
    if (!(error instanceof BankFileFault)) throw error;
    post({ type: 'FAULTY', faults: error.faults });
  }
});

function pack(entries: readonly ReadEntry[]): Uint8Array<ArrayBuffer>[] {
  const batches: Uint8Array<ArrayBuffer>[] = [];
  for (let start = 0; start < entries.length; start += BATCH) {
    const json = JSON.stringify(entries.slice(start, start + BATCH));
    // Copied, because zlib's buffer is longer than its contents.
    batches.push(new Uint8Array(deflateRawSync(json, { level: 1 })));
    showProgress();
  }
  return batches;
}

function showProgress(): void {
  const now = performance.now();
  if (now - signed < BETWEEN_SIGNS) return;
  signed = now;
  post({ type: 'WORKING' });
}

function post(answer: ReaderAnswer, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(answer, transfer);
}
