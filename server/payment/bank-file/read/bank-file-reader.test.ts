import { setTimeout as sleep } from 'node:timers/promises';

import { afterEach, describe, expect, it } from 'vitest';

import { camtFile } from '../../../testing/bank-files/camt-file.ts';
import { ocrFile } from '../../../testing/bank-files/ocr-file.ts';
import { readAtOnce } from '../../../testing/bank-files/read-at-once.ts';
import { TaskFailed } from '../../../platform/tasks/task-runner.ts';
import { BankFileFault } from './bank-file-fault.ts';
import { createBankFileReader } from './bank-file-reader.ts';
import type { BankFileReader, ReadEntry } from './read-entry.ts';

const FRAGILE = new URL('../../../testing/bank-files/fragile-reader.thread.ts', import.meta.url);
const readers: BankFileReader[] = [];

function open(options: Parameters<typeof createBankFileReader>[0] = {}): BankFileReader {
  const reader = createBankFileReader(options);
  readers.push(reader);
  return reader;
}

afterEach(async () => {
  await Promise.all(readers.splice(0).map(async (reader) => reader.close()));
});

async function* piecesOf(bytes: Uint8Array, size = 1000): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) {
    await Promise.resolve();
    yield bytes.subarray(start, start + size);
  }
}

const caller = (companyId = 1, signal = new AbortController().signal) => ({ companyId, signal });
const payments = Array.from({ length: 2500 }, (_, index) => ({
  amount: index + 1,
  kid: `${index}18`,
}));
const FILE = ocrFile([{ assignments: [{ payments }] }]);

async function entriesOf(batches: AsyncIterable<readonly ReadEntry[]>): Promise<ReadEntry[]> {
  const all: ReadEntry[] = [];
  for await (const batch of batches) {
    expect(batch.length).toBeLessThanOrEqual(600);
    all.push(...batch);
  }
  return all;
}

describe('the reader of bank files', () => {
  it('gives the same result in a worker thread as in this thread', async () => {
    const { summary, batches } = await open().read(piecesOf(FILE), caller());
    const expected = readAtOnce(FILE);
    expect(summary).toEqual(expected.summary);
    expect(await entriesOf(batches)).toEqual(expected.entries);
    // The batches can be read twice.
    expect(await entriesOf(batches)).toEqual(expected.entries);
  });

  it('reads camt, and pieces of any size', async () => {
    const kids = [{ kid: '0001000100451' }];
    const entries = Array.from({ length: 1000 }, () => ({ amount: '1.00', details: [{ kids }] }));
    const bytes = camtFile({ statements: [{ entries }] });
    expect(bytes.length).toBeGreaterThan(300_000);
    const { summary, batches } = await open().read(piecesOf(bytes, bytes.length), caller());
    expect(summary).toMatchObject({ format: 'CAMT054', count: 1000 });
    const last = (await entriesOf(batches)).at(-1);
    expect(last).toMatchObject({ kid: '0001000100451', amount: 100, occurrence: 1000 });
  });

  // BANK-1
  it('refuses a faulty file without reading the rest of it', async () => {
    let pieces = 0;
    const endless = async function* () {
      yield FILE.subarray(0, 82);
      for (;;) {
        await Promise.resolve();
        pieces += 1;
        yield Buffer.from('garbage\r\n');
      }
    };
    const fault = await open()
      .read(endless(), caller())
      .catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(BankFileFault);
    expect(fault).toMatchObject({
      faults: [{ line: 2, message: expect.stringContaining('7 tegn') }],
    });
    expect(pieces).toBeLessThan(5);
  });

  it.each(['die', 'throw', 'hang'])(
    'reports an internal fault when the thread does this: %s',
    async (order) => {
      const reader = open({ program: FRAGILE, patience: order === 'hang' ? 300 : 20_000 });
      const reading = reader.read(piecesOf(Buffer.from(order)), caller());
      await expect(reading).rejects.toThrow(TaskFailed);
    },
  );

  it('passes on an error of the byte stream', async () => {
    const cut = async function* () {
      yield FILE.subarray(0, 1000);
      await Promise.reject(new Error('cut off'));
    };
    await expect(open().read(cut(), caller())).rejects.toThrow('cut off');
  });

  it('stops reading when the caller aborts', async () => {
    const reader = open({ program: FRAGILE });
    const gone = new AbortController();
    const reading = reader.read(piecesOf(Buffer.from('hang')), caller(1, gone.signal));
    await sleep(200);
    gone.abort();
    await expect(reading).rejects.toThrow('aborted');
    await expect(reader.read(piecesOf(FILE), caller(1, gone.signal))).rejects.toThrow('aborted');
  });

  it('reads one file of a company at a time, and files of other companies meanwhile', async () => {
    const reader = open();
    const slow = Promise.withResolvers<void>();
    const halting = async function* () {
      yield FILE.subarray(0, 1000);
      await slow.promise;
      yield FILE.subarray(1000);
    };
    const order: string[] = [];
    const first = reader.read(halting(), caller(1)).then(() => order.push('first'));
    const second = reader.read(piecesOf(FILE), caller(1)).then(() => order.push('second'));
    await reader.read(piecesOf(FILE), caller(2));
    order.push('another company');
    slow.resolve();
    await Promise.all([first, second]);
    expect(order).toEqual(['another company', 'first', 'second']);
  });

  it('gives up when its turn does not come in time', async () => {
    const reader = open({ patienceForTurn: 200 });
    const slow = Promise.withResolvers<void>();
    const halting = async function* () {
      await slow.promise;
      yield FILE;
    };
    const first = reader.read(halting(), caller());
    await expect(reader.read(piecesOf(FILE), caller())).rejects.toThrow('unavailable');
    slow.resolve();
    await first;
  });

  it('finishes the current file when it is closed, and accepts no further ones', async () => {
    const reader = open();
    const reading = reader.read(piecesOf(FILE), caller());
    await reader.close();
    expect((await reading).summary.count).toBe(2500);
    await expect(reader.read(piecesOf(FILE), caller())).rejects.toThrow('closed');
  });
});
