import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * Standing assignments, and what their runs made. A process of the version before makes none of them and
 * knows nothing about them; a customer, a group or a template that it deletes goes from them all the same.
 */
export const recurring: Migration = { up, runsBeside: '0005-staff' };

/** What people edit of an assignment, or lose by deleting what it names. */
const EDITED = [
  'name',
  'group_id',
  'template_id',
  'delivery_type',
  'due_days',
  'message',
  'interval_unit',
  'interval_count',
  'day',
  'is_last_day',
  'first_date',
  'last_date',
  'occurrences',
  'mode',
];

async function up(db: Kysely<unknown>): Promise<void> {
  await createAssignments(db);
  await createParts(db);
  await createRuns(db);
  await keepInOrder(db);
}

async function createAssignments(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE assignment (
      company_id bigint NOT NULL REFERENCES company,
      id bigint GENERATED ALWAYS AS IDENTITY,
      uuid uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
      name text NOT NULL,
      -- Whether it is for a group: when that is deleted, nobody else is invoiced in its place.
      by_group boolean NOT NULL,
      group_id bigint,
      -- Whether its terms are a template's, as they are at each run.
      by_template boolean NOT NULL,
      template_id integer,
      delivery_type text CHECK (delivery_type IN ('NONE', 'EMAIL', 'EHF', 'EFAKTURA')),
      due_days integer CHECK (due_days > 0),
      message text,
      interval_unit text NOT NULL,
      interval_count integer NOT NULL,
      day integer CHECK (day BETWEEN 1 AND 31),
      is_last_day boolean NOT NULL,
      first_date date NOT NULL,
      last_date date,
      occurrences integer CHECK (occurrences > 0),
      mode text NOT NULL CHECK (mode IN ('DRAFT', 'SEND')),
      state text NOT NULL CHECK (state IN ('ACTIVE', 'PAUSED', 'ENDED')),
      -- Where the next period begins, the last day of the last one that was made, and the day before
      -- which nothing is owed, because it was paused or had ended.
      next_date date,
      made_through date,
      owed_from date,
      times_made integer NOT NULL DEFAULT 0 CHECK (times_made >= 0),
      -- The code of why the next period is not made though it is due. Its owner has been told.
      obstacle text,
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (company_id, id),
      FOREIGN KEY (company_id, group_id) REFERENCES customer_group (company_id, id)
        ON DELETE SET NULL (group_id),
      FOREIGN KEY (company_id, template_id) REFERENCES invoice_template (company_id, id)
        ON DELETE SET NULL (template_id),
      CHECK (by_group OR group_id IS NULL),
      CHECK (by_template OR template_id IS NULL),
      CHECK (by_template = (delivery_type IS NULL) AND by_template = (due_days IS NULL)),
      CHECK (CASE interval_unit
        WHEN 'WEEK' THEN interval_count BETWEEN 1 AND 4 AND day IS NULL AND NOT is_last_day
        WHEN 'MONTH' THEN interval_count IN (1, 2, 3, 6, 12) AND is_last_day = (day IS NULL)
        ELSE false END),
      CHECK (last_date IS NULL OR occurrences IS NULL),
      CHECK ((state = 'ACTIVE') = (next_date IS NOT NULL)),
      CHECK (obstacle IS NULL OR state = 'ACTIVE'),
      CHECK (next_date > made_through),
      CHECK ((times_made > 0) = (made_through IS NOT NULL))
    )`.execute(db);
  await sql`
    CREATE INDEX assignment_due ON assignment (next_date) WHERE next_date IS NOT NULL`.execute(db);
  await sql`
    CREATE INDEX assignment_of_group ON assignment (company_id, group_id)
    WHERE group_id IS NOT NULL`.execute(db);
  await sql`
    CREATE INDEX assignment_of_template ON assignment (company_id, template_id)
    WHERE template_id IS NOT NULL`.execute(db);
}

/** Its own lines, and the customers that it names: one that is deleted is not named any more. */
async function createParts(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE assignment_line (
      company_id bigint NOT NULL,
      assignment_id bigint NOT NULL,
      position integer NOT NULL,
      quantity bigint NOT NULL CHECK (quantity >= 1),
      description text NOT NULL,
      net_unit_amount bigint NOT NULL,
      vat_rate integer NOT NULL CHECK (vat_rate IN (0, 15, 25)),
      PRIMARY KEY (company_id, assignment_id, position),
      FOREIGN KEY (company_id, assignment_id) REFERENCES assignment ON DELETE CASCADE
    )`.execute(db);
  await sql`
    CREATE TABLE assignment_customer (
      company_id bigint NOT NULL,
      assignment_id bigint NOT NULL,
      customer_id bigint NOT NULL,
      PRIMARY KEY (company_id, assignment_id, customer_id),
      FOREIGN KEY (company_id, assignment_id) REFERENCES assignment ON DELETE CASCADE,
      FOREIGN KEY (company_id, customer_id) REFERENCES customer (company_id, id) ON DELETE CASCADE
    )`.execute(db);
  await sql`
    CREATE INDEX assignment_customer_customer ON assignment_customer (company_id, customer_id)
  `.execute(db);
}

/** A run makes one period, for those who were its recipients when it began. */
async function createRuns(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE assignment_run (
      company_id bigint NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      assignment_id bigint NOT NULL,
      period_from date NOT NULL,
      period_to date NOT NULL,
      -- The day on which it began, in Oslo.
      run_on date NOT NULL,
      mode text NOT NULL CHECK (mode IN ('DRAFT', 'SEND')),
      -- What is invoiced, as it was when the run began.
      content jsonb NOT NULL,
      by_type text NOT NULL CHECK (by_type IN ('ACCOUNT', 'TOKEN', 'SYSTEM')),
      by_name text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      finished_at timestamptz,
      PRIMARY KEY (company_id, id),
      UNIQUE (company_id, assignment_id, period_from),
      FOREIGN KEY (company_id, assignment_id) REFERENCES assignment ON DELETE CASCADE,
      CHECK (period_to >= period_from),
      -- Nothing is made before its day.
      CHECK (run_on >= period_from)
    )`.execute(db);
  await sql`
    CREATE UNIQUE INDEX assignment_run_unfinished ON assignment_run (company_id, assignment_id)
    WHERE finished_at IS NULL`.execute(db);

  await sql`
    CREATE TABLE assignment_run_recipient (
      company_id bigint NOT NULL,
      run_id bigint NOT NULL,
      -- As it was when the run began. The customer may go, and the invoice while it is a draft.
      customer_number integer NOT NULL,
      customer_id bigint,
      invoice_id bigint,
      done boolean NOT NULL DEFAULT false,
      -- The code of why the invoice stayed a draft, and what it is about.
      failure text,
      failure_subject text,
      PRIMARY KEY (company_id, run_id, customer_number),
      FOREIGN KEY (company_id, run_id) REFERENCES assignment_run ON DELETE CASCADE,
      FOREIGN KEY (company_id, customer_id) REFERENCES customer (company_id, id)
        ON DELETE SET NULL (customer_id),
      FOREIGN KEY (company_id, invoice_id) REFERENCES invoice (company_id, id)
        ON DELETE SET NULL (invoice_id),
      CHECK (done OR (invoice_id IS NULL AND failure IS NULL))
    )`.execute(db);
  await sql`
    CREATE UNIQUE INDEX assignment_run_recipient_once
    ON assignment_run_recipient (company_id, customer_id, run_id) WHERE customer_id IS NOT NULL
  `.execute(db);
  await sql`
    CREATE UNIQUE INDEX assignment_run_recipient_invoice
    ON assignment_run_recipient (company_id, invoice_id) WHERE invoice_id IS NOT NULL`.execute(db);
  await sql`
    CREATE INDEX assignment_run_recipient_left
    ON assignment_run_recipient (company_id, run_id, customer_number) WHERE NOT done`.execute(db);
}

/** What no code may do: begin anew, make a period again, or serve a customer of a run twice. */
async function keepInOrder(db: Kysely<unknown>): Promise<void> {
  const edited = sql.join(EDITED.map((column) => sql.ref(column)));
  await sql`
    CREATE TRIGGER version BEFORE UPDATE OF ${edited} ON assignment
    FOR EACH ROW EXECUTE FUNCTION count_version()`.execute(db);
  await sql`
    CREATE FUNCTION keep_assignment_in_order() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'what an assignment has made stays made' USING ERRCODE = 'check_violation';
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER assignment_in_order BEFORE UPDATE ON assignment FOR EACH ROW
    WHEN (NEW.times_made < OLD.times_made OR NEW.made_through < OLD.made_through
      OR (OLD.times_made > 0 AND NEW.first_date <> OLD.first_date))
    EXECUTE FUNCTION keep_assignment_in_order()`.execute(db);
  await sql`
    CREATE TRIGGER assignment_run_in_order BEFORE UPDATE ON assignment_run FOR EACH ROW
    WHEN (OLD.finished_at IS NOT NULL OR NEW.period_from <> OLD.period_from
      OR NEW.period_to <> OLD.period_to OR NEW.assignment_id <> OLD.assignment_id)
    EXECUTE FUNCTION keep_assignment_in_order()`.execute(db);
  await sql`
    CREATE TRIGGER assignment_run_recipient_in_order BEFORE UPDATE ON assignment_run_recipient
    FOR EACH ROW WHEN (OLD.done AND (NOT NEW.done
      OR (NEW.invoice_id IS NOT NULL AND NEW.invoice_id IS DISTINCT FROM OLD.invoice_id)))
    EXECUTE FUNCTION keep_assignment_in_order()`.execute(db);
}
