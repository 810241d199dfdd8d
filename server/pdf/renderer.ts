import type { Logger } from '../context.ts';
import type { ErrorReports } from '../error-reports.ts';
import type { PdfInput } from './invoice-page.ts';
import type { PdfWorkerData, PdfWorkerOutput } from './pdf.worker.ts';
import type { EngineName } from './typst-engine.ts';
import { TaskFailed, WorkerPool, type Caller } from './worker-pool.ts';

export type { Stamp } from './stamp.ts';

/** A document could not be printed with all its characters, in two threads one after the other. */
export class PdfNotPrintable extends Error {
  override readonly name = 'PdfNotPrintable';
}

export interface PdfRenderer {
  /**
   * The document as PDF/A-3a and PDF/UA-1, to be mailed: it waits behind no preview. The same input
   * gives the same bytes, in any thread.
   *
   * @throws PdfNotPrintable when Typst refuses it, which is a fault of ours
   */
  render(input: PdfInput): Promise<Uint8Array>;
  /**
   * The same for somebody who waits for it: companies take turns, and what nobody waits for any more
   * is not printed. @throws PdfNotPrintable, TooManyTasks, the signal's reason
   */
  preview(input: PdfInput, caller: Caller): Promise<Uint8Array>;
  /** Refuses new documents, finishes those accepted and ends the threads. */
  close(): Promise<void>;
}

interface Options {
  /** For mailing; there are as many again for previews. They start when there is work for them. */
  readonly threads: number;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Told of a preview that could not be printed; of others the caller tells. */
  readonly reports?: Pick<ErrorReports, 'report'>;
  /** Which build of Typst; unless given the native one, or WebAssembly where there is none. */
  readonly engine?: EngineName;
  /** What the threads run. */
  readonly worker?: URL;
}

type Pool = WorkerPool<PdfInput, PdfWorkerOutput>;

/** A thousand lines take some seconds on a slow machine. */
const TIMEOUT = 60_000;
/** What one company may have printed and waiting to be looked at. */
const PREVIEWS_OF_COMPANY = 10;
const WORKER = new URL('pdf.worker.ts', import.meta.url);

/** Renders invoices in threads of their own, which start with the first document. */
export function createPdfRenderer({
  threads,
  log,
  reports,
  engine,
  worker = WORKER,
}: Options): PdfRenderer {
  const shared = {
    file: worker,
    workerData: { engine: engine ?? null } satisfies PdfWorkerData,
    threads,
    timeout: TIMEOUT,
    onCrash: (error: Error) => log.error({ err: error }, 'a PDF thread died'),
  };
  const mailing: Pool = new WorkerPool(shared);
  const previews: Pool = new WorkerPool({ ...shared, mostOfOwner: PREVIEWS_OF_COMPANY });
  const tell = createTeller(log);
  return {
    render: async (input) => tell(input, await print(mailing, log, input)),
    preview: async (input, caller) => {
      try {
        return tell(input, await print(previews, log, input, caller));
      } catch (error) {
        if (error instanceof PdfNotPrintable) reports?.report(error, { job: 'preview' });
        throw error;
      }
    },
    close: async () => void (await Promise.all([mailing.close(), previews.close()])),
  };
}

/** Prints, and again in another thread when it fails: what failed may have passed. */
async function print(
  pool: Pool,
  log: Options['log'],
  input: PdfInput,
  caller?: Caller,
): Promise<PdfWorkerOutput> {
  const { invoiceNumber } = input.document;
  try {
    return await pool.run(input, caller);
  } catch (error) {
    if (!(error instanceof TaskFailed)) throw error;
    log.warn({ err: error, invoiceNumber }, 'a PDF could not be printed; trying once more');
  }
  try {
    return await pool.run(input, caller);
  } catch (error) {
    if (!(error instanceof TaskFailed)) throw error;
    log.error({ err: error, invoiceNumber }, 'a PDF cannot be printed');
    throw new PdfNotPrintable('The PDF cannot be printed', { cause: error });
  }
}

/** Tells which engine runs, once, and what no font has. */
function createTeller(log: Options['log']) {
  let hasToldEngine = false;
  return ({ document }: PdfInput, { pdf, replaced, engine }: PdfWorkerOutput): Uint8Array => {
    if (!hasToldEngine) log.info({ engine }, 'PDF engine is running');
    hasToldEngine = true;
    if (replaced.length > 0) {
      const { invoiceNumber } = document;
      log.warn({ invoiceNumber, characters: replaced }, 'no font has these characters');
    }
    return pdf;
  };
}
