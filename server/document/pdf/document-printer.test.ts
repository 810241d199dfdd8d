import { ore } from '../../../domain/money.ts';
import path from 'node:path';

import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { anyDocument, anyQuote } from '../../testing/any-documents.ts';
import { sampleCreditNote, sampleInvoice } from '../../testing/invoice-documents.ts';
import { sampleConfirmation, sampleQuote } from '../../testing/quote-documents.ts';
import { DISC } from '../../testing/logos.ts';
import { sampleNotice, sampleReminder } from '../../testing/reminder-documents.ts';
import { openDocumentPrinter, documentPage, type PdfInput } from './document-printer.ts';
import { coverageOf, readFonts } from '../../platform/pdf/fonts.ts';
import { textCleaner } from '../../platform/pdf/printable-text.ts';

describe('a printer of documents', () => {
  // DOC-12
  it('prints any document, whatever its texts are', async () => {
    const printer = openDocumentPrinter();
    await fc.assert(
      fc.asyncProperty(anyDocument, async (document) => {
        const { pdf } = printer.print({ document, stamp: null, xml: null, logo: null });
        expect(pdf.subarray(0, 8).toString()).toBe('%PDF-1.7');
        await turn();
      }),
      { numRuns: 60 },
    );
  });

  // DOC-12, QUO-11
  it('prints any quote and order confirmation, whatever their texts are', async () => {
    const printer = openDocumentPrinter();
    await fc.assert(
      fc.asyncProperty(anyQuote, async (document) => {
        const { pdf } = printer.print({ document, stamp: null, logo: null });
        expect(pdf.subarray(0, 8).toString()).toBe('%PDF-1.7');
        await turn();
      }),
      { numRuns: 40 },
    );
  });

  it('keeps no memory of what it printed', { timeout: 120_000 }, async () => {
    const printer = openDocumentPrinter();
    const printSome = async (count: number) => {
      for (let number = 1; number <= count; number++) {
        const document = sampleInvoice({ invoiceNumber: number });
        printer.print({ document, stamp: null, xml: '<Invoice/>'.repeat(500), logo: DISC });
        await turn();
      }
      return process.memoryUsage().rss / 1e6;
    };
    const before = await printSome(100);
    const after = await printSome(120);
    // Without eviction these 120 would keep some 190 MB.
    expect(after - before).toBeLessThan(60);
  });
});

describe('the template', () => {
  const fonts = readFonts();
  const compiler = NodeCompiler.create({
    workspace: import.meta.dirname,
    fontArgs: [{ fontBlobs: fonts }],
  });
  const inputs: PdfInput[] = [
    {
      document: sampleInvoice(),
      stamp: { kind: 'PAID', paidDate: '2026-12-01', amount: ore(2_663_016) },
      xml: '<Invoice/>',
      logo: null,
    },
    {
      document: sampleInvoice({ invoiceNumber: null, kid: null }),
      stamp: { kind: 'DRAFT' },
      xml: null,
      logo: null,
    },
    { document: sampleCreditNote(), stamp: null, xml: null, logo: DISC },
    { document: sampleReminder(), stamp: null, logo: null },
    { document: sampleNotice(), stamp: { kind: 'DRAFT' }, logo: null },
    { document: sampleQuote(), stamp: null, logo: DISC },
    { document: sampleQuote({ quoteNumber: null }), stamp: { kind: 'DRAFT' }, logo: null },
    { document: sampleConfirmation(), stamp: null, logo: null },
  ];

  // In the product Typst checks A-3a alone.
  // DOC-10, QUO-11, QUO-41
  it.each(['a-3a', 'ua-1'])('satisfies Typst’s own checks of %s', (pdfStandard) => {
    for (const input of inputs) {
      const page = documentPage(input, textCleaner(fonts.map(coverageOf)));
      const data = JSON.stringify(page);
      const source = { mainFilePath: path.join(import.meta.dirname, 'document.typ') };
      compiler.mapShadow(path.join(import.meta.dirname, 'data.json'), Buffer.from(data));
      if (input.logo) compiler.mapShadow(path.join(import.meta.dirname, 'logo.png'), DISC);
      const compiled = compiler.compile(source);
      expect(compiled.hasError()).toBe(false);
      expect(compiled.takeWarnings()?.shortDiagnostics ?? []).toEqual([]);
      expect(compiler.pdf(source, { pdfStandard }).length).toBeGreaterThan(10_000);
    }
  });
});

/** Typst frees its memory when the event loop turns. */
async function turn(): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
}
