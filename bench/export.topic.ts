import { setInterval } from 'node:timers';

import { todayInOslo } from '../domain/date.ts';
import type { ExportFormat } from '../server/export/books.ts';
import { BOOK_FORMATS } from '../server/export/export-formats.ts';
import { currentMoment, openBooks } from '../server/export/open-books.ts';
import { openServer } from '../server/platform/db/database.ts';
import type { Figure } from './figure.ts';
import type { Harness } from './harness.ts';
import { timed } from './load.ts';
import { seedInvoices } from './seed-tenants.ts';

const LOOK_EVERY_MS = 20;
const BYTES_PER_MB = 1_000_000;

/** All of a company's books in each format that prints tables: time, and memory above that of an idle process. */
export async function measureExport(harness: Harness): Promise<Figure[]> {
  const many = harness.options.quick ? 2000 : 100_000;
  const url = await harness.newDatabase();
  const companyId = await seedInvoices(url, many);
  const database = openServer(url, () => undefined);
  harness.defer(async () => database.close());
  const { db } = database;
  const moment = await currentMoment(db, companyId);
  const period = { from: null, to: todayInOslo(), after: null, filter: null };
  const scope = { companyId, ...period, ...moment };
  const figures: Figure[] = [];
  for (const kind of ['XLSX', 'CSV'] as const) {
    const who = { madeBy: 'bench', madeAt: new Date().toISOString() };
    const { seconds, megabytes } = await measure(BOOK_FORMATS[kind], async () =>
      openBooks(db, scope, who),
    );
    const name = `${kind}, ${many.toLocaleString('en-GB')} invoices`;
    figures.push(
      { name, value: seconds, unit: 's', target: { is: 'at most', bound: 60 } },
      {
        name: `${name}: memory above idle`,
        value: megabytes,
        unit: 'MB',
        target: { is: 'at most', bound: 150 },
      },
    );
  }
  return figures;
}

async function measure(
  format: ExportFormat,
  open: () => ReturnType<typeof openBooks>,
): Promise<{ readonly seconds: number; readonly megabytes: number }> {
  const idle = process.memoryUsage.rss();
  let most = idle;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, LOOK_EVERY_MS);
  try {
    const milliseconds = await timed(async () => {
      for await (const part of format.print(await open())) if (part.length === 0) break;
    });
    return { seconds: milliseconds / 1000, megabytes: (most - idle) / BYTES_PER_MB };
  } finally {
    clearInterval(watch);
  }
}
