import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { paymentsAreRight } from '../payment-check.repository.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import {
  bill,
  creditOf,
  createBankCompany,
  paidOf,
  waitUntilSettled,
  upload,
  uploadAndBook,
} from '../../testing/bank-files/bank-company.ts';
import { camtFile, ocrFile } from '../../testing/bank-files/payment-files.ts';
import type { TestClient } from '../../testing/client.ts';
import { resumeFiles } from './booking.service.ts';

vi.setConfig({ testTimeout: 150_000 });

/** More payments than one transaction books. */
const LARGE = 1300;

let testApp: TestApp;
let client: TestClient;
let customer: number;

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
});

const act = async (uuid: string, what: 'book' | 'undo') =>
  client.post(`/api/payments/files/${uuid}/${what}/?entries=false`);

async function unplaced(): Promise<{ uuid: string; amount: number }[]> {
  const { body } = await client.get('/api/payments/?state=UNPLACED');
  return body.results;
}

/** Sets the state that a killed process, or an earlier version, leaves behind: half done and without a job. */
async function breakOff(uuid: string, changes: { state: 'BOOKING' | 'UNDOING' }): Promise<void> {
  const { db } = testApp.context;
  const { companyId } = await db
    .selectFrom('bankFile')
    .select('companyId')
    .where('uuid', '=', uuid)
    .executeTakeFirstOrThrow();
  await db
    .updateTable('bankFile')
    .set(changes)
    .where('companyId', '=', companyId)
    .where('uuid', '=', uuid)
    .execute();
}

describe('a large file', () => {
  // BANK-4
  test('is booked and undone by a job that reports its progress', async () => {
    const { kid, uuid } = await bill(client, customer, LARGE);
    const payments = Array.from({ length: LARGE }, () => ({ amount: 1, kid }));
    const { body: preview } = await upload(client, ocrFile(payments));
    expect(preview).toMatchObject({ state: 'PREVIEW', progress: null });

    const booking = await act(preview.uuid, 'book');
    expect(booking.status).toBe(200);
    expect(booking.body).toMatchObject({ state: 'BOOKING', progress: 500 / LARGE });
    expect((await client.delete(`/api/payments/files/${preview.uuid}/`)).status).toBe(409);
    // The job continues without further calls.
    expect(await waitUntilSettled(client, preview.uuid)).toMatchObject({
      state: 'BOOKED',
      progress: null,
      booked_count: LARGE,
    });
    expect(await paidOf(client, uuid)).toBe(LARGE);
    const again = await act(preview.uuid, 'book');
    expect(again.body).toMatchObject({ state: 'BOOKED', booked_count: LARGE });

    const undoing = await act(preview.uuid, 'undo');
    expect(undoing.body).toMatchObject({ state: 'UNDOING', progress: 500 / LARGE });
    expect(await waitUntilSettled(client, preview.uuid)).toMatchObject({
      state: 'UNDONE',
      booked_count: 0,
    });
    expect([await paidOf(client, uuid), await unplaced()]).toEqual([0, []]);
    const { body: history } = await client.get(`/api/invoices/${uuid}/history/`);
    const authors = history
      .slice(0, LARGE)
      .map(({ by }: { by: { type: string; name: string } }) => by.type);
    expect(new Set(authors)).toEqual(new Set(['ACCOUNT']));
  });

  test('is undone when the user undoes it during booking', async () => {
    const { kid, uuid } = await bill(client, customer, LARGE);
    const payments = Array.from({ length: LARGE }, () => ({ amount: 1, kid }));
    const { body: preview } = await upload(client, ocrFile(payments));
    await act(preview.uuid, 'book');
    expect((await act(preview.uuid, 'undo')).status).toBe(200);
    expect(await waitUntilSettled(client, preview.uuid)).toMatchObject({
      state: 'UNDONE',
      booked_count: 0,
    });
    expect(await paidOf(client, uuid)).toBe(0);
    await act(preview.uuid, 'book');
    expect(await waitUntilSettled(client, preview.uuid)).toMatchObject({ booked_count: LARGE });
    expect(await paidOf(client, uuid)).toBe(LARGE);
  });

  test('that is half done without a job is resumed', async () => {
    const { kid, uuid } = await bill(client, customer, 100);
    const { body: preview } = await upload(client, ocrFile([{ amount: 100, kid }]));
    await breakOff(preview.uuid, { state: 'BOOKING' });
    await resumeFiles(testApp.context);
    expect(await waitUntilSettled(client, preview.uuid)).toMatchObject({
      state: 'BOOKED',
      booked_count: 1,
    });
    expect(await paidOf(client, uuid)).toBe(100);
    await breakOff(preview.uuid, { state: 'UNDOING' });
    await resumeFiles(testApp.context);
    expect(await waitUntilSettled(client, preview.uuid)).toMatchObject({
      state: 'UNDONE',
      booked_count: 0,
    });
    expect(await paidOf(client, uuid)).toBe(0);
  });
});

describe('undoing completes', () => {
  test('for an invoice that was credited after the bank reversed its payment', async () => {
    const { kid, uuid } = await bill(client, customer, 100);
    const first = await uploadAndBook(client, ocrFile([{ amount: 100, kid }], { transmission: 1 }));
    const second = await uploadAndBook(
      client,
      ocrFile([{ amount: -100, kid }], { transmission: 2 }),
    );
    expect((await client.delete(`/api/invoices/${uuid}/`)).status).toBe(204);
    // Repeated undoing and booking leaves the money once.
    for (let times = 0; times < 2; times += 1) {
      expect((await act(second.body.uuid, 'undo')).body).toMatchObject({ state: 'UNDONE' });
      expect(await creditOf(testApp.context.db, client)).toBe(100);
      expect(await unplaced()).toMatchObject([{ amount: 100, customer_number: customer }]);
      expect((await act(second.body.uuid, 'book')).body).toMatchObject({ state: 'BOOKED' });
      expect([await creditOf(testApp.context.db, client), await unplaced()]).toEqual([0, []]);
    }
    await act(second.body.uuid, 'undo');
    expect((await act(first.body.uuid, 'undo')).body).toMatchObject({ state: 'UNDONE' });
    expect([await creditOf(testApp.context.db, client), await unplaced()]).toEqual([0, []]);
    expect((await client.get(`/api/invoices/${uuid}/`)).body).toMatchObject({
      status: 'CANCELLED',
      paid_amount: 0,
    });
  });

  test('for a credited invoice whose payment and reversal are in the same file', async () => {
    const { kid, uuid } = await bill(client, customer, 100);
    const file = await uploadAndBook(
      client,
      camtFile([
        { amount: 100, kids: [kid], reference: 'R1' },
        { amount: -100, reference: 'R2', detailReference: 'R1' },
      ]),
    );
    expect((await client.delete(`/api/invoices/${uuid}/`)).status).toBe(204);
    for (let times = 0; times < 2; times += 1) {
      expect((await act(file.body.uuid, 'undo')).body).toMatchObject({ state: 'UNDONE' });
      expect([await creditOf(testApp.context.db, client), await unplaced()]).toEqual([0, []]);
      expect((await act(file.body.uuid, 'book')).body).toMatchObject({ state: 'BOOKED' });
      expect([await creditOf(testApp.context.db, client), await unplaced()]).toEqual([0, []]);
    }
  });

  test('for an invoice that was paid in another way after the reversal', async () => {
    const { kid, uuid } = await bill(client, customer, 100);
    await uploadAndBook(client, ocrFile([{ amount: 100, kid }], { transmission: 1 }));
    const second = await uploadAndBook(
      client,
      ocrFile([{ amount: -100, kid }], { transmission: 2 }),
    );
    await client.post(`/api/invoices/${uuid}/update/`, { status: 'PAID' });
    expect((await act(second.body.uuid, 'undo')).body).toMatchObject({ state: 'UNDONE' });
    expect(await paidOf(client, uuid)).toBe(100);
    expect(await unplaced()).toMatchObject([{ amount: 100, customer_number: customer }]);
  });

  test('for a payment on whose invoice the user has placed a reversal', async () => {
    const { kid, uuid } = await bill(client, customer, 100);
    const first = await uploadAndBook(client, ocrFile([{ amount: 100, kid }], { transmission: 1 }));
    await uploadAndBook(client, ocrFile([{ amount: -40, text: 'Hva' }], { transmission: 2 }));
    const [reversal] = await unplaced();
    const placed = { invoice_uuid: uuid };
    expect((await client.post(`/api/payments/${reversal?.uuid}/place/`, placed)).status).toBe(200);
    expect(await paidOf(client, uuid)).toBe(60);
    expect((await act(first.body.uuid, 'undo')).body).toMatchObject({ state: 'UNDONE' });
    expect(await paidOf(client, uuid)).toBe(0);
    expect(await unplaced()).toMatchObject([{ amount: -40 }]);
  });

  test('for a payment that is refunded during undoing', async () => {
    const file = await uploadAndBook(client, ocrFile([{ amount: 70, text: 'Hva er dette' }]));
    const [payment] = await unplaced();
    expect((await client.post(`/api/payments/${payment?.uuid}/refund/`)).status).toBe(200);
    expect((await act(file.body.uuid, 'undo')).status).toBe(409);
    await breakOff(file.body.uuid, { state: 'UNDOING' });
    expect((await act(file.body.uuid, 'undo')).status).toBe(200);
    expect(await waitUntilSettled(client, file.body.uuid)).toMatchObject({ state: 'UNDONE' });
    expect(await unplaced()).toEqual([]);
    await act(file.body.uuid, 'book');
    expect(await unplaced()).toMatchObject([{ amount: 70 }]);
  });
});
