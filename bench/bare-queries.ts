import type pg from 'pg';

const WITH_PARTS = `
  SELECT i.id, i.uuid, i.kind, i.status, i.delivery_type, i.delivery_status, i.issue_date,
    i.due_days, i.due_date, i.delivery_date, i.reference, i.net_amount, i.vat_amount,
    i.gross_amount, i.paid_date, i.invoice_number, i.kid, i.buyer, i.bank_account_number,
    (SELECT json_agg(json_build_object('id', id, 'quantity', quantity, 'description', description,
       'price', net_unit_amount, 'vat', vat_rate) ORDER BY position)
     FROM invoice_line WHERE invoice_id = i.id) AS lines,
    (SELECT json_agg(json_build_object('uuid', uuid, 'status', status, 'recipient', recipient,
       'sent_time', sent_time) ORDER BY id)
     FROM delivery WHERE company_id = i.company_id AND invoice_id = i.id) AS deliveries
  FROM invoice i`;

/**
 * What the calls of the API ask of the database, as somebody would write it by hand: one prepared
 * statement through the same driver, and nothing around it. No session, no presentation, no HTTP.
 */
export const BARE = {
  list: {
    name: 'bare-list',
    text: `${WITH_PARTS} WHERE i.company_id = $1
      ORDER BY i.invoice_number DESC NULLS FIRST, i.id DESC LIMIT 20`,
  },
  rows: {
    name: 'bare-rows',
    text: `SELECT * FROM invoice WHERE company_id = $1
      ORDER BY invoice_number DESC NULLS FIRST, id DESC LIMIT 20`,
  },
  read: {
    name: 'bare-read',
    text: `${WITH_PARTS} WHERE i.company_id = $1 AND i.invoice_number = $2`,
  },
} as const;

/** A draft with two lines, in a transaction of two statements. */
export async function bareCreate(pool: pg.Pool, companyId: number): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ id: string }>({
      name: 'bare-create',
      text: `INSERT INTO invoice (company_id, customer_id, delivery_type, issue_date, due_days,
          delivery_date, net_amount, vat_amount, gross_amount)
        VALUES ($1, 1, 'NONE', '2026-11-01', 14, '2026-11-01', 294970, 69246, 364216)
        RETURNING id`,
      values: [companyId],
    });
    await client.query({
      name: 'bare-lines',
      text: `INSERT INTO invoice_line (company_id, invoice_id, position, quantity, description,
          net_unit_amount, vat_rate)
        VALUES ($1, $2, 0, 2, 'Profildesign', 125000, 25), ($1, $2, 1, 3, 'Kaffe', 14990, 15)`,
      values: [companyId, rows[0]?.id],
    });
  });
}

/**
 * Registers the oldest drafts, at most so many, in one transaction of two statements: the least
 * that gives numbers without gaps, with every trigger of the product on.
 */
export async function bareRegister(pool: pg.Pool, companyId: number, many: number): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ first: string }>({
      name: 'bare-series',
      text: `UPDATE company SET last_invoice_number = COALESCE(last_invoice_number, 0) + (
          SELECT count(*) FROM (SELECT FROM invoice
            WHERE company_id = $1 AND status = 'DRAFT' LIMIT $2) drafts)
        WHERE id = $1 RETURNING last_invoice_number - $2 + 1 AS first`,
      values: [companyId, many],
    });
    await client.query({
      name: 'bare-register',
      text: `UPDATE invoice SET status = 'REGISTERED', invoice_number = $3::bigint + place - 1,
          kid = '000000100000000010', seller = '{"name": "Fjordlys Design AS"}',
          buyer = jsonb_build_object('name', draft.name, 'customerNumber', draft.customer_number),
          bank_account_number = '12341112344', registered_at = now(),
          search_text = ' ' || place || ' ' || lower(draft.name),
          document_hash = sha256(convert_to(draft.name, 'UTF8'))
        FROM (
          SELECT invoice.id, name, customer_number, row_number() OVER (ORDER BY invoice.id) AS place
          FROM invoice JOIN customer ON customer.id = invoice.customer_id
          WHERE invoice.company_id = $1 AND status = 'DRAFT' ORDER BY invoice.id LIMIT $2
        ) draft WHERE invoice.id = draft.id`,
      values: [companyId, many, rows[0]?.first],
    });
  });
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
