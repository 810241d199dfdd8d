import { sql, type RawBuilder } from 'kysely';

import type { Migration } from '../migration.ts';

/** 0185: how many quotes a company has in each state, and the number of a quote among its searched words. */
export const quoteCounts: Migration = {
  up: async (db) => {
    await sql`
      CREATE TABLE quote_count (
        company_id bigint NOT NULL REFERENCES company (id) ON DELETE CASCADE,
        state text NOT NULL,
        invoiced text NOT NULL,
        -- The last day of SENT quotes; 0001-01-01 for other states.
        sent_valid_until date NOT NULL,
        quotes bigint NOT NULL,
        -- Øre, numeric because a sum of many may exceed a bigint.
        left_net numeric NOT NULL,
        PRIMARY KEY (company_id, state, invoiced, sent_valid_until))`.execute(db);
    await sql`
      CREATE FUNCTION count_quotes() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        -- Transition tables differ by event, and a branch is planned only when it runs.
        IF TG_OP = 'INSERT' THEN ${added(AFTER)};
        ELSIF TG_OP = 'DELETE' THEN ${added(BEFORE)};
        ELSE ${added(sql`${AFTER} UNION ALL ${BEFORE}`)};
        END IF;
        RETURN NULL;
      END
      $$`.execute(db);
    await sql`
      CREATE TRIGGER quote_count_insert AFTER INSERT ON quote REFERENCING NEW TABLE AS after_rows
        FOR EACH STATEMENT EXECUTE FUNCTION count_quotes()`.execute(db);
    await sql`
      CREATE TRIGGER quote_count_delete AFTER DELETE ON quote REFERENCING OLD TABLE AS before_rows
        FOR EACH STATEMENT EXECUTE FUNCTION count_quotes()`.execute(db);
    await sql`
      CREATE TRIGGER quote_count_update AFTER UPDATE ON quote
        REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows
        FOR EACH STATEMENT EXECUTE FUNCTION count_quotes()`.execute(db);
    // No version with quotes is out, so these are few.
    await added(sql`SELECT 1 AS change, * FROM quote`).execute(db);
    await sql`ALTER TABLE quote_revision DISABLE TRIGGER quote_revision_kept`.execute(db);
    await sql`
      UPDATE quote_revision revision SET search_text = search_text || ' ' || quote_number
      FROM quote WHERE quote.company_id = revision.company_id AND quote.id = revision.quote_id
        AND quote_number IS NOT NULL`.execute(db);
    await sql`ALTER TABLE quote_revision ENABLE TRIGGER quote_revision_kept`.execute(db);
    // It served the counts. The list needs quotes to invoice in its own order.
    await sql`DROP INDEX quote_open`.execute(db);
    await sql`
      CREATE INDEX quote_to_invoice ON quote (company_id, id) INCLUDE (invoiced)
        WHERE state = 'ACCEPTED' AND invoiced <> 'ALL'`.execute(db);
  },
};

const AFTER = sql`SELECT 1 AS change, * FROM after_rows`;
const BEFORE = sql`SELECT -1 AS change, * FROM before_rows`;

/** Adds changed quotes to the counts. */
function added(changed: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    INSERT INTO quote_count AS total (company_id, state, invoiced, sent_valid_until, quotes, left_net)
    SELECT company_id, state, invoiced, last_day, sum(change), sum(change * COALESCE(left_net, 0))
    FROM (
      SELECT *, CASE state WHEN 'SENT' THEN sent_valid_until ELSE '0001-01-01' END AS last_day
      FROM (${changed}) changed
    ) dated
    GROUP BY company_id, state, invoiced, last_day
    HAVING sum(change) <> 0 OR sum(change * COALESCE(left_net, 0)) <> 0
    -- One order, so that two transactions never wait for each other.
    ORDER BY company_id, state, invoiced, last_day
    ON CONFLICT (company_id, state, invoiced, sent_valid_until) DO UPDATE SET
      quotes = total.quotes + excluded.quotes, left_net = total.left_net + excluded.left_net`;
}
