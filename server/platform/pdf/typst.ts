import path from 'node:path';

import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';

/** A compiler that is ready, with the template and the fonts. */
export interface Typst {
  /**
   * Sets one document and writes it as PDF/A-3a.
   *
   * @param data the JSON that the template reads
   * @param logo the PNG that it draws when the data say so
   * @throws Error with Typst's own words when it cannot be set
   */
  compile(data: string, logo: Uint8Array | null): Buffer;
}

/** Where the template looks for what it is given; no such files are on the disk. */
const DATA = path.join(import.meta.dirname, 'data.json');
const LOGO = path.join(import.meta.dirname, 'logo.png');
/**
 * How many documents what Typst has worked out is remembered without being used: what two share, as
 * labels and the head of the table, is then set once, and a fifth of the time is saved.
 */
const REMEMBERED = 2;

/** Opens Typst, a native addon. */
export function openTypst(template: string, fonts: readonly Buffer[]): Typst {
  const compiler = NodeCompiler.create({
    workspace: import.meta.dirname,
    fontArgs: [{ fontBlobs: [...fonts] }],
  });
  return {
    compile: (data, logo) => {
      try {
        // A file and not an input: with other inputs, Typst works everything out anew.
        compiler.mapShadow(DATA, Buffer.from(data));
        if (logo) compiler.mapShadow(LOGO, Buffer.from(logo));
        return compiler.pdf({ mainFileContent: template }, { pdfStandard: 'a-3a' });
      } catch (error) {
        throw new Error(wordsOf(error), { cause: error });
      } finally {
        // Typst remembers every document it has set unless it is told to forget (1.6 MB each).
        compiler.evictCache(REMEMBERED);
      }
    },
  };
}

/** Faults of the template come in `code` with an empty message, those of the export in `message`. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || String((error as NodeJS.ErrnoException).code);
}
