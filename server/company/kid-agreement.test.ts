import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { makeAgreedKid, makeKid } from '../../domain/kid.ts';
import { findDocument } from '../document/show-document.service.ts';
import { checkLedger } from '../document/ledger.service.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import {
  completeProfile,
  createCustomer,
  createDraft,
  PROFILE,
  register,
} from '../testing/factories.ts';

const URL = '/api/users/kid-agreement/';
const PRIMARY = '12341112344';
const OCR = '86011117947';
const ACCOUNTS = [
  { bank_account_number: PRIMARY, is_primary: true },
  { bank_account_number: OCR, is_primary: false },
];
const AGREEMENT = { account: OCR, length: 20, modulus: 'MOD11' };

let testApp: TestApp;
let client: TestClient;
let email: string;
let customer: number;
let people = 0;

beforeAll(async () => {
  testApp = await startTestApp({ FEATURES: 'payments', DISPATCH: 'staff' });
});
afterAll(async () => testApp.close());
beforeEach(async () => {
  email = `kid${++people}@example.no`;
  client = await testApp.login(email);
  await completeProfile(client, { bank_accounts: ACCOUNTS });
  customer = await createCustomer(client);
});

const agree = async (changes: object = {}) => client.put(URL, { ...AGREEMENT, ...changes });
const draft = async (changes: object = {}) => createDraft(client, customer, changes);
const read = async (uuid: string) => (await client.get(`/api/invoices/${uuid}/`)).body;

/** Registers an invoice and returns the API's response for it. */
async function issue() {
  const uuid = await draft();
  await register(client, uuid);
  return read(uuid);
}

async function faultInBooks(): Promise<string | null | undefined> {
  const [report] = await Array.fromAsync(checkLedger(testApp.context.db, email));
  return report?.fault;
}

// KID-4
describe('the agreement', () => {
  test('is there once it is entered, is changed, and ended', async () => {
    expect(await client.get(URL)).toMatchObject({ status: 204, text: '' });
    expect(await agree()).toMatchObject({ status: 200, body: { ...AGREEMENT, version: 1 } });
    expect((await client.get(URL)).body).toEqual({ ...AGREEMENT, version: 1 });
    expect((await agree({ length: 18 })).body).toMatchObject({ length: 18, version: 2 });
    expect((await client.delete(URL)).status).toBe(204);
    expect((await client.get(URL)).status).toBe(204);
    expect((await client.delete(URL)).status).toBe(204);
  });

  test('accepts formatted account numbers, only of its own accounts', async () => {
    expect((await agree({ account: '8601.11.17947' })).body.account).toBe(OCR);
    expect(await agree({ account: '97104133219' })).toMatchObject({
      status: 400,
      body: {
        detail: [
          { field: 'account', message: 'account is not one of the bank accounts of the company' },
        ],
      },
    });
  });

  test.each([
    ['length', { length: 3 }],
    ['length', { length: 26 }],
    ['length', { length: 7.5 }],
    ['length', { length: null }],
    ['modulus', { modulus: 'MOD97' }],
    ['account', { account: '' }],
    ['account', { account: '1234' }],
  ])('names %s where it is not valid', async (field, changes) => {
    const { status, body } = await agree(changes);
    expect([status, body]).toMatchObject([400, { detail: [{ field }] }]);
    expect((await client.get(URL)).status).toBe(204);
  });

  test('is not changed with an old version', async () => {
    await agree();
    expect((await agree({ version: 1, length: 12 })).status).toBe(200);
    expect((await agree({ version: 1, length: 9 })).status).toBe(409);
    await client.delete(URL);
    expect((await agree({ version: 2 })).status).toBe(409);
    expect((await agree()).body.version).toBe(1);
  });

  test('keeps its account in the profile', async () => {
    await agree();
    const save = async (bank_accounts: object[]) =>
      client.post('/api/users/update/', { ...PROFILE, bank_accounts });
    expect(await save([{ bank_account_number: PRIMARY }])).toMatchObject({
      status: 409,
      body: {
        detail: [
          {
            field: 'bank_accounts',
            message:
              'Account 8601.11.17947 has the KID agreement; end or change the agreement first',
          },
        ],
      },
    });
    expect((await save([{ bank_account_number: OCR }])).status).toBe(200);
    await client.delete(URL);
    expect((await save([{ bank_account_number: PRIMARY }])).status).toBe(200);
  });

  test('cannot lose its account in the database either', async () => {
    await agree();
    const { db } = testApp.context;
    const companyId = await companyIdOf(db, email);
    await expect(
      sql`DELETE FROM bank_account WHERE company_id = ${companyId}
        AND bank_account_number = ${OCR}`.execute(db),
    ).rejects.toThrow(/foreign key/);
    await expect(
      sql`UPDATE kid_agreement SET account = '97104133219' WHERE company_id = ${companyId}`.execute(
        db,
      ),
    ).rejects.toThrow(/foreign key/);
  });
});

describe('an invoice that is registered under it', () => {
  // KID-5
  test('has its KID and its account, and says by which rules', async () => {
    const before = await issue();
    await agree();
    const { invoice_number, ...after } = await issue();
    expect(after).toMatchObject({
      customer_identification_number: makeAgreedKid(
        { length: 20, modulus: 'MOD11' },
        customer,
        invoice_number,
      ),
      bank_account_number: OCR,
      kid_modulus: 'MOD11',
    });
    expect(await read(before.uuid)).toEqual(before);
    expect(before).toMatchObject({
      customer_identification_number: makeKid(customer, 1),
      bank_account_number: PRIMARY,
      kid_modulus: null,
    });
    await client.delete(URL);
    expect(await issue()).toMatchObject({ bank_account_number: PRIMARY, kid_modulus: null });
    expect(await faultInBooks()).toBeNull();
  });

  test('has a frozen document with the KID rules; other invoices keep the former document', async () => {
    const plain = await issue();
    await agree();
    const agreed = await issue();
    const { db } = testApp.context;
    const text = async (uuid: string) => {
      const { rows } = await sql<{ version: number; content: string }>`
        SELECT version, content FROM document
        WHERE invoice_id = (SELECT id FROM invoice WHERE uuid = ${uuid})`.execute(db);
      return rows[0];
    };
    expect(await text(plain.uuid)).toMatchObject({
      version: 1,
      content: expect.not.stringContaining('kidModulus'),
    });
    expect(await text(agreed.uuid)).toMatchObject({
      version: 2,
      content: expect.stringMatching(/^\[2,\{.*"kidModulus":"MOD11"/),
    });
    await expect(
      sql`UPDATE invoice SET kid_modulus = NULL WHERE uuid = ${agreed.uuid}`.execute(db),
    ).rejects.toThrow('a registered invoice never changes');
    const { text: xml } = await client.get(`/api/invoices/${agreed.uuid}/efaktura/`);
    expect(xml).toContain('<cbc:PaymentMeansCode name="KID">30</cbc:PaymentMeansCode>');
    expect(xml).toContain(`<cbc:PaymentID>${agreed.customer_identification_number}<`);
    expect(xml).toContain(OCR);
  });

  test('shows the account on the draft already, and its credit note is unchanged', async () => {
    await agree();
    const companyId = await companyIdOf(testApp.context.db, email);
    const { document } = await findDocument(testApp.context, companyId, await draft());
    // So that the PDF says 'KID' and not 'KID/melding'.
    expect(document).toMatchObject({
      bankAccountNumber: OCR,
      kid: null,
      kidModulus: AGREEMENT.modulus,
    });
    const invoice = await issue();
    await client.delete(`/api/invoices/${invoice.uuid}/`);
    const { credit_note } = await read(invoice.uuid);
    expect(await read(credit_note.uuid)).toMatchObject({
      customer_identification_number: null,
      kid_modulus: null,
      bank_account_number: PRIMARY,
    });
    expect(await faultInBooks()).toBeNull();
  });

  // INV-17, KID-6
  test('is refused with a reason when its number does not fit the KID', async () => {
    await completeProfile(client, { bank_accounts: ACCOUNTS, start_invoice_number: 99 });
    await agree({ length: 4 });
    const [first, second, third] = [await draft(), await draft(), await draft()];
    const message = 'The KID agreement has no KID for invoice number 100; change or end it first';
    expect((await client.post('/api/invoices/queue/')).body).toEqual({
      registered: [{ uuid: first, invoice_number: 99 }],
      skipped: [second, third].map((uuid) =>
        expect.objectContaining({ uuid, message, mended_at: 'PROFILE' }),
      ),
    });
    expect((await read(second)).obstacles).toEqual([{ message, mended_at: 'PROFILE' }]);
    const alone = await client.post(`/api/invoices/queue/?invoice_uuid=${second}`);
    expect([alone.status, alone.body]).toEqual([409, { detail: [{ message }] }]);
    // The credit note needs no KID, and a longer KID has room again.
    expect((await client.delete(`/api/invoices/${first}/`)).status).toBe(204);
    await agree({ length: 5 });
    expect(await register(client, second)).toBe(101);
    expect(await faultInBooks()).toBeNull();
  });

  // KID-1
  test('never gets the KID of another invoice, even after the rules changed', async () => {
    await agree({ length: 5 });
    const first = await issue();
    // Possible when a short KID had a filler, and the bank has dropped it since.
    const taken = makeAgreedKid({ length: 5, modulus: 'MOD10' }, customer, 2);
    const { db } = testApp.context;
    await sql`ALTER TABLE invoice DISABLE TRIGGER USER`.execute(db);
    await sql`UPDATE invoice SET kid = ${taken} WHERE uuid = ${first.uuid}`.execute(db);
    await sql`ALTER TABLE invoice ENABLE TRIGGER USER`.execute(db);
    await agree({ length: 5, modulus: 'MOD10' });
    const second = await draft();
    expect((await client.post(`/api/invoices/queue/?invoice_uuid=${second}`)).status).toBe(409);
    // The database refuses it for every caller.
    await expect(
      sql`UPDATE invoice SET status = 'REGISTERED', kid = ${taken}, kid_modulus = 'MOD10',
          invoice_number = 2, bank_account_number = ${OCR}, seller = '{}', buyer = '{}',
          search_text = '', registered_at = now()
        WHERE uuid = ${second}`.execute(db),
    ).rejects.toThrow(/invoice_kid/);
    await agree({ length: 6, modulus: 'MOD10' });
    expect(await register(client, second)).toBe(2);
  });
});

describe('with payments off', () => {
  let off: TestApp;
  let owner: TestClient;

  beforeAll(async () => {
    off = await startTestApp({ FEATURES: '', DISPATCH: 'staff' });
    owner = await off.login('av@example.no');
    await completeProfile(owner, { bank_accounts: ACCOUNTS });
    const companyId = await companyIdOf(off.context.db, 'av@example.no');
    await sql`INSERT INTO kid_agreement (company_id, account, length, modulus)
      VALUES (${companyId}, ${OCR}, 20, 'MOD11')`.execute(off.context.db);
  });
  afterAll(async () => off.close());

  // KID-4
  test('the agreement is neither shown nor applied', async () => {
    for (const answer of [await owner.get(URL), await owner.put(URL, AGREEMENT)]) {
      expect(answer.status).toBe(404);
    }
    const uuid = await createDraft(owner, await createCustomer(owner));
    await register(owner, uuid);
    expect((await owner.get(`/api/invoices/${uuid}/`)).body).toMatchObject({
      customer_identification_number: makeKid(1, 1),
      bank_account_number: PRIMARY,
      kid_modulus: null,
    });
  });

  test('an account can be taken away, and the agreement ends with it', async () => {
    const count = async () => {
      const { rows } = await sql<{ many: number }>`
        SELECT count(*)::integer AS many FROM kid_agreement`.execute(off.context.db);
      return rows[0]?.many;
    };
    await completeProfile(owner, { bank_accounts: ACCOUNTS });
    expect(await count()).toBe(1);
    await completeProfile(owner);
    expect(await count()).toBe(0);
  });
});
