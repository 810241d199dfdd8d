import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../testing/app.ts';
import { companyIdOf } from '../../testing/company.ts';
import {
  createBankCompany,
  ocrFile,
  upload,
  WITH_ACCOUNTS,
} from '../../testing/bank-files/payment-files.ts';
import type { TestClient } from '../../testing/client.ts';
import { completeProfile } from '../../testing/factories.ts';
import type { Actor } from '../../context.ts';
import { createBankFileReader } from './read/bank-file-reader.ts';
import type { BankFileReader } from './read/read-entry.ts';
import { SharedPreviews } from './shared-preview.service.ts';

const TEN = Array.from({ length: 10 }, (_, index) => index);
const PIECE = 64 * 1024;

let testApp: TestApp;
let client: TestClient;
let transmission = 0;

beforeAll(async () => {
  testApp = await startTestApp({ FEATURES: 'payments', DISPATCH: 'staff' });
});
afterAll(async () => testApp.close());
beforeEach(async () => {
  ({ client } = await createBankCompany(testApp));
});

/** Larger than what is compared before it is read. */
function largeFile(): string {
  const payments = Array.from({ length: 900 }, (_, index) => ({ amount: index + 1 }));
  return ocrFile(payments, { transmission: (transmission += 1) });
}

const faulty = () => largeFile().replaceAll('NY090088', 'NY090089');

test('the same file ten times at once is one file, and nobody is sent away', async () => {
  const file = largeFile();
  const answers = await Promise.all(TEN.map(async () => upload(client, file)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
  expect(new Set(answers.map(({ body }) => body.uuid)).size).toBe(1);
  expect(new Set(answers.map(({ body }) => body.entries.length))).toEqual(new Set([900]));
});

test('a faulty file ten times at once is refused ten times, for the same reason', async () => {
  const file = faulty();
  const answers = await Promise.all(TEN.map(async () => upload(client, file)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
});

test('different files of the same size at once are each read', async () => {
  const files = [largeFile(), largeFile(), largeFile()];
  const answers = await Promise.all(files.map(async (file) => upload(client, file)));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(new Set(answers.map(({ body }) => body.uuid)).size).toBe(3);
});

/** Previews with a reader that counts, for a company of its own. */
async function counted() {
  const email = `bank${crypto.randomUUID()}@example.no`;
  await completeProfile(await testApp.login(email), WITH_ACCOUNTS);
  const companyId = await companyIdOf(testApp.context.db, email);
  const reader = createBankFileReader();
  const reads: string[] = [];
  const counting: BankFileReader = {
    close: async () => reader.close(),
    read: async (bytes, caller) => {
      reads.push('read');
      return reader.read(bytes, caller);
    },
  };
  const previews = new SharedPreviews(testApp.context, counting);
  const send = async (text: string, signal = new AbortController().signal) => {
    const content = Buffer.from(text, 'latin1');
    const size = String(content.length);
    const given = { name: 'fil', bytes: inPieces(content), size, signal };
    return previews.preview({ companyId } as Actor, given);
  };
  return { reads, send };
}

async function* inPieces(content: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < content.length; start += PIECE) {
    yield content.subarray(start, start + PIECE);
  }
}

test('one of them is read, and the others are given its answer', async () => {
  const { reads, send } = await counted();
  const file = largeFile();
  const previews = await Promise.all(TEN.map(async () => send(file)));
  expect(previews.filter(({ isOld }) => !isOld)).toHaveLength(1);
  expect(reads).toHaveLength(1);
  const bad = faulty();
  const refusals = await Promise.allSettled(TEN.map(async () => send(bad)));
  expect(new Set(refusals.map(({ status }) => status))).toEqual(new Set(['rejected']));
  expect(reads).toHaveLength(2);
});

test('the others are given it, too, when the caller of the one that is read hangs up', async () => {
  const { reads, send } = await counted();
  const file = largeFile();
  const first = new AbortController();
  const begun = send(file, first.signal);
  const others = [send(file), send(file)];
  // Both have joined when they have read as far as the first.
  await new Promise((resolve) => setImmediate(resolve));
  first.abort(new Error('gone'));
  const previews = await Promise.all(others);
  await begun.catch(() => null);
  expect(new Set(previews.map(({ file: { uuid } }) => uuid)).size).toBe(1);
  expect(reads.length).toBeLessThanOrEqual(1);
});

test('a file that only begins as another is not taken for it', async () => {
  const { send } = await counted();
  const file = largeFile();
  // The same size and the same first bytes, and another payment in the end.
  const last = file.lastIndexOf('00000000000090000');
  expect(last).toBeGreaterThan(PIECE);
  const other = `${file.slice(0, last)}00000000000080000${file.slice(last + 17)}`;
  const [, second] = await Promise.allSettled([send(file), send(other)]);
  expect(second).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
});
