import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { todayInOslo } from '../../domain/date.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import {
  bill,
  creditOf,
  createBankCompany,
  outcomesOf,
  upload,
  uploadAndBook,
  type Billed,
} from '../testing/bank-files/bank-company.ts';
import { ocrFile } from '../testing/bank-files/payment-files.ts';
import type { TestClient } from '../testing/client.ts';
import { addBankPayment, addReminderClaims } from '../testing/payments.ts';
import { paymentsAreRight } from './payment-check.repository.ts';

// The part of a payment above the principal pays reminder claims.

let testApp: TestApp;
let client: TestClient;
let companyId: number;
let invoice: Billed;
let transmission = 0;

beforeAll(async () => {
  testApp = await startTestApp({ FEATURES: 'payments,reminders', DISPATCH: 'staff' });
});
afterAll(async () => {
  const companies = await testApp.context.db.selectFrom('company').select('id').execute();
  for (const { id } of companies) {
    expect(await paymentsAreRight(testApp.context.db, id)).toBe(true);
  }
  await testApp.close();
});
/** An invoice of 1000 kr with a reminder fee of 35 kr. */
beforeEach(async () => {
  const { db } = testApp.context;
  const { client: caller, customer } = await createBankCompany(testApp);
  client = caller;
  invoice = await bill(client, customer, 1000);
  companyId = await companyOf(invoice.uuid);
  await addReminderClaims(db, companyId, invoice.uuid, { fee: 35 });
});

async function companyOf(uuid: string): Promise<number> {
  const row = await testApp.context.db
    .selectFrom('invoice')
    .select('companyId')
    .where('uuid', '=', uuid)
    .executeTakeFirstOrThrow();
  return row.companyId;
}

async function followUp(): Promise<void> {
  const { body } = await client.get('/api/users/reminder-settings/');
  const { debt_collection_notice: _, ...settings } = body as Record<string, unknown>;
  const saved = { ...settings, waive_rest: false };
  expect((await client.put('/api/users/reminder-settings/', saved)).status).toBe(200);
}

function file(...amounts: number[]): string {
  transmission += 1;
  const payments = amounts.map((amount) => ({ amount, kid: invoice.kid }));
  return ocrFile(payments, { transmission });
}

/** The status, the paid principal, the unpaid reminder claims and the credit; in kroner. */
async function readAmounts() {
  const { db } = testApp.context;
  const { status, paidAmount, reminderAmount } = await db
    .selectFrom('invoice')
    .select(['status', 'paidAmount', 'reminderAmount'])
    .where('uuid', '=', invoice.uuid)
    .executeTakeFirstOrThrow();
  return [status, paidAmount / 100, reminderAmount / 100, await creditOf(db, client)];
}

/** Whether each reminder of the invoice is shown as waived. */
async function areWaived(): Promise<boolean[]> {
  const { body } = await client.get(`/api/invoices/${invoice.uuid}/reminders/`);
  return (body as unknown as { waived: boolean }[]).map(({ waived }) => waived);
}

const post = async (path: string, body?: object) => client.post(`/api/payments/${path}`, body);

describe('a payment from the bank', () => {
  // REM-17
  test('pays the principal first, then the reminder claims, and the rest becomes credit', async () => {
    const { body } = await uploadAndBook(client, file(1100));
    expect(body.entries).toMatchObject([{ outcome: 'OVER', placements: [{ amount: 1035 }] }]);
    expect(await readAmounts()).toEqual(['PAID', 1000, 0, 65]);
    const { body: payments } = await client.get(`/api/payments/?invoice=${invoice.uuid}`);
    expect(payments.results).toMatchObject([{ amount: 1035, reminder_amount: 35 }]);
    expect(await areWaived()).toEqual([false]);
    await post(`files/${body.uuid}/undo/`);
    expect(await readAmounts()).toEqual(['REGISTERED', 0, 35, 0]);
  });

  test('of less than the principal leaves the reminder claims unpaid', async () => {
    await uploadAndBook(client, file(990));
    expect(await readAmounts()).toEqual(['REGISTERED', 990, 35, 0]);
    await uploadAndBook(client, file(30));
    expect(await readAmounts()).toEqual(['PAID', 1000, 0, 0]);
  });

  test('of exactly the principal waives the reminder claims until the payment is undone', async () => {
    expect(outcomesOf(await upload(client, file(1000, 35)))).toEqual(['EXACT', 'SETTLED']);
    const paid = await uploadAndBook(client, file(1000));
    expect(await readAmounts()).toEqual(['PAID', 1000, 0, 0]);
    // REM-20
    expect(await areWaived()).toEqual([true]);
    expect(outcomesOf(await uploadAndBook(client, file(35)))).toEqual(['SETTLED']);
    expect(await readAmounts()).toEqual(['PAID', 1000, 0, 35]);
    await post(`files/${paid.body.uuid}/undo/`);
    // The credit has the invoice's KID.
    expect(await readAmounts()).toEqual(['REGISTERED', 35, 35, 0]);
    expect(await areWaived()).toEqual([false]);
  });

  test('of exactly the principal leaves the reminder claims when the company follows them up', async () => {
    await followUp();
    await uploadAndBook(client, file(1000));
    expect(await readAmounts()).toEqual(['PAID', 1000, 35, 0]);
    expect(await areWaived()).toEqual([false]);
    expect(outcomesOf(await uploadAndBook(client, file(20, 20)))).toEqual(['EXACT', 'OVER']);
    expect(await readAmounts()).toEqual(['PAID', 1000, 0, 5]);
  });

  test('is reversed by the bank with the part for reminder claims', async () => {
    await uploadAndBook(client, file(1035));
    await uploadAndBook(client, file(-1035));
    expect(await readAmounts()).toEqual(['REGISTERED', 0, 35, 0]);
  });

  test('pays the invoice while the bank has reversed another one, and is credit when the reversal is undone', async () => {
    await followUp();
    await uploadAndBook(client, file(1035));
    await uploadAndBook(client, file(500));
    const reversal = await uploadAndBook(client, file(-1035));
    expect(await readAmounts()).toEqual(['REGISTERED', 500, 35, 0]);
    expect((await post(`files/${reversal.body.uuid}/undo/`)).status).toBe(200);
    expect(await readAmounts()).toEqual(['PAID', 1000, 0, 500]);
  });
});

describe('a manual payment', () => {
  const pay = async (amount: number) =>
    post('', { invoice_uuid: invoice.uuid, amount, date: todayInOslo() });

  // PAY-5
  test('may be as large as principal and reminder claims together, and can be undone', async () => {
    expect((await pay(1035.01)).status).toBe(400);
    const { status, body } = await pay(1035);
    expect([status, body]).toMatchObject([201, { amount: 1035, reminder_amount: 35 }]);
    expect(await readAmounts()).toEqual(['PAID', 1000, 0, 0]);
    expect((await post(`${body.uuid}/undo/`)).status).toBe(200);
    expect(await readAmounts()).toEqual(['REGISTERED', 0, 35, 0]);
  });

  test('by ‘Sett til betalt’ pays the principal, and ‘Ikke betalt’ restores the reminder claims', async () => {
    await client.post(`/api/invoices/${invoice.uuid}/update/`, { status: 'PAID' });
    expect(await readAmounts()).toEqual(['PAID', 1000, 0, 0]);
    await client.post(`/api/invoices/${invoice.uuid}/update/`, { status: 'REGISTERED' });
    expect(await readAmounts()).toEqual(['REGISTERED', 0, 35, 0]);
  });

  test.each([
    [1020, 0],
    [1100, 65],
  ])(
    'placed from %d kr of unplaced money pays principal and reminder claims',
    async (amount, credit) => {
      const uuid = await addBankPayment(testApp.context.db, companyId, { amount });
      expect((await post(`${uuid}/place/`, { invoice_uuid: invoice.uuid })).status).toBe(200);
      expect(await readAmounts()).toEqual(['PAID', 1000, 0, credit]);
    },
  );

  test('is deducted from the claims of a further reminder', async () => {
    await followUp();
    await uploadAndBook(client, file(990));
    await addReminderClaims(testApp.context.db, companyId, invoice.uuid, {
      fee: 35,
      interest: 5,
      step: 2,
    });
    expect(await readAmounts()).toEqual(['REGISTERED', 990, 75, 0]);
    await pay(50);
    expect(await readAmounts()).toEqual(['PAID', 1000, 35, 0]);
  });
});

describe('a payment dated before the reminder', () => {
  // The interest of 1000 kr for 20 days at 12.25 per cent is 6.71 kr.
  const ASKED = { fee: 37.5, interest: 6.71, sentOn: '2026-09-20' } as const;
  const INTEREST = { all: 6.71, ofTenDays: 3.36, ofHalf: 3.36 };

  /** The invoice is due on Monday 31 August, and the reminder is of 20 September. */
  beforeEach(async () => {
    const { client: caller, customer } = await createBankCompany(testApp);
    client = caller;
    invoice = await bill(client, customer, 1000, { issue_date: '2026-08-17', due_days: 14 });
    companyId = await companyOf(invoice.uuid);
    await addReminderClaims(testApp.context.db, companyId, invoice.uuid, ASKED);
    expect(await readAmounts()).toEqual(['REGISTERED', 0, 44.21, 0]);
  });

  /** @param date DDMMYY */
  const fileOfOne = (amount: number, date: string) => {
    transmission += 1;
    return ocrFile([{ amount, kid: invoice.kid }], { transmission, date });
  };
  const owed = async () => {
    const { body } = await client.get(`/api/invoices/${invoice.uuid}/`);
    return body.reminder_amount as number;
  };
  const reminder = async () =>
    (await client.get(`/api/invoices/${invoice.uuid}/reminders/`)).body[0];

  test('and in time waives the reminder claims until the payment is undone', async () => {
    await followUp();
    const { body } = await uploadAndBook(client, fileOfOne(1000, '310826'));
    expect(await readAmounts()).toEqual(['PAID', 1000, 0, 0]);
    expect(await reminder()).toMatchObject({ fee: 37.5, interest: 6.71, waived: true });
    expect((await post(`files/${body.uuid}/undo/`)).status).toBe(200);
    expect(await readAmounts()).toEqual(['REGISTERED', 0, 44.21, 0]);
    expect(await reminder()).toMatchObject({ waived: false });
  });

  test('but late leaves the interest up to the payment date', async () => {
    await followUp();
    await uploadAndBook(client, fileOfOne(1000, '100926'));
    expect(await readAmounts()).toEqual(['PAID', 1000, INTEREST.ofTenDays, 0]);
  });

  test('in part lowers the interest', async () => {
    await uploadAndBook(client, fileOfOne(500, '310826'));
    expect(await readAmounts()).toEqual(['REGISTERED', 500, 37.5 + INTEREST.ofHalf, 0]);
    await uploadAndBook(client, fileOfOne(500, '290826'));
    // The profile waives the remaining claims.
    expect(await readAmounts()).toEqual(['PAID', 1000, 0, 0]);
  });

  test('lowers no claims when it is dated on the day of the reminder', async () => {
    await followUp();
    await uploadAndBook(client, fileOfOne(1000, '200926'));
    expect(await readAmounts()).toEqual(['PAID', 1000, 44.21, 0]);
  });

  test('turns earlier payments of claims that no longer exist into credit', async () => {
    await followUp();
    await uploadAndBook(client, fileOfOne(544.21, '250926'));
    expect(await readAmounts()).toEqual(['REGISTERED', 544.21, 44.21, 0]);
    const { body } = await uploadAndBook(client, fileOfOne(500, '310826'));
    // The interest of 544.21 kr for 20 days is 3.65 kr.
    expect(await readAmounts()).toEqual(['PAID', 1000, 0, 3.06]);
    await post(`files/${body.uuid}/undo/`);
    expect(await readAmounts()).toEqual(['REGISTERED', 544.21, 44.21, 0]);
  });

  test('lowers the claims when it is entered by hand', async () => {
    await followUp();
    const paid = await post('', {
      invoice_uuid: invoice.uuid,
      amount: 1044.21,
      date: '2026-08-31',
    });
    expect(paid.status).toBe(201);
    expect(await readAmounts()).toEqual(['PAID', 1000, 0, 44.21]);
  });

  test('lowers the claims when it is placed from unplaced money', async () => {
    await followUp();
    const { db } = testApp.context;
    const uuid = await addBankPayment(db, companyId, { amount: 1000, paidOn: '2026-08-31' });
    expect((await post(`${uuid}/place/`, { invoice_uuid: invoice.uuid })).status).toBe(200);
    expect(await readAmounts()).toEqual(['PAID', 1000, 0, 0]);
  });

  test('remaining claims can be waived by hand', async () => {
    await followUp();
    const { body: file } = await uploadAndBook(client, fileOfOne(1010, '011026'));
    expect(await readAmounts()).toEqual(['PAID', 1000, 34.21, 0]);
    const answer = await client.post(`/api/invoices/${invoice.uuid}/reminders/waive/`);
    expect([answer.status, answer.body.reminder_amount]).toEqual([200, 0]);
    expect(await reminder()).toMatchObject({ waived: true });
    const again = await client.post(`/api/invoices/${invoice.uuid}/reminders/waive/`);
    expect([again.status, again.body.reminder_amount]).toEqual([200, 0]);
    const { body: history } = await client.get(`/api/invoices/${invoice.uuid}/history/`);
    expect(history.filter(({ kind }: { kind: string }) => kind === 'REMINDED')).toMatchObject([
      { details: { waived: 34.21 } },
    ]);
    // The paid part of the claims is due again when the payment is undone.
    expect((await post(`files/${file.uuid}/undo/`)).status).toBe(200);
    expect(await owed()).toBe(10);
    const unknown = await client.post(`/api/invoices/${crypto.randomUUID()}/reminders/waive/`);
    expect(unknown.status).toBe(404);
  });
});

test('crediting an invoice removes its reminder claims and turns all payments into credit', async () => {
  await uploadAndBook(client, file(1035));
  expect((await client.delete(`/api/invoices/${invoice.uuid}/?expect=PAID`)).status).toBe(204);
  expect(await readAmounts()).toEqual(['CANCELLED', 0, 0, 1035]);
  expect(await areWaived()).toEqual([true]);
});
