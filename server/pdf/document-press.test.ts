import { execFileSync } from 'node:child_process';
import path from 'node:path';

import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { anyDocument, sampleCreditNote, sampleInvoice } from '../testing/invoice-documents.ts';
import { openPress } from './document-press.ts';
import { coverageOf } from './font-coverage.ts';
import { readFonts } from './fonts.ts';
import { invoicePage, type PdfInput } from './invoice-page.ts';
import { textCleaner } from './printable-text.ts';

describe('a press', () => {
  it('prints any document, whatever its texts are', async () => {
    const press = await openPress('native');
    await fc.assert(
      fc.asyncProperty(anyDocument, async (document) => {
        const { pdf } = press.print({ document, stamp: null, xml: null });
        expect(pdf.subarray(0, 8).toString()).toBe('%PDF-1.7');
        await turn();
      }),
      { numRuns: 60 },
    );
  });

  it('keeps no memory of what it printed', { timeout: 120_000 }, async () => {
    const press = await openPress('native');
    const printSome = async (count: number) => {
      for (let number = 1; number <= count; number++) {
        const document = sampleInvoice({ invoiceNumber: number });
        press.print({ document, stamp: null, xml: '<Invoice/>'.repeat(500) });
        await turn();
      }
      return process.memoryUsage().rss / 1e6;
    };
    const before = await printSome(150);
    const after = await printSome(300);
    // Without eviction these 300 would keep some 480 MB.
    expect(after - before).toBeLessThan(60);
  });

  it('uses WebAssembly where the native addon does not load', () => {
    const hook = `
      import { registerHooks } from 'node:module';
      registerHooks({
        resolve(specifier, context, next) {
          if (specifier.includes('typst-ts-node-compiler')) throw new Error('no binary');
          return next(specifier, context);
        },
      });
      const { openPress } = await import('./document-press.ts');
      console.log((await openPress(null)).engine);
      await openPress('native').catch((error) => console.log(error.message));`;
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', hook], {
      cwd: path.resolve(import.meta.dirname),
      encoding: 'utf8',
    });
    expect(output.trim().split('\n')).toEqual(['wasm', 'no binary']);
  });

  it('uses the native addon where there is one', async () => {
    expect((await openPress(null)).engine).toBe('native');
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
      stamp: { kind: 'PAID', paidDate: '2026-12-01' },
      xml: '<Invoice/>',
    },
    {
      document: sampleInvoice({ invoiceNumber: null, kid: null }),
      stamp: { kind: 'DRAFT' },
      xml: null,
    },
    { document: sampleCreditNote(), stamp: null, xml: null },
  ];

  // The product has Typst check A-3a and declares UA-1 itself; here Typst checks UA-1 as well.
  it.each(['a-3a', 'ua-1'])('satisfies Typst’s own checks of %s', (pdfStandard) => {
    for (const input of inputs) {
      const page = invoicePage(input, textCleaner(fonts.map(coverageOf)));
      const data = JSON.stringify(page);
      const source = { mainFilePath: path.join(import.meta.dirname, 'invoice.typ') };
      compiler.mapShadow(path.join(import.meta.dirname, 'data.json'), Buffer.from(data));
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
