import { afterAll, beforeAll, expect, test } from 'vitest';

import { addDays, todayInOslo } from '../../domain/date.ts';
import { checkLedger } from '../document/ledger.service.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { completeProfile, createCustomer, createDraft, register } from '../testing/factories.ts';

const OWNER = 'kari@fjordlys.no';
const TODAY = todayInOslo();
/** 5 × 250 and 1 × 400 without VAT: 1 650 net, 2 062,50 gross. */
const PLANKS = {
  invoiced_quantity: 5,
  description: 'Planke',
  net_unit_amount: 250,
  vat_rate_percentage: 25,
};
const WORK = {
  invoiced_quantity: 1,
  description: 'Arbeid',
  net_unit_amount: 400,
  vat_rate_percentage: 25,
};

let testApp: TestApp;
let client: TestClient;
let customer: number;

beforeAll(async () => {
  testApp = await startTestApp({ DISPATCH: 'staff', FEATURES: 'payments,credit' });
  client = await testApp.login(OWNER);
  await completeProfile(client);
  customer = await createCustomer(client);
});
afterAll(async () => testApp.close());

async function invoice(lines: readonly object[] = [PLANKS, WORK], given: object = {}) {
  const draft = { invoice_lines: lines, issue_date: addDays(TODAY, -10), ...given };
  const uuid = await createDraft(client, customer, draft);
  await register(client, uuid);
  return read(uuid);
}

async function read(uuid: string) {
  return (await client.get(`/api/invoices/${uuid}/`)).body;
}

async function credit(uuid: string, body: object = {}, query = '') {
  return client.post(`/api/invoices/${uuid}/credit/${query}`, body);
}

async function credited(uuid: string, body: object = {}) {
  const answer = await credit(uuid, body);
  expect(answer.status).toBe(201);
  return answer.body;
}

async function pay(uuid: string, amount: number, date = TODAY) {
  const answer = await client.post('/api/payments/', { invoice_uuid: uuid, amount, date });
  expect(answer.status).toBe(201);
}

async function kindsOf(uuid: string): Promise<string[]> {
  const { body } = await client.get(`/api/invoices/${uuid}/history/`);
  return (body as { kind: string }[]).map(({ kind }) => kind);
}

// CRE-1, CRE-2, CRE-3, CRE-7, CRE-8, CRE-12
test('two of five planks are credited, then a reduction, then the rest', async () => {
  const { uuid, lines, invoice_number } = await invoice();
  expect(lines[0]).toMatchObject({ quantity_left: 5, net_left: 1250 });
  const trial = await credit(uuid, { lines: [{ id: lines[0].id, quantity: 2 }] }, '?dry_run=true');
  expect(trial.status).toBe(200);
  expect(trial.body).toEqual({
    credited: { net: 500, vat: 125, gross: 625 },
    left: { net: 1150, vat: 287.5, gross: 1437.5 },
    lines: [
      { id: lines[0].id, quantity_left: 3, net_left: 750 },
      { id: lines[1].id, quantity_left: 1, net_left: 400 },
    ],
  });
  expect(await read(uuid)).toMatchObject({ credited_amount: 0, credit_notes: [] });

  const reason = 'To planker var skadet';
  const note = await credited(uuid, { lines: [{ id: lines[0].id, quantity: 2 }], reason });
  expect(note).toMatchObject({
    kind: 'CREDIT_NOTE',
    invoice_number: invoice_number + 1,
    net_amount: 500,
    vat_amount: 125,
    gross_amount: 625,
    message: reason,
    issue_date: TODAY,
    credited_invoice: { uuid, invoice_number },
    lines: [{ description: 'Planke', invoiced_quantity: 2, net_unit_amount: 250 }],
  });
  const part = await read(uuid);
  expect(part).toMatchObject({
    status: 'REGISTERED',
    credited_amount: 625,
    amount_due: 1437.5,
    credit_note: { uuid: note.uuid },
    credit_notes: [{ uuid: note.uuid, invoice_number: note.invoice_number }],
  });
  expect(part.lines[0]).toMatchObject({ quantity_left: 3, net_left: 750 });

  const reductions = [{ description: 'Avslag', net_amount: 100, vat_treatment: 'STANDARD' }];
  const second = await credited(uuid, { reductions });
  expect(second).toMatchObject({ gross_amount: 125, lines: [{ description: 'Avslag' }] });
  const rest = await credited(uuid);
  expect(rest).toMatchObject({
    net_amount: 1050,
    gross_amount: 1312.5,
    lines: [
      { description: 'Planke', invoiced_quantity: 3 },
      { description: 'Arbeid', invoiced_quantity: 1 },
      { description: 'Prisavslag som er kreditert før', net_unit_amount: -100 },
    ],
  });
  const all = await read(uuid);
  expect(all).toMatchObject({
    status: 'CANCELLED',
    credited_amount: 2062.5,
    amount_due: 0,
    credit_note: { uuid: rest.uuid },
  });
  expect(all.credit_notes).toHaveLength(3);
  const { body: history } = await client.get(`/api/invoices/${uuid}/history/`);
  const events = history as { kind: string; details: object }[];
  expect(events.flatMap(({ kind, details }) => (kind === 'CREDITED' ? [details] : []))).toEqual(
    [rest, second, note].map(({ uuid, invoice_number, gross_amount }) => ({
      credit_note: { uuid, invoice_number },
      credited: gross_amount,
    })),
  );
  expect((await credit(uuid)).status).toBe(409);
  const ehf = await client.get(`/api/invoices/${rest.uuid}/efaktura/`);
  expect(ehf.text).toContain('<cbc:CreditNoteTypeCode>381</cbc:CreditNoteTypeCode>');
  expect(ehf.text).toContain(`<cbc:ID>${invoice_number}</cbc:ID>`);
});

// CRE-6
test('the note that empties a treatment takes the øre that are left', async () => {
  const line = { ...WORK, invoiced_quantity: 3, net_unit_amount: 0.03 };
  // 9 øre net, 2,25 øre VAT: 2 øre.
  const { uuid, lines, vat_amount } = await invoice([line]);
  expect(vat_amount).toBe(0.02);
  const [id] = [lines[0].id];
  const notes = [
    await credited(uuid, { lines: [{ id, quantity: 1 }] }),
    await credited(uuid, { lines: [{ id, quantity: 1 }] }),
    await credited(uuid),
  ];
  expect(notes.map((note) => note.vat_amount)).toEqual([0.01, 0.01, 0]);
  expect(await read(uuid)).toMatchObject({ status: 'CANCELLED', credited_amount: 0.11 });
});

// CRE-10, CRE-12, PAY-2
test('an invoice that is credited after a part payment is paid on the later day', async () => {
  const { uuid, lines } = await invoice();
  await pay(uuid, 1437.5, addDays(TODAY, -3));
  await credited(uuid, { lines: [{ id: lines[0].id, net_amount: 500 }] });
  expect(await read(uuid)).toMatchObject({ status: 'PAID', paid_date: TODAY, amount_due: 0 });
  expect((await kindsOf(uuid)).slice(0, 2).toSorted()).toEqual(['CREDITED', 'PAID']);
});

// CRE-1, CRE-10, CRE-11
test('what was paid beyond the rest is credit of the customer', async () => {
  const other = await createCustomer(client, { email: 'ola@nordmann.no' });
  const draft = { invoice_lines: [PLANKS, WORK], issue_date: addDays(TODAY, -10) };
  const uuid = await createDraft(client, other, draft);
  await register(client, uuid);
  await pay(uuid, 2062.5, addDays(TODAY, -2));
  const { lines } = await read(uuid);
  await credited(uuid, { lines: [{ id: lines[0].id, quantity: 2 }] });
  expect(await read(uuid)).toMatchObject({
    status: 'PAID',
    // It was paid already.
    paid_date: addDays(TODAY, -2),
    paid_amount: 1437.5,
    credited_amount: 625,
    amount_due: 0,
  });
  expect((await client.get(`/api/customers/${other}/`)).body.credit).toBe(625);
  expect(await kindsOf(uuid)).not.toContain('UNPAID');
  const answer = await client.delete(`/api/invoices/${uuid}/?expect=PAID`);
  expect(answer.status).toBe(204);
  expect(await read(uuid)).toMatchObject({ status: 'CANCELLED', paid_amount: 0 });
  expect((await client.get(`/api/customers/${other}/`)).body.credit).toBe(2062.5);
});

test('the last payments are the first to become credit (CRE-10)', async () => {
  const { uuid, lines } = await invoice();
  await pay(uuid, 1000, addDays(TODAY, -3));
  await pay(uuid, 1062.5, addDays(TODAY, -2));
  await credited(uuid, { lines: [{ id: lines[0].id, quantity: 2 }] });
  const { body } = await client.get(`/api/payments/?invoice=${uuid}`);
  const amounts = (body.results as { amount: number }[]).map(({ amount }) => amount);
  expect(amounts.toSorted((one, other) => one - other)).toEqual([-1062.5, 437.5, 1000, 1062.5]);
});

test('what was marked as paid by mistake is no credit of the customer, also after a part was credited', async () => {
  const { uuid, lines } = await invoice();
  const before = (await client.get(`/api/customers/${customer}/`)).body.credit;
  const mark = async (status: string) => client.post(`/api/invoices/${uuid}/update/`, { status });
  expect((await mark('PAID')).status).toBe(200);
  await credited(uuid, { lines: [{ id: lines[0].id, quantity: 2 }] });
  expect((await mark('REGISTERED')).status).toBe(200);
  expect((await client.get(`/api/customers/${customer}/`)).body.credit).toBe(before);
});

test.each<[string, { readonly lines?: readonly object[]; readonly reductions?: object[] }, number]>(
  [
    ['no lines', { lines: [] }, 400],
    ['a line of another invoice', { lines: [{ id: 2_000_000_000, quantity: 1 }] }, 400],
    ['quantity 0', { lines: [{ quantity: 0 }] }, 400],
    ['a negative amount', { lines: [{ net_amount: -1 }] }, 400],
    ['both quantity and amount', { lines: [{ quantity: 1, net_amount: 1 }] }, 400],
    ['half a piece', { lines: [{ quantity: 0.5 }] }, 400],
    ['the same line twice', { lines: [{ quantity: 1 }, { quantity: 1 }] }, 400],
    ['six of five', { lines: [{ quantity: 6 }] }, 409],
    ['more than the line', { lines: [{ net_amount: 1250.01 }] }, 409],
    [
      'a reduction of more',
      { reductions: [{ description: 'x', net_amount: 1650.01, vat_treatment: 'STANDARD' }] },
      409,
    ],
    [
      'a treatment that it has not',
      { reductions: [{ description: 'x', net_amount: 1, vat_treatment: 'FOOD' }] },
      409,
    ],
  ],
)('%s is refused, and nothing is written', async (_, body, status) => {
  const { uuid, lines } = await invoice();
  const named = body.lines && {
    lines: body.lines.map((line) => ({ id: lines[0].id, ...line })),
  };
  const wish = { ...body, ...named };
  expect((await credit(uuid, wish)).status).toBe(status);
  expect((await credit(uuid, wish, '?dry_run=true')).status).toBe(status);
  expect(await read(uuid)).toMatchObject({ credited_amount: 0, status: 'REGISTERED' });
});

// CRE-4
test('what credits nothing is refused: a line of which nothing is left, a gift, lines that cancel each other', async () => {
  const discount = { ...WORK, description: 'Rabatt', net_unit_amount: -150 };
  const gift = { ...WORK, description: 'Gave', net_unit_amount: 0 };
  const { uuid, lines } = await invoice([PLANKS, WORK, gift, WORK]);
  const [{ id }, { id: work }, { id: free }] = lines;
  await credited(uuid, { lines: [{ id: work }] });
  // All of its money, but no piece of it.
  await credited(uuid, { lines: [{ id, net_amount: 1249 }] });
  await credited(uuid, { lines: [{ id, net_amount: 1 }] });
  const before = await read(uuid);
  for (const wish of [[{ id: work }], [{ id }], [{ id: work }, { id: free }], [{ id: free }]]) {
    expect((await credit(uuid, { lines: wish })).status).toBe(409);
    expect((await credit(uuid, { lines: wish }, '?dry_run=true')).status).toBe(409);
  }
  expect(await read(uuid)).toEqual(before);
  const other = await invoice([WORK, discount]);
  const [{ id: own }, { id: less }] = other.lines;
  const swapped = [{ id: own, net_amount: 150 }, { id: less }];
  expect((await credit(other.uuid, { lines: swapped })).status).toBe(409);
  await credited(other.uuid);
});

test('an amount of a line is a quantity at its own price, and else an amount alone (CRE-5)', async () => {
  const { uuid, lines } = await invoice();
  const leftAfter = async (net_amount: number) => {
    const wish = { lines: [{ id: lines[0].id, net_amount }] };
    return (await credit(uuid, wish, '?dry_run=true')).body.lines[0];
  };
  expect(await leftAfter(250)).toMatchObject({ quantity_left: 4, net_left: 1000 });
  expect(await leftAfter(100)).toMatchObject({ quantity_left: 5, net_left: 1150 });
});

// CRE-5
test('a reduction at 0 % is of the treatment that the invoice has', async () => {
  const { uuid } = await invoice([{ ...WORK, vat_rate_percentage: 0 }]);
  const wish = { description: 'Avslag', net_amount: 50, vat_treatment: 'NOT_REGISTERED' };
  expect(await credited(uuid, { reductions: [wish] })).toMatchObject({ gross_amount: 50 });
});

test('two at once never credit more than the invoice', async () => {
  const { uuid, lines } = await invoice();
  const body = { lines: [{ id: lines[0].id, quantity: 3 }] };
  const answers = await Promise.all([credit(uuid, body), credit(uuid, body), credit(uuid, body)]);
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    201, 409, 409,
  ]);
  expect(await read(uuid)).toMatchObject({ credited_amount: 937.5 });
});

// CRE-11
test('DELETE after a part was credited credits the rest', async () => {
  const { uuid, lines } = await invoice();
  await credited(uuid, { lines: [{ id: lines[1].id }] });
  expect((await client.delete(`/api/invoices/${uuid}/?expect=REGISTERED`)).status).toBe(204);
  expect(await read(uuid)).toMatchObject({ status: 'CANCELLED', credited_amount: 2062.5 });
});

// CRE-4
test('drafts, credit notes and what is credited already are not credited, nor invoices of others', async () => {
  const draft = await createDraft(client, customer, { invoice_lines: [WORK] });
  expect((await credit(draft)).status).toBe(409);
  const { uuid } = await invoice();
  const note = await credited(uuid);
  expect((await credit(note.uuid)).status).toBe(409);
  expect((await credit(uuid)).status).toBe(409);
  const other = await testApp.login('ola@nordmann.no');
  expect((await other.post(`/api/invoices/${uuid}/credit/`, {})).status).toBe(404);
});

// CRE-4
test('without payments a paid invoice is not credited', async () => {
  const { uuid } = await invoice();
  await pay(uuid, 2062.5);
  const { config } = testApp.context;
  const { features } = config;
  Object.assign(config, { features: new Set(['credit']) });
  try {
    expect((await credit(uuid)).status).toBe(409);
  } finally {
    Object.assign(config, { features });
  }
  expect(await read(uuid)).toMatchObject({ status: 'PAID', credited_amount: 0 });
  await credited(uuid);
});

// CRE-2
test('a discount is credited with its line, and never alone beyond the sum', async () => {
  const discount = { ...WORK, description: 'Rabatt', net_unit_amount: -150 };
  const { uuid, lines } = await invoice([WORK, discount]);
  const [{ id }, { id: rebate }] = lines;
  expect((await credit(uuid, { lines: [{ id, quantity: 1 }] })).status).toBe(409);
  expect((await credit(uuid, { lines: [{ id: rebate, quantity: 1 }] })).status).toBe(409);
  const note = await credited(uuid, {
    lines: [
      { id, net_amount: 200 },
      { id: rebate, net_amount: 75 },
    ],
  });
  expect(note).toMatchObject({ net_amount: 125 });
  await credited(uuid);
  expect(await read(uuid)).toMatchObject({ status: 'CANCELLED', credited_amount: 312.5 });
});

test('counts, payments and the chain of documents agree', async () => {
  const { body } = await client.get('/api/invoices/?status=OUTSTANDING');
  const sum = (body.results as { amount_due: number }[]).reduce(
    (total, { amount_due }) => total + Math.round(amount_due * 100),
    0,
  );
  expect(Math.round(body.summary.outstanding_amount * 100)).toBe(sum);
  const [report] = await Array.fromAsync(checkLedger(testApp.context.db, OWNER));
  expect(report?.fault).toBeNull();
});
