// Reads one file in a thread of its own: what takes seconds is not done where requests are answered.

import os from 'node:os';
import { parentPort } from 'node:worker_threads';

import { BankFileFault, type FileFault } from './bank-file-fault.ts';
import { BankFileParser, type ParsedFile } from './bank-file-parser.ts';

/** Bytes of the file, in their order; null is its end. */
export type ReaderTask = Uint8Array<ArrayBuffer> | null;

/** What the thread says of it. Each task has one answer other than `WORKING`. */
export type ReaderAnswer =
  | { readonly type: 'WORKING' }
  /** The memory of the bytes comes back, to be used for the next. */
  | { readonly type: 'TAKEN'; readonly memory: ArrayBuffer }
  | { readonly type: 'WHOLE'; readonly file: ParsedFile }
  | { readonly type: 'FAULTY'; readonly faults: readonly FileFault[] };

/** Five steps give a thread a third of the time of one that answers requests: a person waits for both. */
const NICER = 5;
/** Between two signs of life (milliseconds). */
const BETWEEN_SIGNS = 1000;

// On Linux a priority is the thread's own; elsewhere this would slow the whole process.
if (process.platform === 'linux') os.setPriority(Math.min(19, os.getPriority() + NICER));

let signed = performance.now();

const parser = new BankFileParser(() => {
  const now = performance.now();
  if (now - signed < BETWEEN_SIGNS) return;
  signed = now;
  post({ type: 'WORKING' });
});

parentPort?.on('message', (task: ReaderTask) => {
  try {
    if (task) {
      parser.write(task);
      post({ type: 'TAKEN', memory: task.buffer }, [task.buffer]);
    } else {
      const file = parser.end();
      const memory = file.parts.map(({ buffer }) => buffer);
      post({ type: 'WHOLE', file }, memory);
    }
  } catch (error) {
    // Anything else ends the thread: the fault is ours.
    if (!(error instanceof BankFileFault)) throw error;
    post({ type: 'FAULTY', faults: error.faults });
  }
});

function post(answer: ReaderAnswer, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(answer, transfer);
}
