import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../testing/app.ts';
import {
  companyIdOf,
  dumpCompany,
  seedCompany,
  type SeededCompany,
} from '../../testing/company.ts';
import type { Db } from './database.ts';

// The database refuses invalid states, regardless of the code that writes.

let testApp: TestApp;
let db: Db;
let company: SeededCompany;
let ours: number;
let theirs: number;

beforeAll(async () => {
  testApp = await startTestApp({ DISPATCH: 'staff' });
  db = testApp.context.db;
  company = await seedCompany(await testApp.login('vi@example.no'));
  await seedCompany(await testApp.login('de@example.no'));
  ours = await companyIdOf(db, 'vi@example.no');
  theirs = await companyIdOf(db, 'de@example.no');
  await run(`INSERT INTO company_logo (company_id, sha256, content, is_current)
    VALUES ($us, sha256('a'), 'a', true), ($us, sha256('b'), 'b', false),
      ($them, sha256('c'), 'c', true)`);
  await run(`INSERT INTO bank_account (company_id, position, bank_account_number, is_primary)
    VALUES ($them, 1, '97104133219', false)`);
});
afterAll(async () => testApp.close());

/** Runs a statement with our company ($us), another one ($them) and our invoices by status. */
async function run(statement: string): Promise<void> {
  await sql.raw(filled(statement)).execute(db);
}

function filled(statement: string): string {
  return statement
    .replaceAll('$us', String(ours))
    .replaceAll('$them', String(theirs))
    .replaceAll(/\$(draft|registered|paid|cancelled|creditNote)/g, (_, name: string) => {
      const uuid = company[name as 'draft'];
      return `(SELECT id FROM invoice WHERE uuid = '${uuid}')`;
    });
}

async function expectRefused(statement: string, reason: RegExp): Promise<void> {
  const before = await dumpCompany(db, ours);
  await expect(run(statement)).rejects.toThrow(reason);
  expect(await dumpCompany(db, ours)).toEqual(before);
}

/** @param values SQL by column */
function insertion(table: string, values: Readonly<Record<string, string>>): string {
  return `INSERT INTO ${table} (${Object.keys(values).join(', ')})
    VALUES (${Object.values(values).join(', ')})`;
}

const FOREIGN_KEY = /foreign key/;

describe('a row cannot point to another company', () => {
  test.each([
    [
      'a draft to their customer',
      `UPDATE invoice SET customer_id = (SELECT min(id) FROM customer WHERE company_id = $them)
       WHERE id = $draft`,
    ],
    [
      'a new invoice to their customer',
      `INSERT INTO invoice (company_id, customer_id, delivery_type, issue_date, due_days,
         delivery_date, net_amount, vat_amount, gross_amount)
       SELECT $us, min(id), 'NONE', '2026-01-01', 14, '2026-01-01', 0, 0, 0
       FROM customer WHERE company_id = $them`,
    ],
    [
      'a line to their invoice',
      `INSERT INTO invoice_line
         (company_id, invoice_id, position, quantity, description, net_unit_amount, vat_rate)
       SELECT $us, id, 99, 1, 'x', 1, 25 FROM invoice
       WHERE company_id = $them AND status = 'DRAFT'`,
    ],
    [
      'a credit note to their invoice',
      `INSERT INTO invoice (company_id, kind, credits_invoice_id, delivery_type, issue_date,
         due_days, delivery_date, net_amount, vat_amount, gross_amount)
       SELECT $us, 'CREDIT_NOTE', min(id), 'NONE', '2026-01-01', 14, '2026-01-01', 0, 0, 0
       FROM invoice WHERE company_id = $them AND status = 'PAID'`,
    ],
    [
      'a group to their customer',
      `INSERT INTO customer_group_member (company_id, group_id, customer_id)
       SELECT $us, (SELECT min(id) FROM customer_group WHERE company_id = $us),
         (SELECT min(id) FROM customer WHERE company_id = $them)`,
    ],
    [
      'their group to our customer',
      `INSERT INTO customer_group_member (company_id, group_id, customer_id)
       SELECT $us, (SELECT min(id) FROM customer_group WHERE company_id = $them),
         (SELECT min(id) FROM customer WHERE company_id = $us)`,
    ],
    [
      'a line to their template',
      `INSERT INTO invoice_template_line
         (company_id, template_id, position, quantity, description, net_unit_amount, vat_rate)
       SELECT $us, min(id), 99, 1, 'x', 1, 25 FROM invoice_template WHERE company_id = $them`,
    ],
    [
      'a KID agreement to their account',
      `INSERT INTO kid_agreement (company_id, account, length, modulus)
       VALUES ($us, '97104133219', 18, 'MOD10')`,
    ],
    [
      'a delivery to their invoice',
      `INSERT INTO delivery (company_id, invoice_id, document_id, delivery_type, recipient, carrier_key)
       SELECT $us, min(invoice_id), (SELECT min(id) FROM document WHERE company_id = $us),
         'EMAIL', 'a@b.no', 'm1' FROM document WHERE company_id = $them`,
    ],
    [
      'a delivery of their document',
      `INSERT INTO delivery (company_id, invoice_id, document_id, delivery_type, recipient, carrier_key)
       SELECT $us, (SELECT min(invoice_id) FROM document WHERE company_id = $us), min(id),
         'EMAIL', 'a@b.no', 'm1' FROM document WHERE company_id = $them`,
    ],
    [
      'a document to their invoice',
      `INSERT INTO document (company_id, kind, invoice_id, version, content, hash)
       SELECT $us, 'INVOICE', min(id), 1, 'x', sha256('x') FROM invoice WHERE company_id = $them`,
    ],
    [
      'a document to their logo',
      `INSERT INTO document (company_id, kind, invoice_id, version, content, logo)
       SELECT $us, 'REMINDER', $registered, 2, '[2,{"logo":"' || encode(sha256, 'hex') || '"}]', sha256
       FROM company_logo WHERE company_id = $them`,
    ],
    [
      'a file to their document',
      `INSERT INTO document_file (company_id, document_id, format, sha256, content)
       SELECT $us, min(id), 'PDF', sha256('x'), 'x' FROM document WHERE company_id = $them`,
    ],
  ])('%s', async (_, statement) => {
    await expectRefused(statement, FOREIGN_KEY);
  });

  test('nor can a row be moved to another company', async () => {
    await expectRefused(
      'UPDATE customer SET company_id = $them WHERE company_id = $us',
      /foreign key|unique/,
    );
    await expectRefused('UPDATE invoice SET company_id = $them WHERE id = $draft', /registered/);
    await expectRefused(
      'UPDATE customer_group SET company_id = $them WHERE company_id = $us',
      FOREIGN_KEY,
    );
    await expectRefused(
      'UPDATE invoice_template SET company_id = $them WHERE company_id = $us',
      FOREIGN_KEY,
    );
  });

  test('every foreign key contains the company, except those to the company itself and its account', async () => {
    const { rows } = await sql<{ key: string }>`
      SELECT conrelid::regclass || ' → ' || confrelid::regclass AS key
      FROM pg_constraint
      WHERE contype = 'f' AND connamespace = 'public'::regnamespace
        AND confrelid NOT IN ('company'::regclass, 'account'::regclass)
        AND NOT EXISTS (
          SELECT FROM pg_attribute
          WHERE attrelid = conrelid AND attname = 'company_id' AND attnum = ANY (conkey)
        )`.execute(db);
    expect(rows).toEqual([]);
  });
});

test.each([
  ["country = 'Norge'", /customer_country/],
  ["contact_name = ''", /customer_contact_name/],
  ["contact_name = repeat('x', 256)", /customer_contact_name/],
  ["invoice_emails = array_fill('a@b.no'::text, ARRAY[6])", /customer_invoice_emails/],
  ["invoice_emails = ARRAY['a@b.no', NULL]", /customer_invoice_emails/],
  ["reference = repeat('x', 101)", /customer_reference/],
  ['due_days = 0', /customer_due_days/],
  ["delivery_type = 'POST'", /customer_delivery_type/],
  ["is_private = true, org_number = '974760673'", /customer_private/],
  ["is_private = true, org_number = NULL, delivery_type = 'EHF'", /customer_private/],
])('a customer is not one with %s', async (change, rule) => {
  await expectRefused(`UPDATE customer SET ${change} WHERE company_id = $us`, rule);
});

const FROZEN = /registered invoice/;

// INV-15
describe('registered invoices are frozen', () => {
  const columns = [
    "issue_date = '2020-01-01'",
    'due_days = 1',
    "delivery_country = 'SE'",
    "buyer_vat_number = 'SE123456789001'",
    "delivery_date = '2020-01-01'",
    "reference = 'x'",
    "message = 'x'",
    'version = 9',
    'net_amount = 1, gross_amount = vat_amount + 1',
    'invoice_number = 4711',
    "kid = '0'",
    "kid_modulus = 'MOD11'",
    `seller = '{}'`,
    `buyer = '{}'`,
    "bank_account_number = '12345678903'",
    "search_text = 'x'",
    "einvoice_reason = 'SELLER_EXEMPT'",
    'registered_at = now()',
    "delivery_type = 'EHF'",
    'created_at = now()',
    'uuid = gen_random_uuid()',
    'company_id = $them',
    "kind = 'CREDIT_NOTE', credits_invoice_id = $paid",
    "credit_extent = 'PART'",
    "vat_subtotals = '[]'",
    `source_quote = '{"uuid":"x","quoteNumber":1,"estimate":null}'`,
  ];
  const invoices = ['$registered', '$paid', '$cancelled', '$creditNote'];

  test.each(columns)('%s', async (change) => {
    for (const invoice of invoices) {
      await expectRefused(`UPDATE invoice SET ${change} WHERE id = ${invoice}`, FROZEN);
    }
  });

  test('every column is listed above, except those changed by payments, credit notes, deliveries, reminders and deleted customers', async () => {
    const { rows } = await sql<{ name: string }>`
      SELECT column_name AS name FROM information_schema.columns
      WHERE table_name = 'invoice' AND is_generated = 'NEVER' AND is_identity = 'NO'`.execute(db);
    const covered = columns.join(' ');
    const open = rows
      .map(({ name }) => name)
      .filter((name) => !new RegExp(`\\b${name}\\b`).test(covered));
    expect(open.toSorted()).toEqual([
      'credited_amount',
      'credited_on',
      'customer_id',
      'delivery_status',
      'disputed',
      'disputed_note',
      'not_arrived',
      'paid_amount',
      'paid_date',
      'reminder_amount',
      'reminder_waived',
      'status',
    ]);
  });

  // DOC-3
  test.each(invoices)('%s is never deleted, nor its lines touched', async (invoice) => {
    await expectRefused(`DELETE FROM invoice WHERE id = ${invoice}`, FROZEN);
    await expectRefused(`DELETE FROM invoice_line WHERE invoice_id = ${invoice}`, FROZEN);
    await expectRefused(
      `UPDATE invoice_line SET quantity = 2 WHERE invoice_id = ${invoice}`,
      FROZEN,
    );
    await expectRefused(
      `UPDATE invoice_line SET product_number = 'KL-1' WHERE invoice_id = ${invoice}`,
      FROZEN,
    );
    await expectRefused(
      `UPDATE invoice_line SET invoice_id = $draft, position = position + 90
       WHERE invoice_id = ${invoice}`,
      FROZEN,
    );
    await expectRefused(
      `UPDATE invoice_line SET invoice_id = ${invoice}, position = position + 90
       WHERE invoice_id = $draft`,
      FROZEN,
    );
    await expectRefused(
      `INSERT INTO invoice_line
         (company_id, invoice_id, position, quantity, description, net_unit_amount, vat_rate)
       VALUES ($us, ${invoice}, 99, 1, 'x', 1, 25)`,
      FROZEN,
    );
  });

  test.each([
    ['nothing of something', 'quantity = 0', /invoice_line_quantity/],
    ['less than nothing', 'quantity = -1', /invoice_line_quantity/],
    ['more thousandths than there are', "thousandths = 1000, unit = 'EA'", /invoice_line_quantity/],
    ['a part of what has no unit', 'thousandths = 500', /invoice_line_quantity/],
    ['a unit in words', "unit = 'timer'", /invoice_line_unit/],
  ])('a line is not of %s', async (_, change, rule) => {
    await expectRefused(`UPDATE invoice_line SET ${change} WHERE invoice_id = $draft`, rule);
  });

  test('their tables cannot be truncated', async () => {
    await expectRefused('TRUNCATE invoice CASCADE', /registered invoice/);
    await expectRefused('TRUNCATE invoice_line', /registered invoice/);
  });

  // DOC-3
  test('sent documents are immutable', async () => {
    await run(`INSERT INTO document_file (company_id, document_id, format, sha256, content)
      SELECT company_id, id, 'PDF', sha256('x'), 'x' FROM document WHERE invoice_id = $registered`);
    for (const table of ['document', 'document_file']) {
      await expectRefused(`UPDATE ${table} SET content = 'y'`, /kept as it was issued/);
      await expectRefused(`DELETE FROM ${table}`, /kept as it was issued/);
      await expectRefused(`TRUNCATE ${table} CASCADE`, /kept as it was issued/);
    }
  });

  test('the bytes of a sent document may move to another store, and come back unchanged', async () => {
    await run(`INSERT INTO document_file (company_id, document_id, format, sha256, content)
      SELECT company_id, id, 'EHF', sha256('x'), 'x' FROM document WHERE invoice_id = $registered`);
    const KEPT = /kept as it was issued/;
    const change = (changes: string) => `UPDATE document_file SET ${changes} WHERE format = 'EHF'`;
    await expectRefused(change('content = NULL'), KEPT);
    await expectRefused(change("home = 'S3'"), /document_file_home/);
    await expectRefused(change("home = 'ELSEWHERE', content = NULL"), /document_file_home/);
    await expectRefused(change("home = 'S3', content = NULL, sha256 = sha256('y')"), KEPT);
    await run(change("home = 'S3', content = NULL"));
    await expectRefused(change("content = 'x'"), KEPT);
    await expectRefused(change("home = 'DATABASE'"), /document_file_home/);
    await expectRefused(change("home = 'DATABASE', content = 'y'"), KEPT);
    await run(change("home = 'DATABASE', content = 'x'"));
  });

  // INV-32
  test('a history event is immutable and belongs to an invoice of the same company', async () => {
    const event = (company: string, invoice: string, kind = 'PAID') => `
      INSERT INTO history_event (company_id, invoice_id, kind, by_type, by_name, details)
      VALUES (${company}, ${invoice}, '${kind}', 'SYSTEM', 'Faktur', '{}')`;
    await run(event('$us', '$registered'));
    await run(event('$us', '$draft', 'CREATED'));
    await expectRefused(event('$them', '$registered'), FOREIGN_KEY);
    await expectRefused(event('$us', '$registered', 'LOST'), /check constraint/);
    await expectRefused("UPDATE history_event SET kind = 'UNPAID'", /history never changes/);
    await expectRefused('DELETE FROM history_event', /history never changes/);
    await expectRefused(
      'DELETE FROM history_event WHERE invoice_id = $draft',
      /history never changes/,
    );
    await expectRefused('TRUNCATE history_event', /history never changes/);
  });

  test('a company with invoices is not deleted', async () => {
    await expectRefused('DELETE FROM company WHERE id = $us', FOREIGN_KEY);
    await expectRefused("DELETE FROM account WHERE email = 'vi@example.no'", FOREIGN_KEY);
  });
});

describe('statuses', () => {
  test.each([
    ['$draft', 'PAID'],
    ['$draft', 'CANCELLED'],
    ['$registered', 'DRAFT'],
    ['$paid', 'DRAFT'],
    ['$paid', 'CANCELLED'],
    ['$cancelled', 'DRAFT'],
    ['$cancelled', 'REGISTERED'],
    ['$cancelled', 'PAID'],
    ['$creditNote', 'DRAFT'],
    ['$creditNote', 'PAID'],
    ['$creditNote', 'CANCELLED'],
  ])('%s does not become %s', async (invoice, status) => {
    const paid = status === 'PAID' ? "'2026-01-01'" : 'NULL';
    await expectRefused(
      `UPDATE invoice SET status = '${status}', paid_date = ${paid} WHERE id = ${invoice}`,
      /draft can only|cannot go|said by its payments|check constraint/,
    );
  });

  test.each([
    ["status = 'PAID', paid_date = '2026-01-01'", '$registered'],
    ["status = 'PAID', paid_date = '2026-01-01', paid_amount = gross_amount", '$registered'],
    ["status = 'PAID'", '$registered'],
    ["paid_date = '2026-01-01'", '$registered'],
    ['paid_amount = 1', '$registered'],
    ["status = 'REGISTERED', paid_date = NULL", '$paid'],
    ["status = 'REGISTERED', paid_date = NULL, paid_amount = 0", '$paid'],
    ["paid_date = '2026-01-01'", '$paid'],
    ['paid_amount = paid_amount - 1', '$paid'],
    ['paid_amount = 1', '$cancelled'],
    ['paid_amount = 1', '$creditNote'],
  ])('nobody says %s of %s but payments', async (change, invoice) => {
    await expectRefused(
      `UPDATE invoice SET ${change} WHERE id = ${invoice}`,
      /said by its payments|check constraint/,
    );
  });

  test('a draft has no payments', async () => {
    await expectRefused('UPDATE invoice SET paid_amount = 1 WHERE id = $draft', /only be reg/);
    await expectRefused(
      `INSERT INTO invoice (company_id, customer_id, delivery_type, issue_date, due_days,
         delivery_date, net_amount, vat_amount, gross_amount, paid_amount)
       SELECT $us, min(id), 'NONE', '2026-01-01', 1, '2026-01-01', 5, 0, 5, 5 FROM customer
       WHERE company_id = $us`,
      /check constraint/,
    );
  });

  test('a new invoice is a draft', async () => {
    await expectRefused(
      `INSERT INTO invoice (company_id, status, invoice_number, delivery_type, issue_date,
         due_days, delivery_date, net_amount, vat_amount, gross_amount)
       VALUES ($us, 'REGISTERED', 99, 'NONE', '2026-01-01', 1, '2026-01-01', 0, 0, 0)`,
      /begins as a draft/,
    );
  });
});

// PAY-4
describe('payments', () => {
  const pay = (invoice: string, amount: string, more = "'MANUAL', 'PAYMENT', NULL") => `
    INSERT INTO payment
      (company_id, invoice_id, amount, paid_on, source, kind, undoes_id, by_type, by_name)
    VALUES ($us, ${invoice}, ${amount}, '2026-01-01', ${more}, 'SYSTEM', 'Faktur')`;
  const total = (invoice: string) => `(SELECT gross_amount FROM invoice WHERE id = ${invoice})`;
  const ours = '(SELECT id FROM payment WHERE company_id = $us AND invoice_id = $paid)';

  test.each([
    ['more than the total', pay('$registered', `${total('$registered')} + 1`), /check constraint/],
    ['more of what is paid', pay('$paid', '1'), /check constraint/],
    ['of a draft', pay('$draft', '1'), /only a registered/],
    ['of nothing of a draft', pay('$draft', '0'), /only a registered/],
    ['of a cancelled invoice', pay('$cancelled', '1'), /only a registered/],
    ['of a credit note', pay('$creditNote', '1'), /only a registered/],
    ['less than nothing', pay('$registered', '-1'), /check constraint/],
    [
      'undone from birth',
      pay('$registered', '1')
        .replace('source,', 'undone, source,')
        .replace("'MANUAL'", "true, 'MANUAL'"),
      /never changes/,
    ],
    ['that takes back nothing', pay('$paid', '-1', "'MANUAL', 'UNDO', NULL"), /check constraint/],
    ['that takes back a part', pay('$paid', '-1', `'MANUAL', 'UNDO', ${ours}`), /by its opposite/],
    [
      'that takes back elsewhere',
      pay('$registered', `-${total('$paid')}`, `'MANUAL', 'UNDO', ${ours}`),
      /by its opposite/,
    ],
    ['of theirs', pay('(SELECT min(id) FROM invoice WHERE company_id = $them)', '1'), FOREIGN_KEY],
    [
      'that takes back one of theirs',
      pay(
        '$paid',
        '-1',
        "'MANUAL', 'UNDO', (SELECT min(id) FROM payment WHERE company_id = $them)",
      ),
      /foreign key|by its opposite/,
    ],
  ])('no payment %s', async (_, statement, reason) => {
    await expectRefused(statement, reason);
  });

  test('a payment is never changed or deleted', async () => {
    for (const change of [
      'amount = 1',
      "paid_on = '2020-01-01'",
      "source = 'BANK'",
      'undone = true',
      'invoice_id = $registered',
      'invoice_id = NULL',
      "by_name = 'x'",
    ]) {
      await expectRefused(`UPDATE payment SET ${change} WHERE id = ${ours}`, /never changes/);
    }
    await expectRefused(`DELETE FROM payment WHERE id = ${ours}`, /never changes/);
    await expectRefused('TRUNCATE payment', /never changes/);
  });

  test('a payment is undone once and for all', async () => {
    const undo = pay(
      '$paid',
      `-${total('$paid')}`,
      `'MANUAL', 'UNDO', (
      SELECT min(id) FROM payment WHERE company_id = $us AND invoice_id = $paid)`,
    );
    await run(undo);
    const { rows } = await sql
      .raw(filled('SELECT status, paid_date, paid_amount FROM invoice WHERE id = $paid'))
      .execute(db);
    expect(rows).toEqual([{ status: 'REGISTERED', paidDate: null, paidAmount: 0 }]);
    await expectRefused(undo, /unique|by its opposite/);
    await expectRefused(
      `UPDATE payment SET undone = false WHERE undone AND company_id = $us`,
      /never changes/,
    );
    await expectRefused(
      `UPDATE payment SET undone = true WHERE kind = 'UNDO' AND company_id = $us`,
      /never changes/,
    );
    await run(pay('$paid', total('$paid')));
  });

  test("a customer's credit is the sum of its unallocated payments, and cannot be set directly", async () => {
    const creditOf = async () => {
      const { rows } = await sql
        .raw(
          filled(
            'SELECT sum(credit)::bigint AS credit, max(version) AS version FROM customer WHERE company_id = $us',
          ),
        )
        .execute(db);
      return rows[0];
    };
    const customer = '(SELECT min(id) FROM customer WHERE company_id = $us)';
    await run(`
      INSERT INTO payment (company_id, customer_id, amount, paid_on, source, kind, by_type, by_name)
      VALUES ($us, ${customer}, 700, '2026-01-01', 'BANK', 'PAYMENT', 'BANK', 'x'),
        ($us, ${customer}, 35, '2026-01-01', 'BANK', 'PAYMENT', 'BANK', 'x')`);
    expect(await creditOf()).toEqual({ credit: 735, version: 1 });
    await run('UPDATE payment SET invoice_id = $registered WHERE amount = 35 AND company_id = $us');
    expect(await creditOf()).toEqual({ credit: 700, version: 1 });
    await expectRefused(
      'UPDATE payment SET invoice_id = $paid WHERE amount = 35 AND company_id = $us',
      /never changes/,
    );
  });
});

describe('reminders', () => {
  const due = (invoice: string) =>
    `(SELECT gross_amount - paid_amount FROM invoice WHERE id = ${invoice})`;
  /** Writes a reminder with its document and a delivery. */
  const remind = (
    invoice: string,
    {
      step = 1,
      kind = 'NOTICE',
      principal = due(invoice),
      fee = 3500,
      interest = 100,
      compensation = 0,
      dueOn = '2026-03-15',
      waived = 'NULL',
      document = invoice,
    } = {},
  ) => `
    DO $do$ DECLARE given bigint; BEGIN
      INSERT INTO document (company_id, kind, invoice_id, version, content)
      VALUES ($us, 'REMINDER', ${document}, 1, '{}') RETURNING id INTO given;
      INSERT INTO reminder (company_id, invoice_id, document_id, step, kind, sent_on, due_date,
        principal, fee, interest, compensation, waived_at, by_type, by_name)
      VALUES ($us, ${invoice}, given, ${step}, '${kind}', '2026-03-01', '${dueOn}',
        ${principal}, ${fee}, ${interest}, ${compensation}, ${waived}, 'SYSTEM', 'Faktur');
      INSERT INTO delivery (company_id, invoice_id, document_id, delivery_type, recipient,
        carrier_key, reminder_principal)
      VALUES ($us, ${invoice}, given, 'EMAIL', 'x@example.no', gen_random_uuid(), ${principal});
    END $do$`;
  const invoiceNow = async () => {
    const { rows } = await sql
      .raw(
        filled(
          'SELECT reminder_amount, delivery_status, disputed FROM invoice WHERE id = $registered',
        ),
      )
      .execute(db);
    return rows[0];
  };

  test.each([
    ['of a draft', remind('$draft'), /what is due of a registered invoice/],
    ['of what is paid', remind('$paid', { principal: '100' }), /what is due of a registered/],
    ['of a cancelled invoice', remind('$cancelled'), /what is due of a registered/],
    ['of a credit note', remind('$creditNote'), /what is due of a registered/],
    ['of another amount', remind('$registered', { principal: '1' }), /what is due of a registered/],
    ['of theirs', remind('(SELECT min(id) FROM invoice WHERE company_id = $them)'), FOREIGN_KEY],
    [
      'with the document of another invoice',
      remind('$registered', { document: '$paid' }),
      /a document of its own/,
    ],
    ['with a fee, so friendly', remind('$registered', { kind: 'REMINDER' }), /check constraint/],
    ['with fee and compensation', remind('$registered', { compensation: 1 }), /check constraint/],
    ['with less than no fee', remind('$registered', { fee: -1 }), /check constraint/],
    ['due before it is sent', remind('$registered', { dueOn: '2026-02-28' }), /check constraint/],
    ['without a step', remind('$registered', { step: 0 }), /check constraint/],
    ['of another kind', remind('$registered', { kind: 'THREAT' }), /check constraint/],
  ])('no reminder %s', async (_, statement, reason) => {
    await expectRefused(statement, reason);
  });

  // DOC-1, DOC-2
  test('its document is not in the chain; all other documents are', async () => {
    const document = (kind: string, hash: string) => `
      INSERT INTO document (company_id, kind, invoice_id, version, content, hash)
      VALUES ($us, '${kind}', $registered, 1, '{}', ${hash})`;
    await expectRefused(document('REMINDER', "sha256('x')"), /check constraint/);
    await expectRefused(document('INVOICE', 'NULL'), /check constraint|broken/);
    await expectRefused(document('LETTER', 'NULL'), /check constraint/);
  });

  test('an invoice has the sum claimed by its reminders, and each step comes once', async () => {
    const chain = async () =>
      (await sql.raw(filled('SELECT last_document_hash FROM company WHERE id = $us')).execute(db))
        .rows;
    const [before, status] = [await chain(), (await invoiceNow()) as { deliveryStatus: unknown }];
    await run(remind('$registered'));
    expect(await chain()).toEqual(before);
    expect(await invoiceNow()).toEqual({ ...status, reminderAmount: 3600 });
    await expectRefused(remind('$registered'), /unique/);
    await run(remind('$registered', { step: 2, interest: 150 }));
    expect(await invoiceNow()).toMatchObject({ reminderAmount: 7150 });
    await expectRefused(
      'UPDATE invoice SET reminder_amount = 0 WHERE id = $registered',
      /said by them/,
    );
    const second = 'company_id = $us AND step = 2';
    for (const change of ['fee = 0', 'step = 3', "due_date = '2027-01-01'", 'interest = 0']) {
      await expectRefused(`UPDATE reminder SET ${change} WHERE ${second}`, /never changes/);
    }
    await expectRefused(`DELETE FROM reminder WHERE ${second}`, /never changes/);
    await expectRefused('TRUNCATE reminder CASCADE', /never changes|kept as it was/);
    await run(`UPDATE reminder SET waived_at = now() WHERE ${second}`);
    // The claim of the first reminder, including interest.
    expect(await invoiceNow()).toMatchObject({ reminderAmount: 3600 });
    for (const change of ['NULL', "'2026-01-01'"]) {
      await expectRefused(`UPDATE reminder SET waived_at = ${change} WHERE ${second}`, /never ch/);
    }
  });

  test("a reminder's delivery has its own reasons to be stopped, and its claim is then waived", async () => {
    await expectRefused(
      `INSERT INTO delivery (company_id, invoice_id, document_id, delivery_type, recipient,
         carrier_key, status, failure_reason, stopped_by)
       SELECT $us, $registered, id, 'EMAIL', 'a@b.no', 'x', 'FAILED', 'x', 'DISPUTED'
       FROM document WHERE company_id = $us AND invoice_id = $registered AND kind = 'INVOICE'`,
      /check constraint/,
    );
    await expectRefused(
      `UPDATE delivery SET reminder_principal = reminder_principal + 1 WHERE company_id = $us`,
      FOREIGN_KEY,
    );
    const before = (await invoiceNow()) as object;
    await run(`
      UPDATE delivery SET status = 'FAILED', failure_reason = 'x', stopped_by = 'PART_PAID'
      WHERE company_id = $us AND reminder_principal IS NOT NULL`);
    expect(await invoiceNow()).toEqual({ ...before, reminderAmount: 0 });
  });

  test('a registered invoice may be disputed, with or without a note', async () => {
    await expectRefused('UPDATE invoice SET disputed = true WHERE id = $draft', /check constraint/);
    await expectRefused(
      "UPDATE invoice SET disputed_note = 'x' WHERE id = $registered",
      /check constraint/,
    );
    await run("UPDATE invoice SET disputed = true, disputed_note = 'x' WHERE id = $registered");
    await expectRefused(remind('$registered', { step: 3 }), /what is due of a registered/);
    await run('UPDATE invoice SET disputed = false, disputed_note = NULL WHERE id = $registered');
  });
});

describe('crediting', () => {
  const BEYOND = /not credited beyond its lines and sums/;

  interface Note {
    readonly net?: number;
    readonly vat?: number;
    readonly lineNet?: number;
    readonly line?: string;
    readonly extent?: string;
  }

  /** Registers a credit note of the registered invoice, with one line (øre). */
  function note(given: Note = {}) {
    const { net = 100, vat = 25, line = 'NULL', extent = "'PART'" } = given;
    const { lineNet = net } = given;
    return `DO $do$ BEGIN
      INSERT INTO invoice (company_id, kind, credits_invoice_id, credit_extent, delivery_type,
        issue_date, due_days, delivery_date, net_amount, vat_amount, gross_amount)
      VALUES ($us, 'CREDIT_NOTE', $registered, ${extent}, 'NONE', '2026-01-01', 0, '2026-01-01',
        ${net}, ${vat}, ${net + vat});
      INSERT INTO invoice_line (company_id, invoice_id, position, quantity, description,
        net_unit_amount, vat_rate, vat_treatment, credits_line_id)
      SELECT $us, max(id), 0, 1, 'x', ${lineNet}, 25, 'STANDARD', ${line} FROM invoice;
      UPDATE company SET last_invoice_number = last_invoice_number + 1 WHERE id = $us;
      UPDATE invoice SET status = 'REGISTERED', seller = '{}', buyer = '{}', search_text = 'x',
        invoice_number = company.last_invoice_number, bank_account_number = '12345678903',
        registered_at = now()
      FROM company WHERE company.id = $us AND invoice.id = (SELECT max(id) FROM invoice);
    END $do$`;
  }

  test.each([
    ['beyond the sum', { net: 1_000_000, vat: 250_000 }],
    ['a VAT that its lines do not make', { vat: 24 }],
    ['a net that its lines do not make', { lineNet: 99 }],
    [
      'a line of another invoice',
      { line: '(SELECT min(id) FROM invoice_line WHERE invoice_id = $paid)' },
    ],
    [
      'beyond a line',
      {
        net: 9000,
        vat: 2250,
        line: '(SELECT id FROM invoice_line WHERE invoice_id = $registered ORDER BY id OFFSET 1 LIMIT 1)',
      },
    ],
  ])('a credit note is not registered with %s', async (_, given) => {
    await expectRefused(note(given), BEYOND);
  });

  test('a credit note says whether it is for a part', async () => {
    await expectRefused(note({ extent: "'SOME'" }), /invoice_of_note/);
    await expectRefused(
      `UPDATE invoice SET credit_extent = 'PART' WHERE id = $draft`,
      /invoice_of_note/,
    );
  });

  test('the credited sum follows from credit notes alone, and cancels the invoice', async () => {
    for (const change of ['credited_amount = 1', "credited_on = '2026-01-01'"]) {
      await expectRefused(
        `UPDATE invoice SET ${change} WHERE id = $registered`,
        /said by its credit notes/,
      );
    }
    await expectRefused(
      `DO $do$ BEGIN
        UPDATE company SET last_invoice_number = last_invoice_number + 1 WHERE id = $us;
        UPDATE invoice SET status = 'REGISTERED', seller = '{}', buyer = '{}', search_text = 'x',
          invoice_number = company.last_invoice_number, bank_account_number = '12345678903',
          registered_at = now(), kid = '1'
        FROM company WHERE company.id = $us AND invoice.id = $draft;
        SET CONSTRAINTS invoice_credited_kept IMMEDIATE;
        UPDATE invoice SET status = 'CANCELLED' WHERE id = $draft;
      END $do$`,
      /cancelled by credit notes for all of it/,
    );
  });
});

describe('the series of numbers', () => {
  const registration = (number: number) => `
    UPDATE invoice SET status = 'REGISTERED', invoice_number = ${number}, kid = '1',
      seller = '{}', buyer = '{}', bank_account_number = '12345678903', search_text = 'x',
      registered_at = now()
    WHERE id = $draft`;
  const withCounter = (number: number) => `
    WITH moved AS (
      UPDATE company SET last_invoice_number = ${number} WHERE id = $us RETURNING 1
    ) ${registration(number)} AND EXISTS (SELECT FROM moved)`;

  // Three invoices and a credit note have been registered.
  test('skips no number', async () => {
    await expectRefused(registration(6), /unbroken/);
    await expectRefused(withCounter(6), /unbroken/);
  });

  test('never gives a number twice', async () => {
    await expectRefused(registration(4), /unique|unbroken/);
    await expectRefused(withCounter(4), /unique|unbroken/);
  });

  test('has no number below its first, and none without its counter', async () => {
    await expectRefused(registration(0), /unbroken/);
    await expectRefused(registration(-1), /unbroken/);
    await expectRefused(registration(5), /unbroken/);
  });

  test('keeps its first number', async () => {
    await expectRefused('UPDATE company SET start_invoice_number = 9 WHERE id = $us', /fixed/);
    await expectRefused('UPDATE company SET has_created_invoice = false WHERE id = $us', /fixed/);
  });

  test('never starts below zero, even when all numbers are given in one statement', async () => {
    await expectRefused(registration(Number.MAX_SAFE_INTEGER), /unbroken/);
  });
});

// A connection keeps the plan of a trigger's first call, so a join that was planned for one row takes half a minute for ten
// thousand.
test('no trigger joins the rows before a change with those after it', async () => {
  const { rows } = await sql<{ name: string }>`
    SELECT tgname AS name FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid
    WHERE tgoldtable IS NOT NULL AND tgnewtable IS NOT NULL
      AND prosrc ~* '(before|after)_rows\\s+(\\w+\\s+)?JOIN|JOIN\\s+(before|after)_rows'
  `.execute(db);
  expect(rows).toEqual([]);
});

describe('a document', () => {
  const END = '(SELECT last_document_hash FROM company WHERE id = $us)';
  /** Registers the draft with the next number and issues its document, all in one statement. */
  const issue = ({ previous = END, hashed = "'text'", kind = 'INVOICE' }) => `
    WITH moved AS (
      UPDATE company SET last_invoice_number = 5 WHERE id = $us RETURNING 1
    ), numbered AS (
      UPDATE invoice SET status = 'REGISTERED', invoice_number = 5, kid = '1', seller = '{}',
        buyer = '{}', bank_account_number = '12345678903', search_text = 'x', registered_at = now()
      WHERE id = $draft RETURNING 1
    )
    INSERT INTO document (company_id, kind, invoice_id, version, content, previous_hash, hash)
    SELECT $us, '${kind}', $draft, 1, 'text', ${previous}, sha256(${END} || ${hashed})
    FROM moved, numbered`;
  const another = (invoice: string) => `
    INSERT INTO document (company_id, kind, invoice_id, version, content, previous_hash, hash)
    VALUES ($us, 'INVOICE', ${invoice}, 1, 'text', ${END}, sha256(${END} || 'text'))`;

  test('exists for every registered invoice', async () => {
    await expectRefused(
      `WITH moved AS (UPDATE company SET last_invoice_number = 5 WHERE id = $us RETURNING 1)
       UPDATE invoice SET status = 'REGISTERED', invoice_number = 5, kid = '1', seller = '{}',
         buyer = '{}', bank_account_number = '12345678903', search_text = 'x',
         registered_at = now()
       WHERE id = $draft AND EXISTS (SELECT FROM moved)`,
      /registered without a document/,
    );
  });

  test('exists once per invoice, and for nothing else', async () => {
    await expectRefused(another('$registered'), /unique/);
    await expectRefused(another('$draft'), /chain of documents/);
  });

  // DOC-2
  test('continues the chain', async () => {
    await expectRefused(issue({ previous: 'NULL' }), /chain of documents/);
    await expectRefused(issue({ previous: "sha256('x')" }), /chain of documents/);
    await expectRefused(issue({ hashed: "'another text'" }), /chain of documents/);
    await expectRefused(issue({ kind: 'CREDIT_NOTE' }), /chain of documents/);
    const trx = await db.startTransaction().execute();
    try {
      await sql.raw(filled(issue({}))).execute(trx);
      await sql`SET CONSTRAINTS ALL IMMEDIATE`.execute(trx);
      const { rows } = await sql
        .raw(filled(`SELECT FROM document WHERE invoice_id = $draft AND hash = ${END}`))
        .execute(trx);
      expect(rows).toHaveLength(1);
    } finally {
      await trx.rollback().execute();
    }
  });
});

test('a document is mailed once', async () => {
  await run(`INSERT INTO delivery (company_id, invoice_id, document_id, delivery_type, recipient, carrier_key)
    SELECT $us, $registered, id, 'EMAIL', 'a@b.no', 'first'
    FROM document WHERE company_id = $us AND invoice_id = $registered AND kind = 'INVOICE'`);
  await expectRefused(
    `INSERT INTO delivery (company_id, invoice_id, document_id, delivery_type, recipient, carrier_key)
     SELECT $us, $registered, id, 'EMAIL', 'a@b.no', 'second'
     FROM document WHERE company_id = $us AND invoice_id = $registered AND kind = 'INVOICE'`,
    /unique/,
  );
  await run(`UPDATE delivery SET status = 'SENT', sent_time = now()
    WHERE company_id = $us AND carrier_key = 'first'`);
  await expectRefused(
    `INSERT INTO delivery (company_id, invoice_id, document_id, delivery_type, recipient, carrier_key)
     SELECT $us, $registered, id, 'EMAIL', 'a@b.no', 'second'
     FROM document WHERE company_id = $us AND invoice_id = $registered AND kind = 'INVOICE'`,
    /unique/,
  );
});

test('a company has one primary account and no number twice', async () => {
  await expectRefused(
    `INSERT INTO bank_account (company_id, position, bank_account_number, is_primary)
     VALUES ($us, 9, '97104133219', true)`,
    /unique/,
  );
  await expectRefused(
    `INSERT INTO bank_account (company_id, position, bank_account_number, is_primary)
     VALUES ($us, 9, '12341112344', false)`,
    /unique/,
  );
});

describe('an attachment', () => {
  const add = (invoice: string, name: string, content = "'a'", size = 1) => `
    INSERT INTO attachment (company_id, invoice_id, name, media_type, size, sha256, content)
    VALUES ($us, ${invoice}, '${name}', 'text/csv', ${size}, sha256(${content}), ${content})`;

  test('belongs to a draft of its company, and has the bytes that its row says', async () => {
    await expectRefused(add('$registered', 'a.csv'), /registered invoice never change/);
    await expectRefused(add('$creditNote', 'a.csv'), /registered invoice never change/);
    await expectRefused(add('$draft', 'a.csv').replace('$us', '$them'), FOREIGN_KEY);
    await expectRefused(add('$draft', 'a.csv', "'ab'"), /attachment_content/);
    await expectRefused(add('$draft', ''), /check constraint/);
    await run(add('$draft', 'a.csv'));
    await expectRefused(add('$draft', 'a.csv'), /unique/);
    await expectRefused(`UPDATE attachment SET name = 'b.csv'`, /never changes/);
    await expectRefused(`UPDATE attachment SET home = 'S3'`, /attachment_home/);
    await expectRefused(`UPDATE attachment SET content = 'b'`, /never changes/);
    await expectRefused('TRUNCATE attachment', /never deleted/);
    await run(`UPDATE attachment SET home = 'S3', content = NULL`);
    await expectRefused(
      `UPDATE attachment SET home = 'DATABASE', content = 'b'`,
      /attachment_content/,
    );
    await run(`UPDATE attachment SET home = 'DATABASE', content = 'a'`);
    await run('DELETE FROM attachment');
  });

  test('is one of ten at most, with 9 MB in all', async () => {
    const half = `convert_to(repeat('x', 4718593), 'UTF8')`;
    await run(add('$draft', 'half.csv', half, 4_718_593));
    await expectRefused(add('$draft', 'half2.csv', half, 4_718_593), /at most ten/);
    for (let index = 1; index < 10; index += 1) await run(add('$draft', `${index}.csv`));
    await expectRefused(add('$draft', '10.csv'), /at most ten/);
    await run('DELETE FROM attachment');
  });
});

describe('a product', () => {
  const add = (number: string, changes: Readonly<Record<string, string>> = {}) => {
    const columns = {
      number_key: `lower('${number}')`,
      name: "'Vare'",
      net_price: '1',
      ...changes,
    };
    return `INSERT INTO product (company_id, number, active, search_text, ${Object.keys(columns).join()})
      VALUES ($us, '${number}', true, ' vare', ${Object.values(columns).join()})`;
  };

  test('has a number of its own in whatever case, and values that a line can have', async () => {
    await run(add('KL-1'));
    await run(add('KL-1').replace('$us', '$them'));
    await expectRefused(add('kl-1'), /product_number_once/);
    await expectRefused(add('kl-2', { number_key: "'KL-2'" }), /product_number_key/);
    for (const number of ['', 'a/b', 'a\tb', 'x'.repeat(21)]) {
      await expectRefused(add(number), /product_number/);
    }
    await expectRefused(add('2', { name: "''" }), /product_name/);
    await expectRefused(add('2', { description: "''" }), /product_description/);
    await expectRefused(add('2', { unit: "'stk'" }), /product_unit/);
    for (const table of ['invoice_line', 'invoice_template_line']) {
      const lines = table === 'invoice_line' ? 'invoice_id = $draft' : 'company_id = $us';
      await expectRefused(
        `UPDATE ${table} SET product_number = '' WHERE ${lines}`,
        new RegExp(`${table}_product`),
      );
    }
    await expectRefused(add('2', { net_price: '9007199254740992' }), /product_net_price/);
    await expectRefused(add('2', { vat_treatment: "'HIGH'" }), /product_vat_treatment/);
    await expectRefused(
      `UPDATE product SET company_id = 0 WHERE number = 'KL-1' AND company_id = $us`,
      FOREIGN_KEY,
    );
  });
});

describe('an export', () => {
  const VALUES: Readonly<Record<string, string>> = {
    company_id: '$us',
    kind: "'CSV'",
    state: "'WAITING'",
    from_date: "'2026-01-01'",
    to_date: "'2026-12-31'",
    through_number: '4',
    through_payment_id: '0',
    invoices: '1',
    credit_notes: '1',
    first_number: '1',
    last_number: '2',
    net_amount: '800',
    vat_amount: '200',
    gross_amount: '1000',
    by_job: 'true',
    by_type: "'ACCOUNT'",
    by_name: "'vi@example.no'",
  };

  function insert(changes: Readonly<Record<string, string>> = {}): string {
    const values = { ...VALUES, ...changes };
    return `INSERT INTO export (${Object.keys(values).join(', ')})
      VALUES (${Object.values(values).join(', ')})`;
  }

  const FILE =
    "sha256 = sha256('abc'), size = 3, state = 'DONE', expires_at = now() + interval '7 days'";
  const MADE = "uuid = '00000000-0000-4000-8000-000000000001'";
  const ID = `(SELECT id FROM export WHERE ${MADE})`;

  function insertPart(changes: Readonly<Record<string, string>> = {}): string {
    const part = { attempt: '1', position: '1', size: '3', home: "'DATABASE'", content: "'abc'" };
    const values = { company_id: '$us', export_id: ID, ...part, ...changes };
    return `INSERT INTO export_part (${Object.keys(values).join(', ')})
      VALUES (${Object.values(values).join(', ')})`;
  }

  beforeAll(async () => {
    await run(insert({ uuid: MADE.replace('uuid = ', ''), state: "'WORKING'", attempt: '1' }));
  });

  test.each([
    ['of an unknown kind', { kind: "'PDF'" }, /export_kind_check/],
    ['in an unknown state', { state: "'BEGUN'" }, /export_state_check/],
    ['of a period that ends before it begins', { to_date: "'2025-12-31'" }, /export_period/],
    ['after a number and no payment', { from_date: 'NULL', after_number: '1' }, /export_since/],
    [
      'after a number, and from a date',
      { after_number: '1', after_payment_id: '0' },
      /export_since/,
    ],
    ['after a day and no number', { after_date: "'2026-01-01'" }, /export_since/],
    [
      'of documents without numbers',
      { first_number: 'NULL', last_number: 'NULL' },
      /export_numbers/,
    ],
    ['of no documents, with numbers', { invoices: '0', credit_notes: '0' }, /export_numbers/],
    ['whose numbers run backwards', { first_number: '3' }, /export_numbers/],
    ['with a later number than its moment', { last_number: '5' }, /export_numbers/],
    ['whose sums do not add up', { gross_amount: '1001' }, /export_sums/],
    ['by a job, done without a file', { state: "'DONE'", expires_at: 'now()' }, /export_file/],
    ['with a hash and no size', { sha256: "sha256('abc')" }, /export_file/],
    ['with a file that is not done', { sha256: "sha256('abc')", size: '3' }, /export_file/],
    ['that is not done and expires', { expires_at: 'now()' }, /export_expiry/],
    ['that is done and never expires', { state: "'DONE'", by_job: 'false' }, /export_expiry/],
    ['whose filter is no object', { filter: `'[]'` }, /export_filter_check/],
    ['while another one of the company waits', {}, /export_one_at_a_time/],
  ] as [string, Record<string, string>, RegExp][])('is not one %s', async (_, changes, reason) => {
    await expectRefused(insert(changes), reason);
  });

  test.each([
    ['too large', { size: '4194305' }, /export_part_size/],
    ['of another size than it says', { size: '4' }, /export_part_size/],
    ['in the database without bytes', { content: 'NULL' }, /export_part_home/],
    ['in S3 and in the database', { home: "'S3'" }, /export_part_home/],
    ['at no place', { position: '0' }, /export_part_position_check/],
    ['of another making', { attempt: '2' }, /another making of this export goes on/],
    ['of another company', { company_id: '$them' }, FOREIGN_KEY],
  ] as [string, Record<string, string>, RegExp][])('has no part %s', async (_, changes, reason) => {
    await expectRefused(insertPart(changes), reason);
  });

  // EXP-10
  test('has a file only when all of its parts are there, and it never changes afterwards', async () => {
    await expectRefused(
      `UPDATE export SET ${FILE} WHERE ${MADE}`,
      /file of an export is not whole/,
    );
    await run(insertPart({ position: '2', packed: 'true', size: '9' }));
    await expectRefused(
      `UPDATE export SET ${FILE} WHERE ${MADE}`,
      /file of an export is not whole/,
    );
    await run(`DELETE FROM export_part WHERE export_id = ${ID}`);
    await run(insertPart());
    await run(`UPDATE export SET ${FILE} WHERE ${MADE}`);
    for (const [change, reason] of [
      ["sha256 = sha256('abd')", /file of an export never changes/],
      ['size = 4', /file of an export never changes/],
      ["state = 'FAILED', sha256 = NULL, size = NULL, expires_at = NULL", /never changes/],
      ["expires_at = now() + interval '8 days'", /what was exported never changes/],
      ['attempt = 0', /what was exported never changes/],
      ['gross_amount = 1001, net_amount = 801', /what was exported never changes/],
      ["by_name = 'andre@example.no'", /what was exported never changes/],
      ['through_number = 9', /what was exported never changes/],
    ] as [string, RegExp][]) {
      await expectRefused(`UPDATE export SET ${change} WHERE ${MADE}`, reason);
    }
    await expectRefused(insertPart({ position: '2' }), /another making of this export goes on/);
    const ofIt = `WHERE export_id = ${ID}`;
    await expectRefused(
      `UPDATE export_part SET size = 3 ${ofIt}`,
      /part of an export never changes/,
    );
    await expectRefused(`DELETE FROM export_part ${ofIt}`, /until it is deleted or expired/);
  });

  test('is fetched once, and keeps what is in it and what it is made with', async () => {
    await run(`UPDATE export SET fetched_at = now() WHERE ${MADE}`);
    for (const value of ['NULL', "now() + interval '1 day'"]) {
      await expectRefused(`UPDATE export SET fetched_at = ${value} WHERE ${MADE}`, /never changes/);
    }
    const range = (values: string) => `INSERT INTO export_range (company_id, export_id, "position",
      after_number, after_payment_id, through_number, through_payment_id, from_date, to_date)
      VALUES ($us, ${ID}, ${values})`;
    await expectRefused(range('1, 2, 0, 1, 0, NULL, NULL'), /export_range_order/);
    await expectRefused(range("1, 0, 0, 1, 0, '2026-02-01', '2026-01-01'"), /export_range_order/);
    await run(range('1, 0, 0, 4, 0, NULL, NULL'));
    await run(`INSERT INTO export_basis VALUES ($us, ${ID}, '{}', '{}')`);
    for (const table of ['export_range', 'export_basis']) {
      await expectRefused(`UPDATE ${table} SET company_id = company_id`, /never changes/);
      await expectRefused(`DELETE FROM ${table}`, /never changes/);
    }
  });

  // EXP-10
  test('stays in the control trail when its file is deleted', async () => {
    await expectRefused(`DELETE FROM export WHERE ${MADE}`, /stays in the control trail/);
    await expectRefused('TRUNCATE export CASCADE', /stays in the control trail/);
    await run(`UPDATE export SET deleted_at = now() WHERE ${MADE}`);
    await run(`DELETE FROM export_part WHERE export_id = ${ID}`);
    await expectRefused(`UPDATE export SET deleted_at = NULL WHERE ${MADE}`, /never changes/);
    await expectRefused(`DELETE FROM export WHERE ${MADE}`, /stays in the control trail/);
  });

  test('has links whose hash is of one length and comes once', async () => {
    const link = (company: string, hash: string) =>
      `INSERT INTO export_link (company_id, export_id, token_hash) VALUES (${company}, ${ID}, ${hash})`;
    await expectRefused(link('$us', "'abc'"), /export_link_token_hash_check/);
    await expectRefused(link('$them', "sha256('x')"), FOREIGN_KEY);
    await run(link('$us', "sha256('x')"));
    await expectRefused(link('$us', "sha256('x')"), /export_link_pkey/);
  });

  test.each([
    ['accounts that are no object', `'[]', 0, NULL`, /export_settings_accounts/],
    ['a negative offset', `'{}', -1, NULL`, /export_settings_customer_offset/],
    ['an offset that is too large', `'{}', 100000001, NULL`, /export_settings_customer_offset/],
    ['an accountant with an empty address', `'{}', 0, ''`, /export_settings_accountant_email/],
  ])('has no settings with %s', async (_, values, reason) => {
    await expectRefused(`INSERT INTO export_settings VALUES ($us, ${values})`, reason);
  });
});

describe('a logo', () => {
  const named = (hex: string, logo: string) =>
    `INSERT INTO document (company_id, kind, invoice_id, version, content, logo)
     VALUES ($us, 'REMINDER', $registered, 2, '[2,{"logo":"' || ${hex} || '"}]', ${logo})`;
  const A = `encode(sha256('a'), 'hex')`;

  test('has bytes that match its hash, and a company has one current logo', async () => {
    await expectRefused(
      `UPDATE company_logo SET content = 'x' WHERE company_id = $us`,
      /company_logo_sha256/,
    );
    await expectRefused(
      `UPDATE company_logo SET is_current = true WHERE company_id = $us`,
      /company_logo_current/,
    );
  });

  test('is kept while a document names it, and a document names only the logo in its text', async () => {
    await expectRefused(named(A, 'NULL'), /document_names_logo/);
    await expectRefused(named(A, `sha256('b')`), /document_names_logo/);
    await expectRefused(named(`repeat('0', 64)`, `decode(repeat('0', 64), 'hex')`), FOREIGN_KEY);
    await run(named(A, `sha256('a')`));
    await expectRefused(`DELETE FROM company_logo WHERE content = 'a'`, FOREIGN_KEY);
    await expectRefused(`TRUNCATE company_logo`, FOREIGN_KEY);
    await run(`UPDATE company_logo SET is_current = false WHERE company_id = $us`);
    await run(`UPDATE company_logo SET is_current = true WHERE content = 'b'`);
    await run(`UPDATE company_logo SET is_current = false WHERE company_id = $us`);
    const { company_logo: logo } = await dumpCompany(db, ours);
    expect(logo).toHaveLength(1);
    expect(logo?.[0]).toContain('x61');
  });
});

describe('members', () => {
  const INVITED = `INSERT INTO member (company_id, email, role, invited_at, expires_at)
    VALUES ($us, 'ny@example.no', 'EMPLOYEE', now(), now() + interval`;

  test.each([
    ['a company without an owner', `DELETE FROM member WHERE company_id = $us`, /keeps an owner/],
    [
      'a last owner who is lowered',
      `UPDATE member SET role = 'EMPLOYEE' WHERE company_id = $us`,
      /keeps an owner/,
    ],
    [
      'a last owner with a last day',
      `UPDATE member SET ends_on = '2999-01-01' WHERE company_id = $us`,
      /keeps an owner/,
    ],
    [
      'an account twice in a company',
      `INSERT INTO member (company_id, account_id, email, role)
       SELECT company_id, account_id, email, 'AUDITOR' FROM member WHERE company_id = $us`,
      /member_company_id_(email|account_id)_key/,
    ],
    [
      'a member under another address',
      `INSERT INTO member (company_id, account_id, email, role)
       SELECT $us, account_id, 'annen@example.no', 'OWNER' FROM member WHERE company_id = $them`,
      FOREIGN_KEY,
    ],
    [
      'an auditor with a switch',
      `INSERT INTO member (company_id, account_id, email, role, may_register)
       SELECT $us, account_id, email, 'AUDITOR', true FROM member WHERE company_id = $them`,
      /member_auditor_reads/,
    ],
    ['an invitation for 15 days', `${INVITED} '15 days')`, /member_invitation/],
    [
      'an invitation without an end',
      `INSERT INTO member (company_id, email, role, invited_at)
       VALUES ($us, 'ny@example.no', 'EMPLOYEE', now())`,
      /member_invitation/,
    ],
    [
      'a session in a company of others',
      `UPDATE session SET company_id = $them
       WHERE account_id = (SELECT account_id FROM company WHERE id = $us)`,
      FOREIGN_KEY,
    ],
    [
      'a token for a company of others',
      `INSERT INTO api_token (account_id, company_id, name, token_hash)
       SELECT account_id, $them, 'x', 'x' FROM company WHERE id = $us`,
      FOREIGN_KEY,
    ],
  ])('%s is refused', async (_, statement, reason) => expectRefused(statement, reason));

  test('whoever makes a company makes its owner, and the company names one who is left', async () => {
    await run(`INSERT INTO member (company_id, account_id, email, role)
      SELECT $us, account_id, email, 'OWNER' FROM member WHERE company_id = $them`);
    await run(`DELETE FROM member WHERE company_id = $us
      AND account_id = (SELECT account_id FROM company WHERE id = $us)`);
    const { rows } = await sql<{ same: boolean }>`
      SELECT account_id = (SELECT account_id FROM company WHERE id = ${theirs}) AS same
      FROM company WHERE id = ${ours}`.execute(db);
    expect(rows).toEqual([{ same: true }]);
  });
});

// PORT-2
describe('the link of an invoice', () => {
  const link = (changes: Record<string, string> = {}) => {
    const values = {
      company_id: '$us',
      invoice_id: `(SELECT min(id) FROM invoice WHERE company_id = $us)`,
      uuid: 'gen_random_uuid()',
      token_hash: `sha256(gen_random_uuid()::text::bytea)`,
      ...changes,
    };
    return insertion('invoice_link', values);
  };

  test.each([
    ['is of its own company', { company_id: '$them' }, FOREIGN_KEY],
    ['has a whole hash', { token_hash: `'a'` }, /token_hash_check/],
    ['has a code that ends', { code_hash: `sha256('1')` }, /invoice_link_code/],
  ])('%s', async (_, changes, reason) => {
    await expectRefused(link(changes), reason);
  });

  test('is one', async () => {
    await run(link());
    await expectRefused(link(), /invoice_link_pkey/);
  });
});

// QUO-5
describe('a quote', () => {
  const uuid = '00000000-0000-4000-8000-000000000160';
  const quote = `(SELECT id FROM quote WHERE uuid = '${uuid}')`;
  const ofQuote = `company_id = $us AND quote_id = ${quote}`;

  beforeAll(async () => {
    await run(`INSERT INTO quote (company_id, uuid) VALUES ($us, '${uuid}')`);
    await run(`INSERT INTO quote_revision (company_id, quote_id, revision, customer_id, price_kind, valid_until,
        confirm_by_code, net_amount, vat_amount, gross_amount, search_text)
      VALUES ($us, ${quote}, 1, (SELECT min(id) FROM customer WHERE company_id = $us), 'FIXED', '2027-01-31',
        false, 100, 25, 125, ' x')`);
    await run(`INSERT INTO quote_line (company_id, quote_id, revision, position, quantity, description,
        net_unit_amount, vat_rate, vat_treatment)
      VALUES ($us, ${quote}, 1, 0, 1, 'x', 100, 25, 'STANDARD')`);
    await run(`INSERT INTO quote_event (company_id, quote_id, kind, by_type, by_name, details)
      VALUES ($us, ${quote}, 'CREATED', 'SYSTEM', 'Faktur', '{}')`);
  });

  test.each([
    [
      'has no gap in its numbers',
      `quote_number = 2, state = 'SENT', sent_revision = 1, sent_valid_until = '2027-01-31'`,
      /gap/,
    ],
    ['is not accepted before it was sent', `state = 'ACCEPTED'`, /cannot become/],
    ['is not invoiced before it was accepted', `invoiced = 'ALL'`, /quote_invoiced/],
    ['has a sent revision beside a draft', `sent_state = 'SENT'`, /quote_sent_state/],
  ])('%s', async (_, change, reason) => {
    await expectRefused(`UPDATE quote SET ${change} WHERE id = ${quote}`, reason);
  });

  // QUO-19
  test('has at most ten files, with 9 MB in all', async () => {
    const add = (name: string, content = `'a'`, size = 1) =>
      insertion('quote_attachment', {
        company_id: '$us',
        quote_id: quote,
        revision: '1',
        name: `'${name}'`,
        media_type: `'text/csv'`,
        size: String(size),
        sha256: `sha256(${content})`,
        content,
      });
    const half = `convert_to(repeat('x', 4718593), 'UTF8')`;
    await run(add('half.csv', half, 4_718_593));
    await expectRefused(add('half2.csv', half, 4_718_593), /at most ten attachments of 9 MB/);
    for (let index = 1; index < 10; index += 1) await run(add(`${index}.csv`));
    await expectRefused(add('10.csv'), /at most ten attachments of 9 MB/);
    await run(`DELETE FROM quote_attachment WHERE ${ofQuote}`);
  });

  // QUO-30
  test('has one link, with a whole hash and a code that ends', async () => {
    const link = (changes: Record<string, string> = {}) =>
      insertion('quote_link', {
        company_id: '$us',
        quote_id: quote,
        uuid: 'gen_random_uuid()',
        token_hash: `sha256(gen_random_uuid()::text::bytea)`,
        ...changes,
      });
    await expectRefused(link({ company_id: '$them' }), FOREIGN_KEY);
    await expectRefused(link({ token_hash: `'a'` }), /token_hash_check/);
    await expectRefused(link({ code_hash: `sha256('1')` }), /quote_link_code/);
    await run(link());
    await expectRefused(link(), /quote_link_pkey/);
  });

  test('begins as a draft of its own company', async () => {
    await expectRefused(
      `INSERT INTO quote (company_id, state) VALUES ($us, 'WITHDRAWN')`,
      /as a draft/,
    );
    await expectRefused(
      `UPDATE quote_revision SET customer_id = (SELECT min(id) FROM customer WHERE company_id = $them)
       WHERE ${ofQuote}`,
      FOREIGN_KEY,
    );
  });

  test('is kept as it was sent, with its number, and is accepted once', async () => {
    const document = `INSERT INTO quote_document (company_id, quote_id, revision, kind, version, text)
      VALUES ($us, ${quote}, 1, 'QUOTE', 1, '{}')`;
    await run(document);
    await run(
      `UPDATE quote_revision SET sent_at = now(), buyer = '{}', is_private = false WHERE ${ofQuote}`,
    );
    await run(`UPDATE quote SET quote_number = 1, state = 'SENT', sent_revision = 1,
      sent_valid_until = '2027-01-31' WHERE id = ${quote}`);
    await expectRefused(
      `UPDATE quote SET quote_number = 2 WHERE id = ${quote}`,
      /keeps its number/,
    );
    await expectRefused(`DELETE FROM quote WHERE id = ${quote}`, /never deleted/);
    for (const statement of [
      `UPDATE quote_revision SET title = 'y' WHERE ${ofQuote}`,
      `DELETE FROM quote_revision WHERE ${ofQuote}`,
      `UPDATE quote_line SET net_unit_amount = 1 WHERE ${ofQuote}`,
      `DELETE FROM quote_line WHERE ${ofQuote}`,
      `INSERT INTO quote_attachment (company_id, quote_id, revision, name, media_type, size, sha256, content)
       VALUES ($us, ${quote}, 1, 'a', 'text/csv', 1, sha256('a'), 'a')`,
    ]) {
      await expectRefused(statement, /as it was sent/);
    }
    await expectRefused(document, /quote_document_once/);
    await expectRefused(
      `UPDATE quote_document SET text = '{"a":1}' WHERE ${ofQuote}`,
      /as it was issued/,
    );
    await expectRefused(`DELETE FROM quote_document WHERE ${ofQuote}`, /as it was issued/);
    await expectRefused(
      `UPDATE quote_document SET home = 'DATABASE', content = 'a', sha256 = sha256('b') WHERE ${ofQuote}`,
      /quote_document_home/,
    );
    await expectRefused(`UPDATE quote_event SET kind = 'SENT' WHERE ${ofQuote}`, /never changes/);
    await expectRefused(`DELETE FROM quote_event WHERE ${ofQuote}`, /never changes/);
    await run(`UPDATE quote_revision SET answer = 'ACCEPTED', answered_how = 'LINK', answered_at = now(),
      answered_by = 'Kari' WHERE ${ofQuote}`);
    await expectRefused(
      `UPDATE quote_revision SET answer = 'DECLINED' WHERE ${ofQuote}`,
      /answer to a quote is kept/,
    );
    await run(`UPDATE quote SET state = 'ACCEPTED' WHERE id = ${quote}`);
    await expectRefused(`UPDATE quote SET state = 'DECLINED' WHERE id = ${quote}`, /cannot become/);
  });
});

describe('a link to the overview', () => {
  const link = (changes: Record<string, string> = {}) => {
    const values = {
      company_id: '$us',
      token_hash: `sha256(gen_random_uuid()::text::bytea)`,
      name: `'Styret'`,
      shows: `'{VAT}'`,
      period: `'THIS_YEAR'`,
      by_type: `'ACCOUNT'`,
      by_name: `'vi@example.no'`,
      days: '7',
      expires_at: `now() + interval '168 hours'`,
      ...changes,
    };
    return insertion('overview_link', values);
  };

  test.each([
    ['shows something that is known', { shows: `'{}'` }, /overview_link_shows/],
    ['shows no more than that', { shows: `'{PROFIT}'` }, /overview_link_shows/],
    ['names customers to one address alone', { shows: `'{CUSTOMERS}'` }, /overview_link_customers/],
    ['has a period', { period: 'NULL' }, /overview_link_period/],
    [
      'has one period',
      { from_date: `'2026-01-01'`, to_date: `'2026-01-31'` },
      /overview_link_period/,
    ],
    ['ends', { expires_at: `'infinity'` }, /overview_link_end/],
    ['ends after some days', { days: '1000' }, /days_check/],
    ['has a whole hash', { token_hash: `'a'` }, /token_hash_check/],
  ])('%s', async (_, changes, reason) => {
    await expectRefused(link(changes), reason);
  });

  // OVER-11
  test('never changes, and stays ended', async () => {
    await run(link());
    await expectRefused(
      `UPDATE overview_link SET expires_at = expires_at + interval '1 day', days = 30 WHERE company_id = $us`,
      /never changes/,
    );
    await expectRefused(
      `UPDATE overview_link SET shows = '{TURNOVER}' WHERE company_id = $us`,
      /never changes/,
    );
    await run(`UPDATE overview_link SET revoked_at = now() WHERE company_id = $us`);
    await expectRefused(
      `UPDATE overview_link SET revoked_at = NULL WHERE company_id = $us`,
      /never changes/,
    );
  });

  test('is used in its own company', async () => {
    await expectRefused(
      `INSERT INTO overview_link_use (company_id, link_id, day)
       SELECT $them, id, '2026-01-01' FROM overview_link WHERE company_id = $us LIMIT 1`,
      FOREIGN_KEY,
    );
  });

  // OVER-13
  test('is one of 20 at most that work', async () => {
    for (let count = 0; count < 20; count += 1) await run(link());
    await expectRefused(link(), /at most 20 links/);
    await run(
      `UPDATE overview_link SET revoked_at = now() WHERE company_id = $us AND revoked_at IS NULL`,
    );
    await run(link());
  });
});

// PORT-38
describe('a statement that is mailed', () => {
  const delivery = {
    company_id: '$us',
    customer_id: `(SELECT min(id) FROM customer WHERE company_id = $us)`,
    from_date: `'2026-01-01'`,
    to_date: `'2026-12-31'`,
    recipients: `'[{ "address": "kari@example.no", "status": "QUEUED", "reason": null }]'`,
  };

  test.each([
    ['is for a customer of the company', { company_id: '$them' }, FOREIGN_KEY],
    ['has its days in order', { to_date: `'2025-12-31'` }, /statement_delivery_period/],
    ['goes to somebody', { recipients: `'[]'` }, /statement_delivery_recipients/],
  ])('%s', async (_, changes, reason) => {
    await expectRefused(insertion('statement_delivery', { ...delivery, ...changes }), reason);
  });
});

// INT-2, INT-3
describe('a key of a member', () => {
  const key = {
    company_id: '$us',
    account_id: '(SELECT account_id FROM company WHERE id = $us)',
    name: `'Regnskap'`,
    token_hash: 'sha256(gen_random_uuid()::text::bytea)',
    scopes: `'{see,edit}'`,
    expires_on: `'2027-01-01'`,
  };

  test.each([
    ['may see', { scopes: `'{edit}'` }, /api_token_scopes/],
    ['has no right that belongs to owners', { scopes: `'{see,members}'` }, /api_token_scopes/],
    ['ends', { expires_on: 'NULL' }, /api_token_ends/],
  ])('%s', async (_, changes, reason) => {
    await expectRefused(insertion('api_token', { ...key, ...changes }), reason);
  });
});

describe('a webhook', () => {
  const webhook = {
    company_id: '$us',
    url: `'https://example.no/'`,
    events: `'{*}'`,
    secret: `'a'`,
  };

  test.each([
    ['asks for something', { events: `'{}'` }, /webhook_events_check/],
    ['is off when it was turned off', { disabled_reason: `'GONE'` }, /webhook_disabled/],
    [
      'has a known reason',
      { active: 'false', disabled_reason: `'TIRED'` },
      /disabled_reason_check/,
    ],
    ['has an old secret until some time', { previous_secret: `'b'` }, /webhook_previous/],
  ])('%s', async (_, changes, reason) => {
    await expectRefused(insertion('webhook', { ...webhook, ...changes }), reason);
  });

  test.each([
    ['is told of its own company alone', { company_id: '$them' }, FOREIGN_KEY],
    ['is told later while a message waits', { next_attempt_at: 'NULL' }, /webhook_delivery_waits/],
    ['is told less than 20 kB', { body: `repeat('a', 20000)` }, /webhook_delivery_body_check/],
  ])('%s', async (_, changes, reason) => {
    await run(insertion('webhook', webhook));
    const message = {
      company_id: '$us',
      webhook_id: '(SELECT max(id) FROM webhook WHERE company_id = $us)',
      type: `'invoice.paid'`,
      body: `'{}'`,
      state: `'WAITING'`,
      next_attempt_at: 'now()',
    };
    await expectRefused(insertion('webhook_delivery', { ...message, ...changes }), reason);
  });
});

// SEC-13
describe('a passkey', () => {
  const passkey = {
    account_id: '(SELECT account_id FROM company WHERE id = $us)',
    name: `'Telefonen'`,
    credential_id: 'gen_random_uuid()::text::bytea',
    public_key: `'a'`,
    counter: '0',
    is_synced: 'true',
  };

  test.each([
    ['has a name', { name: `''` }, /passkey_name_check/],
    ['has an id', { credential_id: `''` }, /passkey_credential_id_check/],
    ['never counts below nothing', { counter: '-1' }, /passkey_counter_check/],
  ])('%s', async (_, changes, reason) => {
    await expectRefused(insertion('passkey', { ...passkey, ...changes }), reason);
  });

  test('belongs to one account', async () => {
    const credential = { ...passkey, credential_id: `'\\x01'` };
    await run(insertion('passkey', credential));
    const account_id = '(SELECT account_id FROM company WHERE id = $them)';
    await expectRefused(insertion('passkey', { ...credential, account_id }), /passkey_credential/);
  });
});
