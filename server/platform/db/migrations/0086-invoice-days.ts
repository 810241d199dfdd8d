import { sql, type Kysely, type RawBuilder } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * 0086: sums of a company's invoices by day and due date, so that the overview of a million invoices reads thousands of
 * rows. Triggers keep them.
 */
export const invoiceDays: Migration = {
  up: async (db) => {
    await sql`
      -- Amounts are øre, numeric because a sum of many may exceed a bigint.
      CREATE TABLE invoice_day (
        company_id bigint NOT NULL REFERENCES company (id) ON DELETE CASCADE,
        day date NOT NULL,
        due_date date NOT NULL,
        -- Sums of the documents issued on the day, less credit notes.
        net_amount numeric NOT NULL,
        vat_amount numeric NOT NULL,
        -- How the day changed what is owed of the invoices that are due on the due date, and their number.
        outstanding_amount numeric NOT NULL,
        outstanding bigint NOT NULL,
        PRIMARY KEY (company_id, day, due_date)
      )`.execute(db);
    await countDays(db);
    await followPayments(db);
    await followRegistrations(db);
  },
};

/** 0087: the sums of the companies that have invoices already, one company at a time. */
export const invoiceDaysFilled: Migration = {
  online: true,
  up: async (db) => {
    for (let after: string | undefined = '0'; after !== undefined;) {
      const { rows }: { rows: { id: string }[] } = await sql<{ id: string }>`
        SELECT id::text FROM company
        WHERE id > ${after}::bigint AND last_invoice_number IS NOT NULL
        ORDER BY id LIMIT 1000`.execute(db);
      for (const { id } of rows) await sql`SELECT count_invoice_days(${id}::bigint)`.execute(db);
      after = rows.at(-1)?.id;
    }
  },
};

/** Conditions on `invoice`, `note` and `payment`. */
interface Some {
  readonly invoices: RawBuilder<unknown>;
  /** Whether the row is new, so that its effect is not in the sums. */
  readonly isNew: Readonly<Record<'invoice' | 'note' | 'payment', RawBuilder<unknown>>>;
  /** Keeps the planner from reading all notes and payments of the company for a few invoices. */
  readonly fence: RawBuilder<unknown>;
}

const YES = sql`true`;
const ALL: Some = {
  invoices: YES,
  isNew: { invoice: YES, note: YES, payment: YES },
  fence: sql``,
};

/**
 * How new rows change what is owed of invoices of `company`, day by day. Nothing is owed before the issue date, so an
 * earlier payment counts from then.
 */
function stepsOf({ invoices, isNew, fence }: Some): RawBuilder<unknown> {
  return sql`
    SELECT day, due_date, sum(added) AS amount,
      sum((rest > 0)::integer - (rest - amount > 0)::integer
        - (before > 0)::integer + (before - amount + added > 0)::integer) AS many
    FROM (
      SELECT day, due_date, sum(amount) AS amount, sum(added) AS added,
        sum(sum(amount)) OVER (PARTITION BY id ORDER BY day) AS rest,
        sum(sum(amount - added)) OVER (PARTITION BY id ORDER BY day) AS before
      FROM (
        SELECT id, due_date, day, amount, CASE WHEN is_new THEN amount ELSE 0 END AS added
        FROM (
          SELECT id, due_date, issue_date AS day, gross_amount AS amount,
            ${isNew.invoice} AS is_new
          FROM invoice
          WHERE company_id = company AND kind = 'INVOICE' AND status <> 'DRAFT' AND ${invoices}
          UNION ALL
          SELECT invoice.id, invoice.due_date, GREATEST(note.issue_date, invoice.issue_date),
            -note.gross_amount, ${isNew.note}
          FROM invoice CROSS JOIN LATERAL (
            SELECT id, issue_date, gross_amount FROM invoice note
            WHERE note.company_id = company AND note.credits_invoice_id = invoice.id
              AND note.status <> 'DRAFT' ${fence}
          ) note
          WHERE invoice.company_id = company AND ${invoices}
          UNION ALL
          SELECT invoice.id, invoice.due_date, GREATEST(${BOOKED_ON}, invoice.issue_date),
            payment.reminder_amount - payment.amount, ${isNew.payment}
          FROM invoice CROSS JOIN LATERAL (
            SELECT id, kind, undoes_id, paid_on, amount, reminder_amount FROM payment
            WHERE payment.company_id = company AND payment.invoice_id = invoice.id ${fence}
          ) payment
          WHERE invoice.company_id = company AND ${invoices}
        ) event
      ) part GROUP BY id, due_date, day
    ) step GROUP BY day, due_date`;
}

/** A row that takes back a reversal is booked on the day of what it takes back. */
const BOOKED_ON = sql`CASE
  WHEN payment.kind = 'PAYMENT' AND payment.undoes_id IS NOT NULL THEN (
    SELECT taken.paid_on FROM payment taken
    WHERE taken.company_id = company AND taken.id = payment.undoes_id)
  ELSE payment.paid_on END`;

/** The columns of the sums in a statement that may be merged into rows that exist. */
const INTO = sql`INSERT INTO invoice_day AS total
  (company_id, day, due_date, net_amount, vat_amount, outstanding_amount, outstanding)`;

// One order of locks, so that two transactions never wait for each other.
const MERGED = sql`ORDER BY company_id, day, due_date
  ON CONFLICT (company_id, day, due_date) DO UPDATE SET
    net_amount = total.net_amount + excluded.net_amount,
    vat_amount = total.vat_amount + excluded.vat_amount,
    outstanding_amount = total.outstanding_amount + excluded.outstanding_amount,
    outstanding = total.outstanding + excluded.outstanding`;

async function countDays(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION invoice_days(company bigint) RETURNS TABLE (
      day date, due_date date, net_amount numeric, vat_amount numeric,
      outstanding_amount numeric, outstanding bigint)
    LANGUAGE sql STABLE AS $$
      SELECT day, due_date, sum(net), sum(vat), sum(amount), sum(many)::bigint FROM (
        SELECT issue_date AS day, due_date, ${SIGN} * net_amount AS net, ${SIGN} * vat_amount AS vat,
          0 AS amount, 0 AS many
        FROM invoice WHERE company_id = company AND status <> 'DRAFT'
        UNION ALL
        SELECT day, due_date, 0, 0, amount, many FROM (${stepsOf(ALL)}) owed
      ) part GROUP BY day, due_date
    $$`.execute(db);
  await sql`
    CREATE FUNCTION count_invoice_days(company bigint) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      -- The lock comes first, so what is read after it includes what others have committed.
      PERFORM FROM invoice_count WHERE company_id = company FOR NO KEY UPDATE;
      DELETE FROM invoice_day WHERE company_id = company;
      ${INTO} SELECT company, days.* FROM invoice_days(company) days;
    END
    $$`.execute(db);
}

const SIGN = sql`CASE kind WHEN 'INVOICE' THEN 1 ELSE -1 END`;

async function followPayments(db: Kysely<unknown>): Promise<void> {
  const changed: Some = {
    invoices: sql`invoice.id = ANY(invoices)`,
    isNew: {
      invoice: sql`false`,
      note: sql`note.id IN (SELECT unnest(new_notes))`,
      payment: sql`payment.id IN (SELECT unnest(new_payments))`,
    },
    fence: sql`OFFSET 0`,
  };
  await sql`
    -- Adds the effect of new credit notes and payments on their invoices.
    CREATE FUNCTION follow_invoice_days(
      company bigint, invoices bigint[], new_notes bigint[], new_payments bigint[])
    RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM FROM invoice_count WHERE company_id = company FOR NO KEY UPDATE;
      ${INTO}
      SELECT company AS company_id, day, due_date, 0, 0, amount, many
      FROM (${stepsOf(changed)}) change WHERE amount <> 0 OR many <> 0
      ${MERGED};
    END
    $$`.execute(db);
  await sql`
    CREATE FUNCTION follow_payment_days() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        PERFORM follow_invoice_days(company_id, array_agg(DISTINCT invoice_id), '{}', array_agg(id))
        FROM after_rows WHERE invoice_id IS NOT NULL GROUP BY company_id;
      ELSE
        PERFORM follow_invoice_days(company_id, array_agg(DISTINCT invoice_id), '{}', array_agg(id))
        FROM (
          SELECT company_id, invoice_id, id FROM after_rows WHERE invoice_id IS NOT NULL
          EXCEPT SELECT company_id, invoice_id, id FROM before_rows
        ) placed GROUP BY company_id;
      END IF;
      RETURN NULL;
    END
    $$`.execute(db);
  // Their names come after those of the triggers that settle the invoices, which lock them.
  await sql`
    CREATE TRIGGER payment_summed AFTER INSERT ON payment REFERENCING NEW TABLE AS after_rows
      FOR EACH STATEMENT EXECUTE FUNCTION follow_payment_days()`.execute(db);
  await sql`
    CREATE TRIGGER payment_summed_placed AFTER UPDATE ON payment
      REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows
      FOR EACH STATEMENT EXECUTE FUNCTION follow_payment_days()`.execute(db);
}

/** Documents never change once they are registered, so before and after differ in those that this registers. */
async function followRegistrations(db: Kysely<unknown>): Promise<void> {
  const registered = (table: string, sign: number) => sql`
    SELECT company_id, issue_date AS day, due_date, ${SIGN} * ${sql.lit(sign)} * net_amount AS net,
      ${SIGN} * ${sql.lit(sign)} * vat_amount AS vat,
      CASE kind WHEN 'INVOICE' THEN ${sql.lit(sign)} * gross_amount ELSE 0 END AS amount,
      CASE WHEN kind = 'INVOICE' AND gross_amount > 0 THEN ${sql.lit(sign)} ELSE 0 END AS many
    FROM ${sql.table(table)} WHERE status <> 'DRAFT'`;
  const notes = (table: string) => sql`
    SELECT company_id, credits_invoice_id, id FROM ${sql.table(table)}
    WHERE kind = 'CREDIT_NOTE' AND status <> 'DRAFT'`;
  await sql`
    CREATE FUNCTION follow_registered_days() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      ${INTO}
      SELECT company_id, day, due_date, sum(net), sum(vat), sum(amount), sum(many)
      FROM (${registered('after_rows', 1)} UNION ALL ${registered('before_rows', -1)}) changed
      GROUP BY company_id, day, due_date
      HAVING sum(net) <> 0 OR sum(vat) <> 0 OR sum(amount) <> 0 OR sum(many) <> 0
      ${MERGED};
      PERFORM follow_invoice_days(company_id, array_agg(DISTINCT credits_invoice_id), array_agg(id), '{}')
      FROM (${notes('after_rows')} EXCEPT ${notes('before_rows')}) registered GROUP BY company_id;
      RETURN NULL;
    END
    $$`.execute(db);
  // Its name comes after that of the trigger that counts, which locks the company's counts.
  await sql`
    CREATE TRIGGER invoice_summed AFTER UPDATE ON invoice
      REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows
      FOR EACH STATEMENT EXECUTE FUNCTION follow_registered_days()`.execute(db);
}
