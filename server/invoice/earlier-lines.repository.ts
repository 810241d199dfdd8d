import { sql } from 'kysely';

import type { Ore } from '../../domain/money.ts';
import type { VatRate, VatTreatment } from '../../domain/vat-treatment.ts';
import type { Db } from '../platform/db/database.ts';

/** How many descriptions are read; the most recently used of them are returned. */
const LOOKED_AT = 50;
/** The highest character in UTF-8: texts with a prefix sort between the prefix and the prefix plus this. */
const HIGHEST = String.fromCodePoint(0x10_ff_ff);

export interface FoundLine {
  readonly description: string;
  readonly netUnitAmount: Ore;
  readonly vatRate: VatRate;
  readonly vatTreatment: VatTreatment;
  readonly unit: string | null;
  readonly productNumber: string | null;
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
    SELECT id, description, net_unit_amount, vat_rate, vat_treatment, unit, product_number,
      ${key} AS key
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
    SELECT description, net_unit_amount AS "netUnitAmount", vat_rate AS "vatRate",
      vat_treatment AS "vatTreatment", unit, product_number AS "productNumber"
    FROM found
    ORDER BY id DESC
    LIMIT ${size}`.execute(db);
  return rows;
}

/** Those of the product numbers that a line of an invoice has, as it is written there. */
export async function findInvoicedNumbers(
  db: Db,
  companyId: number,
  numbers: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ number: string }>`
    SELECT number FROM unnest(${[...numbers]}::text[]) AS given (number)
    WHERE EXISTS (
      SELECT FROM invoice_line line
      WHERE line.company_id = ${companyId} AND line.product_number = given.number)`.execute(db);
  return rows.map(({ number }) => number);
}
