import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { startTestApp, type TestApp } from '../../testing/app.ts';
import {
  bill,
  creditOf,
  uploadAndBook,
  WITH_ACCOUNTS,
  type Billed,
} from '../../testing/bank-files/bank-company.ts';
import { camtFile, ocrFile } from '../../testing/bank-files/payment-files.ts';
import type { TestClient } from '../../testing/client.ts';
import { completeProfile, createCustomer } from '../../testing/factories.ts';

/** CONTRIBUTING.md describes the long run with more. */
const RUNS = Number(process.env['SPLIT_RUNS'] ?? 6);
const SEED = Number(process.env['SPLIT_SEED'] ?? 1);
const INVOICES = [100, 100, 250];
/** Amounts of the invoices whose payments the bank reverses. */
const TAKEN_BACK = [100, 250];
/** Used as the index of an invoice: the payment has a text instead of a KID. */
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

async function createCompanyWithInvoices(): Promise<{ client: TestClient; bills: Billed[] }> {
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

/** Undoes and books a file again. A payment that another file reverses cannot be undone. */
async function undoAndBook(client: TestClient, file: string): Promise<void> {
  const path = `/api/payments/files/${file}`;
  const { status } = await client.post(`${path}/undo/`);
  const booked = status === 200 ? await client.post(`${path}/book/`) : null;
  expect([status, booked?.status]).toEqual(booked ? [200, 200] : [409, undefined]);
}

/** One payment, or several equal payments in a row. */
interface PaymentGroup {
  /** The index of the invoice. Any other number gives an unknown KID. */
  readonly invoice: number;
  /** Kroner; negative is a reversal. */
  readonly amount: number;
  readonly times: number;
  /** For a reversal by reference: how many positions earlier its payment is. */
  readonly takesBack?: number | undefined;
}

const payment = fc.record({
  invoice: fc.constantFrom(0, 1, 2, 99),
  amount: fc.constantFrom(20, 50, 100, 150, 250),
  // Banks list equal payments together.
  times: fc.constantFrom(1, 1, 2),
});

/**
 * Equal payments of an invoice, of which the bank reverses some, and other payments. They may exceed the amount
 * due. Payments without an invoice have a text.
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
    const paid: PaymentGroup[] = [
      { amount, times },
      ...others.map((other) => ({ amount: other, times: 1 })),
    ].map((one) => Object.assign(one, { invoice }));
    // A reference identifies the reversed payment only when no other payment equals it.
    const takesBack = isNamed && times === 1 && reversed === 1 ? paid.length : undefined;
    return paid.concat({ invoice, amount: -amount, times: reversed, takesBack });
  });

const split = fc.record({
  paid: fc.array(payment, { minLength: 1, maxLength: 5 }),
  back: fc.uniqueArray(takenBack, { maxLength: 2, selector: ([first]) => first?.invoice }),
  isOcr: fc.boolean(),
  /** The indexes of the payments in each file. The last file has all payments. */
  files: fc.array(fc.array(fc.nat(8), { maxLength: 8 }), { maxLength: 4 }),
  /** The index of the file that is undone and booked again. */
  undone: fc.nat(4),
  seed: fc.nat(),
});

test('any split of a file into overlapping files, in any order, gives the same books', async () => {
  await fc.assert(
    fc.asyncProperty(split, async ({ paid, back, isOcr, files, undone, seed }) => {
      const payments: readonly PaymentGroup[] = [...paid, ...back.flat()];
      const all = payments.map((_, index) => index);
      const parts = [...files, all]
        .map((indexes) => [...new Set(indexes)].filter((index) => index < payments.length))
        .filter((indexes) => indexes.length > 0);
      const order = parts.map((part, index) => ({ part, key: (seed * (index + 7)) % 11 }));
      const shuffled = order.toSorted((a, b) => a.key - b.key).map(({ part }) => part);
      const results: unknown[] = [];
      for (const way of [[all], shuffled]) {
        const { client, bills } = await createCompanyWithInvoices();
        const given = (index: number): Line => {
          const { invoice = 99, amount = 0, times = 1, takesBack } = payments[index] ?? {};
          const kid = bills[invoice]?.kid ?? '12344';
          const named = invoice === TEXT ? { text: 'Loddsalg på årsmøtet' } : { kid };
          // Different days, because equal payments in different files are possible copies.
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
  /** The reference of the payment that it reverses. */
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
