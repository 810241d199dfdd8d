import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { addDays, todayInOslo } from '../../../domain/date.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import type { Answer, TestClient } from '../../testing/client.ts';
import { companyIdOf } from '../../testing/company.ts';
import { openTestDatabase } from '../../testing/database.ts';
import {
  addAssignment,
  completeProfile,
  createGroup,
  createTemplate,
  invoiceBody,
} from '../../testing/factories.ts';
import { addBankPayment } from '../../testing/payments.ts';
import { touchedBy, type Statement } from '../../testing/plan.ts';
import { EVERYTHING_ON } from '../../testing/process.ts';
import { withStatements } from '../../testing/statements.ts';
import { compiledOnce } from './frequent-statements.ts';
import type { Database } from './database.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(async () => database.close());

test('a statement is compiled once and run with the values of each call', async () => {
  let built = 0;
  const subtract = compiledOnce((db, one: number, other: number) => {
    built += 1;
    return db.selectNoFrom(sql<number>`${one}::integer - ${other}::integer`.as('rest'));
  });
  expect(await subtract(database.db, 5, 2)).toEqual([{ rest: 3 }]);
  expect(await subtract(database.db, 2, 5)).toEqual([{ rest: -3 }]);
  expect(built).toBe(1);
});

test('a statement that PostgreSQL would plan at each call is refused', async () => {
  const everything = compiledOnce((db, ids: readonly number[]) =>
    db
      .selectFrom(sql<{ id: number }>`(SELECT * FROM unnest(${ids}::bigint[]))`.as('given'))
      .selectAll(),
  );
  await expect(everything(database.db, [1])).rejects.toThrow('would not be prepared');
});

/** The sizes of a company (invoices). Two thousand take the embedded database half a minute. */
const SIZES = process.env['TEST_DATABASE'] === 'postgres' ? [50, 800, 2000] : [50];
/** Invoices of one call: from 500 on the tables are analysed at once. */
const BATCH = 50;
/** Rows that a page of 20 takes, with all that belongs to it. */
const PAGE = 2500;
/**
 * Times that all rows may be read besides. A table's size on disk, from which PostgreSQL reckons here, depends on what other
 * transactions of the server kept from being cleared away, and near a limit it sorts all rows instead of reading some
 * in order. A page of 20 that looks up each of its rows among all of them would read them twenty times.
 */
const BY_PAGES = 2;
const BY_WHOLES = 8;
/**
 * While a table is a few pages on disk, PostgreSQL thinks that one row is of the company, of customers up to a thousand, and
 * takes all its indexes for equal: each of 20 look-ups may then read all rows, but they are few.
 */
const FEW = 1000;
const LOOK_UPS = 25;

/** A statement asks for what is before, within and after its period in one. */
const IN_THREE_PARTS = ['/api/customers/3/statement/'];

function mostOf(url: string, size: number): number {
  const parts = IN_THREE_PARTS.includes(url) ? 3 : 1;
  const times = size < FEW ? LOOK_UPS : WHOLES.includes(url) ? BY_WHOLES : BY_PAGES;
  return parts * (PAGE + times * size);
}

/** Screens with pages: they read a page by keys. */
const PAGES = [
  '/api/invoices/',
  '/api/invoices/?page=2',
  '/api/invoices/?status=DRAFT',
  '/api/invoices/?status=REGISTERED',
  '/api/invoices/?status=PAID',
  '/api/invoices/?status=CANCELLED',
  '/api/invoices/?status=OVERDUE',
  '/api/invoices/?status=OUTSTANDING',
  '/api/invoices/?status=FAILED',
  '/api/invoices/?sort=amount',
  '/api/invoices/?sort=-customer',
  '/api/invoices/7/',
  '/api/invoices/7/history/',
  '/api/invoices/lines/search/?query=rep',
  '/api/customers/',
  '/api/customers/?page=2',
  '/api/customers/3/',
  '/api/invoices/recurring/',
  '/api/payments/',
  '/api/payments/?page=2',
  '/api/payments/?state=UNPLACED',
  '/api/payments/?customer_number=3',
  '/api/payments/files/',
  '/api/exports/',
  '/api/products/',
  '/api/quotes/',
  '/api/quotes/?page=2',
  '/api/quotes/?state=DRAFT',
  '/api/quotes/?state=SENT',
  '/api/quotes/?state=TO_INVOICE',
  '/api/quotes/?state=PARTLY_INVOICED',
  '/api/members/',
  '/api/overview/links/',
  '/api/users/session/',
  '/api/users/profile/',
];
/** Sums, searches and lists without pages: they look at everything, but at nothing twice. */
const WHOLES = [
  '/api/invoices/?query=kunde',
  '/api/invoices/?query=reparasjon',
  '/api/invoices/?query=173,46',
  '/api/invoices/?query=%237',
  '/api/invoices/?customer_number=3',
  '/api/invoices/?amount_due=173.46',
  '/api/invoices/?from=2026-01-01',
  '/api/customers/?query=kunde',
  '/api/customers/search/?query=kunde',
  '/api/customers/groups/',
  '/api/customers/groups/search/?query=med',
  '/api/invoices/template/',
  '/api/payments/accounts/',
  '/api/quotes/?query=kunde',
  '/api/quotes/?query=arbeid+7',
  '/api/quotes/?customer_number=3',
  '/api/products/?query=vare',
  '/api/reminders/proposals/',
  '/api/overview/',
  ...IN_THREE_PARTS,
];

/** Starts the product without jobs and without anybody who analyses tables. */
async function startWithoutStatistics(): Promise<TestApp> {
  const testApp = await startTestApp({
    ...EVERYTHING_ON,
    ROLE: 'web',
    DATABASE_URL: 'postgres://127.0.0.1/none',
    SECRET_KEY: 'x'.repeat(32),
  });
  const { db } = testApp.context;
  const { rows } = await sql<{ name: string }>`
    SELECT relid::regclass::text AS name FROM pg_stat_user_tables
    WHERE schemaname = 'public'`.execute(db);
  for (const { name } of rows) {
    await sql`ALTER TABLE ${sql.raw(name)} SET (autovacuum_enabled = off)`.execute(db);
  }
  return testApp;
}

/** Adds late invoices to as many new customers, and a few of everything else. */
async function addBatch(client: TestClient, companyId: number, before: number): Promise<void> {
  const numbers = Array.from({ length: BATCH }, (_, index) => before + index + 1);
  await post(client, '/api/customers/import/', {
    rows: numbers.map((number) => ({ name: `Kunde ${number}`, email: `k${number}@example.no` })),
  });
  await post(client, '/api/products/import/', {
    rows: numbers.map((number) => ({
      number: String(number),
      name: `Vare ${number}`,
      net_price: 100,
    })),
  });
  const late = invoiceBody(numbers, { issue_date: addDays(todayInOslo(), -60) });
  const made = (await post(client, '/api/invoices/create/', late)).body as { uuid: string }[];
  const [paid = '', credited = '', ...others] = made.map(({ uuid }) => uuid);
  // One draft is left in all.
  const uuids = before === 0 ? [paid, credited, ...others.slice(1)] : [paid, credited, ...others];
  await post(client, '/api/invoices/queue/', { uuids });
  await post(client, `/api/invoices/${paid}/update/`, { status: 'PAID' });
  await client.delete(`/api/invoices/${credited}/`);
  await addQuotes(companyId);
  for (let payment = 0; payment < 5; payment += 1) {
    await addBankPayment(testApp.context.db, companyId, { amount: 1000 + before + payment });
  }
  if (before % (8 * BATCH) > 0) return;
  await createGroup(client, numbers.slice(0, 10));
  await createTemplate(client, { name: `Mal ${before}` });
  await addAssignment(client, {
    name: `Oppdrag ${before}`,
    customer_numbers: numbers.slice(0, 5),
  });
}

/** Adds a quote for each new customer: drafts, sent ones and accepted ones. */
async function addQuotes(companyId: number): Promise<void> {
  const { db } = testApp.context;
  await sql`
    WITH made AS (INSERT INTO quote (company_id) SELECT ${companyId} FROM generate_series(1, ${BATCH}) RETURNING id),
      placed AS (SELECT id, row_number() OVER (ORDER BY id) AS place FROM made),
      written AS (
        INSERT INTO quote_line (company_id, quote_id, revision, position, quantity, description, net_unit_amount,
          vat_rate, vat_treatment)
        SELECT ${companyId}, id, 1, position, 1, 'Arbeid', 10000, 25, 'STANDARD' FROM made, generate_series(0, 1) AS position)
    INSERT INTO quote_revision (company_id, quote_id, revision, customer_id, price_kind, valid_until, confirm_by_code,
      net_amount, vat_amount, gross_amount, search_text)
    SELECT ${companyId}, placed.id, 1, customer.id, 'FIXED', '2099-12-31', false, 20000, 5000, 25000,
      ' ' || lower(customer.name) || ' arbeid ' || placed.place
    FROM placed
    JOIN (SELECT id, name, row_number() OVER (ORDER BY id DESC) AS place FROM customer WHERE company_id = ${companyId}) customer
      ON customer.place = placed.place`.execute(db);
  await sql`
    UPDATE quote SET state = 'SENT', quote_number = placed.place, sent_revision = 1, sent_valid_until = '2099-12-31'
    FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM quote
      WHERE company_id = ${companyId} AND id % 3 > 0) placed
    WHERE company_id = ${companyId} AND quote.id = placed.id AND state = 'DRAFT'`.execute(db);
  await sql`
    UPDATE quote SET state = 'ACCEPTED'
    WHERE company_id = ${companyId} AND id % 3 = 1 AND state = 'SENT'`.execute(db);
}

async function post(client: TestClient, url: string, body: object): Promise<Answer> {
  const answer = await client.post(url, body);
  if (answer.status >= 300) throw new Error(`${url}: ${answer.status} ${answer.text}`);
  return answer;
}

/** The statements that the answer to a call reads from. */
async function statementsOf(client: TestClient, url: string): Promise<Statement[]> {
  const { answer, statements } = await withStatements(async () => client.get(url));
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${answer.text}`);
  return statements.filter((statement) => /^\s*(?:select|with)\b/i.test(statement.sql));
}

/** The screens that read more than they should of a company of this size. */
async function findGreedy(client: TestClient, size: number): Promise<string[]> {
  const greedy: string[] = [];
  // Many screens ask for the same, such as the session.
  const counted = new Map<string, number>();
  const [draft] = (await client.get('/api/invoices/?status=DRAFT')).body.results;
  for (const url of [...PAGES, `/api/invoices/${draft.uuid}/`, ...WHOLES]) {
    for (const statement of await statementsOf(client, url)) {
      const key = JSON.stringify([statement.sql, statement.parameters]);
      const rows = counted.get(key) ?? (await touchedBy(testApp.context.db, statement));
      counted.set(key, rows);
      const text = `${url} reads ${rows} of ${size}: ${statement.sql.slice(0, 200)}`;
      if (rows > mostOf(url, size)) greedy.push(text);
    }
  }
  return greedy;
}

let testApp: TestApp;

test('a screen reads its page by keys, and never all by all, before the tables were ever analysed', async () => {
  testApp = await startWithoutStatistics();
  try {
    const { db } = testApp.context;
    const client = await testApp.login('kari@example.no');
    await completeProfile(client);
    const companyId = await companyIdOf(db, 'kari@example.no');
    let invoices = 0;
    for (const size of SIZES) {
      for (; invoices < size; invoices += BATCH) await addBatch(client, companyId, invoices);
      expect((await findGreedy(client, size)).join('\n')).toBe('');
    }
    const { rows } = await sql`SELECT FROM pg_stats WHERE schemaname = 'public'`.execute(db);
    expect(rows).toEqual([]);
  } finally {
    await testApp.close();
  }
});
