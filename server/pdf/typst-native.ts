import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';

import type { EngineParts, TypstEngine } from './typst-engine.ts';

/** Typst as a native addon. Importing this file fails on platforms without a binary. */
export function openNativeTypst({ template, fonts }: EngineParts): TypstEngine {
  const compiler = NodeCompiler.create({
    workspace: import.meta.dirname,
    fontArgs: [{ fontBlobs: [...fonts] }],
  });
  return {
    name: 'native',
    compile: (data) => {
      try {
        return compiler.pdf(
          { mainFileContent: template, inputs: { data } },
          { pdfStandard: 'a-3a' },
        );
      } catch (error) {
        throw new Error(wordsOf(error), { cause: error });
      } finally {
        // Typst remembers every document it has set unless it is told to forget (1.6 MB each).
        compiler.evictCache(0);
      }
    },
  };
}

/** Faults of the template come in `code` with an empty message, those of the export in `message`. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || String((error as NodeJS.ErrnoException).code);
}
