import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { paymentsAreRight } from '../payment-check.repository.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import {
  bill,
  creditOf,
  createBankCompany,
  paidOf,
  uploadAndBook,
  type Billed,
} from '../../testing/bank-files/bank-company.ts';
import { camtFile } from '../../testing/bank-files/payment-files.ts';
import type { TestClient } from '../../testing/client.ts';

// When the bank reverses a payment, money left over from other payments with the invoice's KID pays the invoice.

let testApp: TestApp;
let client: TestClient;
let customer: number;
let invoice: Billed;
let day = 0;

beforeAll(async () => {
  testApp = await startTestApp({ FEATURES: 'payments', DISPATCH: 'staff' });
});
afterAll(async () => {
  const companies = await testApp.context.db.selectFrom('company').select('id').execute();
  for (const { id } of companies) {
    expect(await paymentsAreRight(testApp.context.db, id)).toBe(true);
  }
  await testApp.close();
});
beforeEach(async () => {
  ({ client, customer } = await createBankCompany(testApp));
  invoice = await bill(client, customer, 100);
  day = 0;
});

/** Uploads and books payments with the invoice's KID, a day apart; negative is a reversal. Returns the file's uuid. */
async function uploadOwnPayments(...amounts: number[]): Promise<string> {
  return uploadPayments(invoice.kid, amounts);
}

async function uploadPayments(kid: string, amounts: readonly number[]): Promise<string> {
  const payments = amounts.map((amount) => {
    day += 1;
    const date = `2026-11-${String(day).padStart(2, '0')}`;
    return { amount, kids: [kid], date, reference: `${date} ${amount}` };
  });
  return ((await uploadAndBook(client, camtFile(payments))).body as { uuid: string }).uuid;
}

const undo = async (file: string) => client.post(`/api/payments/files/${file}/undo/`);
const readBalances = async () => [
  await paidOf(client, invoice.uuid),
  await creditOf(testApp.context.db, client),
];

async function unplaced(): Promise<{ uuid: string; amount: number }[]> {
  const { body } = await client.get('/api/payments/?state=UNPLACED');
  return (body as { results: { uuid: string; amount: number }[] }).results;
}

describe('a surplus paid with the KID of an invoice', () => {
  test('pays the invoice when it is due again, oldest money first, with Faktur as the author', async () => {
    await uploadOwnPayments(100, 60, 70);
    expect(await readBalances()).toEqual([100, 130]);
    await uploadOwnPayments(-100);
    expect(await readBalances()).toEqual([100, 30]);
    expect(await unplaced()).toMatchObject([{ amount: 30 }]);
    const { body: payments } = await client.get(`/api/payments/?invoice=${invoice.uuid}`);
    const inForce = payments.results.filter(
      ({ amount, undone_by }: { amount: number; undone_by: string | null }) =>
        amount > 0 && undone_by === null,
    );
    expect(inForce.map(({ amount }: { amount: number }) => amount)).toEqual([40, 60]);
    const { body: history } = await client.get(`/api/invoices/${invoice.uuid}/history/`);
    expect(history.slice(0, 5)).toMatchObject([
      {
        kind: 'PAID',
        by: { type: 'SYSTEM', name: 'Faktur' },
        details: { paid_date: '2026-11-03' },
      },
      { kind: 'PAYMENT', by: { type: 'SYSTEM' } },
      { kind: 'PAYMENT', by: { type: 'SYSTEM' } },
      { kind: 'UNPAID', by: { type: 'BANK' } },
      { kind: 'PAYMENT', by: { type: 'BANK' }, details: { amount: -100 } },
    ]);
  });

  test('becomes credit again when the reversal is undone', async () => {
    await uploadOwnPayments(20, 80, 60, 60);
    const reversal = await uploadOwnPayments(-80);
    expect(await readBalances()).toEqual([100, 40]);
    expect((await undo(reversal)).status).toBe(200);
    expect(await readBalances()).toEqual([100, 120]);
    await uploadOwnPayments(-80);
    expect(await readBalances()).toEqual([100, 40]);
  });

  test('returns to credit one by one when several reversals are undone in any order', async () => {
    await uploadOwnPayments(50, 50.5, 60);
    const [first, second] = [await uploadOwnPayments(-50), await uploadOwnPayments(-50.5)];
    expect(await readBalances()).toEqual([60, 0]);
    expect((await undo(first)).status).toBe(200);
    expect(await readBalances()).toEqual([100, 10]);
    expect((await undo(second)).status).toBe(200);
    expect(await readBalances()).toEqual([100, 60.5]);
  });

  test('returns to credit when the reversal is undone, also when it was paid after the reversal', async () => {
    await uploadOwnPayments(70);
    const reversal = await uploadOwnPayments(-70);
    await uploadOwnPayments(90);
    expect(await readBalances()).toEqual([90, 0]);
    expect((await undo(reversal)).status).toBe(200);
    expect(await readBalances()).toEqual([100, 60]);
  });

  test('leaves the paid date unchanged when the reversal is undone', async () => {
    await uploadOwnPayments(100);
    const reversal = await uploadOwnPayments(-100);
    expect((await undo(reversal)).status).toBe(200);
    const { body } = await client.get(`/api/invoices/${invoice.uuid}/`);
    expect(body).toMatchObject({ status: 'PAID', paid_date: '2026-11-01' });
  });

  test('pays the invoice while the file of the first payment is undone', async () => {
    const file = await uploadOwnPayments(100);
    await uploadOwnPayments(60);
    expect((await undo(file)).status).toBe(200);
    expect(await readBalances()).toEqual([60, 0]);
    expect((await client.post(`/api/payments/files/${file}/book/`)).status).toBe(200);
    expect(await readBalances()).toEqual([100, 60]);
  });

  test('disappears when its own file is undone, also when it has paid the invoice', async () => {
    await uploadOwnPayments(100);
    const rest = await uploadOwnPayments(60);
    const reversal = await uploadOwnPayments(-100);
    expect(await readBalances()).toEqual([60, 0]);
    expect((await undo(rest)).status).toBe(200);
    expect(await readBalances()).toEqual([0, 0]);
    expect((await undo(reversal)).status).toBe(200);
    expect(await readBalances()).toEqual([100, 0]);
  });

  test('stays on the invoice on which a user has placed it', async () => {
    await uploadOwnPayments(100, 60);
    const other = await bill(client, customer, 20);
    const [rest] = await unplaced();
    const placed = await client.post(`/api/payments/${rest?.uuid}/place/`, {
      invoice_uuid: other.uuid,
    });
    expect(placed.status).toBe(200);
    await uploadOwnPayments(-100);
    expect(await readBalances()).toEqual([0, 40]);
    expect(await paidOf(client, other.uuid)).toBe(20);
  });

  test('does not pay an invoice with another KID', async () => {
    const other = await bill(client, customer, 100);
    await uploadOwnPayments(100);
    await uploadPayments(other.kid, [100, 60]);
    await uploadOwnPayments(-100);
    expect(await readBalances()).toEqual([0, 60]);
  });
});
