// Reads one file in its own thread, so that seconds of work do not block requests.

import os from 'node:os';
import { parentPort } from 'node:worker_threads';

import { BankFileFault, type FileFault } from './bank-file-fault.ts';
import { BankFileParser, type ParsedFile } from './bank-file-parser.ts';

/** The next bytes of the file; null is its end. */
export type ReaderTask = Uint8Array<ArrayBuffer> | null;

/** The thread's answer. Each task has one answer other than `WORKING`. */
export type ReaderAnswer =
  | { readonly type: 'WORKING' }
  /** Returns the buffer, to be used for the next bytes. */
  | { readonly type: 'TAKEN'; readonly memory: ArrayBuffer }
  | { readonly type: 'WHOLE'; readonly file: ParsedFile }
  | { readonly type: 'FAULTY'; readonly faults: readonly FileFault[] };

/**
 * Added niceness: five steps give this thread a third of the time of one that answers requests. People wait for
 * both.
 */
const NICER = 5;
/** Interval between signs of life (milliseconds). */
const BETWEEN_SIGNS = 1000;

// On Linux the priority belongs to the thread; elsewhere this would slow the whole process.
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
    // Any other error ends the thread: it is internal.
    if (!(error instanceof BankFileFault)) throw error;
    post({ type: 'FAULTY', faults: error.faults });
  }
});

function post(answer: ReaderAnswer, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(answer, transfer);
}
