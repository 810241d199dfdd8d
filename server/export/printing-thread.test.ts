import { randomBytes } from 'node:crypto';
import { readdir, readlink } from 'node:fs/promises';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { openServer } from '../platform/db/database.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf, seedCompany } from '../testing/company.ts';
import { until } from '../testing/until.ts';
import type { ExportScope } from './books.ts';
import { BOOK_FORMATS } from './book-formats.ts';
import { printHere, printInThread, type ThreadKind } from './printing-thread.ts';

/** Bytes, so that a file has several parts. */
const MORE_THAN_A_PART = 600_000;

let testApp: TestApp;
let owner: TestClient;
let scope: ExportScope;

beforeAll(async () => {
  testApp = await startTestApp({
    FEATURES: 'export,payments,credit,attachments',
    DISPATCH: 'staff',
  });
  owner = await testApp.login('eier@example.no');
  const { draft } = await seedCompany(owner);
  const more = await owner.send({
    method: 'POST',
    url: `/api/invoices/${draft}/attachments/?name=bilag.pdf`,
    headers: { 'content-type': 'application/octet-stream' },
    payload: Buffer.concat([Buffer.from('%PDF-1.7'), randomBytes(MORE_THAN_A_PART)]),
  });
  expect(more.status).toBe(201);
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

/** How many files without a name this process has open. */
async function countUnnamed(): Promise<number> {
  const links = await readdir('/proc/self/fd');
  const paths = await Promise.all(
    links.map(async (link) => readlink(`/proc/self/fd/${link}`).catch(() => '')),
  );
  return paths.filter((path) => path.endsWith(' (deleted)')).length;
}

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

test.each([...Object.keys(BOOK_FORMATS), 'ARCHIVE'] as ThreadKind[])(
  'a thread prints the bytes of %s that its process would print, and counts the same documents',
  async (kind) => {
    for (const filter of [null, { query: 'Nord', status: null, customerNumber: null }]) {
      const [here, there] = [orderOf({ filter }), orderOf({ filter })];
      const expected = await bytesOf(printHere(testApp.context, kind, here.order));
      const printed = await bytesOf(printInThread(testApp.context, kind, there.order));
      expect(printed.equals(expected)).toBe(true);
      expect(there.counted()).toBe(here.counted());
    }
  },
);

test('a thread that fails, or whose database does, breaks the file off', async () => {
  const { order } = orderOf({ companyId: 0 });
  const gone = openServer('postgresql://faktur@127.0.0.1:9/faktur', () => undefined);
  const without = { ...testApp.context, ...gone };

  await expect(bytesOf(printInThread(testApp.context, 'XLSX', order))).rejects.toThrow(
    'Company 0 is not there',
  );
  await expect(bytesOf(printInThread(without, 'XLSX', order))).rejects.toThrow('ECONNREFUSED');
  await gone.close();
});

test('a thread ends when it is to stop, or nobody reads on', async () => {
  const stopped = () => {
    throw new Error('stopped');
  };
  const order = { ...orderOf().order, count: stopped };
  await expect(bytesOf(printInThread(testApp.context, 'CSV', order))).rejects.toThrow('stopped');

  const before = await countUnnamed();
  const parts = printInThread(testApp.context, 'ARCHIVE', orderOf().order);
  await parts.next();
  expect(await countUnnamed()).toBeGreaterThan(before);
  await parts.return(undefined);
  expect((await parts.next()).done).toBe(true);
  // The archive's temporary files have no names: what stays open would fill the disk unseen.
  await until(countUnnamed, (unnamed) => unnamed <= before);
});
