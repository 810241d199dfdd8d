import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * 0151: webhooks. Triggers write events in the transaction of what they tell, also for a process of the previous version,
 * and only where a webhook wants them.
 */
export const webhooks: Migration = {
  up: async (db) => {
    await createTables(db);
    await announceHistory(db);
    await announcePayments(db);
    await announceDeliveries(db);
    await announceReminders(db);
  },
};

async function createTables(db: Kysely<unknown>): Promise<void> {
  // The types of events that the features of the installation allow; a process states them at its start.
  await sql`
    CREATE TABLE webhook_switch (
      id boolean PRIMARY KEY DEFAULT true CHECK (id),
      types text[] NOT NULL)`.execute(db);
  await sql`INSERT INTO webhook_switch (types) VALUES ('{}')`.execute(db);
  await sql`
    CREATE TABLE webhook (
      company_id bigint NOT NULL REFERENCES company (id) ON DELETE CASCADE,
      id bigint GENERATED ALWAYS AS IDENTITY,
      uuid uuid NOT NULL DEFAULT gen_random_uuid(),
      url text NOT NULL CHECK (length(url) BETWEEN 1 AND 2000),
      description text CHECK (length(description) BETWEEN 1 AND 255),
      events text[] NOT NULL CHECK (cardinality(events) > 0),
      active boolean NOT NULL DEFAULT true,
      -- Encrypted, because messages are signed with it.
      secret bytea NOT NULL,
      -- Messages are signed with it too until then.
      previous_secret bytea,
      previous_until timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      last_success_at timestamptz,
      failing_since timestamptz,
      disabled_reason text CHECK (disabled_reason IN ('GONE', 'FAILING', 'TOO_MANY')),
      -- A worker looks for its messages then.
      due_at timestamptz,
      PRIMARY KEY (company_id, id),
      CONSTRAINT webhook_uuid UNIQUE (company_id, uuid),
      CONSTRAINT webhook_disabled CHECK (NOT (active AND disabled_reason IS NOT NULL)),
      CONSTRAINT webhook_previous CHECK ((previous_secret IS NULL) = (previous_until IS NULL)))`.execute(
    db,
  );
  await sql`CREATE INDEX webhook_due ON webhook (due_at) WHERE due_at IS NOT NULL`.execute(db);
  await sql`
    CREATE TABLE webhook_event (
      company_id bigint NOT NULL REFERENCES company (id) ON DELETE CASCADE,
      id bigint GENERATED ALWAYS AS IDENTITY,
      type text NOT NULL,
      at timestamptz NOT NULL,
      invoice_id bigint,
      details jsonb NOT NULL,
      -- The webhooks that were active and wanted it.
      webhook_ids bigint[] NOT NULL,
      PRIMARY KEY (company_id, id))`.execute(db);
  await sql`
    CREATE TABLE webhook_delivery (
      company_id bigint NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      uuid uuid NOT NULL DEFAULT gen_random_uuid(),
      webhook_id bigint NOT NULL,
      type text NOT NULL,
      body text NOT NULL CHECK (octet_length(body) < 20000),
      state text NOT NULL CHECK (state IN ('WAITING', 'DELIVERED', 'FAILED', 'CANCELLED')),
      attempts integer NOT NULL DEFAULT 0,
      next_attempt_at timestamptz,
      -- Until then one worker holds it; a worker that dies lets go by then.
      leased_until timestamptz,
      -- Whether the next attempt is the last one.
      is_single boolean NOT NULL DEFAULT false,
      last_status integer,
      last_error text,
      -- The latest attempts.
      tries jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(tries) = 'array'),
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (company_id, id),
      CONSTRAINT webhook_delivery_uuid UNIQUE (company_id, uuid),
      FOREIGN KEY (company_id, webhook_id) REFERENCES webhook (company_id, id) ON DELETE CASCADE,
      CONSTRAINT webhook_delivery_waits CHECK ((state = 'WAITING') = (next_attempt_at IS NOT NULL)))`.execute(
    db,
  );
  await sql`CREATE INDEX webhook_delivery_log ON webhook_delivery (company_id, webhook_id, id)`.execute(
    db,
  );
  await sql`
    CREATE INDEX webhook_delivery_due ON webhook_delivery (company_id, webhook_id, next_attempt_at)
    WHERE state = 'WAITING'`.execute(db);
  await sql`CREATE INDEX webhook_delivery_age ON webhook_delivery (created_at)`.execute(db);
}

/** History is told in one statement for many invoices, so its events are made in one too. */
async function announceHistory(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION webhooks_wanting(company bigint, event text) RETURNS bigint[] LANGUAGE sql STABLE AS $$
      SELECT array_agg(id ORDER BY id) FROM webhook
      WHERE company_id = company AND active AND events && ARRAY[event, '*']
        AND (SELECT event = ANY (types) FROM webhook_switch)
    $$`.execute(db);
  await sql`
    CREATE FUNCTION announce_history() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF (SELECT types FROM webhook_switch) = '{}' THEN RETURN NULL; END IF;
      INSERT INTO webhook_event (company_id, type, at, invoice_id, details, webhook_ids)
      SELECT added.company_id, 'invoice.' || lower(added.kind), added.at, added.invoice_id, added.details, wanted.ids
      FROM (
        SELECT company_id, kind, webhooks_wanting(company_id, 'invoice.' || lower(kind)) AS ids
        FROM (SELECT DISTINCT company_id, kind FROM added) kinds
        WHERE kind IN ('REGISTERED', 'PAID', 'UNPAID', 'CREDITED')
      ) wanted
      JOIN added ON added.company_id = wanted.company_id AND added.kind = wanted.kind
      WHERE wanted.ids IS NOT NULL
      ORDER BY added.id;
      RETURN NULL;
    END
    $$`.execute(db);
  await sql`
    CREATE TRIGGER history_event_announced AFTER INSERT ON history_event REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION announce_history()`.execute(db);
}

async function announcePayments(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION announce_payments() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF (SELECT types FROM webhook_switch) = '{}' THEN RETURN NULL; END IF;
      INSERT INTO webhook_event (company_id, type, at, invoice_id, details, webhook_ids)
      SELECT added.company_id, 'payment.received', added.created_at, added.invoice_id,
        jsonb_build_object('uuid', added.uuid, 'amount', added.amount, 'date', added.paid_on, 'source', added.source),
        wanted.ids
      FROM (
        SELECT company_id, webhooks_wanting(company_id, 'payment.received') AS ids
        FROM (SELECT DISTINCT company_id FROM added) companies
      ) wanted
      JOIN added ON added.company_id = wanted.company_id
      WHERE wanted.ids IS NOT NULL AND added.amount <> 0
      ORDER BY added.id;
      RETURN NULL;
    END
    $$`.execute(db);
  await sql`
    CREATE TRIGGER payment_announced AFTER INSERT ON payment REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION announce_payments()`.execute(db);
}

async function announceDeliveries(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION announce_delivery() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      event text := 'invoice.' || lower(NEW.status);
      ids bigint[] := webhooks_wanting(NEW.company_id, event);
    BEGIN
      IF ids IS NULL THEN RETURN NULL; END IF;
      INSERT INTO webhook_event (company_id, type, at, invoice_id, details, webhook_ids)
      VALUES (NEW.company_id, event, statement_timestamp(), NEW.invoice_id,
        jsonb_build_object('uuid', NEW.uuid, 'deliveryType', NEW.delivery_type, 'reason', NEW.failure_reason), ids);
      RETURN NULL;
    END
    $$`.execute(db);
  await sql`
    CREATE TRIGGER delivery_ended AFTER UPDATE OF status ON delivery FOR EACH ROW
    WHEN (NEW.status <> OLD.status AND NEW.status <> 'QUEUED' AND NEW.reminder_principal IS NULL)
    EXECUTE FUNCTION announce_delivery()`.execute(db);
  // A document that cannot go has a delivery that failed from the beginning.
  await sql`
    CREATE TRIGGER delivery_failed_at_once AFTER INSERT ON delivery FOR EACH ROW
    WHEN (NEW.status = 'FAILED' AND NEW.reminder_principal IS NULL)
    EXECUTE FUNCTION announce_delivery()`.execute(db);
}

async function announceReminders(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION announce_reminder() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      ids bigint[] := webhooks_wanting(NEW.company_id, 'reminder.sent');
    BEGIN
      IF ids IS NULL THEN RETURN NULL; END IF;
      INSERT INTO webhook_event (company_id, type, at, invoice_id, details, webhook_ids)
      VALUES (NEW.company_id, 'reminder.sent', NEW.created_at, NEW.invoice_id,
        jsonb_build_object('uuid', NEW.uuid, 'kind', NEW.kind,
          'amount', NEW.principal + NEW.fee + NEW.interest + NEW.compensation + NEW.earlier), ids);
      RETURN NULL;
    END
    $$`.execute(db);
  await sql`
    CREATE TRIGGER reminder_announced AFTER INSERT ON reminder
    FOR EACH ROW EXECUTE FUNCTION announce_reminder()`.execute(db);
}
