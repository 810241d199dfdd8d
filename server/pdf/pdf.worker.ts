// Runs in a thread of its own: setting type takes milliseconds that the event loop cannot spare.

import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';

import { openPress } from './document-press.ts';
import type { PdfInput } from './invoice-page.ts';
import type { EngineName } from './typst-engine.ts';
import type { Answer, Task } from './worker-pool.ts';

/** What the thread is started with. */
export interface PdfWorkerData {
  readonly engine: EngineName | null;
}

/** What the thread makes of a document. */
export interface PdfWorkerOutput {
  readonly pdf: Uint8Array;
  readonly replaced: readonly string[];
  readonly engine: EngineName;
}

/**
 * How many documents a thread prints. The native Typst forgets what it is told to forget, and is
 * replaced for what might leak all the same; the WebAssembly one keeps 2 MB of every document.
 */
const LIFETIME: Readonly<Record<EngineName, number>> = { native: 5_000, wasm: 100 };

/** Ten steps give a thread that waits about a tenth of the time of one that answers requests. */
const NICER = 10;

// Whoever looks at a screen goes before ten thousand PDFs. On Linux a priority is the thread's own;
// elsewhere this would slow the whole process.
if (process.platform === 'linux') os.setPriority(Math.min(19, os.getPriority() + NICER));

const press = await openPress((workerData as PdfWorkerData).engine);

let printed = 0;

parentPort?.on('message', ({ id, input }: Task<PdfInput>) => {
  const isTired = ++printed >= LIFETIME[press.engine];
  try {
    const { pdf, replaced } = press.print(input);
    // A copy with memory of its own, which can be handed over instead of being copied again.
    const bytes = new Uint8Array(pdf);
    post({ id, isTired, output: { pdf: bytes, replaced, engine: press.engine } }, [bytes.buffer]);
  } catch (error) {
    // It may be the thread that is unwell: the next one begins afresh.
    post({ id, isTired: true, error: error instanceof Error ? error.message : String(error) });
  }
});

function post(answer: Answer<PdfWorkerOutput>, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(answer, transfer);
}
