import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import { readExportSettings } from './export-settings.repository.ts';

const URL = '/api/users/export-settings/';
const DEFAULTS = {
  accounts: {
    receivables: '1500',
    bank: {},
    vat: { '25': '2700', '15': '2701', '12': '2702' },
    income: {
      STANDARD: '3000',
      FOOD: '3030',
      REDUCED: '3050',
      EXEMPT: '3100',
      EXPORT: '3105',
      OUTSIDE: '3200',
      REVERSE: '3005',
      NOT_REGISTERED: '3200',
    },
    fee: '3900',
    interest: '8050',
  },
  customer_offset: 0,
  accountant_email: null,
};

let testApp: TestApp;
let client: TestClient;
let email: string;
let people = 0;

beforeAll(async () => {
  testApp = await startTestApp({ FEATURES: 'export' });
});
afterAll(async () => testApp.close());
beforeEach(async () => {
  email = `eksportor${++people}@example.no`;
  client = await testApp.login(email);
});

/** The stored row of the company, or undefined. */
async function storedRow() {
  const { db } = testApp.context;
  const { rows } = await sql<{ accounts: string }>`
    SELECT accounts::text FROM export_settings
    WHERE company_id = ${await companyIdOf(db, email)}`.execute(db);
  return rows[0];
}

describe('export settings (EXP-20, EXP-21)', () => {
  test('are the defaults, of which nothing is stored', async () => {
    expect(await client.get(URL)).toMatchObject({ status: 200, body: DEFAULTS });
    for (const body of [{}, DEFAULTS]) {
      const answer = await client.put(URL, body);
      expect([answer.status, answer.body]).toEqual([200, DEFAULTS]);
      expect(await storedRow()).toBeUndefined();
    }
  });

  test('are kept as they were saved, with names of treatments and rates as keys', async () => {
    const saved = {
      accounts: {
        receivables: '1510',
        bank: { '12341112344': '1921', '86011117947': '1920' },
        vat: { '25': '2710', '15': '2701', '12': '27020' },
        income: { ...DEFAULTS.accounts.income, STANDARD: '3020', NOT_REGISTERED: '3220' },
        fee: '3910',
        interest: '8051000000',
      },
      customer_offset: 100_000,
      accountant_email: 'anne@regnskap.example',
    };
    expect(await client.put(URL, saved)).toMatchObject({ status: 200, body: saved });
    expect((await client.get(URL)).body).toEqual(saved);
    expect(JSON.parse((await storedRow())?.accounts ?? '')).toEqual({
      receivables: '1510',
      bank: { '12341112344': '1921', '86011117947': '1920' },
      vat: { '25': '2710', '12': '27020' },
      income: { STANDARD: '3020', NOT_REGISTERED: '3220' },
      fee: '3910',
      interest: '8051000000',
    });
    const { db } = testApp.context;
    expect(await readExportSettings(db, await companyIdOf(db, email))).toEqual({
      accounts: saved.accounts,
      customerOffset: 100_000,
      accountantEmail: 'anne@regnskap.example',
    });
  });

  test('take the default again for what is left out or empty', async () => {
    await client.put(URL, { accounts: { receivables: '1510', fee: '3910' }, customer_offset: 5 });
    const { body } = await client.put(URL, {
      accounts: { receivables: '', income: { FOOD: null, EXPORT: '3125' }, fee: '3911', vat: null },
    });
    expect(body).toEqual({
      ...DEFAULTS,
      accounts: {
        ...DEFAULTS.accounts,
        income: { ...DEFAULTS.accounts.income, EXPORT: '3125' },
        fee: '3911',
      },
    });
    expect((await client.put(URL, {})).body).toEqual(DEFAULTS);
    expect(await storedRow()).toBeUndefined();
  });

  test('belong to one company', async () => {
    await client.put(URL, { customer_offset: 100_000 });
    const other = await testApp.login(`annen${people}@example.no`);
    expect((await other.get(URL)).body).toEqual(DEFAULTS);
  });

  test.each([
    ['accounts.receivables', { accounts: { receivables: '150' } }],
    ['accounts.receivables', { accounts: { receivables: 1500 } }],
    ['accounts.fee', { accounts: { fee: '12345678901' } }],
    ['accounts.interest', { accounts: { interest: '80x0' } }],
    ['accounts.vat.25', { accounts: { vat: { '25': '27' } } }],
    ['accounts.income.NOT_REGISTERED', { accounts: { income: { NOT_REGISTERED: '=1+1' } } }],
    ['accounts.bank.12341112344', { accounts: { bank: { '12341112344': '19' } } }],
    ['accounts.bank.1234', { accounts: { bank: { '1234': '1920' } } }],
    ['accounts', { accounts: [] }],
    ['customer_offset', { customer_offset: -1 }],
    ['customer_offset', { customer_offset: 1.5 }],
    ['customer_offset', { customer_offset: 100_000_001 }],
    ['accountant_email', { accountant_email: 'regnskap' }],
  ])('name %s where it is not valid', async (field, body) => {
    expect(await client.put(URL, body)).toMatchObject({
      status: 400,
      body: { detail: [{ field }] },
    });
    expect(await storedRow()).toBeUndefined();
  });

  test('name at most 100 accounts of banks', async () => {
    const numbers = Array.from({ length: 101 }, (_, index) => String(12_341_100_000 + index));
    const bank = Object.fromEntries(numbers.map((number) => [number, '1920']));
    expect(await client.put(URL, { accounts: { bank } })).toMatchObject({
      status: 400,
      body: { detail: [{ field: 'accounts.bank' }] },
    });
  });

  test('are described with the keys that the wire has', async () => {
    const { body } = await client.get('/api/openapi.json');
    const { properties } = body.components.schemas.ExportSettings;
    expect(Object.keys(properties.accounts.properties.income.properties)).toEqual(
      Object.keys(DEFAULTS.accounts.income),
    );
    expect(properties.accounts.properties.income.required).toEqual(
      Object.keys(DEFAULTS.accounts.income),
    );
    expect(Object.keys(properties)).toEqual(Object.keys(DEFAULTS));
  });

  test('are kept consistent by the database', async () => {
    await client.put(URL, { customer_offset: 1 });
    const { db } = testApp.context;
    const companyId = await companyIdOf(db, email);
    for (const change of ["accounts = '[]'", 'customer_offset = -1', "accountant_email = ''"]) {
      await expect(
        sql`UPDATE export_settings SET ${sql.raw(change)} WHERE company_id = ${companyId}`.execute(
          db,
        ),
      ).rejects.toThrow(/constraint/);
    }
  });
});
