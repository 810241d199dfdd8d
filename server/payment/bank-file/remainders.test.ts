import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { paymentsAreRight } from '../settlement.service.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import {
  bill,
  camtFile,
  creditOf,
  createBankCompany,
  paidOf,
  uploadAndBook,
  type Billed,
} from '../../testing/bank-files/payment-files.ts';
import type { TestClient } from '../../testing/client.ts';

// A surplus paid with an invoice's own KID pays the invoice when the bank takes another payment back.

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

/** A file of payments with the invoice's KID, a day apart; negative takes back. Returns the uuid of the file. */
async function tell(...amounts: number[]): Promise<string> {
  return tellOf(invoice.kid, amounts);
}

async function tellOf(kid: string, amounts: readonly number[]): Promise<string> {
  const payments = amounts.map((amount) => {
    day += 1;
    const date = `2026-11-${String(day).padStart(2, '0')}`;
    return { amount, kids: [kid], date, reference: `${date} ${amount}` };
  });
  return ((await uploadAndBook(client, camtFile(payments))).body as { uuid: string }).uuid;
}

const undo = async (file: string) => client.post(`/api/payments/files/${file}/undo/`);
const standing = async () => [
  await paidOf(client, invoice.uuid),
  await creditOf(testApp.context.db, client),
];

async function unplaced(): Promise<{ uuid: string; amount: number }[]> {
  const { body } = await client.get('/api/payments/?state=UNPLACED');
  return (body as { results: { uuid: string; amount: number }[] }).results;
}

describe('what is left of payments with the KID of an invoice', () => {
  test('pays it when it is due again, the oldest first, and is told by Faktur', async () => {
    await tell(100, 60, 70);
    expect(await standing()).toEqual([100, 130]);
    await tell(-100);
    expect(await standing()).toEqual([100, 30]);
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

  test('makes room again when the reversal is undone', async () => {
    await tell(20, 80, 60, 60);
    const reversal = await tell(-80);
    expect(await standing()).toEqual([100, 40]);
    expect((await undo(reversal)).status).toBe(200);
    expect(await standing()).toEqual([100, 120]);
    await tell(-80);
    expect(await standing()).toEqual([100, 40]);
  });

  test('gives room for as much as comes back, of several reversals in any order', async () => {
    await tell(50, 50.5, 60);
    const [first, second] = [await tell(-50), await tell(-50.5)];
    expect(await standing()).toEqual([60, 0]);
    expect((await undo(first)).status).toBe(200);
    expect(await standing()).toEqual([100, 10]);
    expect((await undo(second)).status).toBe(200);
    expect(await standing()).toEqual([100, 60.5]);
  });

  test('gives way to what comes back, also when it was told after the reversal', async () => {
    await tell(70);
    const reversal = await tell(-70);
    await tell(90);
    expect(await standing()).toEqual([90, 0]);
    expect((await undo(reversal)).status).toBe(200);
    expect(await standing()).toEqual([100, 60]);
  });

  test('is as it was when the reversal is undone, and so is the day on which the invoice was paid', async () => {
    await tell(100);
    const reversal = await tell(-100);
    expect((await undo(reversal)).status).toBe(200);
    const { body } = await client.get(`/api/invoices/${invoice.uuid}/`);
    expect(body).toMatchObject({ status: 'PAID', paid_date: '2026-11-01' });
  });

  test('pays it when the file that paid it is undone, and is left again when that is booked', async () => {
    const file = await tell(100);
    await tell(60);
    expect((await undo(file)).status).toBe(200);
    expect(await standing()).toEqual([60, 0]);
    expect((await client.post(`/api/payments/files/${file}/book/`)).status).toBe(200);
    expect(await standing()).toEqual([100, 60]);
  });

  test('goes with its own file, wherever it is by then', async () => {
    await tell(100);
    const rest = await tell(60);
    const reversal = await tell(-100);
    expect(await standing()).toEqual([60, 0]);
    expect((await undo(rest)).status).toBe(200);
    expect(await standing()).toEqual([0, 0]);
    expect((await undo(reversal)).status).toBe(200);
    expect(await standing()).toEqual([100, 0]);
  });

  test('stays where a person has put it', async () => {
    await tell(100, 60);
    const other = await bill(client, customer, 20);
    const [rest] = await unplaced();
    const placed = await client.post(`/api/payments/${rest?.uuid}/place/`, {
      invoice_uuid: other.uuid,
    });
    expect(placed.status).toBe(200);
    await tell(-100);
    expect(await standing()).toEqual([0, 40]);
    expect(await paidOf(client, other.uuid)).toBe(20);
  });

  test('is none of another KID, and nothing that is for a person', async () => {
    const other = await bill(client, customer, 100);
    await tell(100);
    await tellOf(other.kid, [100, 60]);
    await tell(-100);
    expect(await standing()).toEqual([0, 60]);
  });
});
