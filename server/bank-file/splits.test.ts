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
/** Of invoices whose payments the bank takes back. */
const TAKEN_BACK = [100, 250];

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
  for (const kroner of [...INVOICES, ...TAKEN_BACK])
    bills.push(await bill(client, customer, kroner));
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

/** What the bank tells at once. */
interface Told {
  /** Index; what is none of an invoice is of nobody. */
  readonly invoice: number;
  /** Kroner; negative takes back. */
  readonly amount: number;
  readonly times: number;
  /** Of what it takes back. */
  readonly takesBack?: string | undefined;
}

const payment = fc.record({
  invoice: fc.constantFrom(0, 1, 2, 99),
  amount: fc.constantFrom(20, 50, 100, 150, 250),
  // Equal payments come together, as the bank tells them.
  times: fc.constantFrom(1, 1, 2),
});

/** Equal payments of an invoice, some of them more than is due, and how many of them are taken back. */
const takenBack = fc
  .record({
    index: fc.nat(TAKEN_BACK.length - 1),
    amount: fc.constantFrom(50, 100, 150, 260),
    times: fc.integer({ min: 1, max: 3 }),
    reversed: fc.integer({ min: 1, max: 3 }),
    isNamed: fc.boolean(),
  })
  .map(({ index, amount, times, reversed, isNamed }): Told[] => [
    { invoice: INVOICES.length + index, amount, times },
    {
      invoice: INVOICES.length + index,
      amount: -amount,
      times: reversed,
      // Only of one payment it is sure which is the one that is named.
      takesBack: isNamed && times === 1 && reversed === 1 ? 'named' : undefined,
    },
  ]);

const split = fc.record({
  paid: fc.array(payment, { maxLength: 5 }),
  back: fc.uniqueArray(takenBack, { maxLength: 2, selector: ([first]) => first?.invoice }),
  isOcr: fc.boolean(),
  /** Which payments each of the files has; what is in none comes in the last. */
  files: fc.array(fc.array(fc.nat(8), { maxLength: 8 }), { maxLength: 4 }),
  seed: fc.nat(),
});

test('any split of a file into overlapping files, in any order, gives the same books', async () => {
  await fc.assert(
    fc.asyncProperty(split, async ({ paid, back, isOcr, files, seed }) => {
      const payments: readonly Told[] = [...paid, ...back.flat()];
      const all = payments.map((_, index) => index);
      const parts = [...files, all]
        .map((indexes) => [...new Set(indexes)].filter((index) => index < payments.length))
        .filter((indexes) => indexes.length > 0);
      const order = parts.map((part, index) => ({ part, key: (seed * (index + 7)) % 11 }));
      const shuffled = order.toSorted((a, b) => a.key - b.key).map(({ part }) => part);
      const results: unknown[] = [];
      for (const way of [[all], shuffled]) {
        const { client, bills } = await begin();
        const told = (index: number): Line => {
          const { invoice = 99, amount = 0, times = 1, takesBack } = payments[index] ?? {};
          const kid = bills[invoice]?.kid ?? '12344';
          // What looks alike in different files would be for a person: the days tell them apart.
          const day = String(index + 1).padStart(2, '0');
          return { kid, times, amount, day, original: takesBack && `R${index - 1}-0` };
        };
        for (const part of way) await uploadAndBook(client, write(part, told, isOcr));
        results.push(await books(client, bills));
      }
      expect(results[1]).toEqual(results[0]);
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  );
});

interface Line {
  readonly kid: string;
  readonly amount: number;
  readonly times: number;
  readonly day: string;
  /** The reference of what it takes back. */
  readonly original: string | undefined;
}

function write(part: readonly number[], told: (index: number) => Line, isOcr: boolean): string {
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
      const { kid, amount, times, day, original } = told(index);
      return Array.from({ length: times }, (_, time) => ({
        ...(original === undefined ? { kids: [kid] } : { detailReference: original }),
        amount,
        date: `2026-11-${day}`,
        reference: `R${index}-${time}`,
      }));
    }),
  );
}
