import type { Logger } from '../context.ts';
import type { PdfInput } from './invoice-page.ts';
import type { PdfWorkerData, PdfWorkerOutput } from './pdf.worker.ts';
import type { EngineName } from './typst-engine.ts';
import { WorkerPool } from './worker-pool.ts';

export type { Stamp } from './stamp.ts';

export interface PdfRenderer {
  /**
   * The document as PDF/A-3a and PDF/UA-1. The same input gives the same bytes, in any thread.
   *
   * @throws Error when Typst refuses it, which is a fault of ours
   */
  render(input: PdfInput): Promise<Uint8Array>;
  /** Refuses new documents, finishes those accepted and ends the threads. */
  close(): Promise<void>;
}

interface Options {
  readonly threads: number;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Which build of Typst; unless given the native one, or WebAssembly where there is none. */
  readonly engine?: EngineName;
}

/** A thousand lines take some seconds on a slow machine. */
const TIMEOUT = 60_000;

/** Renders invoices in threads of their own, which start with the first document. */
export function createPdfRenderer({ threads, log, engine }: Options): PdfRenderer {
  const pool = new WorkerPool<PdfInput, PdfWorkerOutput>({
    file: new URL('pdf.worker.ts', import.meta.url),
    workerData: { engine: engine ?? null } satisfies PdfWorkerData,
    threads,
    timeout: TIMEOUT,
    onCrash: (error) => log.error({ err: error }, 'a PDF thread died'),
  });
  let hasToldEngine = false;
  return {
    render: async (input) => {
      const { pdf, replaced, engine: used } = await pool.run(input);
      if (!hasToldEngine) {
        hasToldEngine = true;
        log.info({ engine: used }, 'PDF engine is running');
      }
      if (replaced.length > 0) {
        const { invoiceNumber } = input.document;
        log.warn({ invoiceNumber, characters: replaced }, 'no font has these characters');
      }
      return pdf;
    },
    close: async () => pool.close(),
  };
}
