import type { Context } from '../context.ts';
import type { Basis, ExportFormat, ExportScope } from './books.ts';

/** One file to print. */
export interface PrintOrder {
  readonly scope: ExportScope;
  /** The author and the time of the export (ISO 8601 with time). */
  readonly madeBy: string;
  readonly madeAt: string;
  /** The last document that has its PDF; archives only. */
  readonly printedTo?: number;
  /** The seller and the settings of that time; without them those of now are read. */
  readonly basis?: Basis | null;
  /** Told of documents that were read, for the progress. */
  readonly count: (documents: number) => void;
}

/** The parts of the product that printers use. */
export type PrintContext = Pick<Context, 'config' | 'db' | 'objectStore' | 'pdf'>;

/** Makes the file of one kind of export. */
export interface ExportPrinter extends Omit<ExportFormat, 'print'> {
  /** How often the documents are read, for the progress; once when absent. */
  readonly passes?: number;
  /** The file, in parts; the same bytes for the same order. It breaks off with its error, so that no half looks whole. */
  print(context: PrintContext, order: PrintOrder): AsyncIterable<Uint8Array>;
}
