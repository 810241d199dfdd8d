import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../testing/app.ts';
import { companyIdOf } from '../../testing/company.ts';
import { createBankCompany, upload, WITH_ACCOUNTS } from '../../testing/bank-files/bank-company.ts';
import { ocrFile } from '../../testing/bank-files/payment-files.ts';
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

/** A file larger than the first bytes that are compared. */
function largeFile(): string {
  const payments = Array.from({ length: 900 }, (_, index) => ({ amount: index + 1 }));
  return ocrFile(payments, { transmission: (transmission += 1) });
}

const faulty = () => largeFile().replaceAll('NY090088', 'NY090089');

// BANK-7
test('ten concurrent uploads of the same file all succeed with one file', async () => {
  const file = largeFile();
  const answers = await Promise.all(TEN.map(async () => upload(client, file)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
  expect(new Set(answers.map(({ body }) => body.uuid)).size).toBe(1);
  expect(new Set(answers.map(({ body }) => body.entries.length))).toEqual(new Set([900]));
});

// BANK-9
test('ten concurrent uploads of a faulty file are all refused for the same reason', async () => {
  const file = faulty();
  const answers = await Promise.all(TEN.map(async () => upload(client, file)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers[0]?.body.detail[0]).toMatchObject({
    line: 1803,
    message: expect.stringContaining('Posttype 89'),
  });
  expect((await client.get('/api/payments/files/')).body).toEqual([]);
});

test('concurrent uploads of different files with the same size are each read', async () => {
  const files = [largeFile(), largeFile(), largeFile()];
  const answers = await Promise.all(files.map(async (file) => upload(client, file)));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(new Set(answers.map(({ body }) => body.uuid)).size).toBe(3);
});

/** Creates previews for a new company, with a reader that counts its reads. */
async function createCountingPreviews() {
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

// BANK-7
test('concurrent uploads of one file are read once and share the result', async () => {
  const { reads, send } = await createCountingPreviews();
  const file = largeFile();
  const previews = await Promise.all(TEN.map(async () => send(file)));
  expect(previews.filter(({ isOld }) => !isOld)).toHaveLength(1);
  expect(reads).toHaveLength(1);
  const bad = faulty();
  const refusals = await Promise.allSettled(TEN.map(async () => send(bad)));
  expect(new Set(refusals.map(({ status }) => status))).toEqual(new Set(['rejected']));
  expect(reads).toHaveLength(2);
});

test('the other uploads get the result when the caller of the first one hangs up', async () => {
  const { reads, send } = await createCountingPreviews();
  const file = largeFile();
  const first = new AbortController();
  const begun = send(file, first.signal);
  const others = [send(file), send(file)];
  // Both uploads have joined the first one when they have read its first bytes.
  await new Promise((resolve) => setImmediate(resolve));
  first.abort(new Error('gone'));
  const previews = await Promise.all(others);
  await begun.catch(() => null);
  expect(new Set(previews.map(({ file: { uuid } }) => uuid)).size).toBe(1);
  expect(reads.length).toBeLessThanOrEqual(1);
});

test('a file that only starts like another file is read by itself', async () => {
  const { send } = await createCountingPreviews();
  const file = largeFile();
  // The size and the first bytes are equal, and the last payment differs.
  const last = file.lastIndexOf('00000000000090000');
  expect(last).toBeGreaterThan(PIECE);
  const other = `${file.slice(0, last)}00000000000080000${file.slice(last + 17)}`;
  const [, second] = await Promise.allSettled([send(file), send(other)]);
  expect(second).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
});
