import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * What happened to each invoice, when and by whom. What was before is not told: nobody knows by whom.
 * A process of the version before tells nothing, which is all that it does amiss.
 */
export const history: Migration = { up, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE history_event (
      company_id bigint NOT NULL,
      invoice_id bigint NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      -- Not when the transaction began: it may have waited for the one that happened before it.
      at timestamptz NOT NULL DEFAULT statement_timestamp(),
      kind text NOT NULL CHECK (kind IN (
        'CREATED', 'CHANGED', 'REGISTERED', 'QUEUED', 'SENT', 'FAILED', 'PAID', 'UNPAID',
        'PAYMENT', 'CREDITED', 'REMINDED', 'DISPUTED', 'RESOLVED')),
      by_type text NOT NULL CHECK (by_type IN ('ACCOUNT', 'TOKEN', 'STAFF', 'BANK', 'SYSTEM')),
      by_name text NOT NULL,
      details jsonb NOT NULL CHECK (jsonb_typeof(details) = 'object'),
      PRIMARY KEY (company_id, invoice_id, id),
      FOREIGN KEY (company_id, invoice_id) REFERENCES invoice (company_id, id) ON DELETE CASCADE
    )`.execute(db);
  await sql`
    CREATE FUNCTION keep_history() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      -- A draft takes its history along: by then it is gone itself, which a registered invoice never is.
      IF TG_OP = 'DELETE' THEN
        IF NOT EXISTS (
          SELECT FROM invoice WHERE company_id = OLD.company_id AND id = OLD.invoice_id)
        THEN RETURN OLD; END IF;
      END IF;
      RAISE EXCEPTION 'history never changes' USING ERRCODE = 'check_violation';
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER history_event_kept BEFORE UPDATE OR DELETE ON history_event
    FOR EACH ROW EXECUTE FUNCTION keep_history()`.execute(db);
  await sql`
    CREATE TRIGGER history_event_not_emptied BEFORE TRUNCATE ON history_event
    FOR EACH STATEMENT EXECUTE FUNCTION keep_history()`.execute(db);
}
