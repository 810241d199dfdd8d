import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { todayInOslo } from '../../domain/date.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import {
  bill,
  creditOf,
  createBankCompany,
  ocrFile,
  outcomesOf,
  upload,
  uploadAndBook,
  type Billed,
} from '../testing/bank-files/payment-files.ts';
import type { TestClient } from '../testing/client.ts';
import { addBankPayment, askBeside } from '../testing/payments.ts';
import { paymentsAreRight } from './settlement.service.ts';

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
/** An invoice of 1000 kr, and 35 kr beside it. */
beforeEach(async () => {
  const { db } = testApp.context;
  const { client: caller, customer } = await createBankCompany(testApp);
  client = caller;
  invoice = await bill(client, customer, 1000);
  companyId = await companyOf(invoice.uuid);
  await askBeside(db, companyId, invoice.uuid, { fee: 35 });
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

/** Status, what is paid of the principal, what is asked for beside it, and credit; in kroner. */
async function standing() {
  const { db } = testApp.context;
  const { status, paidAmount, reminderAmount } = await db
    .selectFrom('invoice')
    .select(['status', 'paidAmount', 'reminderAmount'])
    .where('uuid', '=', invoice.uuid)
    .executeTakeFirstOrThrow();
  return [status, paidAmount / 100, reminderAmount / 100, await creditOf(db, client)];
}

const post = async (path: string, body?: object) => client.post(`/api/payments/${path}`, body);

describe('a payment of the bank', () => {
  test('pays the principal, then what reminders ask for, and the rest is credit', async () => {
    const { body } = await uploadAndBook(client, file(1100));
    expect(body.entries).toMatchObject([{ outcome: 'OVER', placements: [{ amount: 1035 }] }]);
    expect(await standing()).toEqual(['PAID', 1000, 0, 65]);
    const { body: payments } = await client.get(`/api/payments/?invoice=${invoice.uuid}`);
    expect(payments.results).toMatchObject([{ amount: 1035, reminder_amount: 35 }]);
    await post(`files/${body.uuid}/undo/`);
    expect(await standing()).toEqual(['REGISTERED', 0, 35, 0]);
  });

  test('of less than the principal leaves what reminders ask for', async () => {
    await uploadAndBook(client, file(990));
    expect(await standing()).toEqual(['REGISTERED', 990, 35, 0]);
    await uploadAndBook(client, file(30));
    expect(await standing()).toEqual(['PAID', 1000, 0, 0]);
  });

  test('of the principal alone lets the rest go, until it is taken back', async () => {
    expect(outcomesOf(await upload(client, file(1000, 35)))).toEqual(['EXACT', 'SETTLED']);
    const paid = await uploadAndBook(client, file(1000));
    expect(await standing()).toEqual(['PAID', 1000, 0, 0]);
    expect(outcomesOf(await uploadAndBook(client, file(35)))).toEqual(['SETTLED']);
    expect(await standing()).toEqual(['PAID', 1000, 0, 35]);
    await post(`files/${paid.body.uuid}/undo/`);
    // The credit has the invoice's KID.
    expect(await standing()).toEqual(['REGISTERED', 35, 35, 0]);
  });

  test('of the principal alone leaves the rest to be followed up, when the company says so', async () => {
    await followUp();
    await uploadAndBook(client, file(1000));
    expect(await standing()).toEqual(['PAID', 1000, 35, 0]);
    expect(outcomesOf(await uploadAndBook(client, file(20, 20)))).toEqual(['EXACT', 'OVER']);
    expect(await standing()).toEqual(['PAID', 1000, 0, 5]);
  });

  test('that the bank takes back takes back all of it', async () => {
    await uploadAndBook(client, file(1035));
    await uploadAndBook(client, file(-1035));
    expect(await standing()).toEqual(['REGISTERED', 0, 35, 0]);
  });

  test('gives way to another that comes back, and is there again', async () => {
    await followUp();
    await uploadAndBook(client, file(1035));
    await uploadAndBook(client, file(500));
    const reversal = await uploadAndBook(client, file(-1035));
    expect(await standing()).toEqual(['REGISTERED', 500, 35, 0]);
    expect((await post(`files/${reversal.body.uuid}/undo/`)).status).toBe(200);
    expect(await standing()).toEqual(['PAID', 1000, 0, 500]);
  });
});

describe('by hand', () => {
  const pay = async (amount: number) =>
    post('', { invoice_uuid: invoice.uuid, amount, date: todayInOslo() });

  test('as much is noted as is asked for, and taken back', async () => {
    expect((await pay(1035.01)).status).toBe(400);
    const { status, body } = await pay(1035);
    expect([status, body]).toMatchObject([201, { amount: 1035, reminder_amount: 35 }]);
    expect(await standing()).toEqual(['PAID', 1000, 0, 0]);
    expect((await post(`${body.uuid}/undo/`)).status).toBe(200);
    expect(await standing()).toEqual(['REGISTERED', 0, 35, 0]);
  });

  test('‘Sett til betalt’ is of the principal, and ‘Ikke betalt’ asks for the rest again', async () => {
    await client.post(`/api/invoices/${invoice.uuid}/update/`, { status: 'PAID' });
    expect(await standing()).toEqual(['PAID', 1000, 0, 0]);
    await client.post(`/api/invoices/${invoice.uuid}/update/`, { status: 'REGISTERED' });
    expect(await standing()).toEqual(['REGISTERED', 0, 35, 0]);
  });

  test.each([
    [1020, 0],
    [1100, 65],
  ])('what is unplaced is placed on both: %d', async (amount, credit) => {
    const uuid = await addBankPayment(testApp.context.db, companyId, { amount });
    expect((await post(`${uuid}/place/`, { invoice_uuid: invoice.uuid })).status).toBe(200);
    expect(await standing()).toEqual(['PAID', 1000, 0, credit]);
  });

  test('what a reminder asks for more is owed, less what was paid', async () => {
    await followUp();
    await uploadAndBook(client, file(990));
    await askBeside(testApp.context.db, companyId, invoice.uuid, { fee: 35, interest: 5, step: 2 });
    expect(await standing()).toEqual(['REGISTERED', 990, 75, 0]);
    await pay(50);
    expect(await standing()).toEqual(['PAID', 1000, 35, 0]);
  });
});

describe('what came before the reminder', () => {
  // 20 days of 1000 kr at 12.25 per cent are 6.71.
  const ASKED = { fee: 37.5, interest: 6.71, sentOn: '2026-09-20' } as const;
  const INTEREST = { all: 6.71, ofTenDays: 3.36, ofHalf: 3.36 };

  /** Due on Monday 31 August, and reminded of on 20 September. */
  beforeEach(async () => {
    const { client: caller, customer } = await createBankCompany(testApp);
    client = caller;
    invoice = await bill(client, customer, 1000, { issue_date: '2026-08-17', due_days: 14 });
    companyId = await companyOf(invoice.uuid);
    await askBeside(testApp.context.db, companyId, invoice.uuid, ASKED);
    expect(await standing()).toEqual(['REGISTERED', 0, 44.21, 0]);
  });

  /** @param date DDMMYY */
  const given = (amount: number, date: string) => {
    transmission += 1;
    return ocrFile([{ amount, kid: invoice.kid }], { transmission, date });
  };
  const owed = async () => {
    const { body } = await client.get(`/api/invoices/${invoice.uuid}/`);
    return body.reminder_amount as number;
  };
  const reminder = async () =>
    (await client.get(`/api/invoices/${invoice.uuid}/reminders/`)).body[0];

  test('in time leaves nothing of it, until it is taken back', async () => {
    await followUp();
    const { body } = await uploadAndBook(client, given(1000, '310826'));
    expect(await standing()).toEqual(['PAID', 1000, 0, 0]);
    expect(await reminder()).toMatchObject({ fee: 37.5, interest: 6.71, waived: true });
    expect((await post(`files/${body.uuid}/undo/`)).status).toBe(200);
    expect(await standing()).toEqual(['REGISTERED', 0, 44.21, 0]);
    expect(await reminder()).toMatchObject({ waived: false });
  });

  test('late, but before it, leaves the interest of those days', async () => {
    await followUp();
    await uploadAndBook(client, given(1000, '100926'));
    expect(await standing()).toEqual(['PAID', 1000, INTEREST.ofTenDays, 0]);
  });

  test('in part lowers the interest, and a new reminder asks for what is left', async () => {
    await uploadAndBook(client, given(500, '310826'));
    expect(await standing()).toEqual(['REGISTERED', 500, 37.5 + INTEREST.ofHalf, 0]);
    await uploadAndBook(client, given(500, '290826'));
    // The profile lets go what is left.
    expect(await standing()).toEqual(['PAID', 1000, 0, 0]);
  });

  test('does not matter when it came on its day or later', async () => {
    await followUp();
    await uploadAndBook(client, given(1000, '200926'));
    expect(await standing()).toEqual(['PAID', 1000, 44.21, 0]);
  });

  test('is credit when it paid for what is not asked for any more', async () => {
    await followUp();
    await uploadAndBook(client, given(544.21, '250926'));
    expect(await standing()).toEqual(['REGISTERED', 544.21, 44.21, 0]);
    const { body } = await uploadAndBook(client, given(500, '310826'));
    // 20 days of 544.21 kr are 3.65.
    expect(await standing()).toEqual(['PAID', 1000, 0, 3.06]);
    await post(`files/${body.uuid}/undo/`);
    expect(await standing()).toEqual(['REGISTERED', 544.21, 44.21, 0]);
  });

  test('is noted by hand alike, and placed', async () => {
    await followUp();
    const paid = await post('', {
      invoice_uuid: invoice.uuid,
      amount: 1044.21,
      date: '2026-08-31',
    });
    expect(paid.status).toBe(201);
    expect(await standing()).toEqual(['PAID', 1000, 0, 44.21]);
  });

  test('is placed from what was unplaced alike', async () => {
    await followUp();
    const { db } = testApp.context;
    const uuid = await addBankPayment(db, companyId, { amount: 1000, paidOn: '2026-08-31' });
    expect((await post(`${uuid}/place/`, { invoice_uuid: invoice.uuid })).status).toBe(200);
    expect(await standing()).toEqual(['PAID', 1000, 0, 0]);
  });

  test('and what is left is waived by hand, for good', async () => {
    await followUp();
    const { body: file } = await uploadAndBook(client, given(1010, '011026'));
    expect(await standing()).toEqual(['PAID', 1000, 34.21, 0]);
    const answer = await client.post(`/api/invoices/${invoice.uuid}/reminders/waive/`);
    expect([answer.status, answer.body.reminder_amount]).toEqual([200, 0]);
    expect(await reminder()).toMatchObject({ waived: true });
    const again = await client.post(`/api/invoices/${invoice.uuid}/reminders/waive/`);
    expect([again.status, again.body.reminder_amount]).toEqual([200, 0]);
    const { body: history } = await client.get(`/api/invoices/${invoice.uuid}/history/`);
    expect(history.filter(({ kind }: { kind: string }) => kind === 'REMINDED')).toMatchObject([
      { details: { waived: 34.21 } },
    ]);
    // Its paid part is claimed again when the payment is taken back.
    expect((await post(`files/${file.uuid}/undo/`)).status).toBe(200);
    expect(await owed()).toBe(10);
    const unknown = await client.post(`/api/invoices/${crypto.randomUUID()}/reminders/waive/`);
    expect(unknown.status).toBe(404);
  });
});

test('what is credited is owed no more, and all that was paid is credit', async () => {
  await uploadAndBook(client, file(1035));
  expect((await client.delete(`/api/invoices/${invoice.uuid}/?expect=PAID`)).status).toBe(204);
  expect(await standing()).toEqual(['CANCELLED', 0, 0, 1035]);
});
