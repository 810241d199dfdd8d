import { sql, type Kysely, type RawBuilder } from 'kysely';

import type { Migration } from '../migration.ts';

const LINES = ['invoice_template_line', 'invoice_line', 'assignment_line'] as const;

/** The rates that each treatment has had, as `domain/vat-treatment.ts` lists them. */
const AGREES = sql.raw(`(vat_treatment = 'STANDARD' AND vat_rate = 25)
  OR (vat_treatment = 'FOOD' AND vat_rate = 15)
  OR (vat_treatment = 'REDUCED' AND vat_rate IN (6, 12))
  OR (vat_treatment IN ('EXEMPT', 'EXPORT', 'OUTSIDE', 'REVERSE', 'NOT_REGISTERED') AND vat_rate = 0)`);

/**
 * 0065: lines have a VAT treatment, which agrees with their rate. A process of the previous version writes none: a
 * trigger fills it by the rule for lines that state a rate alone (VAT-1).
 */
export const vatTreatments: Migration = {
  up: async (db) => {
    await sql`
      CREATE FUNCTION treat_line() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.vat_treatment := CASE NEW.vat_rate
          WHEN 25 THEN 'STANDARD' WHEN 15 THEN 'FOOD' WHEN 12 THEN 'REDUCED' WHEN 6 THEN 'REDUCED'
          ELSE CASE WHEN (SELECT vat_registered FROM company WHERE id = NEW.company_id)
            THEN 'EXEMPT' ELSE 'NOT_REGISTERED' END END;
        RETURN NEW;
      END
      $$`.execute(db);
    await sql`ALTER TABLE company ADD COLUMN default_vat_treatment text`.execute(db);
    await allowFilling(db);
    for (const table of LINES) await addTreatment(db, table);
  },
};

async function addTreatment(db: Kysely<unknown>, table: string): Promise<void> {
  const [name, check] = [sql.ref(`${table}_treated`), sql.ref(`${table}_vat`)];
  await sql`ALTER TABLE ${sql.table(table)}
    ADD COLUMN vat_treatment text,
    DROP CONSTRAINT ${sql.ref(`${table}_vat_rate_check`)},
    ADD CONSTRAINT ${check} CHECK (vat_treatment IS NOT NULL AND (${AGREES})) NOT VALID`.execute(
    db,
  );
  await sql`CREATE TRIGGER ${name} BEFORE INSERT ON ${sql.table(table)}
    FOR EACH ROW WHEN (NEW.vat_treatment IS NULL) EXECUTE FUNCTION treat_line()`.execute(db);
  await sql`CREATE TRIGGER ${sql.ref(`${table}_treated_anew`)} BEFORE UPDATE ON ${sql.table(table)}
    FOR EACH ROW WHEN (NEW.vat_treatment IS NULL
      OR (NEW.vat_rate <> OLD.vat_rate AND NEW.vat_treatment = OLD.vat_treatment))
    EXECUTE FUNCTION treat_line()`.execute(db);
}

/** The lines of a registered invoice may be given a treatment once, when they have none. */
async function allowFilling(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE OR REPLACE FUNCTION freeze_invoice_line() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      parents bigint[] := CASE TG_OP
        WHEN 'INSERT' THEN ARRAY[NEW.invoice_id]
        WHEN 'DELETE' THEN ARRAY[OLD.invoice_id]
        -- A line may neither leave a registered invoice nor move to one.
        ELSE ARRAY[OLD.invoice_id, NEW.invoice_id] END;
      companies bigint[] := CASE TG_OP
        WHEN 'INSERT' THEN ARRAY[NEW.company_id]
        WHEN 'DELETE' THEN ARRAY[OLD.company_id]
        ELSE ARRAY[OLD.company_id, NEW.company_id] END;
    BEGIN
      IF TG_OP = 'UPDATE' AND OLD.vat_treatment IS NULL
        AND to_jsonb(NEW) - 'vat_treatment' = to_jsonb(OLD) - 'vat_treatment'
      THEN
        RETURN NEW;
      END IF;
      IF EXISTS (
        SELECT FROM invoice
        WHERE company_id = ANY(companies) AND id = ANY(parents) AND status <> 'DRAFT')
      THEN
        RAISE EXCEPTION 'the lines of a registered invoice never change'
          USING ERRCODE = 'check_violation';
      END IF;
      RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
    END
    $$`.execute(db);
}

/** Lines that one statement fills. */
const PART = 20_000;

const TREATMENT = (isRegistered: RawBuilder<unknown>) => sql`
  CASE vat_rate WHEN 25 THEN 'STANDARD' WHEN 15 THEN 'FOOD'
    ELSE CASE WHEN ${isRegistered} THEN 'EXEMPT' ELSE 'NOT_REGISTERED' END END`;
const REGISTERED_NOW = sql`(SELECT vat_registered FROM company WHERE id = line.company_id)`;
/** A registered invoice says whether its seller was registered. */
const REGISTERED_THEN = sql`COALESCE(
  (SELECT (seller ->> 'vatRegistered')::boolean FROM invoice
   WHERE invoice.company_id = line.company_id AND invoice.id = line.invoice_id),
  ${REGISTERED_NOW})`;

/** 0066: fills the treatments of older lines by the same rule, and checks all. */
export const vatTreatmentsFilled: Migration = {
  online: true,
  up: async (db) => {
    for (const table of ['invoice_template_line', 'assignment_line']) {
      await sql`UPDATE ${sql.table(table)} line SET vat_treatment = ${TREATMENT(REGISTERED_NOW)}
        WHERE vat_treatment IS NULL`.execute(db);
    }
    const { rows } = await sql<{ last: number }>`
      SELECT COALESCE(max(id), 0)::float8 AS last FROM invoice_line`.execute(db);
    const last = rows[0]?.last ?? 0;
    for (let after = 0; after < last; after += PART) {
      await sql`UPDATE invoice_line line SET vat_treatment = ${TREATMENT(REGISTERED_THEN)}
        WHERE id > ${after} AND id <= ${after + PART} AND vat_treatment IS NULL`.execute(db);
    }
    for (const table of LINES) {
      await sql`ALTER TABLE ${sql.table(table)} VALIDATE CONSTRAINT ${sql.ref(`${table}_vat`)}`.execute(
        db,
      );
    }
  },
};

/**
 * 0067: what EXPORT and REVERSE demand (VAT-6). A process of the previous version neither reads nor writes it.
 */
export const vatNeeds: Migration = {
  up: async (db) => {
    await sql`
      ALTER TABLE customer ADD COLUMN vat_number text,
        ADD CONSTRAINT customer_vat_number CHECK (vat_number ~ '^[A-Z]{2}[0-9A-Z]{2,13}$') NOT VALID`.execute(
      db,
    );
    await sql`
      CREATE OR REPLACE TRIGGER version BEFORE UPDATE OF customer_number, name, email, org_number,
        phone_number, address1, address2, postal_code, city, search_text, country, contact_name,
        invoice_emails, reference, due_days, delivery_type, is_private, vat_number ON customer
      FOR EACH ROW EXECUTE FUNCTION count_version()`.execute(db);
    await sql`
      ALTER TABLE invoice ADD COLUMN delivery_country text, ADD COLUMN buyer_vat_number text,
        ADD CONSTRAINT invoice_delivery_country CHECK (delivery_country ~ '^[A-Z]{2}$') NOT VALID`.execute(
      db,
    );
  },
};

/** 0068 */
export const vatNeedsValidated: Migration = {
  online: true,
  up: async (db) => {
    await sql`ALTER TABLE customer VALIDATE CONSTRAINT customer_vat_number`.execute(db);
    await sql`ALTER TABLE invoice VALIDATE CONSTRAINT invoice_delivery_country`.execute(db);
  },
};
