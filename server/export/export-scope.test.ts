import { read, utils } from '@e965/xlsx';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { addDays, todayInOslo } from '../../domain/date.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import { bytesAt, expire, namesInZip } from '../testing/exports.ts';
import { completeProfile, createCustomer, createDraft, register } from '../testing/factories.ts';
import { addBankPayment } from '../testing/payments.ts';
import { removeExpired } from './export-file.service.ts';

const YEAR = todayInOslo().slice(0, 4);
const PERIOD = { from: `${YEAR}-01-01`, to: `${YEAR}-12-31` };
const GONE = 'Slettet Kunde AS';

let testApp: TestApp;
let owner: TestClient;
let stays: number;

/** Two invoices of one customer and one of another, who is deleted afterwards; then the first two are paid. */
beforeAll(async () => {
  testApp = await startTestApp({ FEATURES: 'export,payments,credit', DISPATCH: 'staff' });
  owner = await testApp.login('eier@example.no');
  await completeProfile(owner);
  stays = await createCustomer(owner, { name: 'Nordavind' });
  const goes = await createCustomer(owner, { name: GONE });
  const issued = [await issue(stays), await issue(stays), await issue(goes)];
  expect((await owner.delete(`/api/customers/${goes}/`)).status).toBeLessThan(300);
  for (const uuid of issued.slice(0, 2)) await pay(uuid);
});
afterAll(async () => testApp.close());

async function issue(customer: number): Promise<string> {
  const uuid = await createDraft(owner, customer);
  await register(owner, uuid);
  return uuid;
}

async function pay(uuid: string): Promise<void> {
  const payment = { invoice_uuid: uuid, amount: 100, date: todayInOslo() };
  expect((await owner.post('/api/payments/', payment)).status).toBe(201);
}

async function fileOf(kind: string, scope: object): Promise<Buffer> {
  const asked = await owner.post('/api/exports/', { kind, ...scope });
  expect(asked).toMatchObject({ status: 201, body: { state: 'DONE' } });
  const { uuid } = asked.body as { uuid: string };
  return Buffer.from(await bytesAt(testApp, owner, `/api/exports/${uuid}/file/`));
}

type SheetRow = Readonly<Record<string, unknown>>;

async function rowsOf(kind: string, sheet: string, scope: object = PERIOD): Promise<SheetRow[]> {
  const book = read(await fileOf(kind, scope));
  return utils.sheet_to_json<SheetRow>(book.Sheets[sheet] ?? {});
}

function valuesOf(rows: readonly SheetRow[], column: string): unknown[] {
  return [...new Set(rows.map((row) => row[column]))];
}

test('sheets name a customer that was deleted as the invoice does, and balance what is owed under that name', async () => {
  const book = read(await fileOf('XLSX', PERIOD));
  const rows = (name: string) => utils.sheet_to_json<SheetRow>(book.Sheets[name] ?? {});
  expect(rows('Fakturaer').find(({ Nummer }) => Nummer === 3)).toMatchObject({
    Kunde: GONE,
    Kundenr: expect.any(Number) as number,
  });
  const total = rows('Fakturaer').find(({ Nummer }) => Nummer === 3)?.['Total'];
  const balance = rows('Kundespesifikasjon').filter(({ Navn }) => Navn === GONE);
  expect(balance.map(({ Bilag }) => Bilag)).toEqual([undefined, 'Faktura 3', undefined]);
  expect(balance.at(-1)).toMatchObject({ Tekst: 'Utgående saldo', Utgående: total });
  expect(rows('Åpne poster').find(({ Nummer }) => Nummer === 3)).toMatchObject({ Rest: total });
});

const FILTERED = { ...PERIOD, filter: { query: GONE } };

// EXP-5, EXP-60, EXP-63
test('a filter leaves its documents, and all payments and open items', async () => {
  const book = read(await fileOf('XLSX', FILTERED));
  const rows = (name: string) => utils.sheet_to_json<SheetRow>(book.Sheets[name] ?? {});
  expect(valuesOf(rows('Fakturaer'), 'Nummer')).toEqual([3]);
  expect(valuesOf(rows('Linjer'), 'Nummer')).toEqual([3]);
  expect(valuesOf(rows('Innbetalinger'), 'Fakturanr')).toEqual([1, 2]);
  const vouchers = rows('Bilag').map(
    ({ Bilagsart, Bilagsnr }) => `${String(Bilagsart)} ${String(Bilagsnr)}`,
  );
  expect([...new Set(vouchers)]).toEqual(['Faktura 3', 'Innbetaling 1', 'Innbetaling 2']);
  expect(valuesOf(rows('Åpne poster'), 'Nummer')).toEqual([1, 2, 3]);
  expect(rows('Om').map(({ Opplysning }) => Opplysning)).toContain('Utvalg');
  const sheets = ['Fakturaer', 'Linjer', 'Innbetalinger', 'Bilag', 'Mva', 'Kundespesifikasjon'];
  expect(book.SheetNames).toEqual([...sheets, 'Åpne poster', 'Om']);
  const files = book.SheetNames.map((name) => `${name}.csv`);
  expect(await namesInZip(await fileOf('CSV', FILTERED))).toEqual(files);
  expect(rows('Om')).toEqual(
    expect.arrayContaining([
      { Opplysning: 'Periode', Verdi: `01.01.${YEAR} til og med 31.12.${YEAR}` },
      { Opplysning: 'Ark: Fakturaer', Rader: 1, Summert: 'Total', Sum: 173.46 },
      { Opplysning: 'Ark: Innbetalinger', Rader: 2, Summert: 'Beløp', Sum: 200 },
    ]),
  );
});

/** The vouchers in a file of each accounting format, as kind and number. */
const VOUCHERS: readonly [kind: string, read: (file: Buffer) => string[]][] = [
  [
    'GBAT10',
    (file) =>
      file
        .toString('latin1')
        .trimEnd()
        .split('\r\n')
        .map((row) => row.split(';'))
        .map(([, number, , kind]) => `${kind} ${number}`),
  ],
  [
    'TWENTYFOURSEVEN',
    (file) =>
      utils
        .sheet_to_json<SheetRow>(read(file).Sheets['Bilagsjournal'] ?? {})
        .map((row) => `${String(row['TransactionType'])} ${String(row['TransactionNo'])}`),
  ],
  [
    'SAFT',
    (file) =>
      [...file.toString().matchAll(/<TransactionID>(B-)?(\d+)</g)].map(
        ([, payment, number]) => `${payment ? 2 : 1} ${number}`,
      ),
  ],
];

// EXP-23, EXP-63
test.each(VOUCHERS)('%s has what the filter left, and all payments', async (kind, read) => {
  const vouchers = read(await fileOf(kind, FILTERED));
  expect(new Set(vouchers)).toEqual(new Set(['1 3', '2 1', '2 2']));
});

test('Uni has what the filter left, and all payments', async () => {
  expect(valuesOf(await rowsOf('UNI', 'Bilag', FILTERED), 'Tekst')).toEqual([
    'Faktura 3',
    'Innbetaling, faktura 1',
    'Innbetaling, faktura 2',
  ]);
});

const SINCE = { since_last: true };

/** Something new comes for each, as each ends what is new for the next one. */
test.each(VOUCHERS)('%s has since the last export what came after it', async (kind, read) => {
  await fileOf(kind, PERIOD);
  const uuid = await issue(stays);
  await pay(uuid);
  const { body } = await owner.get(`/api/invoices/${uuid}/`);
  const { invoice_number: number } = body as { invoice_number: number };
  const vouchers = [...new Set(read(await fileOf(kind, SINCE)))];
  expect(vouchers).toEqual([`1 ${number}`, expect.stringMatching(/^2 \d+$/)]);
});

test('sheets have since the last export what came after it, and everything that is open', async () => {
  await fileOf('XLSX', PERIOD);
  const uuid = await issue(stays);
  const { body } = await owner.get(`/api/invoices/${uuid}/`);
  const { invoice_number: number } = body as { invoice_number: number };
  const book = read(await fileOf('XLSX', SINCE));
  const rows = (name: string) => utils.sheet_to_json<SheetRow>(book.Sheets[name] ?? {});
  for (const name of ['Fakturaer', 'Linjer']) {
    expect(valuesOf(rows(name), 'Nummer')).toEqual([number]);
  }
  expect(valuesOf(rows('Bilag'), 'Bilagsnr')).toEqual([number]);
  expect(rows('Innbetalinger')).toEqual([]);
  expect(valuesOf(rows('Åpne poster'), 'Nummer')).toEqual(
    Array.from({ length: number }, (_, index) => index + 1),
  );
  const specified = rows('Kundespesifikasjon').filter(({ Bilag }) => Bilag !== undefined);
  expect(valuesOf(specified, 'Bilag')).toEqual([`Faktura ${number}`]);
});

test('since an export of a period, a payment of a later day is new, though it was recorded before that export', async () => {
  const client = await testApp.login('periode@example.no');
  await completeProfile(client);
  const yesterday = addDays(todayInOslo(), -1);
  const issue_date = addDays(yesterday, -1);
  const uuid = await createDraft(client, await createCustomer(client), { issue_date });
  await register(client, uuid);
  const payment = { invoice_uuid: uuid, amount: 100, date: todayInOslo() };
  expect((await client.post('/api/payments/', payment)).status).toBe(201);
  const period = { kind: 'GBAT10', from: issue_date, to: yesterday };
  expect((await client.post('/api/exports/', period)).body).toMatchObject({ invoices: 1 });
  const since = { kind: 'GBAT10', ...SINCE };
  expect((await client.post('/api/exports/?dry_run=true', since)).status).toBe(200);
  const asked = await client.post('/api/exports/', since);
  expect(asked).toMatchObject({ status: 201, body: { invoices: 0 } });
  const { uuid: made } = asked.body as { uuid: string };
  const file = await bytesAt(testApp, client, `/api/exports/${made}/file/`);
  expect(file.toString('latin1')).toContain(';Innbetaling, faktura 1;');
  expect((await client.post('/api/exports/', since)).status).toBe(409);
});

// EXP-64
test.each([
  ['a possible copy', true, 'Innbetaling, faktura 1'],
  ['credit', false, 'Flyttet innbetaling'],
])(
  'since an export, %s that was placed after it is new, under another uuid',
  async (what, possibleCopy, text) => {
    const email = `${what.replaceAll(' ', '-')}@example.no`;
    const client = await testApp.login(email);
    await completeProfile(client);
    const { db } = testApp.context;
    const invoiced = await createDraft(client, await createCustomer(client));
    await register(client, invoiced);
    const companyId = await companyIdOf(db, email);
    const money = await addBankPayment(db, companyId, { amount: 100, possibleCopy });
    const since = { kind: 'GBAT10', ...SINCE };
    const file = async () => {
      const asked = await client.post('/api/exports/', since);
      expect(asked.status).toBe(201);
      const url = `/api/exports/${(asked.body as { uuid: string }).uuid}/file/`;
      return (await bytesAt(testApp, client, url)).toString('latin1');
    };
    expect((await file()).includes(';Innbetaling;')).toBe(!possibleCopy);

    const url = `/api/payments/${money}/place/`;
    const placed = await client.post(url, { invoice_uuid: invoiced });
    expect(placed).toMatchObject({ status: 200, body: { amount: 100, invoice_uuid: invoiced } });
    const { uuid } = placed.body as { uuid: string };
    expect(uuid).not.toBe(money);
    expect(await file()).toContain(`;${text};`);
    expect((await client.post('/api/exports/', since)).status).toBe(409);
    expect((await client.post(url, { invoice_uuid: invoiced })).status).toBe(409);
    expect((await client.post(`/api/payments/${uuid}/undo/`)).status).toBe(200);
    expect(await file()).toContain(';Flyttet innbetaling');
  },
);

test.each(['XLSX', 'CSV', 'GBAT10', 'TWENTYFOURSEVEN', 'UNI', 'SAFT'])(
  '%s of a period without anything is a file too',
  async (kind) => {
    const scope = { kind, from: '2001-01-01', to: '2001-01-31' };
    const asked = await owner.post('/api/exports/', scope);
    expect(asked).toMatchObject({ status: 201, body: { state: 'DONE', invoices: 0 } });
    const url = `/api/exports/${(asked.body as { uuid: string }).uuid}/`;
    for (const time of ['first', 'second']) {
      expect([time, (await owner.get(`${url}file/`)).status]).toEqual([time, 200]);
    }
    expect((await owner.get(url)).body).toMatchObject({ sha256: expect.any(String) as string });
  },
);

// EXP-5
test('a file has what the filter found when it was asked for, though an invoice was paid before it was made', async () => {
  const client = await testApp.login('filter@example.no');
  await completeProfile(client);
  const customer = await createCustomer(client);
  const uuids = [await createDraft(client, customer), await createDraft(client, customer)];
  for (const uuid of uuids) await register(client, uuid);
  const unpaid = { kind: 'GBAT10', ...PERIOD, filter: { status: 'REGISTERED' } };
  const asked = await client.post('/api/exports/', unpaid);
  expect(asked).toMatchObject({ status: 201, body: { invoices: 2 } });
  const paid = await client.post(`/api/invoices/${uuids[0]}/update/`, { status: 'PAID' });
  expect(paid.status).toBe(200);
  const { uuid, gross } = asked.body as { uuid: string; gross: number };
  const file = await bytesAt(testApp, client, `/api/exports/${uuid}/file/`);
  const owed = file
    .toString('latin1')
    .split('\r\n')
    .map((row) => row.split(';'))
    .filter(([, , , kind, , , account]) => kind === '1' && account === '1500');
  expect(owed.map(([, number]) => number)).toEqual(['1', '2']);
  expect(owed.reduce((sum, row) => sum + Number(row[8]), 0)).toBeCloseTo(gross, 2);

  const now = await client.post('/api/exports/?dry_run=true', unpaid);
  expect(now).toMatchObject({ status: 200, body: { invoices: 1 } });
  const { db } = testApp.context;
  const companyId = await companyIdOf(db, 'filter@example.no');
  await expire(db, companyId, uuid);
  await removeExpired(testApp.context);
  const kept = await db
    .selectFrom('exportListed')
    .select('exportId')
    .where('companyId', '=', companyId)
    .execute();
  expect(kept).toEqual([]);
});

test('sheets call an invoice of 0,00 what the list calls it: registered, not paid', async () => {
  const client = await testApp.login('null@example.no');
  await completeProfile(client);
  const line = { invoiced_quantity: 1, description: 'Gave', net_unit_amount: 0 };
  const free = { invoice_lines: [{ ...line, vat_rate_percentage: 25 }] };
  await register(client, await createDraft(client, await createCustomer(client), free));
  const asked = await client.post('/api/exports/', { kind: 'XLSX', ...PERIOD });
  const { uuid } = asked.body as { uuid: string };
  const book = read(Buffer.from(await bytesAt(testApp, client, `/api/exports/${uuid}/file/`)));
  const rows = utils.sheet_to_json<SheetRow>(book.Sheets['Fakturaer'] ?? {});
  expect(rows.find(({ Nummer }) => Nummer === 1)).toMatchObject({ Total: 0, Status: 'Registrert' });
});

test('sheets say what was paid and credited on the last day of the period, and the status of that day (EXP-61)', async () => {
  const issue_date = addDays(todayInOslo(), -3);
  const draft = await createDraft(owner, stays, { issue_date, due_days: 1 });
  const number = await register(owner, draft);
  await pay(draft);
  const reductions = [{ description: 'Avslag', net_amount: 40, vat_treatment: 'STANDARD' }];
  const credited = await owner.post(`/api/invoices/${draft}/credit/`, { reductions });
  expect(credited.status).toBe(201);
  const rowOn = async (to: string) => {
    const book = read(await fileOf('XLSX', { from: issue_date, to }));
    const [document, item] = ['Fakturaer', 'Åpne poster'].map((name) =>
      utils
        .sheet_to_json<SheetRow>(book.Sheets[name] ?? {})
        .find(({ Nummer }) => Nummer === number),
    );
    return { ...document, ...item };
  };
  const unpaid = { Betalt: 0, Kreditert: 0, Rest: 173.46 };
  expect(await rowOn(issue_date)).toMatchObject({ ...unpaid, Status: 'Registrert', Dager: 0 });
  const dayBefore = addDays(todayInOslo(), -1);
  expect(await rowOn(dayBefore)).toMatchObject({ ...unpaid, Status: 'Forfalt', Dager: 1 });
  const now = { Betalt: 100, Kreditert: 50, Rest: 23.46, Status: 'Forfalt', Dager: 2 };
  for (const to of [todayInOslo(), addDays(todayInOslo(), 30)]) {
    expect(await rowOn(to)).toMatchObject(now);
  }
});
