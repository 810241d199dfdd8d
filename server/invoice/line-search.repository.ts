import { sql } from 'kysely';

import type { VatRate } from '../../domain/invoice/invoice-line.schema.ts';
import type { Ore } from '../../domain/money.ts';
import type { Db } from '../platform/db/database.ts';

/** How many descriptions are read; the most recently used of them are returned. */
const LOOKED_AT = 50;
/** The highest character in UTF-8: texts with a prefix sort between the prefix and the prefix plus this. */
const HIGHEST = String.fromCodePoint(0x10_ff_ff);

export interface FoundLine {
  readonly description: string;
  readonly netUnitAmount: Ore;
  readonly vatRate: VatRate;
  readonly unit: string | null;
}

/**
 * The last line of each description with this prefix, the most recently used first. Steps through the index from one
 * description to the next, so the number of lines per description does not matter.
 */
export async function findLines(
  db: Db,
  companyId: number,
  { query, size }: { query: string; size: number },
): Promise<FoundLine[]> {
  const key = sql`(name_order(description) COLLATE "C")`;
  const next = (isAfter: ReturnType<typeof sql>) => sql`
    SELECT id, description, net_unit_amount, vat_rate, unit, ${key} AS key
    FROM invoice_line
    WHERE company_id = ${companyId} AND ${key} ${isAfter}
      AND ${key} < (name_order(${query}::text) || ${HIGHEST}::text) COLLATE "C"
    ORDER BY ${key}, id DESC
    LIMIT 1`;
  const { rows } = await sql<FoundLine>`
    WITH RECURSIVE found AS (
      (SELECT first.*, 1 AS step FROM (${next(sql`>= (name_order(${query}::text) COLLATE "C")`)}) first)
      UNION ALL
      SELECT following.*, found.step + 1
      FROM found CROSS JOIN LATERAL (${next(sql`> found.key`)}) following
      WHERE found.step < ${LOOKED_AT}
    )
    SELECT description, net_unit_amount AS "netUnitAmount", vat_rate AS "vatRate", unit
    FROM found
    ORDER BY id DESC
    LIMIT ${size}`.execute(db);
  return rows;
}
