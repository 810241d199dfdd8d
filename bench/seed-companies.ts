import { treatmentOfRate } from '../domain/vat-treatment.ts';
import { sampleSeller } from '../server/testing/invoice-documents.ts';
import { withClient } from '../server/testing/server-database.ts';
import { BANK_ACCOUNT, CUSTOMERS, SAMPLE_CONTENT } from './sample-invoices.ts';
import { customerNameSql, kidSql, nameOfCompany, SEED_TEXTS } from './seed-texts.ts';

const DAYS = 1820;
const FIRST_DAY = '2021-11-20';

/** The companies to make. SQL is over `id` and `size` of a company and `number` of an invoice. */
interface Shape {
  /** How many invoices each company has, by its id from 1. */
  readonly sizes: readonly number[];
  /** How many customers it has, in SQL. */
  readonly customers: string;
  /** Which invoices are open, in SQL. */
  readonly isOpen: string;
}

/** The e-mail address of a company's owner. */
export function ownerOf(companyId: number): string {
  return `eier${companyId}@bench.example`;
}

/**
 * Fills an empty, migrated database with companies and five years of their invoices, the last of which are open. A
 * customer has ten of them. The ids of the companies are 1, 2 and so on.
 */
export async function seedCompanies(url: string, sizes: readonly number[]): Promise<void> {
  await seed(url, {
    sizes,
    customers: 'GREATEST(3, size / 10)',
    isOpen: 'number::float8 / size > 0.95 OR number % 40 = 4',
  });
}

/**
 * Fills an empty, migrated database with one company and its invoices, a quarter of them open. Its customers have ids
 * that are their numbers. Returns the company's id.
 */
export async function seedInvoices(url: string, invoices: number): Promise<number> {
  await seed(url, {
    sizes: [invoices],
    customers: String(CUSTOMERS),
    isOpen: 'number % 4 = 0',
  });
  return 1;
}

/**
 * Makes the companies as the product would have written them: rows in order of time, so that the rows of one company
 * lie far apart. Triggers, foreign keys and indexes are off meanwhile. The data is made in SQL alone, without round trips.
 */
async function seed(url: string, shape: Shape): Promise<void> {
  const most = Math.max(...shape.sizes);
  const kid = kidSql({ customer: Math.max(CUSTOMERS, most), number: most });
  await withClient(url, async (client) => {
    for (const statement of [
      SETTINGS,
      ...plans(shape),
      ...companies(),
      WITHOUT_INDEXES,
      invoices(kid),
      ...documents(kid),
      ...lines(),
      ...deliveries(),
      ...FILLED.map((table) => `REINDEX TABLE ${table}`),
      ...counts(),
      ...finish(),
    ]) {
      await client.query(statement);
    }
  });
}

const SETTINGS = `SET session_replication_role = replica; SET synchronous_commit = off;
  SET maintenance_work_mem = '512MB'; SET work_mem = '256MB'; SET max_parallel_maintenance_workers = 0`;

const FILLED = ['invoice', 'document', 'invoice_line', 'delivery', 'payment'];
/** Takes half of the time; REINDEX makes them valid. */
const WITHOUT_INDEXES = `UPDATE pg_index SET indisready = false, indisvalid = false
  WHERE indrelid = ANY(ARRAY['${FILLED.join("', '")}']::regclass[])`;

/** Decides which company has which invoices, before they are written. */
function plans({ sizes, customers, isOpen }: Shape): string[] {
  return [
    `CREATE UNLOGGED TABLE seeding_company AS
     SELECT id, size, customers, sum(customers) OVER (ORDER BY id) - customers AS before FROM (
       SELECT id, size, ${customers} AS customers
       FROM unnest(ARRAY[${sizes.join()}]) WITH ORDINALITY AS sized (size, id)
     ) counted ORDER BY id`,
    `CREATE UNLOGGED TABLE seeding AS
     SELECT row_number() OVER (ORDER BY number::float8 / size, company_id) AS id, company_id, number,
       customer, before + customer AS customer_id, kind, issue_date, delivery_status, CASE
         WHEN kind = 'CREDIT_NOTE' THEN 'REGISTERED'
         WHEN number % 50 = 49 AND number < size THEN 'CANCELLED'
         WHEN ${isOpen} THEN 'REGISTERED' ELSE 'PAID' END AS status
     FROM (
       SELECT company.id AS company_id, number, size, before,
         -- A credit note goes to the buyer of the invoice before it.
         1 + (number - CASE WHEN number % 50 = 0 THEN 2 ELSE 1 END) % customers AS customer,
         CASE WHEN number % 50 = 0 THEN 'CREDIT_NOTE' ELSE 'INVOICE' END AS kind,
         ${dayOf('number', 'size')} AS issue_date,
         CASE WHEN number % 1000 = 4 THEN 'FAILED' WHEN number % 2 = 1 THEN 'SENT' END
           AS delivery_status
       FROM seeding_company company, generate_series(1, size) AS number
     ) planned ORDER BY number::float8 / size, company_id`,
    `CREATE UNLOGGED TABLE seeding_note AS
     SELECT note.id, credited.id AS credits FROM seeding note
     JOIN seeding credited ON credited.company_id = note.company_id
       AND credited.number = note.number - 1 AND credited.number % 50 = 49
     WHERE note.kind = 'CREDIT_NOTE'`,
    'ANALYZE seeding_company, seeding, seeding_note',
  ];
}

function dayOf(number: string, size: string): string {
  return `date '${FIRST_DAY}' + (${DAYS} * ${number}::float8 / ${size})::integer`;
}

function companies(): string[] {
  const { orgNumber, vatRegistered, foretaksregisteret, email, address1, postalCode, city } =
    sampleSeller;
  const name = customerNameSql('id', 'number');
  return [
    `INSERT INTO account (id, email) OVERRIDING SYSTEM VALUE
     SELECT id, 'eier' || id || '@bench.example' FROM seeding_company`,
    `INSERT INTO company (id, account_id, company_name, org_number, vat_registered,
       foretaksregisteret, email, billing_address1, billing_postal_code, billing_city,
       has_created_invoice, last_invoice_number, last_customer_number) OVERRIDING SYSTEM VALUE
     SELECT id, id, ${nameOfCompany('id')}, '${orgNumber}', ${vatRegistered}, ${foretaksregisteret},
       '${email}', '${address1}', '${postalCode}', '${city}', true, size, customers
     FROM seeding_company`,
    `INSERT INTO member (company_id, account_id, email, role)
      SELECT company.id, account.id, account.email, 'OWNER'
      FROM company JOIN account ON account.id = company.account_id`,
    `INSERT INTO bank_account SELECT id, 0, '${BANK_ACCOUNT}', true FROM seeding_company`,
    `INSERT INTO customer (id, company_id, customer_number, name, email, org_number, address1,
       postal_code, city, search_text) OVERRIDING SYSTEM VALUE
     SELECT before + number, id, number, ${name}, 'faktura' || number || '@kunde.example',
       '987654325', 'Verksgata ' || number, '1353', 'Bærums Verk',
       lower(' ' || number || ' ' || ${name} || ' faktura' || number
         || '@kunde.example 987654325')
     FROM seeding_company, generate_series(1, customers) AS number ORDER BY random()`,
  ];
}

function invoices(kid: string): string {
  const { net, vat } = SAMPLE_CONTENT;
  const { seller, buyer } = SEED_TEXTS;
  const customer = customerNameSql('company_id', 'customer');
  return `INSERT INTO invoice (id, company_id, customer_id, kind, status, delivery_type,
      delivery_status, issue_date, due_days, delivery_date, net_amount, vat_amount, gross_amount,
      credits_invoice_id, paid_date, paid_amount, credited_amount, invoice_number, kid, seller, buyer,
      bank_account_number, search_text, registered_at, created_at) OVERRIDING SYSTEM VALUE
    SELECT id, company_id, customer_id, kind, status,
      CASE WHEN delivery_status IS NULL THEN 'NONE' ELSE 'EMAIL' END, delivery_status, issue_date, 14,
      issue_date, ${net}, ${vat}, ${net + vat}, credits,
      CASE status WHEN 'PAID' THEN issue_date + 10 END,
      CASE status WHEN 'PAID' THEN ${net + vat} ELSE 0 END,
      CASE status WHEN 'CANCELLED' THEN ${net + vat} ELSE 0 END, number, kid, ${seller}::jsonb,
      ${buyer}::jsonb, '${BANK_ACCOUNT}',
      lower(concat_ws(' ', '', number, ${customer}, '987654325', kid)), issue_date,
      issue_date
    FROM (
      SELECT seeding.*, credits, CASE WHEN kind = 'INVOICE' THEN ${kid} END AS kid
      FROM seeding LEFT JOIN seeding_note USING (id)
    ) made`;
}

/** The issued texts, each hashed with the previous one of its company. */
function documents(kid: string): string[] {
  const { version, invoice, creditNote } = SEED_TEXTS;
  return [
    `CREATE FUNCTION pg_temp.link(before bytea, content text) RETURNS bytea LANGUAGE sql IMMUTABLE
     AS $$ SELECT sha256(COALESCE(before, '') || convert_to(content, 'UTF8')) $$`,
    `CREATE AGGREGATE pg_temp.chain (text) (sfunc = pg_temp.link, stype = bytea)`,
    `INSERT INTO document (company_id, id, kind, invoice_id, version, content, previous_hash, hash,
       created_at) OVERRIDING SYSTEM VALUE
     SELECT company_id, id, kind, id, ${version}, content,
       lag(hash) OVER (PARTITION BY company_id ORDER BY number), hash, issue_date
     FROM (
       SELECT *, pg_temp.chain(content) OVER (PARTITION BY company_id ORDER BY number) AS hash
       FROM (
         SELECT *, CASE kind WHEN 'INVOICE' THEN ${invoice} ELSE ${creditNote} END
           AS content
         FROM (
           SELECT seeding.*, ${kid} AS kid, ${dayOf('(number - 1)', 'size')} AS credited_date
           FROM (SELECT * FROM seeding ORDER BY company_id, number) seeding
           JOIN seeding_company ON seeding_company.id = company_id
         ) planned
       ) written
     ) linked`,
    `UPDATE company SET last_document_hash = document.hash
     FROM seeding JOIN document USING (company_id, id)
     WHERE company.id = seeding.company_id AND seeding.number = company.last_invoice_number`,
  ];
}

function lines(): string[] {
  return SAMPLE_CONTENT.lines.map(
    ({ quantity, description, netUnitAmount, vatRate }, position) =>
      `INSERT INTO invoice_line (company_id, invoice_id, position, quantity, description,
         net_unit_amount, vat_rate, vat_treatment)
       SELECT company_id, id, ${position}, ${quantity}, '${description}', ${netUnitAmount}, ${vatRate},
         '${treatmentOfRate(vatRate, sampleSeller.vatRegistered)}'
       FROM seeding`,
  );
}

function deliveries(): string[] {
  const gross = SAMPLE_CONTENT.net + SAMPLE_CONTENT.vat;
  return [
    `INSERT INTO delivery (company_id, invoice_id, document_id, delivery_type, status, recipient,
       carrier_key, sent_time, failure_reason, failed_at, owner_told, attempts, created_at)
     SELECT company_id, id, id, 'EMAIL', delivery_status, 'faktura' || customer || '@kunde.example',
       id || '@bench', CASE delivery_status WHEN 'SENT' THEN issue_date END,
       CASE delivery_status WHEN 'FAILED' THEN 'Adressen finnes ikke' END,
       CASE delivery_status WHEN 'FAILED' THEN issue_date END, true, 1, issue_date
     FROM seeding WHERE delivery_status IS NOT NULL`,
    // Stand-ins of a few bytes: only the number of rows matters here.
    `INSERT INTO document_file (company_id, document_id, format, sha256, content)
     SELECT company_id, id, 'PDF', sha256(content), content
     FROM (SELECT *, convert_to('PDF ' || id, 'UTF8') AS content FROM seeding) made
     WHERE delivery_status = 'SENT'`,
    `INSERT INTO payment (company_id, invoice_id, amount, paid_on, source, kind, by_type, by_name)
     SELECT company_id, id, ${gross}, issue_date + 10, 'MANUAL', 'PAYMENT', 'ACCOUNT',
       'eier' || company_id || '@bench.example'
     FROM seeding WHERE status = 'PAID'`,
    `INSERT INTO history_event (company_id, invoice_id, at, kind, by_type, by_name, details)
     SELECT company_id, id, issue_date, event, 'ACCOUNT', 'eier' || company_id || '@bench.example',
       CASE WHEN event = 'REGISTERED' THEN jsonb_build_object('invoiceNumber', number)
         WHEN event IN ('QUEUED', 'SENT', 'FAILED') THEN jsonb_build_object('deliveryType', 'EMAIL',
           'recipient', 'faktura' || customer || '@kunde.example')
         WHEN event = 'PAID' THEN jsonb_build_object('paidDate', issue_date + 10)
         ELSE '{}' END
     FROM seeding, unnest(ARRAY['CREATED', 'REGISTERED',
       CASE WHEN delivery_status IS NOT NULL THEN 'QUEUED' END, delivery_status,
       CASE status WHEN 'PAID' THEN 'PAID' END]) AS event
     WHERE event IS NOT NULL`,
  ];
}

/** Counts that the triggers would have kept. */
function counts(): string[] {
  return [
    `INSERT INTO invoice_count (company_id, registered, paid, cancelled, sent, outstanding,
       outstanding_amount)
     SELECT company.id, count(*) FILTER (WHERE status = 'REGISTERED'),
       count(*) FILTER (WHERE status = 'PAID'), count(*) FILTER (WHERE status = 'CANCELLED'),
       count(*) FILTER (WHERE delivery_status = 'SENT'),
       count(*) FILTER (WHERE kind = 'INVOICE' AND status = 'REGISTERED'),
       COALESCE(sum(gross_amount - paid_amount)
         FILTER (WHERE kind = 'INVOICE' AND status = 'REGISTERED'), 0)
     FROM company LEFT JOIN invoice ON company_id = company.id GROUP BY company.id`,
    `INSERT INTO invoice_due (company_id, due_date, outstanding, outstanding_amount)
     SELECT company_id, due_date, count(*), sum(gross_amount - paid_amount) FROM invoice
     WHERE kind = 'INVOICE' AND status = 'REGISTERED' GROUP BY company_id, due_date`,
    'SELECT count_invoice_days(id) FROM company',
  ];
}

function finish(): string[] {
  const numbered = ['account', 'company', 'customer', 'invoice', 'document'];
  return [
    ...numbered.map(
      (table) => `SELECT setval(pg_get_serial_sequence('${table}', 'id'), max(id)) FROM ${table}`,
    ),
    'DROP TABLE seeding, seeding_company, seeding_note',
    'VACUUM (ANALYZE)',
    'CHECKPOINT',
  ];
}
