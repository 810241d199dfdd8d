import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { CALL_LIMITS } from '../platform/db/connections.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf, seedCompany } from '../testing/company.ts';
import { beginMaking } from '../testing/exports.ts';
import { OutsideError } from '../platform/log/outside-error.ts';
import { startProxy } from '../testing/proxies.ts';
import { until } from '../testing/until.ts';
import type { ExportScope } from './books.ts';
import { Overtaken } from './export-file.service.ts';
import { BOOK_FORMATS } from './book-formats.ts';
import { printHere, type KindWithoutPdf } from './export-formats.ts';
import { markDeleted } from './export.repository.ts';
import { makeFileInProcess, type FileTask, type ProcessOrder } from './file-maker.ts';

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
    payload: Buffer.concat([
      Buffer.from('%PDF-1.7\n'),
      randomBytes(MORE_THAN_A_PART),
      Buffer.from('\n%%EOF\n'),
    ]),
  });
  expect(more.status).toBe(201);
  scope = {
    companyId: await companyIdOf(testApp.context.db, 'eier@example.no'),
    from: '2001-01-01',
    to: '2099-12-31',
    filter: null,
    lastNumber: 1000,
    lastPaymentId: 1000,
  };
});
afterAll(async () => testApp.close());

const begin = async (kind: KindWithoutPdf, filter: ExportScope['filter'] = null) =>
  beginMaking(testApp.context.db, { ...scope, filter }, kind);

const NEVER = new AbortController().signal;

/** The order of a process. */
function orderOf(kind: KindWithoutPdf, task: FileTask): ProcessOrder {
  const { config, directUrl } = testApp.context;
  return { ...task, kind, url: directUrl ?? '', documentStore: null, dataDir: config.dataDir };
}

async function make(kind: KindWithoutPdf, task: FileTask, signal = NEVER) {
  try {
    return await makeFileInProcess(orderOf(kind, task), signal);
  } finally {
    await markDeleted(testApp.context.db, task.row);
  }
}

/** The ids of the processes that this one has started and that have not ended. */
function children(): number[] {
  const text = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}

test.each([...Object.keys(BOOK_FORMATS), 'ARCHIVE'] as KindWithoutPdf[])(
  'a process makes the file of %s that its server would make',
  async (kind) => expectSameFile(kind, null),
);

test('a process makes the file of a filter that its server would make', async () => {
  await expectSameFile('CSV', { query: 'Nord', status: null, customerNumber: null });
});

async function expectSameFile(kind: KindWithoutPdf, filter: ExportScope['filter']): Promise<void> {
  const task = await begin(kind, filter);
  const { row, listed } = task;
  const expected = createHash('sha256');
  let size = 0;
  for await (const bytes of printHere(testApp.context, kind, {
    scope: { ...scope, filter, ...(listed && { listed }) },
    madeBy: row.byName,
    madeAt: row.createdAt.toISOString(),
    count: () => undefined,
  })) {
    expected.update(bytes);
    size += bytes.byteLength;
  }
  const made = await make(kind, task);
  expect(made.size).toBe(size);
  expect(Buffer.from(made.sha256).equals(expected.digest())).toBe(true);
}

test('what fails in a process, or its database, is told as it is', async () => {
  const task = await begin('XLSX');
  const nobody = { ...task, row: { ...task.row, companyId: 0 } };
  await expect(makeFileInProcess(orderOf('XLSX', nobody), NEVER)).rejects.toThrow(
    'Company 0 is not there',
  );
  const without = { ...orderOf('XLSX', task), url: 'postgresql://faktur@127.0.0.1:9/faktur' };
  const away = makeFileInProcess(without, NEVER);
  await expect(away).rejects.toThrow('ECONNREFUSED');
  await expect(away).rejects.toBeInstanceOf(OutsideError);
  await markDeleted(testApp.context.db, task.row);
  await expect(make('XLSX', task)).rejects.toBeInstanceOf(Overtaken);
});

test('a process waits longer for its database than a call does', async () => {
  const task = await begin('CSV');
  const direct = new URL(orderOf('CSV', task).url);
  const proxy = await startProxy(Number(direct.port), CALL_LIMITS.connect + 500);
  try {
    const url = new URL(direct);
    url.host = `127.0.0.1:${proxy.port}`;
    const order = { ...orderOf('CSV', task), url: url.href };
    await expect(makeFileInProcess(order, NEVER)).resolves.toHaveProperty('size');
  } finally {
    await proxy.close();
    await markDeleted(testApp.context.db, task.row);
  }
});

test('a process ends with the signal, and its death is an error', async () => {
  const before = children();
  const started = () => children().find((id) => !before.includes(id));
  const stopping = new AbortController();
  const stopped = make('ARCHIVE', await begin('ARCHIVE'), stopping.signal);
  const first = await until(started, (id) => id !== undefined);
  stopping.abort(new Error('stopped'));
  await expect(stopped).rejects.toThrow('stopped');
  expect(children()).not.toContain(first);

  const killed = make('CSV', await begin('CSV'));
  const second = await until(started, (id) => id !== undefined);
  process.kill(second ?? 0, 'SIGKILL');
  await expect(killed).rejects.toThrow('ended by SIGKILL');
  await expect(killed).rejects.toBeInstanceOf(OutsideError);
});
