import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * Bytes of documents may live outside of the database; their row says where. A process of the version
 * before works beside this as long as they do not.
 */
export const documentStore: Migration = { up, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  // Neither rewrites the table nor reads it.
  await sql`
    ALTER TABLE document_file
      ALTER COLUMN content DROP NOT NULL,
      ADD COLUMN home text NOT NULL DEFAULT 'DATABASE',
      ADD CONSTRAINT document_file_home CHECK (CASE home
        WHEN 'DATABASE' THEN content IS NOT NULL
        WHEN 'S3' THEN content IS NULL
        ELSE false END) NOT VALID`.execute(db);
  await sql`
    CREATE FUNCTION move_document_file() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      -- From one home to the other, as the same bytes, and nothing else.
      IF NEW.home = OLD.home
        OR (NEW.company_id, NEW.document_id, NEW.format, NEW.sha256, NEW.created_at)
          IS DISTINCT FROM (OLD.company_id, OLD.document_id, OLD.format, OLD.sha256, OLD.created_at)
        OR sha256(NEW.content) <> NEW.sha256
      THEN
        RAISE EXCEPTION 'a document is kept as it was issued' USING ERRCODE = 'check_violation';
      END IF;
      RETURN NEW;
    END $$`.execute(db);
  await sql`DROP TRIGGER document_file_kept ON document_file`.execute(db);
  await sql`
    CREATE TRIGGER document_file_kept BEFORE DELETE OR TRUNCATE ON document_file
    FOR EACH STATEMENT EXECUTE FUNCTION keep_documents()`.execute(db);
  await sql`
    CREATE TRIGGER document_file_moved BEFORE UPDATE ON document_file
    FOR EACH ROW EXECUTE FUNCTION move_document_file()`.execute(db);
}
