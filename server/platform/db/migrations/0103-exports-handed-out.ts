import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * 0103: exports know whether their file was fetched and their link refused, since what nobody got is exported again
 * (EXP-6); what a `since_last` has, as ranges, because what is new may lie between two exports; and the accounts and the
 * seller that there were when they were asked for (EXP-7).
 */
export const exportsHandedOut: Migration = {
  up: async (db) => {
    await sql`
      ALTER TABLE export
        ADD COLUMN fetched_at timestamptz,
        -- Until then the process that makes the file for a fetch is taken to be alive.
        ADD COLUMN leased_until timestamptz,
        ADD COLUMN link_refused_at timestamptz`.execute(db);
    await sql`
      CREATE TABLE export_basis (
        company_id bigint NOT NULL,
        export_id bigint NOT NULL,
        seller jsonb NOT NULL,
        settings jsonb NOT NULL,
        PRIMARY KEY (company_id, export_id),
        FOREIGN KEY (company_id, export_id) REFERENCES export (company_id, id),
        CONSTRAINT export_basis_seller CHECK (jsonb_typeof(seller) = 'object'),
        CONSTRAINT export_basis_settings CHECK (jsonb_typeof(settings) = 'object')
      )`.execute(db);
    await sql`
      CREATE TABLE export_range (
        company_id bigint NOT NULL,
        export_id bigint NOT NULL,
        "position" integer NOT NULL CHECK ("position" > 0),
        -- Documents and payments that came after one moment and by another; each is a number and the id of a payment.
        after_number bigint NOT NULL CHECK (after_number >= 0),
        after_payment_id bigint NOT NULL CHECK (after_payment_id >= 0),
        through_number bigint NOT NULL,
        through_payment_id bigint NOT NULL,
        -- They are dated within these days.
        from_date date,
        to_date date,
        PRIMARY KEY (company_id, export_id, "position"),
        FOREIGN KEY (company_id, export_id) REFERENCES export (company_id, id),
        CONSTRAINT export_range_order CHECK (
          after_number <= through_number AND after_payment_id <= through_payment_id AND from_date <= to_date)
      )`.execute(db);
    await keepExports(db);
    await keepContents(db);
  },
};

/** Replaces the trigger that keeps exports: a file is fetched, and a link refused, once and for all. */
async function keepExports(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE OR REPLACE FUNCTION keep_export() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE changing text[] := '{state,attempt,failures,progress,sha256,size,expires_at,deleted_at,told_at,link_sent_at,fetched_at,link_refused_at,leased_until}';
    BEGIN
      IF TG_OP <> 'UPDATE' THEN
        RAISE EXCEPTION 'an export stays in the control trail' USING ERRCODE = 'check_violation';
      END IF;
      IF (to_jsonb(NEW) - changing) IS DISTINCT FROM (to_jsonb(OLD) - changing)
        OR NEW.attempt < OLD.attempt
        OR OLD.deleted_at <> NEW.deleted_at OR (OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL)
        OR (OLD.fetched_at IS NOT NULL AND NEW.fetched_at IS DISTINCT FROM OLD.fetched_at)
        OR OLD.expires_at IS DISTINCT FROM NEW.expires_at AND OLD.state = 'DONE'
      THEN
        RAISE EXCEPTION 'what was exported never changes' USING ERRCODE = 'check_violation';
      END IF;
      IF OLD.fetched_at IS NULL AND NEW.fetched_at IS NOT NULL AND (NEW.state <> 'DONE' OR OLD.deleted_at IS NOT NULL) THEN
        RAISE EXCEPTION 'only a file that is there is fetched' USING ERRCODE = 'check_violation';
      END IF;
      IF OLD.state <> NEW.state AND OLD.state IN ('DONE', 'FAILED') THEN
        RAISE EXCEPTION 'an export cannot go from % to %', OLD.state, NEW.state
          USING ERRCODE = 'check_violation';
      END IF;
      IF OLD.sha256 IS NOT NULL AND (NEW.sha256, NEW.size, NEW.attempt) IS DISTINCT FROM (OLD.sha256, OLD.size, OLD.attempt)
      THEN
        RAISE EXCEPTION 'the file of an export never changes' USING ERRCODE = 'check_violation';
      END IF;
      IF OLD.sha256 IS NULL AND NEW.sha256 IS NOT NULL AND NOT (
        SELECT COALESCE(sum(size), 0) = NEW.size AND COALESCE(max("position"), 0) = count(*) FROM export_part
        WHERE company_id = NEW.company_id AND export_id = NEW.id AND attempt = NEW.attempt)
      THEN
        RAISE EXCEPTION 'the file of an export is not whole' USING ERRCODE = 'check_violation';
      END IF;
      RETURN NEW;
    END
    $$`.execute(db);
}

/** The contents of an export never change. */
async function keepContents(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION keep_export_contents() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'what was exported never changes' USING ERRCODE = 'check_violation';
    END
    $$`.execute(db);
  for (const table of ['export_basis', 'export_range']) {
    await sql`
      CREATE TRIGGER ${sql.ref(`${table}_kept`)} BEFORE DELETE OR UPDATE ON ${sql.table(table)}
        FOR EACH ROW EXECUTE FUNCTION keep_export_contents()`.execute(db);
    await sql`
      CREATE TRIGGER ${sql.ref(`${table}_not_emptied`)} BEFORE TRUNCATE ON ${sql.table(table)}
        FOR EACH STATEMENT EXECUTE FUNCTION keep_export_contents()`.execute(db);
  }
}

/**
 * 0104: of exports of before it is not known whether their file was fetched. One that was made was, unless its link never
 * left: the next export since then continues after it, as it would have done.
 */
export const earlierExportsFetched: Migration = {
  online: true,
  up: async (db) => {
    await sql`
      UPDATE export SET fetched_at = created_at
      WHERE state = 'DONE' AND sha256 IS NOT NULL AND fetched_at IS NULL AND deleted_at IS NULL
        AND (sent_to IS NULL OR link_sent_at IS NOT NULL)`.execute(db);
  },
};
