import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { hashText } from './document-text.ts';
import { checkLedger } from './ledger.service.ts';
import { sha256 } from '../platform/crypto.ts';
import type { Trx } from '../platform/db/database.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { completeProfile, createCustomer, createDraft, register } from '../testing/factories.ts';

let testApp: TestApp;
let client: TestClient;
let email: string;
let counter = 0;
const TABLES = ['invoice', 'invoice_line', 'document', 'document_file'];

beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(async () => testApp.close());

/** Number 11 to 14, the first cancelled by number 15. */
beforeEach(async () => {
  email = `ledger${++counter}@example.no`;
  client = await testApp.login(email);
  await completeProfile(client, { start_invoice_number: 11 });
  const customer = await createCustomer(client);
  for (let number = 11; number <= 14; number++) {
    await register(client, await createDraft(client, customer));
  }
  await client.delete('/api/invoices/11/');
});

async function findFault(): Promise<string | null | undefined> {
  const reports = await Array.fromAsync(checkLedger(testApp.context.db, email));
  expect(reports).toHaveLength(1);
  return reports[0]?.fault;
}

/** Changes the database past its triggers, as its owner can. */
async function tamper(change: (trx: Trx, companyId: number) => Promise<unknown>): Promise<void> {
  await testApp.context.db.transaction().execute(async (trx) => {
    const { companyId } = await trx
      .selectFrom('company')
      .innerJoin('account', 'account.id', 'company.accountId')
      .select('company.id as companyId')
      .where('account.email', '=', email)
      .executeTakeFirstOrThrow();
    for (const table of TABLES) {
      await sql`ALTER TABLE ${sql.table(table)} DISABLE TRIGGER USER`.execute(trx);
    }
    await change(trx, companyId);
    for (const table of TABLES) {
      await sql`ALTER TABLE ${sql.table(table)} ENABLE TRIGGER USER`.execute(trx);
    }
  });
}

/** The id of an invoice of the company, in SQL. */
function idOf(companyId: number, number: number) {
  return sql`(SELECT id FROM invoice WHERE company_id = ${companyId} AND invoice_number = ${number})`;
}

test('an untouched ledger is in order', async () => {
  await client.post(`/api/invoices/${await uuidOf(12)}/update/`, { status: 'PAID' });
  const [report] = await Array.fromAsync(checkLedger(testApp.context.db, email));
  expect(report).toEqual({
    email,
    documents: 5,
    firstNumber: 11,
    lastNumber: 15,
    lastHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    fault: null,
  });
});

test('a company without invoices is in order, and a fault stays with its company', async () => {
  await testApp.login('without@example.no');
  await tamper(async (trx, company) =>
    sql`UPDATE invoice_line SET description = 'x' WHERE invoice_id = ${idOf(company, 13)}`.execute(
      trx,
    ),
  );
  const reports = await Array.fromAsync(checkLedger(testApp.context.db));
  expect(reports.find((report) => report.email === 'without@example.no')?.fault).toBeNull();
  expect(reports.find((report) => report.email === email)?.fault).toContain('invoice 13');
});

async function uuidOf(number: number): Promise<string> {
  return ((await client.get(`/api/invoices/${number}/`)).body as { uuid: string }).uuid;
}

// DOC-2
describe('notices', () => {
  const line = (company: number, number: number) =>
    sql`invoice_id = ${idOf(company, number)} AND position = 0`;

  const changes: [string, string, (company: number) => ReturnType<typeof sql>][] = [
    [
      'another unit price',
      'invoice 13: its lines add up to',
      (company) => sql`UPDATE invoice_line SET net_unit_amount = 1 WHERE ${line(company, 13)}`,
    ],
    [
      'another unit price with totals to match',
      'invoice 13 is not what was registered',
      (company) => sql`
        WITH line AS (
          UPDATE invoice_line SET net_unit_amount = 0, quantity = 1 WHERE ${line(company, 13)}
        )
        UPDATE invoice SET net_amount = 4333, vat_amount = 500, gross_amount = 4833
        WHERE id = ${idOf(company, 13)}`,
    ],
    [
      'another total',
      'invoice 13: its lines add up to',
      (company) => sql`UPDATE invoice SET net_amount = net_amount + 100,
        gross_amount = gross_amount + 100 WHERE id = ${idOf(company, 13)}`,
    ],
    [
      'another description',
      'invoice 13 is not what was registered',
      (company) => sql`UPDATE invoice_line SET description = 'Frokost' WHERE ${line(company, 13)}`,
    ],
    [
      'another buyer',
      'invoice 12 is not what was registered',
      (company) => sql`UPDATE invoice SET buyer = jsonb_set(buyer, '{name}', '"Kusinen AS"')
        WHERE id = ${idOf(company, 12)}`,
    ],
    [
      'another seller',
      'credit note 15 is not what was registered',
      (company) => sql`UPDATE invoice SET seller = jsonb_set(seller, '{city}', '"Moss"')
        WHERE id = ${idOf(company, 15)}`,
    ],
    [
      'another issue date',
      'invoice 12 is not what was registered',
      (company) => sql`UPDATE invoice SET issue_date = issue_date - 40
        WHERE id = ${idOf(company, 12)}`,
    ],
    [
      'another account',
      'invoice 14 is not what was registered',
      (company) => sql`UPDATE invoice SET bank_account_number = '99999999999'
        WHERE id = ${idOf(company, 14)}`,
    ],
    [
      'a line too many',
      'invoice 13: its lines add up to',
      (company) => sql`
        INSERT INTO invoice_line (company_id, invoice_id, position, quantity, description,
          net_unit_amount, vat_rate, vat_treatment)
        VALUES (${company}, ${idOf(company, 13)}, 9, 1, 'Gebyr', 5000, 25, 'STANDARD')`,
    ],
    [
      'a line of nothing too many',
      'invoice 13 is not what was registered',
      (company) => sql`
        INSERT INTO invoice_line (company_id, invoice_id, position, quantity, description,
          net_unit_amount, vat_rate, vat_treatment)
        VALUES (${company}, ${idOf(company, 13)}, 9, 1, 'Gave', 0, 25, 'STANDARD')`,
    ],
    [
      'a line that was taken away',
      'invoice 13: its lines add up to',
      (company) => sql`DELETE FROM invoice_line WHERE ${line(company, 13)}`,
    ],
    [
      'an invoice that was taken away',
      'invoice 12 is missing',
      (company) => sql`
        WITH gone AS (DELETE FROM document WHERE invoice_id = ${idOf(company, 12)})
        DELETE FROM invoice WHERE id = ${idOf(company, 12)}`,
    ],
    [
      'the last one taken away',
      'invoice 15 is missing',
      (company) => sql`
        WITH issued AS (DELETE FROM document WHERE invoice_id = ${idOf(company, 15)}),
          gone AS (DELETE FROM invoice WHERE id = ${idOf(company, 15)})
        UPDATE invoice SET status = 'REGISTERED', credited_amount = 0, credited_on = NULL
        WHERE id = ${idOf(company, 11)}`,
    ],
    [
      'an invoice beyond the last number',
      'invoice 16: the last number that was given is 15',
      (company) => sql`UPDATE invoice SET invoice_number = 16 WHERE id = ${idOf(company, 14)}`,
    ],
    [
      'a hash that was overwritten',
      'invoice 13 is not what was registered',
      (company) =>
        sql`UPDATE document SET hash = sha256('x') WHERE invoice_id = ${idOf(company, 13)}`,
    ],
    [
      'another text of a document',
      'invoice 13 is not what was registered: its SHA-256 differs',
      (company) => sql`UPDATE document SET content = replace(content, '"kid"', '"Kid"')
        WHERE invoice_id = ${idOf(company, 13)}`,
    ],
    [
      'a document that was taken away',
      'invoice 13: its document is missing',
      (company) => sql`DELETE FROM document WHERE invoice_id = ${idOf(company, 13)}`,
    ],
    [
      'a cancellation without a credit note',
      'invoice 13 is cancelled without a credit note',
      (company) => sql`UPDATE invoice SET status = 'CANCELLED' WHERE id = ${idOf(company, 13)}`,
    ],
    [
      'a cancellation that was taken back',
      'invoice 11 is credited and not cancelled',
      (company) => sql`UPDATE invoice SET status = 'REGISTERED' WHERE id = ${idOf(company, 11)}`,
    ],
    [
      'a credited sum that no credit note says',
      'invoice 13 is credited with 1,00, and its credit notes say 0,00',
      (company) => sql`UPDATE invoice SET credited_amount = 100 WHERE id = ${idOf(company, 13)}`,
    ],
    [
      'a number that the company forgot',
      'invoice 15: the last number that was given is 14',
      (company) => sql`UPDATE company SET last_invoice_number = 14 WHERE id = ${company}`,
    ],
    [
      'counts that are wrong',
      'the kept counts of invoices are not what counting gives',
      (company) => sql`UPDATE invoice_count SET paid = paid + 1 WHERE company_id = ${company}`,
    ],
    [
      'a sum owed that is wrong',
      'the kept counts of invoices are not what counting gives',
      (company) => sql`
        UPDATE invoice_count SET outstanding_amount = outstanding_amount + 1
        WHERE company_id = ${company}`,
    ],
    [
      'a sum that is due on another day',
      'the kept counts of invoices are not what counting gives',
      (company) => sql`
        UPDATE invoice_due SET due_date = due_date + 400 WHERE company_id = ${company}`,
    ],
    [
      'a sum of another day',
      'the kept counts of invoices are not what counting gives',
      (company) => sql`UPDATE invoice_day SET day = day + 400 WHERE company_id = ${company}`,
    ],
  ];

  test.each(changes)('%s', async (_, fault, change) => {
    await tamper(async (trx, company) => change(company).execute(trx));
    expect(await findFault()).toContain(fault);
  });

  test('two numbers that were swapped', async () => {
    await tamper(async (trx, company) => {
      const [first, second] = [idOf(company, 12), idOf(company, 13)];
      await sql`UPDATE invoice SET invoice_number = 99 WHERE id = ${first}`.execute(trx);
      await sql`UPDATE invoice SET invoice_number = 12 WHERE id = ${second}`.execute(trx);
      await sql`UPDATE invoice SET invoice_number = 13 WHERE id = ${idOf(company, 99)}`.execute(
        trx,
      );
    });
    expect(await findFault()).toContain('invoice 12 was not registered after invoice 11');
  });

  test.each([
    [13, 'invoice 14 was not registered after invoice 13 as that one is now'],
    [15, "invoice 15 was changed and its SHA-256 rewritten: the company's own record"],
  ])('content and hash of number %i that were rewritten together', async (number, fault) => {
    await tamper(async (trx, company) => {
      await sql`UPDATE invoice SET reference = 'Fikset' WHERE id = ${idOf(company, number)}`.execute(
        trx,
      );
      const { rows } = await sql<{ content: string; previous: Uint8Array }>`
        UPDATE document SET content = replace(content, '"reference":null', '"reference":"Fikset"')
        WHERE invoice_id = ${idOf(company, number)}
        RETURNING content, previous_hash AS previous`.execute(trx);
      const hash = hashText(rows[0]?.content ?? '', rows[0]?.previous ?? null);
      await sql`UPDATE document SET hash = ${hash} WHERE invoice_id = ${idOf(company, number)}
      `.execute(trx);
    });
    expect(await findFault()).toContain(fault);
  });

  test('a kept document that was exchanged, mailed or not', async () => {
    await tamper(async (trx, company) =>
      sql`INSERT INTO document_file (company_id, document_id, format, sha256, content)
        SELECT company_id, id, 'PDF', ${sha256('sent')}, ${Buffer.from('kept')}
        FROM document WHERE invoice_id = ${idOf(company, 12)}`.execute(trx),
    );
    expect(await findFault()).toContain(
      'invoice 12: the PDF is not the one that was kept when it was first made',
    );
  });

  test('a mailed invoice whose PDF is not kept', async () => {
    await tamper(async (trx, company) =>
      sql`UPDATE invoice SET delivery_status = 'SENT' WHERE id = ${idOf(company, 13)}`.execute(trx),
    );
    expect(await findFault()).toBe('invoice 13: the PDF that was sent is not kept');
  });
});
