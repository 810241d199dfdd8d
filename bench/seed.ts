import type pg from 'pg';

import { CUSTOMERS, SAMPLE_CONTENT } from './sample-invoices.ts';

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
export async function addDrafts(
  pool: pg.Pool | pg.Client,
  companyId: number,
  many: number,
): Promise<string[]> {
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
    [companyId, CUSTOMERS, net, vat, many, JSON.stringify(lines)],
  );
  return rows.map((row) => row.uuid);
}
