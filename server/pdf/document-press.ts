import fs from 'node:fs';
import path from 'node:path';

import { coverageOf } from './font-coverage.ts';
import { readFonts } from './fonts.ts';
import { invoicePage, type PdfInput } from './invoice-page.ts';
import { declareStandards } from './pdf-standards.ts';
import { textCleaner } from './printable-text.ts';
import type { EngineName, TypstEngine } from './typst-engine.ts';

/** A rendered document, and what had to be replaced in it. */
export interface Printed {
  readonly pdf: Buffer;
  /** Characters that no font has, as 'U+13000'; each is printed as U+FFFD. */
  readonly replaced: readonly string[];
}

/** Prints documents one after the other, in the thread that it lives in. */
export interface Press {
  readonly engine: EngineName;
  /** @throws Error when the document cannot be set */
  print(input: PdfInput): Printed;
}

/**
 * Gets a press ready: some 100 ms. Without a wish for an engine it is the native one and, where that
 * does not load, the WebAssembly one.
 */
export async function openPress(wanted: EngineName | null): Promise<Press> {
  const template = fs.readFileSync(path.join(import.meta.dirname, 'invoice.typ'), 'utf8');
  const fonts = readFonts();
  const engine = await openEngine(wanted, { template, fonts });
  const coverages = fonts.map(coverageOf);
  const print = (input: PdfInput): Printed => {
    const cleaner = textCleaner(coverages);
    const page = invoicePage(input, cleaner);
    const pdf = declareStandards(engine.compile(JSON.stringify(page)), {
      title: page.title,
      author: page.author,
      date: input.document.issueDate,
    });
    return { pdf, replaced: [...cleaner.replaced] };
  };
  return { engine: engine.name, print };
}

async function openEngine(
  wanted: EngineName | null,
  parts: { template: string; fonts: readonly Buffer[] },
): Promise<TypstEngine> {
  if (wanted !== 'wasm') {
    try {
      const { openNativeTypst } = await import('./typst-native.ts');
      return openNativeTypst(parts);
    } catch (error) {
      if (wanted === 'native') throw error;
    }
  }
  const { openWasmTypst } = await import('./typst-wasm.ts');
  return openWasmTypst(parts);
}
