import { sql, type Kysely } from 'kysely';

import { createIndex, type Migration } from '../migration.ts';
import { countCredits } from './0074-credits-counted.ts';

/** 0073: finds the credit notes of an invoice, in place of the constraint that allowed one alone. */
export const creditNotesIndex: Migration = {
  online: true,
  up: async (db) => {
    await createIndex(db, {
      name: 'invoice_credit_notes',
      on: sql`invoice (company_id, credits_invoice_id) WHERE credits_invoice_id IS NOT NULL`,
    });
  },
};

/**
 * 0074: an invoice may have several credit notes, each for a part of it (CRE-1). Triggers keep their sums: per line, per
 * VAT treatment and in total. A process of the previous version credits all of an invoice that has no note.
 */
export const credits: Migration = {
  up: async (db) => {
    await addColumns(db);
    await sumCredits(db);
    await followNotes(db);
    await countCredits(db);
  },
};

/** 0075 */
export const creditsValidated: Migration = {
  online: true,
  up: async (db) => {
    for (const name of ['invoice_credited', 'invoice_of_note']) {
      await sql`ALTER TABLE invoice VALIDATE CONSTRAINT ${sql.ref(name)}`.execute(db);
    }
  },
};

async function addColumns(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE invoice
      DROP CONSTRAINT invoice_credits_invoice_id_key,
      -- Øre with VAT of its credit notes, and the day of the last one that came before it was paid.
      ADD COLUMN credited_amount bigint NOT NULL DEFAULT 0,
      ADD COLUMN credited_on date,
      -- Set on a credit note for a part of its invoice, or for the rest after parts; and its VAT per treatment
      -- where that differs from its lines.
      ADD COLUMN credit_extent text,
      ADD COLUMN vat_subtotals jsonb,
      ADD CONSTRAINT invoice_credited CHECK ((credited_amount = 0 AND credited_on IS NULL)
        OR (kind = 'INVOICE' AND status <> 'DRAFT'
          AND (credited_amount >= 0 AND credited_amount <= gross_amount))) NOT VALID,
      ADD CONSTRAINT invoice_of_note CHECK ((credit_extent IS NULL AND vat_subtotals IS NULL)
        OR (kind = 'CREDIT_NOTE' AND credit_extent IS NOT NULL AND credit_extent IN ('PART', 'REST')))
        NOT VALID`.execute(db);
  // The line that a line of a credit note credits; null on one that reduces the price.
  await sql`ALTER TABLE invoice_line ADD COLUMN credits_line_id bigint`.execute(db);
  // Until now a credit note was for all of its invoice.
  await sql`ALTER TABLE invoice DISABLE TRIGGER USER`.execute(db);
  await sql`
    UPDATE invoice SET credited_amount = gross_amount WHERE status = 'CANCELLED'`.execute(db);
  await sql`ALTER TABLE invoice ENABLE TRIGGER USER`.execute(db);
}

async function sumCredits(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION line_net(quantity bigint, thousandths smallint, price bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE AS $$
      SELECT round((quantity + thousandths * 0.001) * price)::bigint
    $$`.execute(db);
  await sql`
    -- The sums of an invoice or credit note, per treatment and rate.
    CREATE FUNCTION vat_of_invoice(of_company bigint, of_invoice bigint)
    RETURNS TABLE (vat_treatment text, vat_rate integer, net bigint, vat bigint)
    LANGUAGE sql STABLE AS $$
      SELECT part."vatTreatment", part."vatRate", part.net, part.vat
      FROM invoice, jsonb_to_recordset(invoice.vat_subtotals)
        AS part ("vatTreatment" text, "vatRate" integer, net bigint, vat bigint)
      WHERE invoice.company_id = of_company AND invoice.id = of_invoice
      UNION ALL
      SELECT part.vat_treatment, part.vat_rate, part.net, round(part.net * part.vat_rate / 100.0)::bigint
      FROM (
        SELECT line.vat_treatment, line.vat_rate,
          sum(line_net(line.quantity, line.thousandths, line.net_unit_amount))::bigint AS net
        FROM invoice JOIN invoice_line line
          ON line.company_id = invoice.company_id AND line.invoice_id = invoice.id
        WHERE invoice.company_id = of_company AND invoice.id = of_invoice
          AND invoice.vat_subtotals IS NULL
        GROUP BY line.vat_treatment, line.vat_rate
      ) part
    $$`.execute(db);
  await sql`
    -- The sums of an invoice's credit notes, per treatment and rate.
    CREATE FUNCTION credited_vat(of_company bigint, of_invoice bigint)
    RETURNS TABLE (vat_treatment text, vat_rate integer, net bigint, vat bigint)
    LANGUAGE sql STABLE AS $$
      SELECT part.vat_treatment, part.vat_rate, sum(part.net)::bigint, sum(part.vat)::bigint
      FROM invoice note CROSS JOIN LATERAL vat_of_invoice(note.company_id, note.id) part
      WHERE note.company_id = of_company AND note.credits_invoice_id = of_invoice
        AND note.status <> 'DRAFT'
      GROUP BY part.vat_treatment, part.vat_rate
    $$`.execute(db);
  await sql`
    -- The sums of an invoice's credit notes, per line. A line at the same price counts as a quantity, another one as an
    -- amount alone.
    CREATE FUNCTION credited_lines(of_company bigint, of_invoice bigint)
    RETURNS TABLE (line_id bigint, quantity numeric, net bigint)
    LANGUAGE sql STABLE AS $$
      SELECT line.credits_line_id,
        COALESCE(sum(line.quantity + line.thousandths * 0.001)
          FILTER (WHERE line.net_unit_amount = own.net_unit_amount), 0),
        sum(line_net(line.quantity, line.thousandths, line.net_unit_amount))::bigint
      FROM invoice note JOIN invoice_line line
        ON line.company_id = note.company_id AND line.invoice_id = note.id
      LEFT JOIN invoice_line own ON own.company_id = line.company_id AND own.id = line.credits_line_id
      WHERE note.company_id = of_company AND note.credits_invoice_id = of_invoice
        AND note.status <> 'DRAFT' AND line.credits_line_id IS NOT NULL
      GROUP BY line.credits_line_id
    $$`.execute(db);
}

async function followNotes(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION follow_credit_note() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      credited invoice;
      amount numeric;
      is_all boolean;
    BEGIN
      -- The lock comes first, so what is read after it includes what others have committed.
      SELECT * INTO credited FROM invoice
      WHERE company_id = NEW.company_id AND id = NEW.credits_invoice_id FOR NO KEY UPDATE;
      SELECT sum(gross_amount) INTO amount FROM invoice
      WHERE company_id = NEW.company_id AND credits_invoice_id = credited.id AND status <> 'DRAFT';
      IF credited.kind <> 'INVOICE' OR credited.status = 'DRAFT' OR amount > credited.gross_amount
        OR NOT EXISTS (
          SELECT FROM vat_of_invoice(NEW.company_id, NEW.id)
          HAVING sum(net) = NEW.net_amount AND sum(vat) = NEW.vat_amount)
        OR EXISTS (
          SELECT FROM credited_vat(NEW.company_id, credited.id) part
          LEFT JOIN vat_of_invoice(NEW.company_id, credited.id) own USING (vat_treatment, vat_rate)
          WHERE part.net NOT BETWEEN LEAST(0, COALESCE(own.net, 0)) AND GREATEST(0, COALESCE(own.net, 0))
            OR part.vat NOT BETWEEN LEAST(0, COALESCE(own.vat, 0)) AND GREATEST(0, COALESCE(own.vat, 0))
            OR (part.net = own.net AND part.vat <> own.vat))
        OR EXISTS (
          SELECT FROM credited_lines(NEW.company_id, credited.id) part
          LEFT JOIN invoice_line own ON own.company_id = NEW.company_id AND own.id = part.line_id
            AND own.invoice_id = credited.id
          CROSS JOIN LATERAL line_net(own.quantity, own.thousandths, own.net_unit_amount) whole
          WHERE own.id IS NULL OR part.quantity > own.quantity + own.thousandths * 0.001
            OR part.net NOT BETWEEN LEAST(0, whole) AND GREATEST(0, whole))
      THEN
        RAISE EXCEPTION 'an invoice is not credited beyond its lines and sums'
          USING ERRCODE = 'check_violation';
      END IF;
      is_all := NOT EXISTS (
        SELECT FROM vat_of_invoice(NEW.company_id, credited.id) own
        LEFT JOIN credited_vat(NEW.company_id, credited.id) part USING (vat_treatment, vat_rate)
        WHERE own.net <> COALESCE(part.net, 0));
      UPDATE invoice SET
        credited_amount = amount,
        credited_on = CASE WHEN status = 'PAID' THEN credited_on
          ELSE GREATEST(credited_on, NEW.issue_date) END,
        status = CASE WHEN is_all THEN 'CANCELLED' ELSE status END
      WHERE company_id = NEW.company_id AND id = credited.id;
      -- The payments may cover all that is left.
      IF NOT is_all AND credited.status = 'REGISTERED' AND credited.paid_amount > 0
        AND credited.paid_amount = credited.gross_amount - amount
      THEN
        PERFORM settle_invoices(NEW.company_id, ARRAY[credited.id]);
      END IF;
      RETURN NULL;
    END
    $$`.execute(db);
  await sql`
    CREATE TRIGGER credit_note_followed AFTER UPDATE ON invoice FOR EACH ROW
      WHEN (NEW.kind = 'CREDIT_NOTE' AND OLD.status = 'DRAFT' AND NEW.status <> 'DRAFT')
      EXECUTE FUNCTION follow_credit_note()`.execute(db);
  await sql`
    -- Judged when the transaction ends: what was paid beyond the rest becomes credit after the note.
    CREATE FUNCTION keep_credited() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (
        SELECT FROM invoice WHERE company_id = NEW.company_id AND id = NEW.id
          AND (paid_amount > gross_amount - credited_amount
            OR (status = 'CANCELLED' AND credited_amount <> gross_amount)))
      THEN
        RAISE EXCEPTION 'an invoice is cancelled by credit notes for all of it, and takes no more than what they leave'
          USING ERRCODE = 'check_violation';
      END IF;
      RETURN NULL;
    END
    $$`.execute(db);
  await sql`
    CREATE CONSTRAINT TRIGGER invoice_credited_kept AFTER UPDATE ON invoice
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
      WHEN (NEW.credited_amount <> OLD.credited_amount
        OR (NEW.status = 'CANCELLED' AND OLD.status <> 'CANCELLED'))
      EXECUTE FUNCTION keep_credited()`.execute(db);
}
