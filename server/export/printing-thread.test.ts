import { afterAll, beforeAll, expect, test } from 'vitest';

import { openServer } from '../platform/db/database.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf, seedCompany } from '../testing/company.ts';
import type { ExportScope } from './books.ts';
import { BOOK_FORMATS, printBooks, type BookKind } from './book-formats.ts';
import { printLargeBooks } from './printing-thread.ts';

let testApp: TestApp;
let owner: TestClient;
let scope: ExportScope;

beforeAll(async () => {
  testApp = await startTestApp({ FEATURES: 'export,payments,credit', DISPATCH: 'staff' });
  owner = await testApp.login('eier@example.no');
  await seedCompany(owner);
  scope = {
    companyId: await companyIdOf(testApp.context.db, 'eier@example.no'),
    from: '2001-01-01',
    to: '2099-12-31',
    after: null,
    filter: null,
    lastNumber: 1000,
    lastPaymentId: 1000,
  };
});
afterAll(async () => testApp.close());

function orderOf(changes: Partial<ExportScope> = {}) {
  let counted = 0;
  const count = (documents: number) => {
    counted += documents;
  };
  const order = {
    scope: { ...scope, ...changes },
    madeBy: 'eier@example.no',
    madeAt: '2026-11-26T12:00:00Z',
    count,
  };
  return { order, counted: () => counted };
}

async function bytesOf(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const bytes: Uint8Array[] = [];
  for await (const part of parts) bytes.push(part);
  return Buffer.concat(bytes);
}

test.each(Object.keys(BOOK_FORMATS) as BookKind[])(
  'a thread prints the bytes of %s that its process would print, and counts the same documents',
  async (kind) => {
    for (const filter of [null, { query: 'Nord', status: null, customerNumber: null }]) {
      const [here, there] = [orderOf({ filter }), orderOf({ filter })];
      const expected = await bytesOf(printBooks(testApp.context.db, kind, here.order));
      const printed = await bytesOf(printLargeBooks(testApp.context, kind, there.order));
      expect(printed.equals(expected)).toBe(true);
      expect(there.counted()).toBe(here.counted());
    }
  },
);

test('a thread that fails, or whose database does, breaks the file off', async () => {
  const { order } = orderOf({ companyId: 0 });
  const gone = openServer('postgresql://faktur@127.0.0.1:9/faktur', () => undefined);

  await expect(bytesOf(printLargeBooks(testApp.context, 'XLSX', order))).rejects.toThrow(
    'Company 0 is not there',
  );
  await expect(bytesOf(printLargeBooks(gone, 'XLSX', order))).rejects.toThrow('ECONNREFUSED');
  await gone.close();
});

test('a thread ends when it is to stop, or nobody reads on', async () => {
  const stopped = () => {
    throw new Error('stopped');
  };
  const order = { ...orderOf().order, count: stopped };
  await expect(bytesOf(printLargeBooks(testApp.context, 'CSV', order))).rejects.toThrow('stopped');

  const parts = printLargeBooks(testApp.context, 'CSV', orderOf().order);
  await parts.next();
  await parts.return(undefined);
  expect((await parts.next()).done).toBe(true);
});
