import { pino } from 'pino';

import { renderEhf } from '../server/document/ehf.ts';
import { createPdfRenderer } from '../server/document/pdf/renderer.ts';
import { openBrowserPrinter } from './browser-printer.ts';
import type { Figure } from './figure.ts';
import { inTurns, measureCalls, type Pace } from './load.ts';
import { sampleDocument } from './sample-invoices.ts';
import type { Harness } from './harness.ts';

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
