import assert from 'node:assert/strict';
import { Readable } from 'node:stream';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { API_ENDPOINTS } from '../../../domain/endpoints.ts';
import type { Actor } from '../../context.ts';
import { AppError, detailOf, statusOf } from '../../errors.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { bill, upload, WITH_ACCOUNTS } from '../../testing/bank-files/bank-company.ts';
import { camtFile, ocrFile } from '../../testing/bank-files/payment-files.ts';
import { completeProfile, createCustomer } from '../../testing/factories.ts';
import { previewFile } from './preview.service.ts';
import { createBankFileReader } from './read/bank-file-reader.ts';

const FRAGILE = new URL('../../testing/bank-files/fragile-reader.thread.ts', import.meta.url);

/** Number of files of each format, sent over HTTP. CONTRIBUTING.md describes the long run. */
const FILES = Number(process.env['FUZZ_FILES'] ?? 6);
/** The memory is checked from this number of files on. */
const MANY_FILES = 1000;
/** Megabytes by which memory may grow during the last three quarters of the files. */
const GROWTH_MAX = 150;
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);

vi.setConfig({ testTimeout: 120_000 + FILES * 5000 });

describe('mutated files', () => {
  let testApp: TestApp;

  beforeAll(async () => {
    testApp = await startTestApp({ FEATURES: 'payments', DISPATCH: 'staff' });
  });
  afterAll(async () => {
    const incomplete = await testApp.context.db
      .selectFrom('bankFile')
      .select('id')
      .where('state', '=', 'INCOMPLETE')
      .execute();
    expect(incomplete).toEqual([]);
    await testApp.close();
  });

  test.concurrent.each(['OCR', 'CAMT054', 'CAMT053'] as const)(
    'of format %s are read or refused, and a refused file leaves nothing behind',
    async (format) => {
      const client = await testApp.login();
      await completeProfile(client, WITH_ACCOUNTS);
      const { kid } = await bill(client, await createCustomer(client), 100);
      const random = randomFrom(SEED);
      const given = [
        { amount: 100, kid, kids: [kid], text: 'Blåbær' },
        { amount: -40, kid },
      ];
      const whole = Buffer.from(
        format === 'OCR' ? ocrFile(given) : camtFile(given, { format }),
        format === 'OCR' ? 'latin1' : 'utf8',
      );
      const statuses = new Map<number, number>();
      let kept = 0;
      let before = 0;
      for (let n = 0; n < FILES; n += 1) {
        if (n === Math.floor(FILES / 4)) before = megabytes();
        const file = mutated(whole, random);
        const { status, text } = await upload(client, file);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status === 201) kept += 1;
        if (![200, 201, 400].includes(status)) throw new Error(`${status}: ${text}`);
      }
      const growth = megabytes() - before;
      process.stdout.write(`${format}: ${JSON.stringify([...statuses])}, ${growth} MB more\n`);
      expect(FILES < MANY_FILES || growth < GROWTH_MAX).toBe(true);
      expect((await client.get('/api/payments/files/')).body).toHaveLength(kept);
      expect((await client.get('/api/payments/')).body.count).toBe(0);
    },
  );
});

test('a file whose thread dies leaves nothing behind and can be sent again', async () => {
  const testApp = await startTestApp({ FEATURES: 'payments' });
  const reader = createBankFileReader({ program: FRAGILE });
  try {
    const upload = {
      name: 'fil.txt',
      bytes: Readable.from([Buffer.from('die')]),
      signal: AbortSignal.timeout(60_000),
    };
    const actor = { companyId: 1 } as Actor;
    const error: unknown = await previewFile(testApp.context, reader, actor, upload).catch(
      (thrown: unknown) => thrown,
    );
    assert(error instanceof AppError);
    expect([statusOf(error), detailOf(error, 'nb')]).toEqual([
      503,
      [{ message: 'Filen kunne ikke leses akkurat nå. Prøv igjen om et øyeblikk.' }],
    ]);
    const files = testApp.context.db.selectFrom('bankFile').select('id');
    expect(await files.execute()).toEqual([]);
  } finally {
    await reader.close();
    await testApp.close();
  }
});

test('with the feature off the endpoints do not exist and the OpenAPI document omits them', async () => {
  const testApp = await startTestApp({ FEATURES: 'reminders,recurring,units' });
  try {
    const client = await testApp.login();
    const { body: api } = await client.get('/api/openapi.json');
    const own = API_ENDPOINTS.filter(({ path }) => path.startsWith('/api/payments/files/'));
    expect(own).toHaveLength(7);
    for (const { method, path } of own) {
      const answer = await client.send({
        method,
        url: path.replace('{fileUuid}', crypto.randomUUID()),
        headers: { 'content-type': 'application/octet-stream' },
        ...(method === 'POST' && { payload: Buffer.from(ocrFile([{ amount: 1 }])) }),
      });
      expect([answer.status, answer.body]).toEqual([404, { detail: [{ message: 'Not found' }] }]);
      expect(api.paths[path.replace('fileUuid', 'file_uuid')]).toBeUndefined();
    }
    expect(JSON.stringify(api)).not.toContain('BankFile');
  } finally {
    await testApp.close();
  }
});

/** The resident memory of the process, in megabytes. */
function megabytes(): number {
  return Math.round(process.memoryUsage().rss / 1e6);
}

/** A copy of the file with one to three random changes. */
function mutated(whole: Buffer, random: (below: number) => number): Buffer {
  let file = Buffer.from(whole);
  // Half of the results keep the structure of the file, with other digits or letters.
  if (random(2) === 0) {
    const at = random(file.length);
    const isDigit = /\d/.test(String.fromCodePoint(file[at] ?? 0));
    file[at] = isDigit ? 48 + random(10) : (file[at] ?? 0) ^ (random(4) === 0 ? 0x20 : 0);
    return file;
  }
  for (let times = random(3); times >= 0; times -= 1) {
    const at = random(file.length + 1);
    const to = Math.min(file.length, at + random(100));
    const [before, part, after] = [file.subarray(0, at), file.subarray(at, to), file.subarray(to)];
    const kinds = [
      () => Buffer.concat([before, after]),
      () => Buffer.concat([before, part, part, after]),
      () => before,
      () => Buffer.concat([before, Buffer.from([random(256)]), file.subarray(at + 1)]),
      () => Buffer.concat([before, Buffer.from([random(256), 0, 255]), file.subarray(at)]),
      () => Buffer.concat([file, file.subarray(at)]),
    ];
    file = kinds[random(kinds.length)]?.() ?? file;
  }
  return file;
}

/** A generator of random numbers that repeats for the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}
