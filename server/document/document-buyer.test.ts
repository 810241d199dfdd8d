import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import {
  completeProfile,
  createCustomer,
  createDraft,
  CUSTOMER,
  register,
} from '../testing/factories.ts';
import { readWithPoppler, removeFolder, temporaryFolder } from '../testing/poppler.ts';
import { checkLedger } from './ledger.service.ts';

// The contact person, the country and the addresses of a buyer in issued documents (CUS-17).

const OWNER = 'kjoper@example.no';
let testApp: TestApp;
let client: TestClient;
let folder: string;

beforeAll(async () => {
  folder = temporaryFolder();
  testApp = await startTestApp({ DISPATCH: 'staff', FEATURES: '' });
  client = await testApp.login(OWNER);
  await completeProfile(client);
});
afterAll(async () => {
  await testApp.close();
  removeFolder(folder);
});

async function versions(): Promise<number[]> {
  const { rows } = await sql<{ version: number }>`
    SELECT version FROM document ORDER BY id`.execute(testApp.context.db);
  return rows.map(({ version }) => version);
}

async function printed(uuid: string): Promise<string> {
  const { rawPayload } = await testApp.app.http.inject({
    url: `/invoices/${uuid}/pdf/`,
    headers: { cookie: client.cookieHeader },
  });
  return readWithPoppler(folder, rawPayload).text('reading');
}

test('print and name what was filled in when they were registered, and nothing else', async () => {
  const terms = {
    country: 'SE',
    contact_name: 'Åsa Öberg',
    invoice_emails: ['faktura@kund.example'],
  };
  const customer = await createCustomer(client, terms);
  const plain = await createDraft(client, await createCustomer(client));
  const uuid = await createDraft(client, customer);
  expect(await printed(uuid)).toContain('Att. Åsa Öberg\nKaia 2\n6150 Ørsta\nSverige\n');
  await register(client, plain);
  const number = await register(client, uuid);
  await client.put(`/api/customers/${customer}/update/`, { ...CUSTOMER, contact_name: 'Ny' });

  expect(await printed(uuid)).toContain('Att. Åsa Öberg\nKaia 2\n6150 Ørsta\nSverige\n');
  const { text } = await client.get(`/api/invoices/${number}/efaktura/`);
  const [, buyer = ''] = text.split('<cac:AccountingCustomerParty>');
  expect(buyer).toContain('<cbc:IdentificationCode>SE</cbc:IdentificationCode>');
  expect(buyer).toContain(
    '<cac:Contact><cbc:Name>Åsa Öberg</cbc:Name><cbc:ElectronicMail>kunde@example.no</cbc:ElectronicMail></cac:Contact>',
  );

  // A credit note has the buyer of its invoice.
  await client.delete(`/api/invoices/${uuid}/`);
  const { text: note } = await client.get(`/api/invoices/${number + 1}/efaktura/`);
  expect(note).toContain('<cbc:Name>Åsa Öberg</cbc:Name>');
  expect(await versions()).toEqual([1, 6, 6]);
  expect(await printed(plain)).not.toMatch(/Att\.|Norge/);
  expect((await client.get(`/api/invoices/${number - 1}/efaktura/`)).text).toContain(
    '<cac:Contact><cbc:ElectronicMail>kunde@example.no</cbc:ElectronicMail></cac:Contact>',
  );
  const [report] = await Array.fromAsync(checkLedger(testApp.context.db, OWNER));
  expect(report).toMatchObject({ documents: 3, fault: null });
});
