import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { startTestApp, type TestApp } from '../../testing/app.ts';
import {
  bill,
  camtFile,
  creditOf,
  ocrFile,
  uploadAndBook,
  WITH_ACCOUNTS,
  type Billed,
} from '../../testing/bank-files/payment-files.ts';
import type { TestClient } from '../../testing/client.ts';
import { completeProfile, createCustomer } from '../../testing/factories.ts';

/** More in the long run, which is in CONTRIBUTING.md. */
const RUNS = Number(process.env['SPLIT_RUNS'] ?? 6);
const SEED = Number(process.env['SPLIT_SEED'] ?? 1);
const INVOICES = [100, 100, 250];
/** Invoices whose payments the bank takes back. */
const TAKEN_BACK = [100, 250];
/** In the place of an invoice: it has no KID, but a text. */
const TEXT = 98;

vi.setConfig({ testTimeout: 120_000 + RUNS * 10_000 });

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

/** The final state of the books, without details that depend on the order. */
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

/** A payment reversed in another file cannot be undone. */
async function undoAndBook(client: TestClient, file: string): Promise<void> {
  const path = `/api/payments/files/${file}`;
  const { status } = await client.post(`${path}/undo/`);
  const booked = status === 200 ? await client.post(`${path}/book/`) : null;
  expect([status, booked?.status]).toEqual(booked ? [200, 200] : [409, undefined]);
}

/** A payment or several equal ones that the bank lists together. */
interface Told {
  /** Index; what is none of an invoice is of nobody. */
  readonly invoice: number;
  /** Kroner; negative takes back. */
  readonly amount: number;
  readonly times: number;
  /** The payment that it takes back by reference: so many before it. */
  readonly takesBack?: number | undefined;
}

const payment = fc.record({
  invoice: fc.constantFrom(0, 1, 2, 99),
  amount: fc.constantFrom(20, 50, 100, 150, 250),
  // Equal payments come together, as the bank tells them.
  times: fc.constantFrom(1, 1, 2),
});

/**
 * Payments of an invoice, some of them more than is due, how many of the equal ones are taken back, and what
 * else is paid. Without an invoice it is a text that says what they are.
 */
const takenBack = fc
  .record({
    invoice: fc.constantFrom(...TAKEN_BACK.map((_, index) => INVOICES.length + index), TEXT),
    amount: fc.constantFrom(50, 100, 150, 260),
    times: fc.integer({ min: 1, max: 3 }),
    reversed: fc.integer({ min: 1, max: 3 }),
    isNamed: fc.boolean(),
    others: fc.array(fc.constantFrom(30, 60, 100, 240), { maxLength: 3 }),
  })
  .map(({ invoice, amount, times, reversed, isNamed, others }) => {
    const paid: Told[] = [
      { amount, times },
      ...others.map((other) => ({ amount: other, times: 1 })),
    ].map((one) => Object.assign(one, { invoice }));
    // Only of one payment it is sure which is the one that is named.
    const takesBack = isNamed && times === 1 && reversed === 1 ? paid.length : undefined;
    return paid.concat({ invoice, amount: -amount, times: reversed, takesBack });
  });

const split = fc.record({
  paid: fc.array(payment, { minLength: 1, maxLength: 5 }),
  back: fc.uniqueArray(takenBack, { maxLength: 2, selector: ([first]) => first?.invoice }),
  isOcr: fc.boolean(),
  /** Which payments each of the files has; what is in none comes in the last. */
  files: fc.array(fc.array(fc.nat(8), { maxLength: 8 }), { maxLength: 4 }),
  /** Which of them is undone, and booked again. */
  undone: fc.nat(4),
  seed: fc.nat(),
});

test('any split of a file into overlapping files, in any order, gives the same books', async () => {
  await fc.assert(
    fc.asyncProperty(split, async ({ paid, back, isOcr, files, undone, seed }) => {
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
        const given = (index: number): Line => {
          const { invoice = 99, amount = 0, times = 1, takesBack } = payments[index] ?? {};
          const kid = bills[invoice]?.kid ?? '12344';
          const named = invoice === TEXT ? { text: 'Loddsalg på årsmøtet' } : { kid };
          // Different days, because equal content in different files would be a possible copy.
          const day = String(index + 1).padStart(2, '0');
          const original = takesBack === undefined ? undefined : `R${index - takesBack}-0`;
          return { named, times, amount, day, original };
        };
        const booked: string[] = [];
        for (const part of way) {
          const { body } = await uploadAndBook(client, write(part, given, isOcr));
          booked.push((body as { uuid: string }).uuid);
        }
        await undoAndBook(client, booked[undone % booked.length] ?? '');
        results.push(await books(client, bills));
      }
      expect(results[1]).toEqual(results[0]);
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  );
});

interface Line {
  readonly named: { readonly kid: string } | { readonly text: string };
  readonly amount: number;
  readonly times: number;
  readonly day: string;
  /** The reference of what it takes back. */
  readonly original: string | undefined;
}

function write(part: readonly number[], given: (index: number) => Line, isOcr: boolean): string {
  if (isOcr) {
    return part
      .map((index) => {
        const { named, amount, times, day } = given(index);
        const payments = Array.from({ length: times }, () => ({ ...named, amount }));
        return ocrFile(payments, { transmission: index + 1, date: `${day}1126` });
      })
      .join('');
  }
  return camtFile(
    part.flatMap((index) => {
      const { named, amount, times, day, original } = given(index);
      const said = 'kid' in named ? { kids: [named.kid] } : named;
      return Array.from({ length: times }, (_, time) => ({
        ...(original === undefined ? said : { detailReference: original }),
        amount,
        date: `2026-11-${day}`,
        reference: `R${index}-${time}`,
      }));
    }),
  );
}
