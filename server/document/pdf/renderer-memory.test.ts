import fs from 'node:fs';

import { expect, it, onTestFinished, vi } from 'vitest';

import { sampleInvoice, sampleLine } from '../../testing/invoice-documents.ts';
import { createPdfRenderer } from './renderer.ts';

it.runIf(process.platform === 'linux')(
  'leaves no process with much memory',
  async () => {
    const log = { warn: vi.fn<() => void>(), error: vi.fn<() => void>() };
    const renderer = createPdfRenderer({ processes: 1, log });
    onTestFinished(async () => renderer.close());
    const lines = Array.from({ length: 880 }, (_, at) =>
      sampleLine(`قهوة 咖啡 커피 กาแฟ ${at}`, 1, 9),
    );
    // Three in one process that is not replaced leave it with 390 MB.
    for (let at = 0; at < 3; at++) {
      const document = sampleInvoice({ lines, reference: `Bestilling ${at}` });
      await renderer.render({ document, stamp: null, xml: null, logo: null });
    }
    // A process that holds more than 300 MB before it answers is replaced, and some is added by the answer itself.
    const large = () => memoryOfPrinters().filter((megabytes) => megabytes > 350);
    await expect.poll(large).toEqual([]);
  },
  // Printing lets everything else go first.
  600_000,
);

/** The memory of the printing processes of this one (megabytes). */
function memoryOfPrinters(): number[] {
  const threads = fs.readdirSync('/proc/self/task');
  const read = (file: string) => fs.readFileSync(`/proc/${file}`, 'utf8');
  return threads
    .flatMap((thread) => read(`self/task/${thread}/children`).split(' ').filter(Boolean))
    .filter((pid) => read(`${pid}/cmdline`).includes('pdf.process'))
    .map((pid) => Number(/VmRSS:\s+(\d+) kB/.exec(read(`${pid}/status`))?.[1] ?? 0) / 1000);
}
