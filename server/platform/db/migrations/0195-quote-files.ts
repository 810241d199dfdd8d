import { sql } from 'kysely';

import type { Migration } from '../migration.ts';

/** 0195: the limits of files that are sent along with a quote, which are those of `ATTACHMENT_LIMITS`. */
export const quoteFiles: Migration = {
  up: async (db) => {
    await sql`
      CREATE FUNCTION limit_quote_attachments() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        -- Waits for whoever sends the quote, or adds to it.
        PERFORM FROM quote WHERE company_id = NEW.company_id AND id = NEW.quote_id FOR NO KEY UPDATE;
        IF (SELECT count(*) >= 10 OR sum(size) + NEW.size > 9437184 FROM quote_attachment
          WHERE company_id = NEW.company_id AND quote_id = NEW.quote_id AND revision = NEW.revision)
        THEN
          RAISE EXCEPTION 'a quote has at most ten attachments of 9 MB in all' USING ERRCODE = 'check_violation';
        END IF;
        RETURN NEW;
      END
      $$`.execute(db);
    // By its name it comes before quote_attachment_kept, which then reads what the lock waited for.
    await sql`
      CREATE TRIGGER quote_attachment_added BEFORE INSERT ON quote_attachment
        FOR EACH ROW EXECUTE FUNCTION limit_quote_attachments()`.execute(db);
  },
};
