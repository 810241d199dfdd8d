import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../testing/app.ts';
import {
  bill,
  creditOf,
  createBankCompany,
  outcomesOf,
  paidOf,
  upload,
  uploadAndBook,
} from '../../testing/bank-files/bank-company.ts';
import { camtFile, ocrFile } from '../../testing/bank-files/payment-files.ts';
import type { Answer, TestClient } from '../../testing/client.ts';

let testApp: TestApp;
let client: TestClient;
let customer: number;

beforeAll(async () => {
  testApp = await startTestApp({ FEATURES: 'payments', DISPATCH: 'staff' });
});
afterAll(async () => testApp.close());

async function createCompany(): Promise<void> {
  ({ client, customer } = await createBankCompany(testApp));
}

const paid = async (uuid: string) => paidOf(client, uuid);
const credit = async () => creditOf(testApp.context.db, client);
async function unplaced() {
  const { body } = await client.get('/api/payments/?state=UNPLACED');
  return (body as { results: { uuid: string; amount: number }[] }).results;
}
const act = async (file: Answer, what: 'book' | 'undo') =>
  client.post(`/api/payments/files/${file.body.uuid}/${what}/`);

// BANK-3
describe('a file that is not booked', () => {
  test('can be deleted and uploaded again', async () => {
    await createCompany();
    const { kid } = await bill(client, customer, 100);
    const file = ocrFile([{ amount: 100, kid }]);
    const { body } = await upload(client, file);
    expect((await client.delete(`/api/payments/files/${body.uuid}/`)).status).toBe(204);
    expect((await client.get(`/api/payments/files/${body.uuid}/`)).status).toBe(404);
    expect((await client.delete(`/api/payments/files/${body.uuid}/`)).status).toBe(404);
    expect((await client.get('/api/payments/files/')).body).toEqual([]);
    expect((await upload(client, file)).status).toBe(201);
  });

  test('cannot be undone', async () => {
    await createCompany();
    const preview = await upload(client, ocrFile([{ amount: 100 }]));
    const { status, body } = await act(preview, 'undo');
    expect([status, body.detail[0].message]).toEqual([
      409,
      'The file was never booked, so there is nothing to undo',
    ]);
  });

  // BANK-24
  test('lists its entries by page, and by outcome', async () => {
    await createCompany();
    const { kid } = await bill(client, customer, 100);
    const payments = Array.from({ length: 45 }, (_, index) => ({
      amount: index + 1,
      kid: index === 30 ? kid : '0',
    }));
    const { body } = await upload(client, ocrFile(payments));
    const path = `/api/payments/files/${body.uuid}/entries/`;
    const { body: third } = await client.get(`${path}?page=3`);
    expect(third).toMatchObject({ count: 45, next: null, previous: `${path}?page=2` });
    expect(third.results.map(({ amount }: { amount: number }) => amount)).toEqual([
      41, 42, 43, 44, 45,
    ]);
    const { body: parts } = await client.get(`${path}?outcome=PART`);
    expect(parts).toMatchObject({ count: 1, next: null, results: [{ amount: 31 }] });
    expect(body.outcomes).toEqual([
      { outcome: 'PART', count: 1, sum: 31 },
      { outcome: 'UNPLACED', count: 44, sum: 1004 },
    ]);
    expect((await client.get(`${path}?page=0`)).status).toBe(400);
  });

  test('comes without its entries from every endpoint when the request says entries=false', async () => {
    await createCompany();
    const { body } = await upload(client, ocrFile([{ amount: 100, text: 'Hva er dette' }]));
    const path = `/api/payments/files/${body.uuid}/`;
    const answers = [
      await client.get(`${path}?entries=false`),
      await client.post(`${path}book/?entries=false`),
      await client.post(`${path}undo/?entries=false`),
    ];
    for (const { body: given } of answers) expect(given).toMatchObject({ count: 1, entries: [] });
    expect((await client.get(path)).body.entries).toHaveLength(1);
    expect((await client.get(`${path}?entries=no`)).status).toBe(400);
  });
});

describe('undoing a file', () => {
  // BANK-3
  test('undoes all its payments, and the file can be booked again', async () => {
    await createCompany();
    const [a, b] = [await bill(client, customer, 100), await bill(client, customer, 200)];
    const file = await uploadAndBook(
      client,
      ocrFile([
        { amount: 150, kid: a.kid },
        { amount: 50, kid: b.kid },
        { amount: 77, text: 'Hva er dette' },
      ]),
    );
    const [unknown] = await unplaced();
    await client.post(`/api/payments/${unknown?.uuid}/place/`, { invoice_uuid: b.uuid });
    expect([await paid(a.uuid), await paid(b.uuid), await credit()]).toEqual([100, 127, 50]);
    expect((await client.delete(`/api/payments/files/${file.body.uuid}/`)).status).toBe(409);

    const undone = await act(file, 'undo');
    expect(undone.body).toMatchObject({ state: 'UNDONE', booked_count: 0, booked_at: null });
    expect([await paid(a.uuid), await paid(b.uuid), await credit()]).toEqual([0, 0, 0]);
    expect(await unplaced()).toEqual([]);
    expect((await act(file, 'undo')).body).toEqual(undone.body);
    expect((await client.delete(`/api/payments/files/${file.body.uuid}/`)).status).toBe(409);

    const again = await act(file, 'book');
    expect(outcomesOf(again)).toEqual(['OVER', 'PART', 'UNPLACED']);
    expect([await paid(a.uuid), await paid(b.uuid), await credit()]).toEqual([100, 50, 50]);
    expect((await act(file, 'book')).body).toEqual(again.body);
    const { body: history } = await client.get(`/api/invoices/${a.uuid}/history/`);
    expect(history.map(({ kind }: { kind: string }) => kind)).toEqual([
      'PAID',
      'PAYMENT',
      'UNPAID',
      'PAYMENT',
      'PAID',
      'PAYMENT',
      'REGISTERED',
      'CREATED',
    ]);
  });

  // BANK-5
  test('is refused while a payment of the file is refunded, and the message names the payment', async () => {
    await createCompany();
    const { uuid } = await bill(client, customer, 100);
    const file = await uploadAndBook(
      client,
      camtFile([{ amount: 77.5, text: 'Hei', payer: 'Kari Nordmann' }]),
    );
    const [unknown] = await unplaced();
    await client.post(`/api/payments/${unknown?.uuid}/refund/`);
    const { status, body } = await act(file, 'undo');
    expect([status, body.detail[0].message]).toEqual([
      409,
      '77,50 kr, Kari Nordmann, 20.11.2026 has been refunded; undo that first',
    ]);
    const refunded = async () => (await client.get('/api/payments/?state=REFUNDED')).body;
    const { results } = await refunded();
    expect(results).toMatchObject([{ uuid: unknown?.uuid, amount: 77.5, date: '2026-11-20' }]);
    expect((await client.post(`/api/payments/${results[0].undone_by}/undo/`)).status).toBe(200);
    expect(await refunded()).toMatchObject({ count: 0, results: [] });
    expect((await act(file, 'undo')).body).toMatchObject({ state: 'UNDONE' });
    expect([await unplaced(), await paid(uuid)]).toEqual([[], 0]);
  });

  // BANK-5
  test('names the customer of a refunded credit, and the KID of refunded money without one', async () => {
    await createCompany();
    const { uuid, kid } = await bill(client, customer, 100);
    const { body: invoice } = await client.get(`/api/invoices/${uuid}/`);
    const payments = [
      { amount: 100, kid },
      { amount: 250, kid },
      { amount: 50, kid: '12345' },
    ];
    const file = await uploadAndBook(client, ocrFile(payments));
    const [unknown, credit] = await unplaced();
    const refusalAfterRefund = async (payment: { uuid: string } | undefined) => {
      await client.post(`/api/payments/${payment?.uuid}/refund/`);
      return (await act(file, 'undo')).body.detail[0].message;
    };
    expect(await refusalAfterRefund(unknown)).toBe(
      '50,00 kr, KID 12345, 20.11.2026 has been refunded; undo that first',
    );
    expect(await refusalAfterRefund(credit)).toBe(
      `250,00 kr, ${invoice.customer_name}, 20.11.2026 has been refunded; undo that first`,
    );
  });
});

// BANK-18
describe('a reversal from the bank', () => {
  test('makes the invoice due again, and both the payment and the reversal stay listed', async () => {
    await createCompany();
    const { kid, uuid } = await bill(client, customer, 100);
    await uploadAndBook(client, ocrFile([{ amount: 100, kid }], { transmission: 1 }));
    const reversal = await uploadAndBook(
      client,
      ocrFile([{ amount: -100, kid }], { transmission: 2, date: '231126' }),
    );
    expect(reversal.body).toMatchObject({
      sum: -100,
      entries: [{ outcome: 'REVERSAL', placements: [{ uuid, amount: -100 }] }],
    });
    expect((await client.get(`/api/invoices/${uuid}/`)).body).toMatchObject({
      status: 'REGISTERED',
      paid_amount: 0,
      amount_due: 100,
      paid_date: null,
    });
    const { body } = await client.get(`/api/payments/?invoice=${uuid}`);
    expect(body.results).toMatchObject([
      { kind: 'REVERSAL', amount: -100, undoes: body.results[1].uuid },
      { kind: 'PAYMENT', amount: 100, undone_by: body.results[0].uuid },
    ]);
    expect((await act(reversal, 'undo')).body).toMatchObject({ state: 'UNDONE' });
    expect(await paid(uuid)).toBe(100);
  });

  test('finds its payment by reference, also in the same file', async () => {
    await createCompany();
    const { kid, uuid } = await bill(client, customer, 250);
    const file = await uploadAndBook(
      client,
      camtFile([
        { amount: 100, kids: [kid], reference: 'R1' },
        { amount: 150, kids: [kid], reference: 'R2' },
        { amount: -150, reference: 'R3', detailReference: 'R2' },
        { amount: 150, kids: [kid], reference: 'R4' },
      ]),
    );
    expect(outcomesOf(file)).toEqual(['PART', 'EXACT', 'REVERSAL', 'EXACT']);
    expect([await paid(uuid), await unplaced()]).toEqual([250, []]);
    expect((await act(file, 'undo')).body).toMatchObject({ state: 'UNDONE' });
    expect([await paid(uuid), await unplaced()]).toEqual([0, []]);
  });

  test('of an overpayment takes back the part on the invoice and the credit', async () => {
    await createCompany();
    const { kid, uuid } = await bill(client, customer, 100);
    await uploadAndBook(client, ocrFile([{ amount: 130, kid }], { transmission: 1 }));
    await uploadAndBook(client, ocrFile([{ amount: -130, kid }], { transmission: 2 }));
    expect([await paid(uuid), await credit(), await unplaced()]).toEqual([0, 0, []]);
  });

  test('is unplaced when its payment is missing or already reversed', async () => {
    await createCompany();
    const { kid, uuid } = await bill(client, customer, 100);
    await uploadAndBook(client, ocrFile([{ amount: 100, kid }], { transmission: 1 }));
    const file = await uploadAndBook(
      client,
      ocrFile(
        [
          { amount: -40, kid },
          { amount: -100, kid },
          { amount: -100, kid },
        ],
        { transmission: 2 },
      ),
    );
    expect(outcomesOf(file)).toEqual(['REVERSAL', 'REVERSAL', 'REVERSAL']);
    expect(await paid(uuid)).toBe(0);
    expect((await unplaced()).map(({ amount }) => amount)).toEqual([-100, -40]);
  });

  test('in another file must be undone before the file of its payment', async () => {
    await createCompany();
    const { kid, uuid } = await bill(client, customer, 100);
    const first = await uploadAndBook(client, ocrFile([{ amount: 100, kid }], { transmission: 1 }));
    const second = await uploadAndBook(
      client,
      ocrFile([{ amount: -100, kid }], { transmission: 2 }),
    );
    const { status, body } = await act(first, 'undo');
    expect([status, body.detail[0].message]).toEqual([
      409,
      `100,00 kr, KID ${kid}, 20.11.2026 has been taken back by another file; undo that file first`,
    ]);
    await act(second, 'undo');
    expect(await paid(uuid)).toBe(100);
    expect((await act(first, 'undo')).body).toMatchObject({ state: 'UNDONE' });
    expect([await paid(uuid), await unplaced()]).toEqual([0, []]);
  });

  test('takes back a payment that comes in a later file', async () => {
    await createCompany();
    const { kid, uuid } = await bill(client, customer, 100);
    const reversal = await uploadAndBook(client, ocrFile([{ amount: -130, kid }]));
    expect((await unplaced()).map(({ amount }) => amount)).toEqual([-130]);
    const original = await uploadAndBook(
      client,
      ocrFile([{ amount: 130, kid }], { transmission: 2 }),
    );
    expect([await paid(uuid), await credit(), await unplaced()]).toEqual([0, 0, []]);
    const { body: given } = await client.get(`/api/payments/files/${reversal.body.uuid}/`);
    expect(given.entries).toMatchObject([{ placements: [{ uuid, amount: -100 }] }]);
    expect((await act(original, 'undo')).status).toBe(409);
    await act(reversal, 'undo');
    expect([await paid(uuid), await credit()]).toEqual([100, 30]);
    await act(original, 'undo');
    expect([await paid(uuid), await credit(), await unplaced()]).toEqual([0, 0, []]);
  });

  test('of a payment later in the same file is undone and booked again with the file', async () => {
    await createCompany();
    const { kid, uuid } = await bill(client, customer, 100);
    const given = [{ amount: -100, reference: 'R2', detailReference: 'R1' }];
    const file = await uploadAndBook(
      client,
      camtFile([...given, { amount: 100, kids: [kid], reference: 'R1' }]),
    );
    for (let times = 0; times < 2; times += 1) {
      expect([await paid(uuid), await unplaced()]).toEqual([0, []]);
      expect((await act(file, 'undo')).body).toMatchObject({ state: 'UNDONE', booked_count: 0 });
      expect([await paid(uuid), await unplaced()]).toEqual([0, []]);
      await act(file, 'book');
    }
  });

  test('never takes back a payment with another KID, even with the same bank reference', async () => {
    await createCompany();
    const [one, other] = [await bill(client, customer, 100), await bill(client, customer, 100)];
    await uploadAndBook(client, ocrFile([{ amount: 100, kid: one.kid }]));
    await uploadAndBook(client, ocrFile([{ amount: -100, kid: other.kid }], { transmission: 2 }));
    expect(await paid(one.uuid)).toBe(100);
    expect(await unplaced()).toMatchObject([{ amount: -100 }]);
  });

  test('does not take back a payment dated after it', async () => {
    await createCompany();
    const { kid, uuid } = await bill(client, customer, 100);
    const later = ocrFile([{ amount: 100, kid }], { transmission: 2, date: '211126' });
    await uploadAndBook(client, ocrFile([{ amount: -100, kid }]));
    await uploadAndBook(client, later);
    expect([await paid(uuid), (await unplaced()).length]).toEqual([100, 1]);
  });

  test('that comes again in another format is a possible copy', async () => {
    await createCompany();
    const { kid, uuid } = await bill(client, customer, 200);
    const payments = [
      { amount: 100, kid },
      { amount: 100, kid },
      { amount: -100, kid },
    ];
    await uploadAndBook(client, ocrFile(payments));
    const copy = await uploadAndBook(client, camtFile([{ amount: -100, kids: [kid] }]));
    expect([outcomesOf(copy), await paid(uuid)]).toEqual([['POSSIBLE_COPY'], 100]);
  });
});
