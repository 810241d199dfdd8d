import { sql } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * 0186: `follow_quote` of 0169, which looks invoices up by their keys. A plain join reads all invoices of a company for each
 * line while PostgreSQL has no statistics. `kind` keeps it from an index that has the status, and the id far behind.
 */
export const quotePartsByKey: Migration = {
  up: async (db) => {
    await sql`
      CREATE OR REPLACE FUNCTION follow_quote(of_company bigint, of_quote bigint) RETURNS void LANGUAGE plpgsql AS $$
      DECLARE
        sums record;
      BEGIN
        -- The lock comes first, so what is read after it includes what others have committed.
        PERFORM FROM quote WHERE company_id = of_company AND id = of_quote FOR NO KEY UPDATE;
        SELECT sum(taken.net) AS net, bool_and(taken.share = line.whole) AS is_all, sum(taken.share) > 0 AS is_any,
          bool_or(taken.share > line.whole OR taken.net NOT BETWEEN LEAST(0, line.net) AND GREATEST(0, line.net)
            OR taken.share = line.whole AND taken.net <> line.net) AS is_wrong,
          sum(taken.parts) AS parts
        INTO sums
        FROM (
          SELECT line.id, (line.quantity * 1000::numeric + line.thousandths) * 10000 AS whole,
            line_net(line.quantity, line.thousandths, line.net_unit_amount) AS net
          FROM quote_line line
          JOIN quote ON quote.company_id = of_company AND quote.id = of_quote
            AND line.revision = quote.sent_revision
          WHERE line.company_id = of_company AND line.quote_id = of_quote
        ) line
        CROSS JOIN LATERAL (
          SELECT COALESCE(sum(part.share), 0) AS share, COALESCE(sum(part.net), 0) AS net, count(*) AS parts
          FROM quote_part part
          WHERE part.company_id = of_company AND part.quote_id = of_quote AND part.line_id = line.id
            AND (SELECT status FROM invoice
              WHERE company_id = of_company AND id = part.invoice_id AND kind = 'INVOICE' LIMIT 1) <> 'CANCELLED'
        ) taken;
        IF sums.is_wrong OR sums.parts <> (
          SELECT count(*) FROM quote_part part
          WHERE part.company_id = of_company AND part.quote_id = of_quote
            AND (SELECT status FROM invoice
              WHERE company_id = of_company AND id = part.invoice_id AND kind = 'INVOICE' LIMIT 1) <> 'CANCELLED')
        THEN
          RAISE EXCEPTION 'no more is taken of a quote than its lines have' USING ERRCODE = 'check_violation';
        END IF;
        UPDATE quote SET
          invoiced = CASE WHEN sums.is_all THEN 'ALL' WHEN sums.is_any THEN 'PART' ELSE 'NONE' END,
          invoiced_net = sums.net,
          left_net = invoiced_net + left_net - sums.net
        WHERE company_id = of_company AND id = of_quote;
      END
      $$`.execute(db);
  },
};
