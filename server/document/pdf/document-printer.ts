import fs from 'node:fs';
import path from 'node:path';

import { invoicePage, type InvoiceInput } from './invoice-page.ts';
import { reminderPage, type ReminderInput } from './reminder-page.ts';
import { coverageOf, readFonts } from '../../platform/pdf/fonts.ts';
import { textCleaner, type TextCleaner } from '../../platform/pdf/printable-text.ts';
import { openTypst } from '../../platform/pdf/typst.ts';

/** One document to be rendered. */
export type PdfInput = InvoiceInput | ReminderInput;

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

/** Everything that `document.typ` prints of a document, as clean Norwegian text. */
export function documentPage(input: PdfInput, cleaner: TextCleaner) {
  return isReminder(input) ? reminderPage(input, cleaner) : invoicePage(input, cleaner);
}

function isReminder(input: PdfInput): input is ReminderInput {
  const { kind } = input.document;
  return kind !== 'INVOICE' && kind !== 'CREDIT_NOTE';
}

/** The direction that is the default anyway, by what PDF/UA-1 asks for (ISO 14289-1 § 7.1). */
const PREFERENCES = {
  typst: '/ViewerPreferences <<\n    /Direction /L2R\n  >>',
  ours: '/ViewerPreferences <</DisplayDocTitle true>>',
};

/** The end of the XMP's descriptions of properties: those of a schema that PDF/A-3 knows by itself. */
const SCHEMAS_END = '</rdf:Bag></pdfaExtension:schemas>';
const KNOWN_SCHEMA = '<rdf:li rdf:parseType="Resource"><pdfaSchema:schema>Adobe PDF schema<';

/** Says that the document is PDF/UA-1, and describes the property that says so (ISO 19005-3 § 6.6.2.3). */
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
 * Declares a PDF/A-3a of Typst as PDF/UA-1 too, which it is: Typst checks and declares one standard at a
 * time. What Typst wrote and nobody needs is overwritten, so that everything stays where the
 * cross-reference table says.
 *
 * @param pdf is changed
 * @throws Error when Typst wrote it otherwise than this version does
 */
function declareAccessible(pdf: Buffer): void {
  overwrite(pdf, PREFERENCES.typst, PREFERENCES.typst.length, PREFERENCES.ours);
  const start = pdf.lastIndexOf(KNOWN_SCHEMA);
  const end = pdf.indexOf(SCHEMAS_END, Math.max(start, 0)) + SCHEMAS_END.length;
  overwrite(pdf, KNOWN_SCHEMA, end - start, UA_IDENTIFICATION);
}

/** Puts spaces after what is shorter than what it stands for. */
function overwrite(pdf: Buffer, beginning: string, length: number, by: string): void {
  // Both are near the end, after all that the document says.
  const at = pdf.lastIndexOf(beginning);
  if (at < 0 || by.length > length) {
    throw new Error(`Typst did not write ${beginning} as expected`);
  }
  pdf.write(by.padEnd(length), at, 'latin1');
}
