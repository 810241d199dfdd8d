import type pg from 'pg';

import { openServer } from '../server/platform/db/database.ts';
import type { Context } from '../server/context.ts';
import { withClient } from '../server/testing/server-database.ts';
import { makeChallenge } from '../server/account/login.service.ts';
import {
  BANK_ACCOUNT,
  SAMPLE_CONTENT,
  SAMPLE_CUSTOMERS,
  sampleInvoices,
  SELLER,
  type SampleInvoice,
} from './sample-invoices.ts';
import { SECRET_KEY } from './harness.ts';

const BATCH = 5000;
const EMAIL = 'bench@example.no';

/** An account with a company, a complete profile and the requested number of invoices. */
export interface Seeded {
  readonly companyId: number;
  readonly invoices: number;
}

/**
 * Fills an empty, migrated database with one company's registered invoices, and drafts on top. Triggers and foreign
 * keys are off meanwhile, so this code does their work: counts, the series, the chain of hashes. The data is what the
 * product would have written.
 */
export async function seedInvoices(
  url: string,
  { invoices, drafts = 0 }: { invoices: number; drafts?: number },
): Promise<Seeded> {
  return withClient(url, async (client) => {
    await client.query(`SET synchronous_commit = off`);
    await client.query(`SET maintenance_work_mem = '256MB'`);
    const companyId = await seedCompany(client);
    await client.query('SET session_replication_role = replica');
    const rebuild = await dropIndexes(client);
    await insertInvoices(client, companyId, invoices);
    await insertDrafts(client, companyId, { first: invoices + 1, many: drafts });
    for (const statement of rebuild) await client.query(statement);
    await bringUpToDate(client, companyId);
    return { companyId, invoices };
  });
}

async function seedCompany(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ id: string }>(
    `WITH owner AS (INSERT INTO account (email) VALUES ($1) RETURNING id)
     INSERT INTO company (account_id, company_name, org_number, vat_registered,
       foretaksregisteret, email, billing_address1, billing_postal_code, billing_city)
     SELECT id, $2, $3, $4, $5, $6, $7, $8, $9 FROM owner RETURNING id`,
    [
      EMAIL,
      SELLER.name,
      SELLER.orgNumber,
      SELLER.vatRegistered,
      SELLER.foretaksregisteret,
      SELLER.email,
      SELLER.address1,
      SELLER.postalCode,
      SELLER.city,
    ],
  );
  const companyId = Number(rows[0]?.id);
  await client.query(`INSERT INTO bank_account VALUES ($1, 0, $2, true)`, [
    companyId,
    BANK_ACCOUNT,
  ]);
  await client.query(
    `INSERT INTO customer (company_id, customer_number, name, email, org_number, address1,
       postal_code, city, search_text)
     SELECT $1, number, name, email, org_number, address1, postal_code, city, search_text
     FROM json_to_recordset($2) AS given (number integer, name text, email text, org_number text,
       address1 text, postal_code text, city text, search_text text) ORDER BY number`,
    [companyId, JSON.stringify(SAMPLE_CUSTOMERS)],
  );
  return companyId;
}

/** Building an index at the end is faster than maintaining it. Returns the statements that build them. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ indexname: string; indexdef: string }>(
    `SELECT indexname, indexdef FROM pg_indexes
     WHERE tablename = 'invoice' AND indexname LIKE 'invoice\\_%' AND indexname NOT IN (
       SELECT conname FROM pg_constraint)`,
  );
  for (const { indexname } of rows) await client.query(`DROP INDEX ${indexname}`);
  return rows.map((row) => row.indexdef);
}

async function insertInvoices(client: pg.Client, companyId: number, many: number): Promise<void> {
  let batch: SampleInvoice[] = [];
  for (const invoice of sampleInvoices(many)) {
    batch.push(invoice);
    if (batch.length < BATCH) continue;
    await insertBatch(client, companyId, batch);
    batch = [];
  }
  await insertBatch(client, companyId, batch);
}

async function insertBatch(
  client: pg.Client,
  companyId: number,
  batch: readonly SampleInvoice[],
): Promise<void> {
  const last = batch.at(-1);
  if (!last) return;
  const { lines, net, vat } = SAMPLE_CONTENT;
  await client.query(
    `INSERT INTO invoice (id, company_id, customer_id, kind, status, delivery_type, delivery_status,
       issue_date, due_days, delivery_date, net_amount, vat_amount, gross_amount,
       credits_invoice_id, paid_date, paid_amount, invoice_number, kid, seller, buyer,
       bank_account_number, search_text, registered_at)
     OVERRIDING SYSTEM VALUE
     SELECT given.id, $1, customer.id, kind, status, delivery_type, delivery_status, issue_date, 14,
       issue_date, $5, $6, $5::bigint + $6, credits, paid_date,
       CASE status WHEN 'PAID' THEN $5::bigint + $6 ELSE 0 END, given.id, kid, $2,
       jsonb_build_object('customerNumber', customer_number, 'name', name, 'orgNumber', org_number,
         'email', email, 'address1', address1, 'address2', address2, 'postalCode', postal_code, 'city',
         city), $3, ' ' || given.id || lower(concat_ws(' ', '', name, org_number, kid)), issue_date
     FROM json_to_recordset($4) AS given (id bigint, customer bigint, kind text, status text,
       delivery_type text, delivery_status text, issue_date date, credits bigint, paid_date date,
       kid text)
     JOIN customer ON customer.company_id = $1 AND customer_number = customer`,
    [companyId, JSON.stringify(SELLER), BANK_ACCOUNT, JSON.stringify(batch), net, vat],
  );
  await client.query(
    `INSERT INTO document (company_id, kind, invoice_id, version, content, previous_hash, hash)
     SELECT $1, kind, id, 1, content, decode(previous, 'hex'), decode(hash, 'hex')
     FROM json_to_recordset($2) AS given (id bigint, kind text, content text, previous text,
       hash text)`,
    [companyId, JSON.stringify(batch)],
  );
  await insertLines(client, companyId, { first: batch[0]?.id ?? 0, last: last.id, lines });
  await insertDeliveries(client, batch[0]?.id ?? 0, last.id);
  await client.query(
    `UPDATE company SET last_invoice_number = $2, last_document_hash = decode($3, 'hex'),
       has_created_invoice = true WHERE id = $1`,
    [companyId, last.id, last.hash],
  );
}

async function insertDeliveries(client: pg.Client, first: number, last: number): Promise<void> {
  await client.query(
    `INSERT INTO delivery (company_id, invoice_id, document_id, delivery_type, status, recipient,
       carrier_key, sent_time, failure_reason, owner_told)
     SELECT invoice.company_id, invoice.id, document.id, 'EMAIL', delivery_status, buyer->>'email',
       invoice.id || '@bench', CASE delivery_status WHEN 'SENT' THEN registered_at END,
       CASE delivery_status WHEN 'FAILED' THEN 'Adressen finnes ikke' END, true
     FROM invoice JOIN document ON document.company_id = invoice.company_id
       AND document.invoice_id = invoice.id
     WHERE delivery_status IN ('SENT', 'FAILED') AND invoice.id BETWEEN $1 AND $2`,
    [first, last],
  );
}

async function insertLines(
  client: pg.Client,
  companyId: number,
  { first, last, lines }: { first: number; last: number; lines: typeof SAMPLE_CONTENT.lines },
): Promise<void> {
  for (const [position, line] of lines.entries()) {
    await client.query(
      `INSERT INTO invoice_line (company_id, invoice_id, position, quantity, description,
         net_unit_amount, vat_rate)
       SELECT $1, id, $2, $3, $4, $5, $6 FROM generate_series($7::bigint, $8) AS id`,
      [
        companyId,
        position,
        line.quantity,
        line.description,
        line.netUnitAmount,
        line.vatRate,
        first,
        last,
      ],
    );
  }
}

/** Drafts with the sample lines. */
export async function insertDrafts(
  client: pg.Client,
  companyId: number,
  { first, many }: { first: number; many: number },
): Promise<void> {
  if (many === 0) return;
  const { lines, net, vat } = SAMPLE_CONTENT;
  const last = first + many - 1;
  await client.query(
    `INSERT INTO invoice (id, company_id, customer_id, delivery_type, issue_date, due_days,
       delivery_date, net_amount, vat_amount, gross_amount)
     OVERRIDING SYSTEM VALUE
     SELECT id, $1, (id - 1) % $2 + 1, 'NONE', '2026-11-01', 14, '2026-11-01', $3, $4,
       $3::bigint + $4
     FROM generate_series($5::bigint, $6) AS id`,
    [companyId, SAMPLE_CUSTOMERS.length, net, vat, first, last],
  );
  await insertLines(client, companyId, { first, last, lines });
}

/**
 * From now on jobs are added as usual but do not run, so that they do not disturb the measurement; only the booking
 * of large files runs, since it is measured. The queue must exist: a server has run on the database.
 */
export async function putOffJobs(pool: pg.Pool): Promise<void> {
  await pool.query(`
    CREATE FUNCTION put_off_job() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.start_after := now() + interval '1 day';
      RETURN NEW;
    END $$`);
  await pool.query(`
    CREATE TRIGGER job_put_off BEFORE INSERT ON jobs.job
    FOR EACH ROW WHEN (NEW.name <> 'bank-file') EXECUTE FUNCTION put_off_job()`);
}

/** Adds drafts to be mailed, in a running product with its triggers on. Returns their uuids. */
export async function addDrafts(pool: pg.Pool, companyId: number, many: number): Promise<string[]> {
  const { lines, net, vat } = SAMPLE_CONTENT;
  const { rows } = await pool.query<{ uuid: string }>(
    `WITH made AS (
       INSERT INTO invoice (company_id, customer_id, delivery_type, issue_date, due_days,
         delivery_date, net_amount, vat_amount, gross_amount)
       SELECT $1, (number - 1) % $2 + 1, 'EMAIL', '2026-11-01', 14, '2026-11-01', $3, $4,
         $3::bigint + $4
       FROM generate_series(1, $5::integer) AS number RETURNING id, uuid
     ), lines AS (
       INSERT INTO invoice_line (company_id, invoice_id, position, quantity, description,
         net_unit_amount, vat_rate)
       SELECT $1, id, place, quantity, description, "netUnitAmount", "vatRate"
       FROM made, ROWS FROM (json_to_recordset($6) AS (quantity bigint, description text,
         "netUnitAmount" bigint, "vatRate" integer)) WITH ORDINALITY
         AS line (quantity, description, "netUnitAmount", "vatRate", place)
     )
     SELECT uuid FROM made ORDER BY id`,
    [companyId, SAMPLE_CUSTOMERS.length, net, vat, many, JSON.stringify(lines)],
  );
  return rows.map((row) => row.uuid);
}

/** Sets what triggers, sequences and statistics would have by now. */
async function bringUpToDate(client: pg.Client, companyId: number): Promise<void> {
  await client.query(
    `INSERT INTO payment (company_id, invoice_id, amount, paid_on, source, kind, by_type, by_name)
     SELECT company_id, id, paid_amount, paid_date, 'MANUAL', 'PAYMENT', 'SYSTEM', 'Faktur'
     FROM invoice WHERE company_id = $1 AND status = 'PAID'`,
    [companyId],
  );
  await client.query(
    `UPDATE invoice_count SET
       drafts = made.drafts, registered = made.registered, paid = made.paid,
       cancelled = made.cancelled, sent = made.sent,
       outstanding = made.outstanding, outstanding_amount = made.outstanding_amount
     FROM (
       SELECT count(*) FILTER (WHERE status = 'DRAFT') AS drafts,
         count(*) FILTER (WHERE status = 'REGISTERED') AS registered,
         count(*) FILTER (WHERE status = 'PAID') AS paid,
         count(*) FILTER (WHERE status = 'CANCELLED') AS cancelled,
         count(*) FILTER (WHERE delivery_status = 'SENT') AS sent,
         count(*) FILTER (WHERE kind = 'INVOICE' AND status = 'REGISTERED') AS outstanding,
         COALESCE(sum(gross_amount - paid_amount)
           FILTER (WHERE kind = 'INVOICE' AND status = 'REGISTERED'), 0) AS outstanding_amount
       FROM invoice WHERE company_id = $1
     ) made WHERE company_id = $1`,
    [companyId],
  );
  await client.query(
    `INSERT INTO invoice_due (company_id, due_date, outstanding, outstanding_amount)
     SELECT company_id, due_date, count(*), sum(gross_amount - paid_amount) FROM invoice
     WHERE company_id = $1 AND kind = 'INVOICE' AND status = 'REGISTERED'
     GROUP BY company_id, due_date`,
    [companyId],
  );
  await client.query(`UPDATE company SET last_customer_number = $2 WHERE id = $1`, [
    companyId,
    SAMPLE_CUSTOMERS.length,
  ]);
  await client.query(
    `SELECT setval(pg_get_serial_sequence('invoice', 'id'),
       (SELECT COALESCE(max(id), 0) + 1 FROM invoice), false)`,
  );
  await client.query('VACUUM (ANALYZE)');
  await client.query('CHECKPOINT');
}

/** A Cookie header with a session of the seeded account, or of a new one. */
export async function logIn(url: string, origin: string, email = EMAIL): Promise<string> {
  const database = openServer(url, () => undefined);
  try {
    const context = { db: database.db, config: { secretKey: SECRET_KEY } } as Context;
    const challenge = await makeChallenge(context, 'register', email);
    const answer = await fetch(`${origin}/api/users/login/verify/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: challenge?.token }),
    });
    const cookie = answer.headers.get('set-cookie')?.split(';', 1)[0];
    if (!answer.ok || cookie === undefined) throw new Error(`No session: ${answer.status}`);
    return cookie;
  } finally {
    await database.close();
  }
}
