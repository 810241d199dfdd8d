import fs from 'node:fs';
import path from 'node:path';

import { coverageOf, readFonts } from '../../platform/pdf/fonts.ts';
import { documentPage, type PdfInput } from './document-page.ts';
import { declareAccessible } from './pdf-standards.ts';
import { textCleaner } from '../../platform/pdf/printable-text.ts';
import { openTypst } from '../../platform/pdf/typst.ts';

/** A printed document, and what had to be replaced in it. */
interface PrintedDocument {
  readonly pdf: Buffer;
  /** Characters that no font has, as 'U+13000'; each is printed as U+FFFD. */
  readonly replaced: readonly string[];
}

/** Prints documents one after the other, in the process that it lives in. */
export interface DocumentPrinter {
  /** @throws Error when Typst refuses the document */
  print(input: PdfInput): PrintedDocument;
}

/** Reads the fonts and the template: some 100 ms. */
export function openDocumentPrinter(): DocumentPrinter {
  const template = fs.readFileSync(path.join(import.meta.dirname, 'document.typ'), 'utf8');
  const fonts = readFonts();
  const typst = openTypst(template, fonts);
  const coverages = fonts.map(coverageOf);
  return {
    print: (input) => {
      const cleaner = textCleaner(coverages);
      const pdf = typst.compile(JSON.stringify(documentPage(input, cleaner)), input.logo);
      declareAccessible(pdf);
      return { pdf, replaced: [...cleaner.replaced] };
    },
  };
}
