import { existsSync } from 'node:fs';

import { pino } from 'pino';
import { chromium } from 'playwright-core';

import type { InvoiceDocument } from '../domain/document/invoice-document.ts';
import { CHROMIUM } from '../e2e/support/browser.ts';
import { renderEhf } from '../server/document/ehf.ts';
import { invoicePage } from '../server/document/pdf/invoice-page.ts';
import { createPdfRenderer } from '../server/document/pdf/renderer.ts';
import { markup, type Markup } from '../server/platform/mail/layout.ts';
import { readFonts } from '../server/platform/pdf/fonts.ts';
import type { Figure } from './figure.ts';
import type { Harness } from './harness.ts';
import { inTurns, measureCalls, type Pace } from './load.ts';
import { sampleDocument } from './sample-invoices.ts';

const ROUNDS = 3;
/** One document is printed and one waits, so that the thread is never idle. */
const CALLERS = 2;

/** The documents of an invoice: the PDF, compared with a browser that prints the same, and the EHF. */
export async function measureDocuments(harness: Harness): Promise<Figure[]> {
  const { seconds } = harness.options;
  const renderer = createPdfRenderer({ processes: 1, log: pino({ level: 'silent' }) });
  harness.defer(async () => renderer.close());
  const printer = await openBrowserPrinter(harness);
  // Every document has another number and another buyer.
  let number = 1000;
  const next = () => sampleDocument(++number);
  const pdf = async () => {
    const document = next();
    return renderer.render({ document, stamp: null, xml: renderEhf(document), logo: null });
  };
  const browser = async () => printer?.(next());
  await Promise.all([pdf(), browser()]);
  const paces = await inTurns<'pdf' | 'chromium' | 'ehf'>(ROUNDS, {
    pdf: async () => measureCalls(seconds, pdf, CALLERS),
    chromium: async () => (printer ? measureCalls(seconds, browser, 1) : NOTHING),
    ehf: async () => measureCalls(seconds, async () => renderEhf(next()), 1),
  });
  return [
    {
      name: 'PDF/A with its EHF inside, one process',
      value: paces.pdf.rate,
      unit: '/s',
      target: { is: 'at least', bound: 100 },
    },
    ...(printer
      ? [
          {
            name: 'the same, beside a browser',
            value: paces.pdf.rate,
            unit: '/s',
            peer: { name: 'warm Chromium', value: paces.chromium.rate },
            target: { is: 'at least', bound: 8 } as const,
          },
        ]
      : []),
    {
      name: 'EHF',
      value: paces.ehf.rate,
      unit: '/s',
      peer: { name: 'PDF', value: paces.pdf.rate },
    },
  ];
}

const NOTHING: Pace = { rate: Number.NaN, p50: Number.NaN, p95: Number.NaN, p99: Number.NaN };

const WEIGHTS = [400, 500, 700];

/**
 * A browser that prints invoices as a comparison: the same texts in the same font at nearly the same positions as the
 * product, tagged, with bookmarks and 'Side 1 av 1', but without PDF/A and without the EHF. It stays warm, with one
 * page open that loads one document after the other. Null without Chromium.
 */
async function openBrowserPrinter(
  harness: Harness,
): Promise<((document: InvoiceDocument) => Promise<Uint8Array>) | null> {
  if (!existsSync(CHROMIUM)) {
    harness.say(`there is no Chromium at ${CHROMIUM} to print beside`);
    return null;
  }
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  harness.defer(async () => browser.close());
  const page = await browser.newPage();
  const head = HEAD + fontFaces();
  return async (document) => {
    await page.setContent(head + toHtml(document).source);
    await page.evaluate(async () => globalThis.document.fonts.ready);
    return page.pdf({
      format: 'A4',
      margin: { top: '22mm', bottom: '24mm', left: '20mm', right: '20mm' },
      tagged: true,
      outline: true,
      displayHeaderFooter: true,
      headerTemplate: '<span></span>',
      footerTemplate: FOOTER,
    });
  };
}

const HEAD = `<!doctype html><html lang="nb"><meta charset="utf-8"><title>Faktura</title><style>
  body { margin: 0; font: 9.5pt/1.4 'Space Grotesk'; font-variant-numeric: tabular-nums; color: #14211d }
  h1 { font-size: 29pt; font-weight: 500; margin: 0 }
  h2, th, dt, small { font-size: 8pt; font-weight: 400; color: #56645f; margin: 0 }
  strong { font-size: 11pt; font-weight: 700 }
  header, main, aside { display: grid; grid-template-columns: 1fr 68mm; gap: 10mm; margin-bottom: 13mm }
  dl { display: grid; grid-template-columns: 31mm 1fr; margin: 0 }
  dd { margin: 0; font-weight: 500 }
  table { width: 100%; border-collapse: collapse }
  th, td { padding: 5.8pt 0 5.8pt 5.5mm; text-align: right; border-bottom: 0.6pt solid #d5dcd8 }
  th:first-child, td:first-child { padding-left: 0; text-align: left }
  footer { background: #eef3f0; border-left: 3pt solid #1d4d40; border-radius: 4pt; padding: 6mm 7mm }
  footer dl { display: flex; gap: 9mm }
</style>`;

const FOOTER = `<div style="font-size: 8pt; margin: 0 20mm; width: 100%; text-align: right">
  Side <span class="pageNumber"></span> av <span class="totalPages"></span></div>`;

function fontFaces(): string {
  const fonts = readFonts();
  const faces = WEIGHTS.map((weight, index) => {
    const file = fonts[index]?.toString('base64') ?? '';
    return `@font-face { font-family: 'Space Grotesk'; font-weight: ${weight};
      src: url(data:font/ttf;base64,${file}) }`;
  });
  return `<style>${faces.join('')}</style>`;
}

const NO_CLEANING = { clean: (text: string) => text, replaced: new Set<string>() };

function toHtml(document: InvoiceDocument): Markup {
  const page = invoicePage({ document, stamp: null, xml: null, logo: null }, NO_CLEANING);
  return markup`<header><h1>${page.heading}</h1>
      <div><strong>${page.seller.name}</strong>${lines(page.seller.lines)}</div></header>
    <main><div><h2>${page.buyer.label}</h2><strong>${page.buyer.name}</strong>${lines(page.buyer.lines)}</div>
      ${pairs(page.facts)}</main>
    ${table(page.columns, page.lines)}
    <aside><div>${table(page['vat-columns'], page['vat-rows'])}<small>${page.notes.join(' ')}</small></div>
      ${pairs([...page.sums, page.total])}</aside>
    <footer><h2>${page.payment.heading}</h2>${pairs([...page.payment.items, page.payment.amount])}</footer>
    <small>${page.footer.join('  ·  ')}</small>`;
}

function lines(texts: readonly string[]): Markup[] {
  return texts.map((text) => markup`<div>${text}</div>`);
}

function pairs(rows: readonly (readonly string[])[]): Markup {
  return markup`<dl>${rows.map(([name = '', value = '']) => markup`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): Markup {
  const row = (cells: readonly string[]) =>
    markup`<tr>${cells.map((cell) => markup`<td>${cell}</td>`)}</tr>`;
  return markup`<table><thead><tr>${heads.map((head) => markup`<th>${head}</th>`)}</tr></thead>
    <tbody>${rows.map(row)}</tbody></table>`;
}
