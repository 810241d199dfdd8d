import { pino } from 'pino';

import { renderEhf } from '../server/document/ehf.ts';
import { createPdfRenderer } from '../server/document/pdf/renderer.ts';
import { atLeast, beside, type Figure, figure } from './figure.ts';
import type { Harness } from './harness.ts';
import { inTurns, measureCalls } from './load.ts';
import { sampleDocument } from './sample-invoices.ts';

const ROUNDS = 3;
/** One document is printed and one waits, so that the thread is never idle. */
const CALLERS = 2;

/** The documents of an invoice: the PDF, and the EHF. */
export async function measureDocuments(harness: Harness): Promise<Figure[]> {
  const { seconds } = harness.options;
  const renderer = createPdfRenderer({ processes: 1, log: pino({ level: 'silent' }) });
  harness.defer(async () => renderer.close());
  // Every document has another number and another buyer.
  let number = 1000;
  const next = () => sampleDocument(++number);
  const print = async () => {
    const document = next();
    return renderer.render({ document, stamp: null, xml: renderEhf(document), logo: null });
  };
  await print();
  const { pdf, ehf } = await inTurns(ROUNDS, {
    pdf: async () => measureCalls(seconds, print, CALLERS),
    ehf: async () => measureCalls(seconds, async () => renderEhf(next()), 1),
  });
  return [
    figure('PDF/A with its EHF inside, one process', pdf.rate, '/s', atLeast(100)),
    figure('EHF', ehf.rate, '/s', beside('PDF', pdf.rate)),
  ];
}
