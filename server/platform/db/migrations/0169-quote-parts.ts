import { sql, type Kysely } from 'kysely';

import { createIndex, type Migration } from '../migration.ts';

/**
 * 0169: what invoices take of quotes (QUO-50 to QUO-54). An invoice names its quote itself, because a quote that was sent
 * never changes.
 */
export const quoteParts: Migration = {
  up: async (db) => {
    await sql`
      ALTER TABLE invoice
        -- { uuid, quoteNumber, estimate }
        ADD COLUMN source_quote jsonb,
        ADD CONSTRAINT invoice_source_quote CHECK (source_quote IS NULL OR (kind = 'INVOICE'
          AND jsonb_typeof(source_quote -> 'uuid') = 'string' AND jsonb_typeof(source_quote -> 'quoteNumber') = 'number'
          AND jsonb_typeof(source_quote -> 'estimate') IN ('number', 'null'))) NOT VALID`.execute(
      db,
    );
    // No version has written a part yet.
    await sql`
      ALTER TABLE quote_part
        DROP COLUMN percent,
        DROP COLUMN quantity,
        -- The share of the line, over ten thousand for each thousandth of its quantity: percents and quantities are whole.
        ADD COLUMN share numeric NOT NULL CHECK (share > 0 AND share = trunc(share)),
        ADD CONSTRAINT quote_part_once UNIQUE (company_id, invoice_id, line_id)`.execute(db);
    await sql`DROP INDEX quote_part_of_invoice`.execute(db);
    await keepWhatIsLeft(db);
    await keepParts(db);
    await followParts(db);
  },
};

/** 0170. */
export const quotePartsValidated: Migration = {
  online: true,
  up: async (db) => {
    await sql`ALTER TABLE invoice VALIDATE CONSTRAINT invoice_source_quote`.execute(db);
    const on = sql`invoice (company_id, (source_quote ->> 'uuid')) WHERE source_quote IS NOT NULL`;
    await createIndex(db, { name: 'invoice_of_quote', on });
  },
};

/** The list counts open quotes and sums what is left of them, so both are kept with the quote. */
async function keepWhatIsLeft(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE quote
      -- The rest of an accepted quote, which no invoice took: øre without VAT.
      ADD COLUMN left_net bigint,
      ADD CONSTRAINT quote_left_net CHECK ((state = 'ACCEPTED') = (left_net IS NOT NULL))`.execute(
    db,
  );
  await sql`
    CREATE INDEX quote_open ON quote (company_id, state, sent_valid_until) INCLUDE (left_net)
      WHERE state IN ('DRAFT', 'SENT', 'ACCEPTED') AND invoiced <> 'ALL'`.execute(db);
  await sql`
    CREATE FUNCTION begin_quote_left() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      SELECT net_amount INTO NEW.left_net FROM quote_revision
      WHERE company_id = NEW.company_id AND quote_id = NEW.id AND revision = NEW.sent_revision;
      RETURN NEW;
    END
    $$`.execute(db);
  await sql`
    CREATE TRIGGER quote_accepted BEFORE UPDATE ON quote
      FOR EACH ROW WHEN (NEW.state = 'ACCEPTED' AND OLD.state <> 'ACCEPTED')
      EXECUTE FUNCTION begin_quote_left()`.execute(db);
}

async function keepParts(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION keep_part() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      -- It goes with the draft of its invoice.
      IF TG_OP = 'DELETE' AND NOT EXISTS (
        SELECT FROM invoice WHERE company_id = OLD.company_id AND id = OLD.invoice_id)
      THEN RETURN OLD; END IF;
      RAISE EXCEPTION 'a part of a quote never changes' USING ERRCODE = 'check_violation';
    END
    $$`.execute(db);
  await sql`
    CREATE TRIGGER quote_part_kept BEFORE DELETE OR UPDATE ON quote_part
      FOR EACH ROW EXECUTE FUNCTION keep_part()`.execute(db);
}

async function followParts(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION follow_quote(of_company bigint, of_quote bigint) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      sums record;
    BEGIN
      -- The lock comes first, so what is read after it includes what others have committed.
      PERFORM FROM quote WHERE company_id = of_company AND id = of_quote FOR NO KEY UPDATE;
      SELECT sum(taken.net) AS net, bool_and(taken.share = line.whole) AS is_all, sum(taken.share) > 0 AS is_any,
        bool_or(taken.share > line.whole OR taken.net NOT BETWEEN LEAST(0, line.net) AND GREATEST(0, line.net)
          OR taken.share = line.whole AND taken.net <> line.net) AS is_wrong,
        sum(taken.parts) AS parts
      INTO sums
      FROM (
        SELECT line.id, (line.quantity * 1000::numeric + line.thousandths) * 10000 AS whole,
          line_net(line.quantity, line.thousandths, line.net_unit_amount) AS net
        FROM quote_line line
        JOIN quote ON quote.company_id = of_company AND quote.id = of_quote
          AND line.revision = quote.sent_revision
        WHERE line.company_id = of_company AND line.quote_id = of_quote
      ) line
      CROSS JOIN LATERAL (
        SELECT COALESCE(sum(part.share), 0) AS share, COALESCE(sum(part.net), 0) AS net, count(*) AS parts
        FROM quote_part part
        JOIN invoice ON invoice.company_id = of_company AND invoice.id = part.invoice_id
        WHERE part.company_id = of_company AND part.quote_id = of_quote AND part.line_id = line.id
          AND invoice.status <> 'CANCELLED'
      ) taken;
      IF sums.is_wrong OR sums.parts <> (
        SELECT count(*) FROM quote_part part
        JOIN invoice ON invoice.company_id = of_company AND invoice.id = part.invoice_id
        WHERE part.company_id = of_company AND part.quote_id = of_quote AND invoice.status <> 'CANCELLED')
      THEN
        RAISE EXCEPTION 'no more is taken of a quote than its lines have' USING ERRCODE = 'check_violation';
      END IF;
      UPDATE quote SET
        invoiced = CASE WHEN sums.is_all THEN 'ALL' WHEN sums.is_any THEN 'PART' ELSE 'NONE' END,
        invoiced_net = sums.net,
        left_net = invoiced_net + left_net - sums.net
      WHERE company_id = of_company AND id = of_quote;
    END
    $$`.execute(db);
  await sql`
    CREATE FUNCTION follow_parts() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM follow_quote(company_id, quote_id)
      FROM (SELECT DISTINCT company_id, quote_id FROM changed ORDER BY company_id, quote_id) followed;
      RETURN NULL;
    END
    $$`.execute(db);
  await sql`
    CREATE TRIGGER quote_part_added AFTER INSERT ON quote_part REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION follow_parts()`.execute(db);
  await sql`
    CREATE TRIGGER quote_part_gone AFTER DELETE ON quote_part REFERENCING OLD TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION follow_parts()`.execute(db);
  await sql`
    CREATE FUNCTION give_parts_back() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM follow_quote(NEW.company_id, quote_id)
      FROM (SELECT DISTINCT quote_id FROM quote_part WHERE company_id = NEW.company_id AND invoice_id = NEW.id) given;
      RETURN NULL;
    END
    $$`.execute(db);
  await sql`
    CREATE TRIGGER invoice_parts_given_back AFTER UPDATE ON invoice FOR EACH ROW
      WHEN (NEW.source_quote IS NOT NULL AND NEW.status = 'CANCELLED' AND OLD.status <> 'CANCELLED')
      EXECUTE FUNCTION give_parts_back()`.execute(db);
}
