// Runs in a separate process: typesetting would block the event loop, and takes memory that only the end of a process
// gives back.

import { openDocumentPrinter, type PdfInput } from './document-printer.ts';
import { lowerPriorityOfProcess } from '../../platform/limits/priority.ts';
import type { Answer, Task } from '../../platform/pdf/worker-pool.ts';

/** The output of the process for a document. */
export interface PdfWorkerOutput {
  readonly pdf: Uint8Array;
  readonly replaced: readonly string[];
}

/** A process with more memory is replaced (bytes). An invoice of 880 lines takes 250 MB. */
const MEMORY_MAX = 300_000_000;

// Requests of users come before ten thousand PDFs.
lowerPriorityOfProcess();

// A terminal and systemd signal all processes. This one ends with its parent, which first finishes its work.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);

const printer = openDocumentPrinter();

process.on('message', (message) => {
  const { id, input } = message as Task<PdfInput>;
  try {
    const output = printer.print(input);
    post({ id, isLast: process.memoryUsage.rss() > MEMORY_MAX, output });
  } catch (error) {
    // The process may be the cause, so the next document gets a new one.
    post({ id, isLast: true, error: error instanceof Error ? error.message : String(error) });
  }
});

function post(answer: Answer<PdfWorkerOutput>): void {
  process.send?.(answer);
}
