import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { todayInOslo } from '../../../domain/date.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { camtText } from '../../testing/bank-files/camt-file.ts';
import {
  bill,
  creditOf,
  createBankCompany,
  outcomesOf,
  upload,
  uploadAndBook,
  WITH_ACCOUNTS,
} from '../../testing/bank-files/bank-company.ts';
import {
  ACCOUNT,
  ACCOUNTS,
  camtFile,
  ocrFile,
  type CamtPaymentInput,
} from '../../testing/bank-files/payment-files.ts';
import type { Answer, TestClient } from '../../testing/client.ts';
import { completeProfile, createDraft } from '../../testing/factories.ts';

let testApp: TestApp;
let client: TestClient;
let customer: number;
let transmission = 100;

beforeAll(async () => {
  testApp = await startTestApp({ FEATURES: 'payments', DISPATCH: 'staff' });
});
afterAll(async () => testApp.close());

/** Gives each test a new company. */
async function createCompany(): Promise<void> {
  ({ client, customer } = await createBankCompany(testApp));
  transmission += 1;
}

interface Entry {
  readonly outcome: string;
  readonly amount: number;
  readonly invoice_number: number | null;
  readonly placements: { invoice_number: number; amount: number }[];
  readonly suggestion: { reason: string; invoices: { invoice_number: number }[] } | null;
}

const entriesOf = ({ body }: Answer) => (body as { entries: Entry[] }).entries;

async function readInvoice(uuid: string) {
  const { body } = await client.get(`/api/invoices/${uuid}/`);
  const { status, paid_amount, amount_due, paid_date } = body as Record<string, unknown>;
  return { status, paid_amount, amount_due, paid_date };
}

interface Unplaced {
  readonly uuid: string;
  readonly amount: number;
  readonly customer_number: number | null;
  readonly possible_copy: boolean;
  readonly suggestion: Entry['suggestion'];
}

async function unplaced(): Promise<Unplaced[]> {
  const { body } = await client.get('/api/payments/?state=UNPLACED');
  return (body as { results: Unplaced[] }).results;
}

const credit = async () => creditOf(testApp.context.db, client);

// BANK-18
describe('an exact KID', () => {
  test.each([
    { length: 4, modulus: 'MOD10' },
    { length: 10, modulus: 'MOD10' },
    { length: 10, modulus: 'MOD11' },
    { length: 18, modulus: 'MOD11' },
  ])('of $length digits by $modulus pays the first invoices too', async (rules) => {
    await createCompany();
    const agreement = { account: ACCOUNTS[0], ...rules };
    expect((await client.put('/api/users/kid-agreement/', agreement)).status).toBe(200);
    const billed = [];
    for (let count = 0; count < 11; count += 1) billed.push(await bill(client, customer, 100));
    const payments = billed.map(({ kid }) => ({ amount: 100, kid }));
    const booked = await uploadAndBook(client, ocrFile(payments, { transmission }));
    expect(new Set(outcomesOf(booked))).toEqual(new Set(['EXACT']));
    expect(entriesOf(booked).map(({ invoice_number }) => invoice_number)).toEqual(
      billed.map(({ number }) => number),
    );
  });

  // BANK-1
  test('pays the invoice with an exact amount, a part with less, and leaves credit with more', async () => {
    await createCompany();
    const [exact, part, over] = [
      await bill(client, customer, 1250),
      await bill(client, customer, 500),
      await bill(client, customer, 100),
    ];
    const file = ocrFile(
      [
        { amount: 1250, kid: exact.kid },
        { amount: 200, kid: part.kid },
        { amount: 150, kid: over.kid },
      ],
      { transmission },
    );
    const preview = await upload(client, file, 'mai.txt');
    expect(preview.status).toBe(201);
    expect(preview.body).toMatchObject({
      name: 'mai.txt',
      format: 'OCR',
      accounts: [ACCOUNTS[0]],
      from: '2026-11-20',
      to: '2026-11-20',
      count: 3,
      sum: 1600,
      ignored: 0,
      state: 'PREVIEW',
      booked_count: 0,
    });
    expect(outcomesOf(preview)).toEqual(['EXACT', 'PART', 'OVER']);
    expect(await readInvoice(exact.uuid)).toMatchObject({ status: 'REGISTERED', paid_amount: 0 });

    const booked = await client.post(`/api/payments/files/${preview.body.uuid}/book/`);
    expect(booked.body).toMatchObject({ state: 'BOOKED', booked_count: 3 });
    expect(entriesOf(booked).map(({ invoice_number }) => invoice_number)).toEqual([
      exact.number,
      part.number,
      over.number,
    ]);
    expect(await readInvoice(exact.uuid)).toEqual({
      status: 'PAID',
      paid_amount: 1250,
      amount_due: 0,
      paid_date: '2026-11-20',
    });
    expect(await readInvoice(part.uuid)).toMatchObject({ status: 'REGISTERED', amount_due: 300 });
    expect(await readInvoice(over.uuid)).toMatchObject({ status: 'PAID', paid_amount: 100 });
    expect(await unplaced()).toMatchObject([{ amount: 50, customer_number: customer }]);
    expect(await credit()).toBe(50);
    const { body: history } = await client.get(`/api/invoices/${exact.uuid}/history/`);
    expect(history.slice(0, 2)).toMatchObject([
      { kind: 'PAID', by: { type: 'BANK', name: 'mai.txt' } },
      { kind: 'PAYMENT', by: { type: 'BANK', name: 'mai.txt' }, details: { amount: 1250 } },
    ]);
  });

  test('takes earlier entries of the file into account', async () => {
    await createCompany();
    const { kid, uuid } = await bill(client, customer, 100);
    const payments = [40, 40, 40, 10].map((amount) => ({ amount, kid }));
    const file = ocrFile(payments, { transmission });
    expect(outcomesOf(await upload(client, file))).toEqual(['PART', 'PART', 'OVER', 'SETTLED']);
    expect(outcomesOf(await uploadAndBook(client, file))).toEqual([
      'PART',
      'PART',
      'OVER',
      'SETTLED',
    ]);
    expect(await readInvoice(uuid)).toMatchObject({ status: 'PAID', paid_amount: 100 });
    expect(await credit()).toBe(30);
  });

  // PAY-10
  test('of an invoice that was paid or credited after the preview becomes credit', async () => {
    await createCompany();
    const [paid, credited] = [await bill(client, customer, 70), await bill(client, customer, 80)];
    const preview = await upload(
      client,
      ocrFile(
        [
          { amount: 70, kid: paid.kid },
          { amount: 80, kid: credited.kid },
        ],
        { transmission },
      ),
    );
    expect(outcomesOf(preview)).toEqual(['EXACT', 'EXACT']);
    await client.post(`/api/invoices/${paid.uuid}/update/`, { status: 'PAID' });
    expect((await client.delete(`/api/invoices/${credited.uuid}/`)).status).toBe(204);
    const open = await bill(client, customer, 150);
    const booked = await client.post(`/api/payments/files/${preview.body.uuid}/book/`);
    expect(outcomesOf(booked)).toEqual(['SETTLED', 'SETTLED']);
    expect(await readInvoice(open.uuid)).toMatchObject({ paid_amount: 0 });
    expect(await credit()).toBe(150);
  });

  // BANK-22
  test('paid to another account of the company is only suggested', async () => {
    await createCompany();
    const { kid, number, uuid } = await bill(client, customer, 100);
    const file = ocrFile([{ amount: 100, kid }], { transmission, account: ACCOUNTS[1] });
    const booked = await uploadAndBook(client, file);
    const toPlace = async () =>
      (await client.get(`/api/payments/files/${booked.body.uuid}/`)).body.to_place;
    expect([booked.body.to_place, await toPlace()]).toEqual([1, 1]);
    expect(entriesOf(booked)).toMatchObject([
      {
        outcome: 'SUGGESTED',
        placements: [],
        suggestion: { reason: 'KID', invoices: [{ invoice_number: number, amount_due: 100 }] },
      },
    ]);
    const [payment] = await unplaced();
    expect(payment).toMatchObject({ suggestion: { reason: 'KID' } });
    // BANK-2: the file does not go on asking.
    const placing = { invoice_uuid: uuid };
    expect((await client.post(`/api/payments/${payment?.uuid}/place/`, placing)).status).toBe(200);
    expect(await toPlace()).toBe(0);
  });

  // KID-8
  test('is not reported as wrong, unlike a number with a wrong check digit', async () => {
    await createCompany();
    const mistyped = async (kids: readonly string[]) => {
      transmission += 1;
      const payments = kids.map((kid) => ({ amount: 100, kid }));
      const { body } = await upload(client, ocrFile(payments, { transmission }));
      return body.entries.map(({ kid_is_wrong: isWrong }: { kid_is_wrong: boolean }) => isWrong);
    };
    const { kid } = await bill(client, customer, 100);
    expect(await mistyped([kid, '12344', '12345'])).toEqual([false, false, true]);
    const agreement = { account: ACCOUNTS[0], length: 8, modulus: 'MOD11', version: null };
    expect((await client.put('/api/users/kid-agreement/', agreement)).status).toBe(200);
    expect(await mistyped([kid, '12344', '12343', '1236-', '1235-'])).toEqual([
      false,
      true,
      false,
      false,
      true,
    ]);
    transmission += 1;
    const later = await upload(client, ocrFile([{ amount: 100, kid }], { transmission }));
    expect(outcomesOf(later)).toEqual(['EXACT']);
  });

  test('of another company is unplaced', async () => {
    await createCompany();
    const { kid } = await bill(client, customer, 100);
    await createCompany();
    expect(
      outcomesOf(await uploadAndBook(client, ocrFile([{ amount: 100, kid }], { transmission }))),
    ).toEqual(['UNPLACED']);
  });
});

describe('after a change of account', () => {
  // BANK-6, PRO-7
  test('files of an account that invoices name are accepted and pay them', async () => {
    await createCompany();
    const { kid, uuid } = await bill(client, customer, 100);
    const otherAccount = '15032080119';
    await completeProfile(client, {
      bank_accounts: [{ bank_account_number: otherAccount, is_primary: true }],
    });
    expect((await client.get('/api/payments/accounts/')).body).toEqual([
      { account: ACCOUNT, open_invoices: 1 },
    ]);
    const booked = await uploadAndBook(client, ocrFile([{ amount: 100, kid }], { transmission }));
    expect(outcomesOf(booked)).toEqual(['EXACT']);
    expect(await readInvoice(uuid)).toMatchObject({ status: 'PAID' });
    expect((await client.get('/api/payments/accounts/')).body).toEqual([]);
    // A draft has no account yet, and no invoice has the account of the earlier profile.
    await createDraft(client, customer);
    const [, second] = ACCOUNTS;
    const foreign = ocrFile([{ amount: 100 }], { transmission: transmission + 1, account: second });
    const { status, body } = await upload(client, foreign);
    expect([status, body.detail[0].message]).toEqual([
      400,
      'Filen gjelder konto 1234.56.78903, som verken er i profilen eller på noen av bedriftens fakturaer',
    ]);
  });
});

describe('one payment with several KIDs', () => {
  test('pays all invoices by its amounts, or without amounts when it equals the sum due', async () => {
    await createCompany();
    const bills = [
      await bill(client, customer, 100),
      await bill(client, customer, 200),
      await bill(client, customer, 300),
      await bill(client, customer, 400),
    ];
    const [a, b, c, d] = bills.map(({ kid }) => kid) as [string, string, string, string];
    const booked = await uploadAndBook(
      client,
      camtFile([
        { amount: 250, kids: [a, b], kidAmounts: [100, 150] },
        { amount: 700, kids: [c, d] },
      ]),
    );
    expect(outcomesOf(booked)).toEqual(['PART', 'EXACT']);
    expect(entriesOf(booked)[0]?.placements).toMatchObject([{ amount: 100 }, { amount: 150 }]);
    const due = await Promise.all(
      bills.map(async ({ uuid }) => (await readInvoice(uuid)).amount_due),
    );
    expect(due).toEqual([0, 50, 0, 0]);
  });

  test('is only suggested when the sum is wrong or a KID is unknown', async () => {
    await createCompany();
    const [a, b] = [await bill(client, customer, 100), await bill(client, customer, 200)];
    const booked = await uploadAndBook(
      client,
      camtFile([
        { amount: 250, kids: [a.kid, b.kid] },
        { amount: 100, kids: [a.kid, '1234567890128'] },
      ]),
    );
    expect(outcomesOf(booked)).toEqual(['SUGGESTED', 'SUGGESTED']);
    expect(await readInvoice(a.uuid)).toMatchObject({ paid_amount: 0 });
  });
});

// BANK-19
describe('an uncertain match is suggested and not booked for', () => {
  async function suggested(payment: CamtPaymentInput) {
    const [entry] = entriesOf(await uploadAndBook(client, camtFile([payment])));
    return entry?.outcome === 'SUGGESTED'
      ? [
          entry.suggestion?.reason,
          ...(entry.suggestion?.invoices ?? []).map(({ invoice_number }) => invoice_number),
        ]
      : entry?.outcome;
  }

  // BANK-20
  test('a KID without its leading zeros, or in the text, with the exact amount due', async () => {
    await createCompany();
    const { kid, number } = await bill(client, customer, 100);
    const bare = kid.replace(/^0+/, '');
    expect(await suggested({ amount: 100, kids: [bare], reference: 'a' })).toEqual([
      'SIMILAR_KID',
      number,
    ]);
    const spaced = `${bare.slice(0, 4)} ${bare.slice(4)}`;
    expect(await suggested({ amount: 100, text: `Kid ${spaced} takk`, reference: 'b' })).toEqual([
      'SIMILAR_KID',
      number,
    ]);
    expect(await suggested({ amount: 99, kids: [bare], reference: 'c' })).toBe('UNPLACED');
  });

  test('an invoice number of at least four digits that stands by itself', async () => {
    await createCompany();
    await completeProfile(client, { ...WITH_ACCOUNTS, start_invoice_number: 10_048 });
    const { number } = await bill(client, customer, 350);
    expect(number).toBe(10_048);
    const given = ['INVOICE_NUMBER', number];
    let reference = 0;
    const pay = async (text: string, amount = 350) =>
      suggested({ amount, text, reference: String((reference += 1)) });
    expect(await pay('Faktura 10048 og litt til')).toEqual(given);
    expect(await pay('fakt.nr:10048')).toEqual(given);
    for (const text of ['Faktura 100481', 'Faktura 210048', 'kr 10048,00', 'Faktura 10 048']) {
      expect([text, await pay(text)]).toEqual([text, 'UNPLACED']);
    }
    expect(await pay('Faktura 10048', 349)).toBe('UNPLACED');
    expect(await suggested({ amount: 350, invoiceNumber: '10048', reference: 'field' })).toEqual(
      given,
    );
  });

  // BANK-21
  test('a payer account that has paid for the customer before', async () => {
    await createCompany();
    const first = await bill(client, customer, 100);
    const payerAccount = '97104133219';
    await uploadAndBook(client, camtFile([{ amount: 100, kids: [first.kid], payerAccount }]));
    const [one, two, three] = [
      await bill(client, customer, 210),
      await bill(client, customer, 320),
      await bill(client, customer, 430),
    ];
    const pay = async (amount: number, reference: string) =>
      suggested({ amount, payerAccount, reference });
    expect(await pay(320, 'p1')).toEqual(['AMOUNT_AND_PAYER', two.number]);
    expect(await pay(640, 'p2')).toEqual(['SUM_OF_INVOICES', one.number, three.number]);
    expect(await pay(111, 'p3')).toBe('UNPLACED');
    expect(await suggested({ amount: 320, payerAccount: '12345678903', reference: 'p4' })).toBe(
      'UNPLACED',
    );
    const { rows } = await testApp.context.db
      .selectFrom('payerAccount')
      .selectAll()
      .execute()
      .then((all) => ({ rows: all }));
    expect(JSON.stringify(rows)).not.toContain(payerAccount);
  });

  // BANK-21
  test('a payer account whose payment the user has placed', async () => {
    await createCompany();
    const first = await bill(client, customer, 100);
    const payerAccount = '97104133219';
    await uploadAndBook(client, camtFile([{ amount: 60, text: 'Hei', payerAccount }]));
    const [payment] = await unplaced();
    const placed = await client.post(`/api/payments/${payment?.uuid}/place/`, {
      invoice_uuid: first.uuid,
    });
    expect(placed.status).toBe(200);
    expect(await suggested({ amount: 40, payerAccount, reference: 'next' })).toEqual([
      'AMOUNT_AND_PAYER',
      first.number,
    ]);
  });
});

describe('a reversal from the bank', () => {
  test('of a batch without details stays unplaced while the rest of its file is booked', async () => {
    await createCompany();
    const { uuid, kid } = await bill(client, customer, 500);
    const entries = [
      { amount: '500.00', reference: 'paid', details: [{ amount: '500.00', kids: [{ kid }] }] },
      {
        amount: '700.00',
        reference: 'back',
        direction: 'DBIT',
        reversal: true,
        batch: { count: 2 },
      },
    ] as const;
    const file = camtText({ statements: [{ account: ACCOUNT, entries }] });
    const { body } = await uploadAndBook(client, file);
    expect((await readInvoice(uuid)).status).toBe('PAID');
    expect((await unplaced()).map(({ amount }) => amount)).toEqual([-700]);
    // Uploading the file again adds nothing, and undoing it removes the reversal.
    await uploadAndBook(client, file);
    expect(await unplaced()).toHaveLength(1);
    expect((await client.post(`/api/payments/files/${body.uuid}/undo/`)).status).toBe(200);
    expect(await unplaced()).toEqual([]);
  });

  test('placed by the user keeps later manual payments from being undone', async () => {
    await createCompany();
    const { uuid, kid } = await bill(client, customer, 1000);
    const { uuid: other } = await bill(client, customer, 200);
    const note = async (amount: number) =>
      client.post('/api/payments/', { invoice_uuid: uuid, amount, date: todayInOslo() });
    await uploadAndBook(client, camtFile([{ amount: 600, kids: [kid] }]));
    expect((await note(400)).status).toBe(201);
    await uploadAndBook(client, camtFile([{ amount: -700, text: 'Retur', reference: 'r1' }]));
    const [reversal] = await unplaced();
    const placed = await client.post(`/api/payments/${reversal?.uuid}/place/`, {
      invoice_uuid: uuid,
    });
    expect(placed.status).toBe(200);
    expect((await readInvoice(uuid)).paid_amount).toBe(300);
    expect((await note(700)).status).toBe(201);
    await client.post(`/api/invoices/${other}/update/`, { status: 'PAID' });

    const single = await client.post(`/api/invoices/${uuid}/update/`, { status: 'REGISTERED' });
    expect(single.status).toBe(409);
    expect(single.text).toContain('Later payments of the invoice');
    const many = await client.post('/api/invoices/update/', {
      uuids: [uuid, other],
      status: 'REGISTERED',
    });
    expect(many.body).toMatchObject({ updated: [other], skipped: [{ uuid }] });
    expect((await readInvoice(uuid)).status).toBe('PAID');
  });

  test('placed by the user is not repeated by a reversal that names the payment', async () => {
    await createCompany();
    const { uuid, kid } = await bill(client, customer, 1000);
    await uploadAndBook(client, camtFile([{ amount: 1000, kids: [kid], reference: 'p1' }]));
    await uploadAndBook(client, camtFile([{ amount: -1000, text: 'Retur', reference: 'r1' }]));
    const [byHand] = await unplaced();
    const placed = await client.post(`/api/payments/${byHand?.uuid}/place/`, {
      invoice_uuid: uuid,
    });
    expect(placed.status).toBe(200);
    const named = camtFile([{ amount: -1000, reference: 'r2', detailReference: 'p1' }]);
    const booked = await uploadAndBook(client, named);
    expect([booked.status, booked.body.state]).toEqual([200, 'BOOKED']);
    expect((await readInvoice(uuid)).paid_amount).toBe(0);
    // The user decides which of the two reversals is right.
    expect((await unplaced()).map(({ amount }) => amount)).toEqual([-1000]);
    const { body } = await client.post(`/api/payments/files/${booked.body.uuid}/undo/`);
    expect([body.state, await unplaced()]).toEqual(['UNDONE', []]);
  });
});
