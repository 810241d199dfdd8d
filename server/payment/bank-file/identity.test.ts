import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../testing/app.ts';
import { companyIdOf, dumpCompany } from '../../testing/company.ts';
import { camtText } from '../../testing/bank-files/camt-file.ts';
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
import type { TestClient } from '../../testing/client.ts';

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
async function unplaced() {
  const { body } = await client.get('/api/payments/?state=UNPLACED');
  return (body as { results: { uuid: string; amount: number; possible_copy: boolean }[] }).results;
}

describe('the same payment', () => {
  // BANK-7
  test('in a file uploaded twice leads to the first upload', async () => {
    await createCompany();
    const { kid } = await bill(client, customer, 100);
    const file = ocrFile([{ amount: 100, kid }]);
    const first = await upload(client, file, 'a.txt');
    const again = await upload(client, file, 'b.txt');
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
    await uploadAndBook(client, file);
    expect((await upload(client, file)).body).toMatchObject({
      uuid: first.body.uuid,
      state: 'BOOKED',
    });
    const { body: list } = await client.get('/api/payments/files/');
    expect(list).toMatchObject([{ uuid: first.body.uuid, name: 'a.txt', count: 1 }]);
    expect(list[0].entries).toBeUndefined();
  });

  // BANK-16
  test('in overlapping files is booked once', async () => {
    await createCompany();
    const bills = [await bill(client, customer, 100), await bill(client, customer, 200)];
    const [one, two] = bills.map(({ kid }, index) =>
      ocrFile([{ amount: (index + 1) * 100, kid }], { transmission: index + 1 }),
    ) as [string, string];
    await uploadAndBook(client, one);
    expect(outcomesOf(await uploadAndBook(client, one + two))).toEqual(['KNOWN', 'EXACT']);
    expect(outcomesOf(await uploadAndBook(client, two + one + one))).toEqual([
      'KNOWN',
      'KNOWN',
      'KNOWN',
    ]);
    expect(await Promise.all(bills.map(async ({ uuid }) => paid(uuid)))).toEqual([100, 200]);
    expect(await unplaced()).toEqual([]);
  });

  // BANK-17
  test('in a transmission repeated within a file is booked once, and equal payments are all booked', async () => {
    await createCompany();
    const { kid, uuid } = await bill(client, customer, 500);
    const file = ocrFile([
      { amount: 100, kid },
      { amount: 100, kid },
    ]);
    expect(outcomesOf(await uploadAndBook(client, file + file))).toEqual([
      'PART',
      'PART',
      'KNOWN',
      'KNOWN',
    ]);
    expect(await paid(uuid)).toBe(200);
  });

  // BANK-17, BANK-22
  test('with a new transmission number is a possible copy that the user decides on', async () => {
    await createCompany();
    const { kid, uuid } = await bill(client, customer, 500);
    await uploadAndBook(client, ocrFile([{ amount: 100, kid }], { transmission: 1 }));
    const booked = await uploadAndBook(
      client,
      ocrFile(
        [
          { amount: 100, kid },
          { amount: 100, kid },
        ],
        { transmission: 2 },
      ),
    );
    expect(outcomesOf(booked)).toEqual(['POSSIBLE_COPY', 'PART']);
    expect(await paid(uuid)).toBe(200);
    const [copy, ...others] = await unplaced();
    expect([copy?.possible_copy, copy?.amount, others]).toEqual([true, 100, []]);
    expect(await creditOf(testApp.context.db, client)).toBe(0);
    expect((await client.delete(`/api/payments/${copy?.uuid}/`)).status).toBe(204);
    expect(await unplaced()).toEqual([]);
  });

  test('in another format is a possible copy', async () => {
    await createCompany();
    const { kid, uuid } = await bill(client, customer, 500);
    await uploadAndBook(client, ocrFile([{ amount: 100, kid }]));
    const other = camtFile([{ amount: 100, kids: [kid], date: '2026-11-23', payer: 'Kari' }]);
    expect(outcomesOf(await uploadAndBook(client, other))).toEqual(['POSSIBLE_COPY']);
    expect(await paid(uuid)).toBe(100);
  });

  // BANK-16
  test('is recognised by the bank reference in camt.054 and camt.053', async () => {
    await createCompany();
    const { kid, uuid } = await bill(client, customer, 500);
    const given = { amount: 100, kids: [kid], reference: 'R1' };
    await uploadAndBook(client, camtFile([{ ...given, detailReference: 'D1' }]));
    const statement = camtFile([given, { ...given, reference: 'R2', amount: 50 }], {
      format: 'CAMT053',
    });
    expect(outcomesOf(await uploadAndBook(client, statement))).toEqual(['KNOWN', 'PART']);
    expect(await paid(uuid)).toBe(150);
  });

  // BANK-17
  test('without a bank reference is a possible copy that the user decides on', async () => {
    await createCompany();
    const { kid, uuid } = await bill(client, customer, 300);
    const payment = { amount: 100, kids: [kid], reference: null };
    const first = camtFile([payment, payment]);
    expect(outcomesOf(await uploadAndBook(client, first))).toEqual(['PART', 'PART']);
    expect((await upload(client, first)).status).toBe(200);
    const again = await uploadAndBook(client, camtFile([payment, payment, payment]));
    expect(outcomesOf(again)).toEqual(['POSSIBLE_COPY', 'POSSIBLE_COPY', 'EXACT']);
    expect([await paid(uuid), await creditOf(testApp.context.db, client)]).toEqual([300, 0]);
  });

  describe('as a statement line without details and as the only OCR payment of that line', () => {
    // The statement has the settlement date, and OCR giro has no reference of the statement line.
    const bare = () => camtFile([{ amount: 100, date: '2026-11-20' }], { format: 'CAMT053' });

    test('is a possible copy when the OCR file came first', async () => {
      await createCompany();
      const { kid, uuid } = await bill(client, customer, 100);
      expect(outcomesOf(await uploadAndBook(client, ocrFile([{ amount: 100, kid }])))).toEqual([
        'EXACT',
      ]);
      expect(outcomesOf(await uploadAndBook(client, bare()))).toEqual(['POSSIBLE_COPY']);
      expect([await paid(uuid), (await unplaced())[0]?.possible_copy]).toEqual([100, true]);
    });

    test('is a possible copy when the statement came first', async () => {
      await createCompany();
      const { kid } = await bill(client, customer, 100);
      expect(outcomesOf(await uploadAndBook(client, bare()))).toEqual(['UNPLACED']);
      const given = await uploadAndBook(client, ocrFile([{ amount: 100, kid }]));
      expect(outcomesOf(given)).toEqual(['POSSIBLE_COPY']);
    });

    test('is another payment when the statement line has another KID', async () => {
      await createCompany();
      const bills = [await bill(client, customer, 100), await bill(client, customer, 100)];
      const [one, two] = bills.map(({ kid }) => kid) as [string, string];
      await uploadAndBook(client, ocrFile([{ amount: 100, kid: one }]));
      const other = camtFile([{ amount: 100, kids: [two], date: '2026-11-20' }]);
      expect(outcomesOf(await uploadAndBook(client, other))).toEqual(['EXACT']);
    });
  });

  test('from another payer account is another payment', async () => {
    await createCompany();
    const given = { amount: 320, text: 'Kontingent' };
    await uploadAndBook(
      client,
      camtFile([{ ...given, payerAccount: '97104133219', reference: 'A' }]),
    );
    const other = camtFile([{ ...given, payerAccount: '12345678903', reference: 'B' }]);
    expect(outcomesOf(await uploadAndBook(client, other))).toEqual(['UNPLACED']);
  });
});

describe('a batch total of a statement', () => {
  const batch = (sum: number, reference: string) =>
    camtText({
      format: 'CAMT053',
      statements: [{ entries: [{ amount: sum.toFixed(2), reference, batch: { count: 2 } }] }],
    });
  const parts = (a: string, b: string) =>
    camtText({
      statements: [
        {
          entries: [
            {
              amount: '300.00',
              reference: 'LINE',
              details: [
                { amount: '100.00', kids: [{ kid: a }] },
                { amount: '200.00', kids: [{ kid: b }] },
              ],
            },
          ],
        },
      ],
    });

  // BANK-15
  test('is ignored when the file with its payments is booked', async () => {
    await createCompany();
    const bills = [await bill(client, customer, 100), await bill(client, customer, 200)];
    const [a, b] = bills.map(({ kid }) => kid) as [string, string];
    const specified = await uploadAndBook(client, parts(a, b));
    expect(outcomesOf(specified)).toEqual(['EXACT', 'EXACT']);
    const statement = await upload(client, batch(300, 'LINE'));
    expect(statement.body).toMatchObject({ count: 0, sum: 0, ignored: 1, entries: [] });
    expect((await uploadAndBook(client, batch(300, 'LINE'))).body).toMatchObject({ count: 0 });
    expect(await unplaced()).toEqual([]);
    // The total counts after the payments are undone.
    await client.post(`/api/payments/files/${specified.body.uuid}/undo/`);
    const { uuid } = statement.body as { uuid: string };
    await client.post(`/api/payments/files/${uuid}/undo/`);
    const again = await client.post(`/api/payments/files/${uuid}/book/`);
    expect(again.body).toMatchObject({ count: 1, sum: 300, ignored: 0 });
  });

  test('that comes first makes its payments possible copies until the user drops it', async () => {
    await createCompany();
    const bills = [await bill(client, customer, 100), await bill(client, customer, 200)];
    const [a, b] = bills.map(({ kid }) => kid) as [string, string];
    expect(outcomesOf(await uploadAndBook(client, batch(300, 'LINE')))).toEqual(['UNPLACED']);
    const specified = await upload(client, parts(a, b));
    expect(outcomesOf(specified)).toEqual(['POSSIBLE_COPY', 'POSSIBLE_COPY']);
    const [sum] = await unplaced();
    await client.delete(`/api/payments/${sum?.uuid}/`);
    const booked = await client.post(`/api/payments/files/${specified.body.uuid}/book/`);
    expect(outcomesOf(booked)).toEqual(['EXACT', 'EXACT']);
  });
});

test('a payer’s account is kept as a hash of each company, and his name and text with the payment alone (BANK-21, BANK-23)', async () => {
  const { db } = testApp.context;
  const given = { payer: 'Ottar Payer', text: 'Takk for kaka', payerAccount: '97104133219' };
  const hashes: string[] = [];
  for (const reference of ['one', 'another']) {
    await createCompany();
    const { kid } = await bill(client, customer, 100);
    const file = camtFile([{ ...given, amount: 100, kids: [kid], reference }]);
    expect(outcomesOf(await uploadAndBook(client, file))).toEqual(['EXACT']);
    const { email } = (await client.get('/api/users/session/')).body as { email: string };
    const dump = await dumpCompany(db, await companyIdOf(db, email));
    const tablesWith = (text: string) =>
      Object.keys(dump).filter((name) => dump[name]?.some((row) => row.includes(text)));
    expect(tablesWith(given.payer)).toEqual(['bank_entry', 'payment']);
    expect(tablesWith(given.text)).toEqual(['bank_entry', 'payment']);
    expect(tablesWith(given.payerAccount)).toEqual([]);
    for (const row of dump['payer_account'] ?? []) {
      hashes.push((JSON.parse(row) as { hash: string }).hash);
    }
  }
  expect(hashes).toHaveLength(2);
  expect(new Set(hashes).size).toBe(2);
});
