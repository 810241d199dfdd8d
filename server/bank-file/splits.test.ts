import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import {
  bill,
  camtFile,
  creditOf,
  ocrFile,
  uploadAndBook,
  WITH_ACCOUNTS,
  type Billed,
} from '../testing/bank-files/told.ts';
import type { TestClient } from '../testing/client.ts';
import { completeProfile, createCustomer } from '../testing/factories.ts';

/** `SPLIT_RUNS=100` for a long run. */
const RUNS = Number(process.env['SPLIT_RUNS'] ?? 6);
const SEED = Number(process.env['SPLIT_SEED'] ?? 1);
const INVOICES = [100, 100, 250];

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp({
    FEATURES: 'payments',
    DISPATCH: 'staff',
    LOGIN_LIMIT_PER_IP: '1000000',
  });
});
afterAll(async () => testApp.close());

async function begin(): Promise<{ client: TestClient; bills: Billed[] }> {
  const client = await testApp.login();
  await completeProfile(client, WITH_ACCOUNTS);
  const customer = await createCustomer(client);
  const bills: Billed[] = [];
  for (const kroner of INVOICES) bills.push(await bill(client, customer, kroner));
  return { client, bills };
}

/** What the books say in the end: how it came there may differ by the order. */
async function books(client: TestClient, bills: readonly Billed[]) {
  const invoices = await Promise.all(
    bills.map(async ({ uuid }) => {
      const { body } = await client.get(`/api/invoices/${uuid}/`);
      return [body.status, body.paid_amount];
    }),
  );
  const { body } = await client.get('/api/payments/?state=UNPLACED');
  const unplaced = body.results.reduce(
    (sum: number, { amount }: { amount: number }) => sum + Math.round(amount * 100),
    0,
  );
  return { invoices, unplaced, credit: await creditOf(testApp.context.db, client) };
}

const payment = fc.record({
  invoice: fc.integer({ min: 0, max: INVOICES.length }),
  amount: fc.constantFrom(20, 50, 100, 150, 250),
  // Equal payments come together, as the bank tells them.
  times: fc.constantFrom(1, 1, 2),
});

const split = fc.record({
  payments: fc.array(payment, { minLength: 1, maxLength: 6 }),
  isOcr: fc.boolean(),
  /** Which payments each of the files has; what is in none comes in the last. */
  files: fc.array(fc.array(fc.nat(5), { maxLength: 6 }), { maxLength: 3 }),
  seed: fc.nat(),
});

test('any split of a file into overlapping files, in any order, gives the same books', async () => {
  await fc.assert(
    fc.asyncProperty(split, async ({ payments, isOcr, files, seed }) => {
      const all = payments.map((_, index) => index);
      const parts = [...files, all]
        .map((indexes) => [...new Set(indexes)].filter((index) => index < payments.length))
        .filter((indexes) => indexes.length > 0);
      const order = parts.map((part, index) => ({ part, key: (seed * (index + 7)) % 11 }));
      const shuffled = order.toSorted((a, b) => a.key - b.key).map(({ part }) => part);
      const results: unknown[] = [];
      for (const way of [[all], shuffled]) {
        const { client, bills } = await begin();
        const told = (index: number) => {
          const { invoice, amount = 0, times = 1 } = payments[index] ?? {};
          const kid = bills[invoice ?? 0]?.kid ?? '12344';
          // What looks alike in different files would be for a person: the days tell them apart.
          return { kid, times, amount, day: String(index + 1).padStart(2, '0') };
        };
        for (const part of way) await uploadAndBook(client, write(part, told, isOcr));
        results.push(await books(client, bills));
      }
      expect(results[1]).toEqual(results[0]);
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  );
});

interface Told {
  readonly kid: string;
  readonly amount: number;
  readonly times: number;
  readonly day: string;
}

function write(part: readonly number[], told: (index: number) => Told, isOcr: boolean): string {
  if (isOcr) {
    return part
      .map((index) => {
        const { kid, amount, times, day } = told(index);
        const payments = Array.from({ length: times }, () => ({ kid, amount }));
        return ocrFile(payments, { transmission: index + 1, date: `${day}1126` });
      })
      .join('');
  }
  return camtFile(
    part.flatMap((index) => {
      const { kid, amount, times, day } = told(index);
      return Array.from({ length: times }, (_, time) => ({
        kids: [kid],
        amount,
        date: `2026-11-${day}`,
        reference: `R${index}-${time}`,
      }));
    }),
  );
}
