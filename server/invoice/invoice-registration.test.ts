import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import {
  completeProfile,
  createCustomer,
  createDraft,
  CUSTOMER,
  PROFILE,
  register,
} from '../testing/factories.ts';

let testApp: TestApp;
let client: TestClient;
let customer: number;

beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(async () => testApp.close());

// INV-14
describe('registering', () => {
  beforeAll(async () => {
    client = await testApp.login();
    await completeProfile(client, { start_invoice_number: 1001 });
    customer = await createCustomer(client);
  });

  // INV-31, PRO-8
  test('gives the next number, a KID and dates, and freezes seller and buyer', async () => {
    const uuid = await createDraft(client, customer);
    expect(await register(client, uuid)).toBe(1001);
    const { body } = await client.get(`/api/invoices/${uuid}/`);
    expect(body).toMatchObject({
      status: 'REGISTERED',
      invoice_number: 1001,
      customer_identification_number: '000000100000010015',
      bank_account_number: '12341112344',
      net_amount: 143.43,
      vat_amount: 30.03,
      gross_amount: 173.46,
      disputed: false,
      reminder_amount: 0,
    });
    expect((await client.get('/api/invoices/1001/')).body).toEqual(body);
    const ehf = async () => (await client.get(`/api/invoices/${uuid}/efaktura/`)).text;
    const before = await ehf();
    const [account] = PROFILE.bank_accounts;
    for (const name of [PROFILE.company_name, CUSTOMER.name, account?.bank_account_number]) {
      expect(before).toContain(`>${name}<`);
    }
    const bank_accounts = [{ bank_account_number: '86011117947', is_primary: true }];
    await completeProfile(client, { company_name: 'Nytt navn AS', bank_accounts });
    await client.put(`/api/customers/${customer}/update/`, { ...CUSTOMER, name: 'Ny kunde' });
    expect(await ehf()).toBe(before);
  });

  // INV-16
  test('again changes nothing', async () => {
    const uuid = await createDraft(client, customer);
    const number = await register(client, uuid);
    const again = await client.post(`/api/invoices/queue/?invoice_uuid=${uuid}`);
    expect(again).toMatchObject({ status: 200, body: { registered: [], skipped: [] } });
    expect((await client.get(`/api/invoices/${uuid}/`)).body.invoice_number).toBe(number);
  });

  test('leaves a bad draft with its reason and takes the others in the order they were made', async () => {
    const other = await testApp.login();
    await completeProfile(other);
    const withMail = await createCustomer(other);
    const without = await createCustomer(other, { email: '', name: 'Uten adresse' });
    const first = await createDraft(other, withMail);
    const bad = await createDraft(other, without, { delivery_type: 'EMAIL' });
    const second = await createDraft(other, withMail);
    const { body } = await other.post('/api/invoices/queue/');
    expect(body).toEqual({
      registered: [
        { uuid: first, invoice_number: 1 },
        { uuid: second, invoice_number: 2 },
      ],
      skipped: [
        {
          uuid: bad,
          customer_name: 'Uten adresse',
          customer_number: without,
          message: 'The customer has no e-mail address',
          mended_at: 'CUSTOMER',
        },
      ],
    });
  });
});

// INV-14
test('100 invoices registered by 20 requests at once have the numbers 1 to 100', async () => {
  const owner = await testApp.login();
  await completeProfile(owner);
  const number = await createCustomer(owner);
  const uuids: string[] = [];
  for (let i = 0; i < 100; i++) uuids.push(await createDraft(owner, number));
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, worker) => {
      const given: number[] = [];
      for (const uuid of uuids.slice(worker * 5, worker * 5 + 5)) {
        given.push(await register(owner, uuid));
      }
      return given;
    }),
  );
  expect(answers.flat().toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 100 }, (_, i) => i + 1),
  );
});
