// Runs in a thread of its own: setting type takes milliseconds that the event loop cannot spare.

import os from 'node:os';
import { parentPort } from 'node:worker_threads';

import { openDocumentPrinter } from './document-printer.ts';
import type { PdfInput } from './document-page.ts';
import type { Answer, Task } from './worker-pool.ts';

/** What the thread makes of a document. */
export interface PdfWorkerOutput {
  readonly pdf: Uint8Array;
  readonly replaced: readonly string[];
}

/** How many documents a thread prints: Typst forgets what it is told to forget, but might leak. */
const DOCUMENTS_OF_THREAD = 5_000;

/** Ten steps give a thread that waits about a tenth of the time of one that answers requests. */
const NICER = 10;

// Calls of people at a screen go before ten thousand PDFs. On Linux a priority is the thread's own;
// elsewhere this would slow the whole process.
if (process.platform === 'linux') os.setPriority(Math.min(19, os.getPriority() + NICER));

const printer = openDocumentPrinter();

let printed = 0;

parentPort?.on('message', ({ id, input }: Task<PdfInput>) => {
  const isLast = ++printed >= DOCUMENTS_OF_THREAD;
  try {
    const { pdf, replaced } = printer.print(input);
    // A copy with memory of its own, which can be handed over instead of being copied again.
    const bytes = new Uint8Array(pdf);
    post({ id, isLast, output: { pdf: bytes, replaced } }, [bytes.buffer]);
  } catch (error) {
    // The fault may be the thread's: the next document gets a new one.
    post({ id, isLast: true, error: error instanceof Error ? error.message : String(error) });
  }
});

function post(answer: Answer<PdfWorkerOutput>, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(answer, transfer);
}
