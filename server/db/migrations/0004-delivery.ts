import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/** Deliveries, what was sent, who no longer gets mail, and the newsletter. */
export const delivery: Migration = { up, runsBeside: null };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE delivery (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
      company_id bigint NOT NULL,
      invoice_id bigint NOT NULL,
      delivery_type text NOT NULL CHECK (delivery_type IN ('EMAIL', 'EHF', 'EFAKTURA')),
      status text NOT NULL DEFAULT 'QUEUED' CHECK (status IN ('QUEUED', 'SENT', 'FAILED')),
      recipient text NOT NULL,
      message_id text NOT NULL UNIQUE,
      -- What the mail server called the mail; Amazon SES names it in its notices.
      provider_id text,
      -- While a worker holds the mail, no other may; a worker that dies lets go by then.
      leased_until timestamptz,
      attempts integer NOT NULL DEFAULT 0,
      failure_reason text,
      created_at timestamptz NOT NULL DEFAULT now(),
      sent_time timestamptz,
      FOREIGN KEY (company_id, invoice_id) REFERENCES invoice (company_id, id),
      CHECK ((status = 'SENT') <= (sent_time IS NOT NULL)),
      CHECK ((status = 'FAILED') = (failure_reason IS NOT NULL))
    )`.execute(db);
  // Nobody is mailed twice: one delivery of an invoice is under way or done.
  await sql`
    CREATE UNIQUE INDEX delivery_once ON delivery (invoice_id) WHERE status <> 'FAILED'
  `.execute(db);
  await sql`CREATE INDEX delivery_invoice ON delivery (company_id, invoice_id)`.execute(db);
  await sql`
    CREATE INDEX delivery_provider ON delivery (provider_id) WHERE provider_id IS NOT NULL
  `.execute(db);
  await sql`CREATE INDEX delivery_queued ON delivery (created_at) WHERE status = 'QUEUED'`.execute(
    db,
  );
  await sql`
    CREATE INDEX delivery_failed ON delivery (created_at) WHERE status = 'FAILED'`.execute(db);

  await sql`
    CREATE FUNCTION show_delivery_status() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      -- A lease changes no status, and is taken for every mail.
      IF TG_OP = 'UPDATE' THEN
        IF NOT EXISTS (
          SELECT FROM after_rows JOIN before_rows USING (id)
          WHERE after_rows.status <> before_rows.status)
        THEN RETURN NULL; END IF;
      END IF;
      UPDATE invoice SET delivery_status = latest.status
      FROM (
        SELECT DISTINCT ON (invoice_id) invoice_id, status FROM after_rows
        ORDER BY invoice_id, id DESC
      ) latest
      WHERE invoice.id = latest.invoice_id AND invoice.delivery_status IS DISTINCT FROM latest.status;
      RETURN NULL;
    END $$`.execute(db);
  for (const [event, tables] of [
    ['INSERT', 'NEW TABLE AS after_rows'],
    ['UPDATE', 'OLD TABLE AS before_rows NEW TABLE AS after_rows'],
  ] as const) {
    await sql`
      CREATE TRIGGER ${sql.raw(`delivery_status_${event.toLowerCase()}`)} AFTER ${sql.raw(event)}
      ON delivery REFERENCING ${sql.raw(tables)}
      FOR EACH STATEMENT EXECUTE FUNCTION show_delivery_status()`.execute(db);
  }

  // What was mailed is what is kept: the very bytes.
  await sql`
    CREATE TABLE sent_document (
      company_id bigint NOT NULL,
      invoice_id bigint NOT NULL,
      format text NOT NULL CHECK (format IN ('PDF', 'EHF')),
      sha256 bytea NOT NULL CHECK (length(sha256) = 32),
      content bytea NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (invoice_id, format),
      FOREIGN KEY (company_id, invoice_id) REFERENCES invoice (company_id, id)
    )`.execute(db);
  // PDFs are compressed already; PostgreSQL need not try.
  await sql`ALTER TABLE sent_document ALTER COLUMN content SET STORAGE EXTERNAL`.execute(db);
  await sql`
    CREATE FUNCTION keep_sent_document() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'what was sent is kept' USING ERRCODE = 'check_violation';
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER sent_document_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON sent_document
    FOR EACH STATEMENT EXECUTE FUNCTION keep_sent_document()`.execute(db);

  await sql`
    CREATE TABLE suppressed_address (
      email text PRIMARY KEY,
      reason text NOT NULL CHECK (reason IN ('BOUNCE', 'COMPLAINT')),
      created_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);

  await sql`
    CREATE TABLE newsletter_subscriber (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
      email text NOT NULL UNIQUE,
      created_at timestamptz NOT NULL DEFAULT now(),
      unsubscribed_at timestamptz
    )`.execute(db);
}
