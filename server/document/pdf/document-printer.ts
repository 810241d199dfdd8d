import fs from 'node:fs';
import path from 'node:path';

import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';

import { coverageOf, readFonts } from '../../platform/pdf/fonts.ts';
import { textCleaner, type TextCleaner } from '../../platform/pdf/printable-text.ts';
import { type InvoiceInput, invoicePage } from './invoice-page.ts';
import { type QuoteInput, quotePage } from './quote-page.ts';
import { type ReminderInput, reminderPage } from './reminder-page.ts';
import { type StatementInput, statementPage } from './statement-page.ts';

/** A document to print. */
export type PdfInput = InvoiceInput | QuoteInput | ReminderInput | StatementInput;

/** A printed document, and the characters replaced in it. */
export interface PrintedDocument {
  readonly pdf: Buffer;
  /** Characters that no font has, as 'U+13000'; each is printed as U+FFFD. */
  readonly replaced: readonly string[];
}

/** A printer in this process. Reads the fonts and the template, which takes 100 ms. */
export function openDocumentPrinter() {
  const template = fs.readFileSync(path.join(import.meta.dirname, 'document.typ'), 'utf8');
  const fonts = readFonts();
  const compile = openTypst(template, fonts);
  const coverages = fonts.map(coverageOf);
  return {
    /** @throws Error when Typst refuses the document */
    print: (input: PdfInput): PrintedDocument => {
      const cleaner = textCleaner(coverages);
      const pdf = compile(JSON.stringify(documentPage(input, cleaner)), input.logo);
      declareAccessible(pdf);
      return { pdf, replaced: [...cleaner.replaced] };
    },
  };
}

/** Everything that `document.typ` prints of a document, as clean Norwegian text. */
export function documentPage(input: PdfInput, cleaner: TextCleaner) {
  if (isStatement(input)) return statementPage(input, cleaner);
  if (isQuote(input)) return quotePage(input, cleaner);
  return isReminder(input) ? reminderPage(input, cleaner) : invoicePage(input, cleaner);
}

function isStatement(input: PdfInput): input is StatementInput {
  return input.document.kind === 'STATEMENT';
}

function isQuote(input: PdfInput): input is QuoteInput {
  const { kind } = input.document;
  return kind === 'QUOTE' || kind === 'ORDER_CONFIRMATION';
}

function isReminder(input: Exclude<PdfInput, StatementInput | QuoteInput>): input is ReminderInput {
  const { kind } = input.document;
  return kind !== 'INVOICE' && kind !== 'CREDIT_NOTE';
}

/** Replaces an entry that only repeats the default by one that PDF/UA-1 requires (ISO 14289-1 § 7.1). */
const PREFERENCES = {
  typst: '/ViewerPreferences <<\n    /Direction /L2R\n  >>',
  ours: '/ViewerPreferences <</DisplayDocTitle true>>',
};

/** The end of the XMP's schema descriptions, and the start of one that PDF/A-3 does not need. */
const SCHEMAS_END = '</rdf:Bag></pdfaExtension:schemas>';
const KNOWN_SCHEMA = '<rdf:li rdf:parseType="Resource"><pdfaSchema:schema>Adobe PDF schema<';

/** Declares the document as PDF/UA-1, and describes the property for that (ISO 19005-3 § 6.6.2.3). */
const UA_IDENTIFICATION =
  '<rdf:li rdf:parseType="Resource">' +
  '<pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema>' +
  '<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>' +
  '<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>' +
  '<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">' +
  '<pdfaProperty:category>internal</pdfaProperty:category>' +
  '<pdfaProperty:description>Part of ISO 14289 that the document conforms to</pdfaProperty:description>' +
  '<pdfaProperty:name>part</pdfaProperty:name>' +
  '<pdfaProperty:valueType>Integer</pdfaProperty:valueType>' +
  `</rdf:li></rdf:Seq></pdfaSchema:property></rdf:li>${SCHEMAS_END}` +
  '<pdfuaid:part xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">1</pdfuaid:part>';

/**
 * Declares a PDF/A-3a of Typst as PDF/UA-1 too, since Typst declares only one standard. It overwrites unneeded text of
 * the same length, so that the cross-reference table stays valid.
 *
 * @param pdf is changed
 * @throws Error when Typst's output differs from that of this version
 */
function declareAccessible(pdf: Buffer): void {
  overwrite(pdf, PREFERENCES.typst, PREFERENCES.typst.length, PREFERENCES.ours);
  const start = pdf.lastIndexOf(KNOWN_SCHEMA);
  const end = pdf.indexOf(SCHEMAS_END, Math.max(start, 0)) + SCHEMAS_END.length;
  overwrite(pdf, KNOWN_SCHEMA, end - start, UA_IDENTIFICATION);
}

/** Overwrites text with shorter text, padded with spaces. */
function overwrite(pdf: Buffer, beginning: string, length: number, by: string): void {
  // Both are near the end, after the document's text.
  const at = pdf.lastIndexOf(beginning);
  if (at < 0 || by.length > length) {
    throw new Error(`Typst did not write ${beginning} as expected`);
  }
  pdf.write(by.padEnd(length), at, 'latin1');
}

/** The paths of the template's input, which exist only in memory. */
const DATA = path.join(import.meta.dirname, 'data.json');
const LOGO = path.join(import.meta.dirname, 'logo.png');
/**
 * For how many documents Typst remembers unused results: documents share labels and the head of the table, which saves a
 * fifth of the time.
 */
const REMEMBERED = 2;

/**
 * Opens Typst, a native addon, with the template and the fonts. The returned function writes one document as PDF/A-3a. It
 * takes the JSON that the template reads, and the PNG that it draws, and throws an Error with Typst's own words.
 */
function openTypst(template: string, fonts: readonly Buffer[]) {
  const compiler = NodeCompiler.create({
    workspace: import.meta.dirname,
    fontArgs: [{ fontBlobs: [...fonts] }],
  });
  return (data: string, logo: Uint8Array | null): Buffer => {
    try {
      // A file and not an input: with other inputs, Typst computes everything anew.
      compiler.mapShadow(DATA, Buffer.from(data));
      if (logo) compiler.mapShadow(LOGO, Buffer.from(logo));
      return compiler.pdf({ mainFileContent: template }, { pdfStandard: 'a-3a' });
    } catch (error) {
      throw new Error(wordsOf(error), { cause: error });
    } finally {
      // Otherwise Typst remembers every document (1.6 MB each).
      compiler.evictCache(REMEMBERED);
    }
  };
}

/** The text of an error: in `code` for faults of the template, in `message` for those of the export. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || String((error as NodeJS.ErrnoException).code);
}
