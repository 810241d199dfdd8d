// Runs in a process of its own: setting type takes milliseconds that the event loop cannot spare, and memory
// that only the end of a process gives back.

import os from 'node:os';

import { openDocumentPrinter, type PdfInput } from './document-printer.ts';
import type { Answer, Task } from '../../platform/pdf/worker-pool.ts';

/** The output of the process for a document. */
export interface PdfWorkerOutput {
  readonly pdf: Uint8Array;
  readonly replaced: readonly string[];
}

/** A process that holds more prints no other document (bytes): an invoice of 880 lines makes it hold 250 MB. */
const MEMORY_MAX = 300_000_000;

/** Ten steps give a process that waits about a tenth of the time of one that answers requests. */
const NICER = 10;

// Calls of people at a screen go before ten thousand PDFs.
os.setPriority(Math.min(19, os.getPriority() + NICER));

// A terminal and systemd tell all processes to stop. This one ends with the one that it prints for, which
// finishes what it has begun.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);

const printer = openDocumentPrinter();

process.on('message', (message) => {
  const { id, input } = message as Task<PdfInput>;
  try {
    const output = printer.print(input);
    post({ id, isLast: process.memoryUsage.rss() > MEMORY_MAX, output });
  } catch (error) {
    // The fault may be the process's: the next document gets a new one.
    post({ id, isLast: true, error: error instanceof Error ? error.message : String(error) });
  }
});

function post(answer: Answer<PdfWorkerOutput>): void {
  process.send?.(answer);
}
