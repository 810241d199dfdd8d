import { createHash, randomUUID } from 'node:crypto';

import type pg from 'pg';

import { BANK_ACCOUNT } from './sample-invoices.ts';

// The database writes of a file of payments, written by hand with the matches already known: the same rows in
// transactions of the same size, with every trigger and index of the product on. Nothing is read, matched, compared
// or answered.

/** A payment of an open invoice, in full. */
export interface BarePayment {
  readonly invoice: number;
  readonly kid: string;
  /** Øre. */
  readonly amount: number;
}

const ENTRIES_AT_ONCE = 1000;
const BOOKED_AT_ONCE = 500;

/** Adds a file with its entries, and returns their ids. */
export async function barePreview(
  pool: pg.Pool,
  companyId: number,
  payments: readonly BarePayment[],
): Promise<number[]> {
  const sha256 = createHash('sha256').update(randomUUID()).digest();
  const { rows } = await pool.query<{ id: string }>(INSERT_FILE, [
    companyId,
    sha256,
    payments.length,
  ]);
  const ids: number[] = [];
  for (let start = 0; start < payments.length; start += ENTRIES_AT_ONCE) {
    const part = payments
      .slice(start, start + ENTRIES_AT_ONCE)
      .map(({ invoice, kid, amount }, index) => ({
        invoice,
        kid,
        amount,
        position: start + index + 1,
        key: hex(`key ${kid}`),
        fingerprint: hex(kid),
      }));
    const added = await pool.query<{ id: string }>({
      name: 'bare-entries',
      text: INSERT_ENTRIES,
      values: [companyId, rows[0]?.id, BANK_ACCOUNT, JSON.stringify(part)],
    });
    ids.push(...added.rows.map(({ id }) => Number(id)));
  }
  return ids;
}

/** Books entries on their invoices. */
export async function bareBook(
  pool: pg.Pool,
  companyId: number,
  payments: readonly BarePayment[],
  entryIds: readonly number[],
): Promise<void> {
  const client = await pool.connect();
  try {
    for (let start = 0; start < payments.length; start += BOOKED_AT_ONCE) {
      const part = payments
        .slice(start, start + BOOKED_AT_ONCE)
        .map(({ invoice, kid, amount }, index) => ({
          invoice,
          kid,
          amount,
          entry: entryIds[start + index],
        }));
      const given = JSON.stringify(part);
      await client.query('BEGIN');
      await client.query(LOCK_COMPANY, [companyId]);
      for (const [name, text] of Object.entries({
        LOCK_INVOICES,
        INSERT_PAYMENTS,
        INSERT_HISTORY,
        SET_BOOKED,
      })) {
        await client.query({ name: `bare-${name}`, text, values: [companyId, given] });
      }
      await client.query('COMMIT');
    }
  } finally {
    client.release();
  }
}

function hex(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

const INSERT_FILE = `
  INSERT INTO bank_file (company_id, sha256, name, format, state, accounts, count, ignored)
  VALUES ($1, $2, 'bench', 'OCR', 'BOOKED', '{}', $3, 0) RETURNING id`;
const INSERT_ENTRIES = `
  INSERT INTO bank_entry (company_id, file_id, position, format, kind, date, amount, account, kid,
    line_date, line_sum, key, fingerprint, occurrence, outcome, invoice_id, placements)
  SELECT $1, $2, position, 'OCR', 'PAYMENT', '2026-11-20', amount, $3, kid, '2026-11-20', amount,
    decode(key, 'hex'), decode(fingerprint, 'hex'), 1, 'EXACT', invoice,
    jsonb_build_array(jsonb_build_object('invoiceId', invoice, 'amount', amount))
  FROM json_to_recordset($4) AS given (position integer, amount bigint, kid text, key text,
    fingerprint text, invoice bigint)
  RETURNING id`;
const LOCK_COMPANY = `SELECT FROM company WHERE id = $1 FOR NO KEY UPDATE`;
const GIVEN = `json_to_recordset($2) AS given (invoice bigint, kid text, amount bigint, entry bigint)`;
const LOCK_INVOICES = `
  SELECT id, status, gross_amount - paid_amount FROM invoice
  WHERE company_id = $1 AND id IN (SELECT invoice FROM ${GIVEN}) ORDER BY id FOR NO KEY UPDATE`;
const INSERT_PAYMENTS = `
  INSERT INTO payment (company_id, invoice_id, amount, paid_on, source, kind, account, kid,
    entry_id, by_type, by_name)
  SELECT $1, invoice, amount, '2026-11-20', 'BANK', 'PAYMENT', '${BANK_ACCOUNT}', kid, entry,
    'BANK', 'bench'
  FROM ${GIVEN}`;
const INSERT_HISTORY = `
  INSERT INTO history_event (company_id, invoice_id, kind, by_type, by_name, details)
  SELECT $1, invoice, event.kind, 'BANK', 'bench', jsonb_build_object('date', '2026-11-20')
  FROM ${GIVEN} CROSS JOIN (VALUES ('PAYMENT'), ('PAID')) AS event (kind)`;
const SET_BOOKED = `
  UPDATE bank_entry SET booked_key = key FROM ${GIVEN}
  WHERE bank_entry.company_id = $1 AND bank_entry.id = given.entry`;
