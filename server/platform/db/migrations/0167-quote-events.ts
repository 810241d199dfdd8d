import { sql } from 'kysely';

import type { Migration } from '../migration.ts';

/** 0167: webhooks are told when a revision of a quote is sent, accepted or declined (INT-20). */
export const quoteEvents: Migration = {
  up: async (db) => {
    await sql`
      CREATE FUNCTION announce_quote() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        event text := 'quote.' || CASE WHEN OLD.sent_at IS NULL THEN 'sent' ELSE lower(NEW.answer) END;
        ids bigint[] := webhooks_wanting(NEW.company_id, event);
      BEGIN
        IF ids IS NULL THEN RETURN NULL; END IF;
        INSERT INTO webhook_event (company_id, type, at, details, webhook_ids)
        VALUES (NEW.company_id, event, statement_timestamp(),
          jsonb_build_object('quoteId', NEW.quote_id, 'revision', NEW.revision, 'grossAmount', NEW.gross_amount), ids);
        RETURN NULL;
      END
      $$`.execute(db);
    await sql`
      CREATE TRIGGER quote_revision_announced AFTER UPDATE OF sent_at, answer ON quote_revision FOR EACH ROW
      WHEN (OLD.sent_at IS NULL AND NEW.sent_at IS NOT NULL
        OR NEW.answer IS NOT NULL AND NEW.answer IS DISTINCT FROM OLD.answer)
      EXECUTE FUNCTION announce_quote()`.execute(db);
  },
};
