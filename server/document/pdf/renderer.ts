import { availableParallelism } from 'node:os';

import type { Logger } from '../../platform/log/log.ts';
import { hexOf, sha256 } from '../../platform/crypto.ts';
import type { ErrorReports } from '../../platform/log/error-reports.ts';
import { ProcessPool, type Caller } from '../../platform/tasks/process-pool.ts';
import { TaskFailed } from '../../platform/tasks/task-runner.ts';
import type { PdfInput, PrintedDocument } from './document-printer.ts';

declare module '../../context.ts' {
  interface Context {
    readonly pdf: PdfRenderer;
  }
}

/** Printing the document failed in two processes. */
export class PdfNotPrintable extends Error {
  override readonly name = 'PdfNotPrintable';
}

export interface PdfRenderer {
  /**
   * Prints a document as PDF/A-3a and PDF/UA-1 for sending; it waits for no preview. Equal inputs give equal bytes, in
   * any process.
   *
   * @throws PdfNotPrintable when Typst refuses it, which is our fault
   */
  render(input: PdfInput): Promise<Uint8Array>;
  /**
   * The same for a waiting caller. Companies take turns, callers of the same document share one printing, and a document
   * without waiting callers is not printed. @throws PdfNotPrintable, TooManyTasks, the signal's reason
   */
  preview(input: PdfInput, caller: Caller): Promise<Uint8Array>;
  /** Refuses new documents, finishes those accepted and ends the processes. */
  close(): Promise<void>;
}

interface Options {
  /** Processes for sending; as many again for previews. They start when there is work. */
  readonly processes?: number;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  /** Receives previews that could not be printed; callers report other documents. */
  readonly reports?: Pick<ErrorReports, 'report'>;
  /** Measures each printing, with its wait for a process. */
  readonly durations?: { startTimer(): () => unknown };
  /** The program of the printing processes. */
  readonly program?: URL;
}

type Pool = ProcessPool<PdfInput, PrintedDocument>;

/**
 * One prints more documents than a process can mail (decision 8), and two fit the memory of a small machine. One core
 * is left to requests.
 */
export const PDF_PROCESSES = availableParallelism() > 2 ? 2 : 1;
/** A thousand lines take some seconds on a slow machine. */
const TIMEOUT = 60_000;
/** The most previews of one company that are printed or wait. */
const PREVIEWS_OF_COMPANY = 10;
const PROGRAM = new URL('pdf.process.ts', import.meta.url);

/** Prints documents in separate processes, which start with the first document. */
export function createPdfRenderer({
  processes = PDF_PROCESSES,
  log,
  reports,
  durations,
  program = PROGRAM,
}: Options): PdfRenderer {
  const shared = {
    file: program,
    processes,
    timeout: TIMEOUT,
    onCrash: (error: Error) => log.error({ err: error }, 'a PDF process died'),
  };
  const mailing: Pool = new ProcessPool(shared);
  const previews: Pool = new ProcessPool({ ...shared, mostOfOwner: PREVIEWS_OF_COMPANY });
  const timed = async (printing: Promise<Uint8Array>) => {
    const stop = durations?.startTimer();
    try {
      return await printing;
    } finally {
      stop?.();
    }
  };
  return {
    render: async (input) => timed(print(mailing, log, input)),
    preview: async (input, caller) => {
      try {
        return await timed(print(previews, log, input, { ...caller, key: keyOf(input) }));
      } catch (error) {
        if (error instanceof PdfNotPrintable) reports?.report(error, { job: 'preview' });
        throw error;
      }
    },
    close: async () => void (await Promise.all([mailing.close(), previews.close()])),
  };
}

/** A key of the input, for sharing one printing. */
function keyOf({ logo, ...rest }: PdfInput): string {
  return hexOf(sha256(JSON.stringify({ ...rest, logo: logo && hexOf(sha256(logo)) })));
}

/** The invoice or the quote, for the log. */
function nameOf({ document }: PdfInput) {
  return 'invoiceNumber' in document
    ? { invoiceNumber: document.invoiceNumber }
    : { quoteNumber: document.quoteNumber };
}

/** Prints, and retries once in a new process. */
async function print(
  pool: Pool,
  log: Options['log'],
  input: PdfInput,
  caller?: Caller,
): Promise<Uint8Array> {
  const name = nameOf(input);
  try {
    return withLog(log, input, await pool.run(input, caller));
  } catch (error) {
    if (!(error instanceof TaskFailed)) throw error;
    log.warn({ err: error, ...name }, 'a PDF could not be printed; trying once more');
  }
  try {
    return withLog(log, input, await pool.run(input, caller));
  } catch (error) {
    if (!(error instanceof TaskFailed)) throw error;
    log.error({ err: error, ...name }, 'a PDF cannot be printed');
    throw new PdfNotPrintable('The PDF cannot be printed', { cause: error });
  }
}

/** Logs the characters that no font has, and returns the document. */
function withLog(
  log: Options['log'],
  input: PdfInput,
  { pdf, replaced }: PrintedDocument,
): Uint8Array {
  const name = nameOf(input);
  if (replaced.length > 0) {
    log.warn({ ...name, characters: replaced }, 'no font has these characters');
  }
  return pdf;
}
