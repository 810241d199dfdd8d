import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../testing/app.ts';
import { uploadAndBook, WITH_ACCOUNTS } from '../../testing/bank-files/bank-company.ts';
import { ACCOUNT, camtFile } from '../../testing/bank-files/payment-files.ts';
import type { TestClient } from '../../testing/client.ts';
import {
  addAssignment,
  completeProfile,
  createCustomer,
  createDraft,
  createTemplate,
  line,
  register,
} from '../../testing/factories.ts';
import { EVERYTHING_ON } from '../../testing/process.ts';

const OWNER = 'eier@example.no';
/** Å, é and ö as macOS writes them: a letter followed by a combining mark. */
const name = (word: string) => `${word} Åré Öst`.normalize('NFD');
const composed = (word: string) => name(word).normalize('NFC');

let testApp: TestApp;
let client: TestClient;
let customer: number;

beforeAll(async () => {
  testApp = await startTestApp({ ...EVERYTHING_ON });
  client = await testApp.login(OWNER);
  await completeProfile(client, {
    ...WITH_ACCOUNTS,
    company_name: name('Firma'),
    billing_address1: name('Vei'),
    billing_city: name('By'),
    default_message: `${name('Hei')}\n${name('Hilsen')}`,
  });
  const address = { address1: name('Vei'), address2: name('Inngang'), city: name('By') };
  customer = await createCustomer(client, { name: name('Kunde'), ...address });
  await client.post('/api/customers/groups/create/', {
    group_name: name('Gruppe'),
    customers: [customer],
  });
  await createTemplate(client, { name: name('Mal'), lines: [line(name('Vare'), 10, 25)] });
  await createDraft(client, customer, {
    reference: name('Ref'),
    message: name('Melding'),
    invoice_lines: [line(name('Vare'), 10, 25)],
  });
  await addAssignment(client, {
    name: name('Oppdrag'),
    message: name('Melding'),
    customer_numbers: [customer],
    invoice_lines: [line(name('Vare'), 10, 25)],
    first_date: '2099-01-01',
  });
});
afterAll(async () => testApp.close());

/** Texts in all tables that are not in NFC, by table and column. */
async function decomposed(): Promise<string[]> {
  const { db } = testApp.context;
  const { rows } = await sql<{ table: string; column: string }>`
    SELECT c.table_name AS table, c.column_name AS column
    FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
      AND c.data_type IN ('text', 'json', 'jsonb', 'ARRAY')
    ORDER BY 1, 2`.execute(db);
  const found: string[] = [];
  for (const { table, column } of rows) {
    const { rows: wrong } = await sql`
      SELECT FROM ${sql.table(table)} WHERE ${sql.ref(column)}::text IS NOT NFC NORMALIZED`.execute(
      db,
    );
    if (wrong.length > 0) found.push(`${table}.${column}`);
  }
  return found;
}

// WIRE-6
test('typed text is stored in NFC', async () => {
  expect(await decomposed()).toEqual([]);
  expect((await client.get(`/api/customers/${customer}/`)).body).toMatchObject({
    name: composed('Kunde'),
    city: composed('By'),
  });
});

test('text of an imported customer file is stored in NFC', async () => {
  const rows = [
    { name: name('Ny'), address1: name('Vei'), city: name('By'), customer_number: 70 },
    { name: name('Ny'), customer_number: 71 },
  ];
  const answer = await client.post('/api/customers/import/', { rows });
  expect(answer).toMatchObject({ status: 200, body: { created: 2 } });
  expect((await client.get('/api/customers/71/')).body).toMatchObject({ name: composed('Ny') });
  expect(await decomposed()).toEqual([]);
});

test('the name, payers and texts of a bank file are stored in NFC', async () => {
  const payment = { amount: 50, payer: name('Betaler'), text: name('Takk'), payerAccount: ACCOUNT };
  await uploadAndBook(client, camtFile([payment]), `${name('Fil')}.xml`);
  const [unplaced] = (await client.get('/api/payments/?state=UNPLACED')).body.results;
  expect(unplaced).toMatchObject({ payer: composed('Betaler'), text: composed('Takk') });
  expect(await decomposed()).toEqual([]);
});

test.each([
  ['/api/customers/search/?query=', 'name', 'Kunde'],
  ['/api/customers/groups/search/?query=', 'group_name', 'Gruppe'],
  ['/api/customers/search/?query=', 'name', 'kunde'],
])('a search for decomposed letters finds composed ones: %s', async (url, field, word) => {
  const [found] = (await client.get(url + encodeURIComponent(name(word)))).body;
  expect(found).toMatchObject({ [field]: composed(word[0]?.toUpperCase() + word.slice(1)) });
});

test('an invoice is found by decomposed letters too', async () => {
  const number = await register(client, await createDraft(client, customer));
  const query = encodeURIComponent(name('Kunde'));
  const { results } = (await client.get(`/api/invoices/?status=REGISTERED&query=${query}`)).body;
  expect(results).toMatchObject([{ invoice_number: number }]);
});
