import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * 0090: an export keeps the numbers that its filter found when it was asked for, since its file is made later. A file may
 * have no bytes: GBAT10 of a period without vouchers.
 */
export const exportsAsAskedFor: Migration = {
  up: async (db) => {
    await sql`
      CREATE TABLE export_listed (
        company_id bigint NOT NULL,
        export_id bigint NOT NULL,
        numbers bigint[] NOT NULL,
        PRIMARY KEY (company_id, export_id),
        FOREIGN KEY (company_id, export_id) REFERENCES export (company_id, id)
      )`.execute(db);
    // `keep_export` compares the size with that of the parts, of which each has a byte at least.
    await sql`ALTER TABLE export DROP CONSTRAINT export_size_check`.execute(db);
    await keepExports(db);
  },
};

/** Replaces the trigger that keeps exports: a file may have no parts. */
async function keepExports(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE OR REPLACE FUNCTION keep_export() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'UPDATE' THEN
        RAISE EXCEPTION 'an export stays in the control trail' USING ERRCODE = 'check_violation';
      END IF;
      IF (to_jsonb(NEW) -
          '{state,attempt,failures,progress,sha256,size,expires_at,deleted_at,told_at,link_sent_at}'::text[])
        IS DISTINCT FROM (to_jsonb(OLD) -
          '{state,attempt,failures,progress,sha256,size,expires_at,deleted_at,told_at,link_sent_at}'::text[])
        OR NEW.attempt < OLD.attempt
        OR OLD.deleted_at <> NEW.deleted_at OR (OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL)
        OR OLD.expires_at IS DISTINCT FROM NEW.expires_at AND OLD.state = 'DONE'
      THEN
        RAISE EXCEPTION 'what was exported never changes' USING ERRCODE = 'check_violation';
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
