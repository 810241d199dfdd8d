import { read, utils } from '@e965/xlsx';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { addDays, todayInOslo } from '../../domain/date.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import { ALL_YEARS, bytesAt } from '../testing/exports.ts';
import {
  completeProfile,
  createCustomer,
  createDraft,
  CUSTOMER,
  line,
  register,
} from '../testing/factories.ts';
import { addBankPayment } from '../testing/payments.ts';
import { temporaryFolder } from '../testing/poppler.ts';

// EXP-22 and EXP-7: a file names customers as their documents do, and is made of what was so when it was asked for.

let testApp: TestApp;
let owner: TestClient;
/** Two of one name, who are deleted, and one that gets another number. */
let gone: number;
let alsoGone: number;
let moved: number;
/** Exports that were asked for before that, by kind, and not fetched. */
const askedBefore = new Map<string, string>();

const KINDS = ['GBAT10', 'TWENTYFOURSEVEN', 'UNI', 'SAFT', 'XLSX', 'CSV'];
const TODAY = todayInOslo();

beforeAll(async () => {
  testApp = await startTestApp({ FEATURES: 'export,payments,credit', DISPATCH: 'staff' });
  owner = await testApp.login('eier@example.no');
  await completeProfile(owner);
  const settings = { customer_offset: 100_000 };
  expect((await owner.put('/api/users/export-settings/', settings)).status).toBe(200);
  gone = await createCustomer(owner, { name: 'Kari', org_number: '' });
  alsoGone = await createCustomer(owner, { name: 'Kari', org_number: '' });
  moved = await createCustomer(owner, { name: 'Flytter AS' });
  const { db } = testApp.context;
  const companyId = await companyIdOf(db, 'eier@example.no');
  const invoices = [await issue(gone, 500), await issue(alsoGone, 375), await issue(moved, 100)];
  const payment = { invoice_uuid: invoices[0], amount: 125, date: addDays(TODAY, -2) };
  expect((await owner.post('/api/payments/', payment)).status).toBe(201);
  // It is a customer's credit until it is placed, and no customer with credit is deleted.
  const customer = await db
    .selectFrom('customer')
    .select('id')
    .where('companyId', '=', companyId)
    .where('customerNumber', '=', alsoGone)
    .executeTakeFirstOrThrow();
  const money = await addBankPayment(db, companyId, { amount: 75, customerId: customer.id });
  expect((await owner.post('/api/exports/', { kind: 'CSV', ...ALL_YEARS })).status).toBe(201);
  const placing = { invoice_uuid: invoices[1] };
  expect((await owner.post(`/api/payments/${money}/place/`, placing)).status).toBe(200);
  for (const kind of KINDS) {
    const asked = await owner.post('/api/exports/', { kind, ...ALL_YEARS });
    expect(asked.status).toBe(201);
    askedBefore.set(kind, (asked.body as { uuid: string }).uuid);
  }

  // All of it is after the exports were asked for.
  const renumbered = { ...CUSTOMER, name: 'Nytt navn AS', customer_number: 900 };
  expect((await owner.put(`/api/customers/${moved}/update/`, renumbered)).status).toBe(200);
  for (const number of [gone, alsoGone]) {
    expect((await owner.delete(`/api/customers/${number}/`)).status).toBeLessThan(300);
  }
  const accounts = { receivables: '1510', bank: { '12341112344': '1930' } };
  const others = { accounts, customer_offset: 500_000 };
  expect((await owner.put('/api/users/export-settings/', others)).status).toBe(200);
  await completeProfile(owner, { company_name: 'Nytt firmanavn AS' });
  const paid = { status: 'PAID' };
  expect((await owner.post(`/api/invoices/${invoices[2]}/update/`, paid)).status).toBe(200);
});
afterAll(async () => testApp.close());

async function issue(customer: number, price: number): Promise<string> {
  const invoice_lines = [line('Arbeid', price, 0)];
  const uuid = await createDraft(owner, customer, { invoice_lines });
  await register(owner, uuid);
  return uuid;
}

async function fileOf(kind: string, uuid = askedBefore.get(kind)): Promise<Buffer> {
  return bytesAt(testApp, owner, `/api/exports/${uuid}/file/`);
}

async function askAgain(kind: string): Promise<Buffer> {
  await testApp.context.db.deleteFrom('rateLimit').execute();
  const asked = await owner.post('/api/exports/', { kind, ...ALL_YEARS });
  return fileOf(kind, (asked.body as { uuid: string }).uuid);
}

type Rows = readonly Readonly<Record<string, unknown>>[];
/** The number of a customer as the file has it, and kroner. */
type Receivable = readonly [number: unknown, amount: number];

function sheet(file: Buffer, name: string): Rows {
  return utils.sheet_to_json(read(file).Sheets[name] ?? {});
}

/** A sheet of CSV without its ZIP, as a spreadsheet reads it. */
function csvSheet(file: Buffer, name: string): Rows {
  const path = join(temporaryFolder(), 'export.zip');
  writeFileSync(path, file);
  try {
    const text = execFileSync('unzip', ['-p', path, `${name}.csv`], { encoding: 'utf8' });
    const [heading = [], ...rows] = text
      .trimEnd()
      .split('\r\n')
      .map((row) => row.replace('\uFEFF', '').split(';'));
    return rows.map((row) => Object.fromEntries(row.map((cell, index) => [heading[index], cell])));
  } finally {
    rmSync(path);
  }
}

function amount(value: unknown): number {
  return Number((value as string | number | undefined)?.toString().replace(',', '.') ?? 0);
}

function vouchersOf(rows: Rows): Receivable[] {
  return rows
    .filter(({ Konto }) => String(Konto) === '1500' || String(Konto) === '1510')
    .map((row) => [row['Kundenr'], amount(row['Debet']) - amount(row['Kredit'])]);
}

/** The number and the amount of each row of receivables in a file of each format. */
const RECEIVABLES: Readonly<Record<string, (file: Buffer) => Receivable[]>> = {
  GBAT10: (file) =>
    file
      .toString('latin1')
      .split('\r\n')
      .map((row) => row.split(';'))
      .filter(([, , , , , , account]) => account === '1500' || account === '1510')
      .map((row) => [row[9], Number(row[8])]),
  TWENTYFOURSEVEN: (file) =>
    sheet(file, 'Bilagsjournal')
      .filter(({ Account }) => Account === '1500' || Account === '1510')
      .map((row) => [row['CustomerId'], amount(row['Amount'])]),
  UNI: (file) => {
    const years = file.subarray(0, 400).toString('latin1').includes('uni-') ? firstIn(file) : file;
    return sheet(years, 'Bilag')
      .filter(({ Kontonummer }) => String(Kontonummer).length > 4)
      .map((row) => [Number(row['Kontonummer']) % 100_000, amount(row['Beløp'])]);
  },
  SAFT: (file) =>
    [...file.toString().matchAll(/<Line>(.*?)<\/Line>/gs)]
      .map(([, text = '']) => text)
      .filter((text) => /<AccountID>15[01]0</.test(text))
      .map((text) => [
        /<CustomerID>(\d+)</.exec(text)?.[1],
        (text.includes('<CreditAmount>') ? -1 : 1) * Number(/<Amount>([\d.]+)</.exec(text)?.[1]),
      ]),
  XLSX: (file) => vouchersOf(sheet(file, 'Bilag')),
  CSV: (file) => vouchersOf(csvSheet(file, 'Bilag')),
};

/** The workbook of the only year. */
function firstIn(file: Buffer): Buffer {
  const path = join(temporaryFolder(), 'uni.zip');
  writeFileSync(path, file);
  try {
    return execFileSync('unzip', ['-p', path]);
  } finally {
    rmSync(path);
  }
}

function sums(rows: readonly Receivable[]): Record<string, number> {
  const all: Record<string, number> = {};
  for (const [number, value] of rows) {
    const key = `${number as string | number | undefined}`;
    all[key] = Math.round(((all[key] ?? 0) + value) * 100) / 100;
  }
  return Object.fromEntries(Object.entries(all).filter(([, sum]) => sum !== 0));
}

test.each(KINDS)('%s was asked for before: it has what was so then', async (kind) => {
  const rows = RECEIVABLES[kind]?.(await fileOf(kind)) ?? [];
  expect(sums(rows)).toEqual({ [gone]: 375, [alsoGone]: 300, [moved]: 100 });
});

test.each(KINDS)(
  '%s names customers as their documents do, also after they were deleted or got another number',
  async (kind) => {
    const rows = RECEIVABLES[kind]?.(await askAgain(kind)) ?? [];
    expect(sums(rows)).toEqual({ [gone]: 375, [alsoGone]: 300 });
    expect(new Set(rows.map(([number]) => String(number)))).toEqual(
      new Set([gone, alsoGone, moved].map(String)),
    );
  },
);

test('sheets and SAF-T keep customers apart, each with the name of its documents, as of the asking', async () => {
  const file = await fileOf('XLSX');
  const [, , last] = sheet(file, 'Fakturaer');
  expect(last).toMatchObject({ Kundenr: moved, Kunde: 'Flytter AS', Utestående: 100 });
  expect(last).not.toHaveProperty('Betalt dato');
  expect(sheet(file, 'Om')[0]).toMatchObject({ Verdi: 'Snekker Andersen AS' });
  const closing = (sheets: Buffer) =>
    sheet(sheets, 'Kundespesifikasjon')
      .filter(({ Tekst }) => Tekst === 'Utgående saldo')
      .map((row) => [row['Kundenr'], row['Navn'], row['Utgående']]);
  expect(closing(file)).toEqual([
    [gone, 'Kari', 375],
    [alsoGone, 'Kari', 300],
    [moved, 'Flytter AS', 100],
  ]);
  const now = await askAgain('XLSX');
  expect(closing(now).map(([number]) => number)).toEqual([gone, alsoGone, moved]);
  expect(sheet(now, 'Fakturaer')[2]).toHaveProperty('Betalt dato');
  expect(sheet(now, 'Åpne poster').map((row) => row['Kundenr'])).toEqual([gone, alsoGone]);
  const named = (await fileOf('SAFT')).toString().matchAll(/<Customer>.*?<CustomerID>(\d+)</gs);
  expect([...named].map(([, id]) => Number(id))).toEqual([gone, alsoGone, moved]);
});
