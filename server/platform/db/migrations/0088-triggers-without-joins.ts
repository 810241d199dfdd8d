import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';
import { keepCountsWithCredits } from './0074-credits-counted.ts';

/**
 * Triggers compare the rows before and after without a join. A connection keeps the plan of a trigger's first call: a join
 * that was planned for one invoice took half a minute for ten thousand.
 */
export const triggersWithoutJoins: Migration = {
  up: async (db) => {
    await keepSeriesUnbroken(db);
    await keepCountsWithCredits(db);
    await followPlacedPayments(db);
    await showDeliveryStatus(db);
  },
};

/** Checked for each statement that gives numbers (INV-14). */
async function keepSeriesUnbroken(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE OR REPLACE FUNCTION keep_series_unbroken() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE broken bigint;
    BEGIN
      SELECT given.company_id INTO broken
      FROM (
        SELECT company_id, min(invoice_number) AS first, max(invoice_number) AS last, count(*) AS many
        FROM (
          SELECT company_id, invoice_number FROM after_rows WHERE invoice_number IS NOT NULL
          EXCEPT SELECT company_id, invoice_number FROM before_rows
        ) numbered GROUP BY company_id
      ) given
      JOIN company ON company.id = given.company_id
      WHERE given.last - given.first + 1 <> given.many
        OR given.first <> COALESCE(
          (SELECT max(earlier.invoice_number) + 1 FROM invoice earlier
           WHERE earlier.company_id = given.company_id AND earlier.invoice_number < given.first),
          company.start_invoice_number)
        OR given.last IS DISTINCT FROM company.last_invoice_number
      LIMIT 1;
      IF broken IS NOT NULL THEN
        RAISE EXCEPTION 'the invoice numbers of company % would not be unbroken', broken
          USING ERRCODE = 'check_violation';
      END IF;
      RETURN NULL;
    END
    $$`.execute(db);
}

/** Payments that are placed settle their invoices, and are no credit of their customers any more. */
async function followPlacedPayments(db: Kysely<unknown>): Promise<void> {
  const credit = (table: string, sign: 1 | -1) => sql`
    SELECT company_id, customer_id, ${sql.lit(sign)} * amount AS amount FROM ${sql.table(table)}
    WHERE invoice_id IS NULL AND customer_id IS NOT NULL AND NOT possible_copy`;
  await sql`
    CREATE OR REPLACE FUNCTION follow_placed_payments() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM settle_invoices(company_id, array_agg(DISTINCT invoice_id))
      FROM (
        SELECT company_id, id, invoice_id FROM after_rows WHERE invoice_id IS NOT NULL
        EXCEPT SELECT company_id, id, invoice_id FROM before_rows
      ) placed GROUP BY company_id;
      UPDATE customer SET credit = credit + changed.amount
      FROM (
        SELECT company_id, customer_id, sum(amount) AS amount
        FROM (${credit('after_rows', 1)} UNION ALL ${credit('before_rows', -1)}) part
        GROUP BY company_id, customer_id HAVING sum(amount) <> 0
      ) changed
      WHERE customer.company_id = changed.company_id AND customer.id = changed.customer_id;
      RETURN NULL;
    END
    $$`.execute(db);
}

/**
 * An invoice shows the status of the latest delivery of its own document; a late bounce of an older one changes nothing
 * there.
 */
async function showDeliveryStatus(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE OR REPLACE FUNCTION show_delivery_status() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      -- Taking a lease changes no status, and happens for every delivery.
      IF TG_OP = 'UPDATE' THEN
        IF NOT EXISTS (
          SELECT company_id, id, status FROM after_rows
          EXCEPT SELECT company_id, id, status FROM before_rows)
        THEN RETURN NULL; END IF;
      END IF;
      UPDATE invoice SET delivery_status = changed.status
      FROM (
        SELECT DISTINCT ON (invoice_id) id, company_id, invoice_id, status FROM after_rows
        WHERE reminder_principal IS NULL
        ORDER BY invoice_id, id DESC
      ) changed
      WHERE invoice.company_id = changed.company_id AND invoice.id = changed.invoice_id
        AND invoice.delivery_status IS DISTINCT FROM changed.status
        -- NOT EXISTS would be planned as a join that reads all deliveries.
        AND (
          SELECT count(*) FROM delivery later
          WHERE later.company_id = changed.company_id AND later.invoice_id = changed.invoice_id
            AND later.reminder_principal IS NULL AND later.id > changed.id) = 0;
      RETURN NULL;
    END
    $$`.execute(db);
}
