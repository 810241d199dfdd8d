import { existsSync } from 'node:fs';

import { chromium } from 'playwright-core';
import { pino } from 'pino';

import { invoiceTotals } from '../domain/invoice/invoice.totals.ts';
import type { InvoiceDocument } from '../domain/invoice/invoice-document.ts';
import { formatOre } from '../domain/money.ts';
import { renderEhf } from '../server/ehf/ehf.ts';
import { createPdfRenderer } from '../server/pdf/renderer.ts';
import type { Figure } from './figure.ts';
import { inTurns, measureCalls, type Pace } from './load.ts';
import { sampleDocument } from './sample-invoices.ts';
import type { Workshop } from './workshop.ts';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const ROUNDS = 3;

/** What is made of an invoice: the PDF, beside a browser that prints the same, and the EHF. */
export async function measureDocuments(workshop: Workshop): Promise<Figure[]> {
  const { seconds } = workshop.options;
  const document = sampleDocument(1001);
  const renderer = createPdfRenderer({ threads: 1, log: pino({ level: 'silent' }) });
  workshop.defer(async () => renderer.close());
  const xml = renderEhf(document);
  const pdf = async () => renderer.render({ document, stamp: null, xml });
  const print = await openPrinter(workshop, document);
  await pdf();
  const paces = await inTurns<'pdf' | 'chromium' | 'ehf'>(ROUNDS, {
    pdf: async () => measureCalls(seconds, pdf, 1),
    chromium: async () => (print ? measureCalls(seconds, print, 1) : NOTHING),
    ehf: async () => measureCalls(seconds, async () => renderEhf(document), 1),
  });
  return [
    {
      name: 'PDF/A with the EHF inside, one thread',
      value: paces.pdf.rate,
      unit: '/s',
      ...(print && { peer: { name: 'warm Chromium', value: paces.chromium.rate } }),
    },
    {
      name: 'EHF',
      value: paces.ehf.rate,
      unit: '/s',
      peer: { name: 'PDF', value: paces.pdf.rate },
    },
  ];
}

const NOTHING: Pace = { rate: Number.NaN, p50: Number.NaN, p95: Number.NaN, p99: Number.NaN };

/** A browser with the invoice's page open, which prints it over and over; null without Chromium. */
async function openPrinter(workshop: Workshop, document: InvoiceDocument) {
  if (!existsSync(CHROMIUM)) {
    workshop.say(`there is no Chromium at ${CHROMIUM} to print beside`);
    return null;
  }
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  workshop.defer(async () => browser.close());
  const page = await browser.newPage();
  return async () => {
    // Every invoice is another page, so the content is set anew each time; the browser stays warm.
    await page.setContent(toHtml(document));
    return page.pdf({ format: 'A4', tagged: true });
  };
}

function toHtml({ seller, buyer, lines, ...document }: InvoiceDocument): string {
  const { gross } = invoiceTotals(lines);
  const rows = lines.map(
    (line) =>
      `<tr><td>${line.description}<td>${line.quantity}<td>${formatOre(line.netUnitAmount)}<td>${line.vatRate} %`,
  );
  return `<!doctype html><html lang="nb"><title>Faktura ${document.invoiceNumber}</title>
    <style>body { font: 10pt sans-serif } table { width: 100% } td { padding: 2mm }</style>
    <h1>Faktura ${document.invoiceNumber}</h1><p>${seller.name}<br>${seller.address1}<br>${seller.city}
    <p>${buyer.name}<br>${buyer.address1}<br>${buyer.city}
    <table>${rows.join('')}</table><p>Å betale ${formatOre(gross)}
    <p>KID ${document.kid}, konto ${document.bankAccountNumber}, forfall ${document.dueDate}`;
}
