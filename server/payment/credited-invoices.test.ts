import { afterAll, beforeAll, expect, test } from 'vitest';

import { addDays, todayInOslo } from '../../domain/date.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import {
  bill,
  createBankCompany,
  creditOf,
  uploadAndBook,
} from '../testing/bank-files/bank-company.ts';
import { ocrFile } from '../testing/bank-files/payment-files.ts';
import type { TestClient } from '../testing/client.ts';
import { lateInvoice } from '../testing/late-invoices.ts';
import { readWithPoppler, removeFolder, temporaryFolder } from '../testing/poppler.ts';
import { paymentsAreRight } from './payment-check.repository.ts';

// The bank's files and reminders go on with what credit notes leave of an invoice (CRE-9).

const TODAY = todayInOslo();
let testApp: TestApp;
let client: TestClient;
let customer: number;
let folder: string;
let transmission = 0;

beforeAll(async () => {
  folder = temporaryFolder();
  testApp = await startTestApp({ FEATURES: 'payments,reminders,credit', DISPATCH: 'staff' });
  ({ client, customer } = await createBankCompany(testApp));
});
afterAll(async () => {
  const companies = await testApp.context.db.selectFrom('company').select('id').execute();
  for (const { id } of companies) {
    expect(await paymentsAreRight(testApp.context.db, id)).toBe(true);
  }
  await testApp.close();
  removeFolder(folder);
});

async function reduce(uuid: string, net_amount: number) {
  const reductions = [{ description: 'Avslag', net_amount, vat_treatment: 'EXEMPT' }];
  const answer = await client.post(`/api/invoices/${uuid}/credit/`, { reductions });
  expect(answer.status).toBe(201);
}

async function read(uuid: string) {
  return (await client.get(`/api/invoices/${uuid}/`)).body;
}

function paidByKid(amount: number, kid: string) {
  transmission += 1;
  return uploadAndBook(client, ocrFile([{ amount, kid }], { transmission }));
}

test('a payment of the whole after a part was credited leaves credit, until the file is undone', async () => {
  const { uuid, kid } = await bill(client, customer, 1000);
  await reduce(uuid, 400);
  const booked = await paidByKid(1000, kid);
  expect(booked.body.entries).toMatchObject([{ outcome: 'OVER' }]);
  expect(await read(uuid)).toMatchObject({ status: 'PAID', paid_amount: 600, amount_due: 0 });
  expect(await creditOf(testApp.context.db, client)).toBe(400);
  const undone = await client.post(`/api/payments/files/${booked.body.uuid}/undo/`);
  expect(undone.status).toBe(200);
  expect(await read(uuid)).toMatchObject({ status: 'REGISTERED', paid_amount: 0, amount_due: 600 });
  expect(await creditOf(testApp.context.db, client)).toBe(0);
});

test('a file pays what is left, and can be undone after more is credited', async () => {
  const { uuid, kid } = await bill(client, customer, 1000);
  await reduce(uuid, 400);
  const booked = await paidByKid(600, kid);
  expect(booked.body.entries).toMatchObject([{ outcome: 'EXACT' }]);
  await reduce(uuid, 100);
  expect(await read(uuid)).toMatchObject({
    status: 'PAID',
    paid_amount: 500,
    credited_amount: 500,
  });
  expect(await creditOf(testApp.context.db, client)).toBe(100);
  expect((await client.post(`/api/payments/files/${booked.body.uuid}/undo/`)).status).toBe(200);
  expect(await read(uuid)).toMatchObject({ status: 'REGISTERED', amount_due: 500 });
  expect(await creditOf(testApp.context.db, client)).toBe(0);
});

test('proposals and reminders ask for what is left, with interest on it from the day of the note', async () => {
  const uuid = await lateInvoice(testApp.context.db, client, { customer });
  const path = `/api/invoices/${uuid}/reminders/`;
  const wish = { kind: 'NOTICE', fee: true, interest: true };
  const whole = (await client.post(`${path}?dry_run=true`, wish)).body;
  expect(whole.principal).toBe(1000);
  await reduce(uuid, 400);
  const rest = (await client.post(`${path}?dry_run=true`, wish)).body;
  // Until today all of it was due.
  expect(rest).toMatchObject({ principal: 600, interest: whole.interest });
  const { body: proposals } = await client.get('/api/reminders/proposals/');
  expect(proposals.results ?? proposals).toEqual(
    expect.arrayContaining([expect.objectContaining({ invoice_uuid: uuid, amount_due: 600 })]),
  );
  const shown = await testApp.app.http.inject({
    url: `${path}preview/?kind=NOTICE&fee=true&interest=true`,
    headers: { cookie: client.cookieHeader },
  });
  expect(shown.statusCode).toBe(200);
  const text = readWithPoppler(folder, shown.rawPayload).text();
  expect(text).toMatch(/Kreditert\s+−400,00/);
});

test('a fee and interest that were asked for before stay, and end with the rest of the invoice', async () => {
  const uuid = await lateInvoice(testApp.context.db, client, { customer });
  const path = `/api/invoices/${uuid}/reminders/`;
  const wish = { kind: 'NOTICE', fee: true, interest: true };
  expect((await client.post(path, wish)).status).toBe(201);
  const { reminder_amount: asked } = await read(uuid);
  expect(asked).toBeGreaterThan(0);
  await reduce(uuid, 400);
  expect(await read(uuid)).toMatchObject({ reminder_amount: asked, amount_due: 600 });
  const pay = { invoice_uuid: uuid, amount: 600, date: addDays(TODAY, -1) };
  expect((await client.post('/api/payments/', pay)).status).toBe(201);
  // The rest of what reminders ask for is waived where the settings say so, as they do by default.
  expect(await read(uuid)).toMatchObject({ status: 'PAID', reminder_amount: 0, paid_date: TODAY });
  expect((await client.delete(`/api/invoices/${uuid}/?expect=PAID`)).status).toBe(204);
  expect(await read(uuid)).toMatchObject({ status: 'CANCELLED', paid_amount: 0, amount_due: 0 });
});
