import { createHash } from 'node:crypto';

import type pg from 'pg';

import { makeKid } from '../domain/kid.ts';

const PARTS = `
  i.id, i.uuid, i.kind, i.status, i.delivery_type, i.delivery_status, i.issue_date, i.due_days,
  i.due_date, i.delivery_date, i.reference, i.message, i.net_amount, i.vat_amount, i.gross_amount,
  i.paid_amount, i.paid_date, i.reminder_amount, i.disputed, i.disputed_note, i.invoice_number, i.kid,
  i.kid_modulus, i.buyer, i.bank_account_number, i.version, i.registered_at,
  note.uuid AS note_uuid, note.invoice_number AS note_number,
  original.uuid AS original_uuid, original.invoice_number AS original_number,
  (SELECT json_agg(json_build_object('id', id, 'quantity', quantity + thousandths * 0.001, 'unit', unit,
     'description', description, 'price', net_unit_amount, 'vat', vat_rate) ORDER BY position)
   FROM invoice_line WHERE company_id = i.company_id AND invoice_id = i.id) AS lines,
  (SELECT json_agg(json_build_object('uuid', uuid, 'type', delivery_type, 'status', status,
     'recipient', recipient, 'sent_time', sent_time, 'failure', failure_reason,
     'waiting', waiting_reason, 'deferred', deferred_until, 'stopped', stopped_by) ORDER BY id)
   FROM delivery
   WHERE company_id = i.company_id AND invoice_id = i.id AND reminder_principal IS NULL) AS deliveries`;
const CREDITS = `
  LEFT JOIN invoice note ON note.company_id = i.company_id AND note.credits_invoice_id = i.id
  LEFT JOIN invoice original
    ON original.company_id = i.company_id AND original.id = i.credits_invoice_id`;

/**
 * The database reads of API calls, written by hand for the same answer: one prepared statement through the same
 * driver. No session, no presentation, no HTTP.
 */
export const BARE_READS = {
  /** A page, with the counts of the whole account. */
  list: {
    name: 'bare-list',
    text: `SELECT counts.drafts, counts.registered, counts.paid, counts.cancelled, counts.sent,
        counts.outstanding, counts.outstanding_amount,
        (SELECT min(issue_date) FROM invoice WHERE company_id = $1 AND delivery_status = 'SENT'),
        (SELECT max(issue_date) FROM invoice WHERE company_id = $1 AND delivery_status = 'SENT'),
        later.many, later.amount, ${PARTS}
      FROM invoice_count counts
      CROSS JOIN (SELECT sum(outstanding) AS many, sum(outstanding_amount) AS amount
        FROM invoice_due WHERE company_id = $1 AND due_date >= current_date) later
      JOIN invoice i USING (company_id) ${CREDITS}
      WHERE i.company_id = $1
      ORDER BY i.invoice_number DESC NULLS FIRST, i.id DESC LIMIT 20`,
  },
  rows: {
    name: 'bare-rows',
    text: `SELECT * FROM invoice WHERE company_id = $1
      ORDER BY invoice_number DESC NULLS FIRST, id DESC LIMIT 20`,
  },
  one: {
    name: 'bare-one',
    text: `SELECT ${PARTS} FROM invoice i ${CREDITS} WHERE i.company_id = $1 AND i.invoice_number = $2`,
  },
} as const;

// The database writes of creating and registering, written by hand: one prepared statement for each thing, in one
// transaction, with every trigger of the product on. No session, no validation, no answer, no HTTP.

/** A draft with two lines: finds the seller and the buyer, and adds draft, lines and history. */
export async function bareCreate(pool: pg.Pool, companyId: number): Promise<void> {
  await inTransaction(pool, async (client) => {
    const [found] = await rowsOf<{ customer_id: string }>(client, FIND_PARTIES, [companyId]);
    const [draft] = await rowsOf<{ id: string }>(client, INSERT_DRAFT, [
      companyId,
      found?.customer_id,
    ]);
    await rowsOf(client, INSERT_LINES, [companyId, draft?.id]);
    await rowsOf(client, INSERT_CREATED, [companyId, draft?.id]);
  });
}

const FIND_PARTIES = `
  SELECT company.*, bank_account_number, customer.id AS customer_id
  FROM company
  JOIN bank_account ON bank_account.company_id = company.id AND is_primary
  JOIN customer ON customer.company_id = company.id AND customer_number = 1
  WHERE company.id = $1`;
const INSERT_DRAFT = `
  INSERT INTO invoice (company_id, customer_id, delivery_type, issue_date, due_days, delivery_date,
    net_amount, vat_amount, gross_amount)
  VALUES ($1, $2, 'NONE', '2026-11-01', 14, '2026-11-01', 294970, 69246, 364216) RETURNING id`;
const INSERT_LINES = `
  INSERT INTO invoice_line (company_id, invoice_id, position, quantity, description,
    net_unit_amount, vat_rate)
  VALUES ($1, $2, 0, 2, 'Profildesign', 125000, 25), ($1, $2, 1, 3, 'Kaffe', 14990, 15)`;
const INSERT_CREATED = `
  INSERT INTO history_event (company_id, invoice_id, kind, by_type, by_name, details)
  VALUES ($1, $2, 'CREATED', 'ACCOUNT', 'bench@example.no', '{}')`;

/**
 * Registers drafts: locks the company and the drafts, numbers and freezes them with the chain of hashes, and adds
 * history and the job that mails them.
 */
export async function bareRegister(
  pool: pg.Pool,
  companyId: number,
  uuids: readonly string[],
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const [company] = await rowsOf<Company>(client, LOCK_COMPANY, [companyId]);
    if (!company) throw new Error(`No company ${companyId}`);
    const drafts = await rowsOf<Draft>(client, LOCK_DRAFTS, [companyId, uuids]);
    // Not filtered in the statement: PostgreSQL would then scan all drafts of the company.
    const are = drafts.filter(({ is_draft }) => is_draft);
    if (are.length !== uuids.length) throw new Error('Some are no drafts any more');
    const { seller, bank_account_number: account } = company;
    const frozen = freeze(company, drafts);
    const last = frozen.at(-1);
    await rowsOf(client, ADVANCE_SERIES, [companyId, last?.number]);
    const given = JSON.stringify(frozen);
    await rowsOf(client, FREEZE, [companyId, given, JSON.stringify(seller), account]);
    await rowsOf(client, INSERT_DOCUMENTS, [companyId, given]);
    await rowsOf(client, INSERT_REGISTERED, [companyId, given]);
    await rowsOf(client, INSERT_JOB, [JSON.stringify({ payload: { companyId } })]);
  });
}

interface Company {
  readonly seller: object;
  readonly bank_account_number: string;
  readonly last_invoice_number: string | null;
  /** Hexadecimal. */
  readonly last_document_hash: string | null;
}

interface Draft {
  readonly id: string;
  readonly is_draft: boolean;
  readonly issue_date: string;
  readonly due_date: string;
  readonly buyer: { readonly customerNumber: number; readonly name: string };
  readonly lines: readonly object[];
}

function freeze(company: Company, drafts: readonly Draft[]) {
  const { seller, bank_account_number } = company;
  let number = Number(company.last_invoice_number ?? 0);
  let previous = company.last_document_hash;
  return drafts.map(({ id, buyer, ...draft }) => {
    number += 1;
    const kid = makeKid(buyer.customerNumber, number);
    const text = JSON.stringify({ ...draft, number, kid, seller, buyer, bank_account_number });
    const hash = createHash('sha256');
    if (previous !== null) hash.update(Buffer.from(previous, 'hex'));
    const found = ` ${number} ${buyer.name.toLowerCase()} ${kid}`;
    const frozen = {
      id,
      number,
      kid,
      buyer,
      found,
      text,
      previous,
      hash: hash.update(text).digest('hex'),
    };
    previous = frozen.hash;
    return frozen;
  });
}

const LOCK_COMPANY = `
  SELECT json_build_object('name', company_name, 'orgNumber', org_number, 'email', email,
      'vatRegistered', vat_registered, 'foretaksregisteret', foretaksregisteret,
      'address1', billing_address1, 'address2', billing_address2,
      'postalCode', billing_postal_code, 'city', billing_city) AS seller,
    bank_account_number, last_invoice_number,
    encode(last_document_hash, 'hex') AS last_document_hash
  FROM company
  JOIN bank_account ON bank_account.company_id = company.id AND is_primary
  WHERE company.id = $1 FOR NO KEY UPDATE OF company`;
const LOCK_DRAFTS = `
  SELECT invoice.id, status = 'DRAFT' AS is_draft, issue_date::text, due_date::text,
    json_build_object('customerNumber', customer_number, 'name', name, 'orgNumber', org_number,
      'email', email, 'address1', address1, 'address2', address2, 'postalCode', postal_code,
      'city', city) AS buyer,
    (SELECT json_agg(line ORDER BY position) FROM invoice_line line
     WHERE line.company_id = $1 AND line.invoice_id = invoice.id) AS lines
  FROM invoice
  JOIN customer ON customer.company_id = $1 AND customer.id = invoice.customer_id
  WHERE invoice.company_id = $1 AND invoice.uuid = ANY($2::uuid[])
  ORDER BY invoice.id FOR NO KEY UPDATE OF invoice`;
const ADVANCE_SERIES = `
  UPDATE company SET last_invoice_number = $2 WHERE id = $1`;
const GIVEN = `json_to_recordset($2) AS given (
  id bigint, number bigint, kid text, buyer jsonb, found text, text text, previous text,
  hash text)`;
const FREEZE = `
  UPDATE invoice SET status = 'REGISTERED', invoice_number = number, kid = given.kid, seller = $3,
    buyer = given.buyer, bank_account_number = $4, search_text = found, registered_at = now()
  FROM ${GIVEN} WHERE invoice.company_id = $1 AND invoice.id = given.id`;
const INSERT_DOCUMENTS = `
  INSERT INTO document (company_id, kind, invoice_id, version, content, previous_hash, hash)
  SELECT $1, 'INVOICE', id, 1, text, decode(previous, 'hex'), decode(hash, 'hex') FROM ${GIVEN}`;
const INSERT_REGISTERED = `
  INSERT INTO history_event (company_id, invoice_id, kind, by_type, by_name, details)
  SELECT $1, id, 'REGISTERED', 'ACCOUNT', 'bench@example.no',
    json_build_object('invoiceNumber', number)
  FROM ${GIVEN}`;
const INSERT_JOB = `
  INSERT INTO jobs.job (name, data, retry_limit, retry_delay, retry_backoff, policy)
  SELECT name, $1, retry_limit, retry_delay, retry_backoff, policy
  FROM jobs.queue WHERE name = 'dispatch'`;

const names = new Map<string, string>();

/** Runs a statement, prepared at its first use on a connection. */
async function rowsOf<Row extends pg.QueryResultRow>(
  client: pg.PoolClient,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const name = names.get(text) ?? `bare-${names.size}`;
  names.set(text, name);
  const { rows } = await client.query<Row>({ name, text, values: [...values] });
  return rows;
}

async function inTransaction(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await work(client);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}
