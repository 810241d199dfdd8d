import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../testing/app.ts';
import {
  bill,
  creditOf,
  upload,
  uploadAndBook,
  WITH_ACCOUNTS,
} from '../../testing/bank-files/bank-company.ts';
import type { TestClient } from '../../testing/client.ts';
import { completeProfile, createCustomer } from '../../testing/factories.ts';
import { ROOT } from '../../testing/process.ts';

/** The samples beside the project, which may be missing. */
const FOLDER = join(ROOT, '..', 'shared', 'bank');

let testApp: TestApp;
let client: TestClient;
let customer: number;

beforeAll(async () => {
  testApp = await startTestApp({ FEATURES: 'payments', DISPATCH: 'staff' });
});
afterAll(async () => testApp.close());
beforeEach(async () => {
  client = await testApp.login();
  await completeProfile(client, { ...WITH_ACCOUNTS, start_invoice_number: 10_045 });
  customer = await createCustomer(client);
});

const sample = (name: string) => readFileSync(join(FOLDER, name));

/** Registers invoices with the KIDs of the samples. */
async function billAll(): Promise<string[]> {
  const bills = [
    ['0001000100451', 1250],
    ['0002000100467', 600],
    ['1236-', 90],
    // The texts of the samples name its number, 10048.
    ['0003000100487', 350],
    ['0001000100477', 200],
  ] as const;
  const uuids: string[] = [];
  const { db } = testApp.context;
  for (const [kid, kroner] of bills) {
    const { uuid } = await bill(client, customer, kroner);
    // A KID from an earlier bank agreement. The API cannot set a KID.
    await db.transaction().execute(async (trx) => {
      await sql`ALTER TABLE invoice DISABLE TRIGGER invoice_frozen`.execute(trx);
      await trx.updateTable('invoice').set({ kid }).where('uuid', '=', uuid).execute();
      await sql`ALTER TABLE invoice ENABLE TRIGGER invoice_frozen`.execute(trx);
    });
    uuids.push(uuid);
  }
  return uuids;
}

async function books(uuids: readonly string[]) {
  const paid = await Promise.all(
    uuids.map(async (uuid) => (await client.get(`/api/invoices/${uuid}/`)).body.paid_amount),
  );
  const { body } = await client.get('/api/payments/?state=UNPLACED');
  const unplaced = body.results.map(({ amount }: { amount: number }) => amount);
  return { paid, unplaced, credit: await creditOf(testApp.context.db, client) };
}

/** In the last assignment, two payments of 100 are for an invoice with account 2. */
const OCR_OUTCOMES = ['EXACT', 'PART', 'OVER', 'REVERSAL', 'SUGGESTED', 'SUGGESTED', 'SUGGESTED'];
const OCR_BOOKS = { paid: [1250, 500, 90, 0, 0], unplaced: [100, 100, 350, -200, 9], credit: 9 };

describe.skipIf(!existsSync(FOLDER))('the sample', () => {
  test.each(['ocr-valid.txt', 'ocr-valid-lf-notail.txt'])('%s', async (name) => {
    const uuids = await billAll();
    const booked = await uploadAndBook(client, sample(name), name);
    expect(booked.body).toMatchObject({ count: 7, sum: 2199, state: 'BOOKED' });
    const { entries } = booked.body;
    expect(entries.map(({ outcome }: { outcome: string }) => outcome)).toEqual(OCR_OUTCOMES);
    expect(entries[4]).toMatchObject({ text: 'Faktura 10048 Øyvind Åse' });
    expect(await books(uuids)).toEqual(OCR_BOOKS);
    // The file with other line ends has the same payments.
    const other = name === 'ocr-valid.txt' ? 'ocr-valid-lf-notail.txt' : 'ocr-valid.txt';
    const again = await uploadAndBook(client, sample(other), other);
    expect(new Set(again.body.entries.map(({ outcome }: { outcome: string }) => outcome))).toEqual(
      new Set(['KNOWN']),
    );
    expect(await books(uuids)).toEqual(OCR_BOOKS);
  });

  test('ocr-duplicate-transmission.txt', async () => {
    const uuids = await billAll();
    const booked = await uploadAndBook(client, sample('ocr-duplicate-transmission.txt'));
    const outcomes = booked.body.entries.map(({ outcome }: { outcome: string }) => outcome);
    expect(outcomes.slice(7)).toEqual(Array.from({ length: 7 }, () => 'KNOWN'));
    expect(await books(uuids)).toEqual(OCR_BOOKS);
  });

  test('ocr-valid-with-avtalegiro.txt', async () => {
    const booked = await uploadAndBook(client, sample('ocr-valid-with-avtalegiro.txt'));
    expect(booked.body.count).toBe(2);
    expect(booked.body.ignored).toBeGreaterThan(0);
  });

  test.each(['camt054-001-02-valid.xml', 'camt054-001-08-valid.xml'])('%s', async (name) => {
    const uuids = await billAll();
    const booked = await uploadAndBook(client, sample(name), name);
    expect(booked.body).toMatchObject({ format: 'CAMT054', count: 3, sum: 2100 });
    expect(booked.body.entries).toMatchObject([
      { outcome: 'EXACT', amount: 1250, payer: 'Øyvind Åsheim' },
      { outcome: 'PART', amount: 500 },
      { outcome: 'SUGGESTED', amount: 350, suggestion: { reason: 'INVOICE_NUMBER' } },
    ]);
    expect(await books(uuids)).toMatchObject({ paid: [1250, 500, 0, 0, 0], unplaced: [350] });
  });

  test('camt053-001-08-valid.xml by itself, and after the camt.054 of the same money', async () => {
    const uuids = await billAll();
    const name = 'camt053-001-08-valid.xml';
    const alone = await upload(client, sample(name), name);
    const outcomesOf = (body: { entries: { amount: number; outcome: string }[] }) =>
      body.entries.map(({ amount, outcome }) => [amount, outcome]);
    expect(outcomesOf(alone.body)).toEqual([
      [1750, 'UNPLACED'],
      [350, 'SUGGESTED'],
      [1150, 'UNPLACED'],
      [-250, 'REVERSAL'],
    ]);
    expect(alone.body).toMatchObject({ format: 'CAMT053', sum: 3000, ignored: 2 });
    await uploadAndBook(client, sample('camt054-001-08-valid.xml'));
    const booked = await client.post(`/api/payments/files/${alone.body.uuid}/book/`);
    expect(outcomesOf(booked.body)).toEqual([
      [350, 'KNOWN'],
      [1150, 'UNPLACED'],
      [-250, 'REVERSAL'],
    ]);
    expect(booked.body).toMatchObject({ count: 3, ignored: 3 });
    const { paid } = await books(uuids);
    expect(paid).toEqual([1250, 500, 0, 0, 0]);
  });

  test.each(['ocr-bad-sum88.txt', 'ocr-truncated.txt', 'camt054-doctype.xml'])(
    '%s is refused whole, with line and rule',
    async (name) => {
      const answer = await upload(client, sample(name), name);
      expect(answer.status).toBe(400);
      for (const { message, line } of answer.body.detail) {
        expect([message, line]).toEqual([expect.any(String), expect.any(Number)]);
      }
      expect((await client.get('/api/payments/files/')).body).toEqual([]);
    },
  );

  test('of an account that is not the company’s is refused, naming it and the line', async () => {
    await completeProfile(client, {
      bank_accounts: [{ bank_account_number: '86011117947', is_primary: true }],
    });
    const answer = await upload(client, sample('ocr-valid.txt'));
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        detail: [
          {
            message:
              'Filen gjelder konto 1234.56.78903, som verken er i profilen eller på noen av bedriftens fakturaer',
            line: 15,
          },
        ],
      },
    ]);
    expect((await client.get('/api/payments/files/')).body).toEqual([]);
  });
});
