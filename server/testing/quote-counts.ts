import { sql } from 'kysely';

import type { Db } from '../platform/db/database.ts';

/** The kept counts of quotes that are other than the quotes themselves say. */
export async function findMiscounted(db: Db): Promise<unknown[]> {
  const { rows } = await sql`
    WITH kept AS (
      SELECT company_id, state, invoiced, sent_valid_until, quotes, left_net FROM quote_count
      WHERE quotes <> 0 OR left_net <> 0
    ), counted AS (
      SELECT company_id, state, invoiced, last_day, count(*), sum(COALESCE(left_net, 0))
      FROM quote
      CROSS JOIN LATERAL (SELECT CASE state WHEN 'SENT' THEN sent_valid_until ELSE '0001-01-01' END AS last_day) dated
      GROUP BY company_id, state, invoiced, last_day
    )
    (SELECT 'kept' AS where, * FROM (SELECT * FROM kept EXCEPT SELECT * FROM counted) wrong)
    UNION ALL
    (SELECT 'counted', * FROM (SELECT * FROM counted EXCEPT SELECT * FROM kept) missing)`.execute(
    db,
  );
  return rows;
}
