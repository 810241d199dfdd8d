import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * 0108: registering costs less. A document is judged by one trigger, not by three; credit notes are looked for only where
 * one is registered; open invoices are listed by `invoice_by_due_date`, which differs from the index that goes by a status.
 */
export const fewerTriggers: Migration = {
  up: async (db) => {
    await judgeDocumentsOnce(db);
    await followRegistrations(db);
    await sql`DROP INDEX IF EXISTS invoice_owed`.execute(db);
  },
};

/**
 * New documents continue the company's chain up to the last number given, and name the message, from version 3 on, and the
 * attachments; the company then records the chain's new end.
 */
async function judgeDocumentsOnce(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE OR REPLACE FUNCTION extend_chain() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE broken text;
    BEGIN
      SELECT linked.fault INTO broken
      FROM (
        SELECT CASE
          WHEN one.kind = 'INVOICE' AND one.version < 3 AND one.message IS NOT NULL
          THEN 'the document of an invoice would be without its message'
          -- Quotation marks that people write are escaped in JSON, so a text cannot name a file by chance.
          WHEN one.kind = 'INVOICE' AND EXISTS (
            SELECT FROM attachment
            WHERE attachment.company_id = one.company_id AND attachment.invoice_id = one.invoice_id
              AND position('"sha256":"' || encode(attachment.sha256, 'hex') || '"' IN one.content) = 0)
          THEN 'the document of an invoice would be without its attachments'
          WHEN one.number IS NULL OR one.kind <> one.invoice_kind
            OR one.hash <> sha256(COALESCE(one.previous_hash, '') || convert_to(one.content, 'UTF8'))
            OR one.previous_hash IS DISTINCT FROM
              CASE one.place WHEN 1 THEN company.last_document_hash ELSE one.before END
            OR one.is_last AND one.number IS DISTINCT FROM company.last_invoice_number
          THEN 'the chain of documents of company ' || company.id || ' would be broken'
          END AS fault
        FROM (
          SELECT added.company_id, added.invoice_id, added.version, added.previous_hash, added.hash,
            added.content, added.kind, invoice.kind AS invoice_kind, invoice.message,
            invoice.invoice_number AS number,
            lag(added.hash) OVER series AS before, row_number() OVER series AS place,
            lead(added.hash) OVER series IS NULL AS is_last
          FROM added
          JOIN invoice ON invoice.company_id = added.company_id AND invoice.id = added.invoice_id
          WHERE added.kind <> 'REMINDER'
          WINDOW series AS (PARTITION BY added.company_id ORDER BY invoice.invoice_number)
        ) one
        JOIN company ON company.id = one.company_id
      ) linked
      WHERE linked.fault IS NOT NULL
      LIMIT 1;
      IF broken IS NOT NULL THEN
        RAISE EXCEPTION '%', broken USING ERRCODE = 'check_violation';
      END IF;
      UPDATE company SET last_document_hash = added.hash
      FROM added
      JOIN invoice ON invoice.company_id = added.company_id AND invoice.id = added.invoice_id
      WHERE company.id = added.company_id AND added.kind <> 'REMINDER'
        AND invoice.invoice_number = company.last_invoice_number;
      RETURN NULL;
    END
    $$`.execute(db);
  await sql`DROP TRIGGER document_message ON document`.execute(db);
  await sql`DROP TRIGGER document_attachments ON document`.execute(db);
  await sql`DROP FUNCTION keep_message()`.execute(db);
  await sql`DROP FUNCTION name_attachments()`.execute(db);
}

/** Adds what an update registers to the sums by day, as in 0086, and looks for credit notes only where there is one. */
async function followRegistrations(db: Kysely<unknown>): Promise<void> {
  const registered = (table: string, sign: number) => sql`
    SELECT company_id, issue_date AS day, due_date,
      ${sql.lit(sign)} * CASE kind WHEN 'INVOICE' THEN net_amount ELSE -net_amount END AS net,
      ${sql.lit(sign)} * CASE kind WHEN 'INVOICE' THEN vat_amount ELSE -vat_amount END AS vat,
      CASE kind WHEN 'INVOICE' THEN ${sql.lit(sign)} * gross_amount ELSE 0 END AS amount,
      CASE WHEN kind = 'INVOICE' AND gross_amount > 0 THEN ${sql.lit(sign)} ELSE 0 END AS many
    FROM ${sql.table(table)} WHERE status <> 'DRAFT'`;
  const notes = (table: string) => sql`
    SELECT company_id, credits_invoice_id, id FROM ${sql.table(table)}
    WHERE kind = 'CREDIT_NOTE' AND status <> 'DRAFT'`;
  await sql`
    CREATE OR REPLACE FUNCTION follow_registered_days() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO invoice_day AS total
        (company_id, day, due_date, net_amount, vat_amount, outstanding_amount, outstanding)
      SELECT company_id, day, due_date, sum(net), sum(vat), sum(amount), sum(many)
      FROM (${registered('after_rows', 1)} UNION ALL ${registered('before_rows', -1)}) changed
      GROUP BY company_id, day, due_date
      HAVING sum(net) <> 0 OR sum(vat) <> 0 OR sum(amount) <> 0 OR sum(many) <> 0
      -- One order of locks, so that two transactions never wait for each other.
      ORDER BY company_id, day, due_date
      ON CONFLICT (company_id, day, due_date) DO UPDATE SET
        net_amount = total.net_amount + excluded.net_amount,
        vat_amount = total.vat_amount + excluded.vat_amount,
        outstanding_amount = total.outstanding_amount + excluded.outstanding_amount,
        outstanding = total.outstanding + excluded.outstanding;
      IF EXISTS (${notes('after_rows')}) THEN
        PERFORM follow_invoice_days(company_id, array_agg(DISTINCT credits_invoice_id), array_agg(id), '{}')
        FROM (${notes('after_rows')} EXCEPT ${notes('before_rows')}) registered GROUP BY company_id;
      END IF;
      RETURN NULL;
    END
    $$`.execute(db);
}
