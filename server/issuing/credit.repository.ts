import { sql } from 'kysely';

import type { TreatedSubtotal } from '../../domain/invoice/invoice.totals.ts';
import type { Ore } from '../../domain/money.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import type { Db } from '../platform/db/database.ts';
import type { Credited } from './credit-plan.ts';

/** The sums of the credit notes that an invoice has, those of 0 kr too. */
export async function findCredited(
  db: Db,
  { companyId, id }: Pick<InvoiceRow, 'companyId' | 'id'>,
): Promise<Credited> {
  const { rows: lines } = await sql<{ lineId: number; quantity: number; net: Ore }>`
    SELECT line_id, quantity::float8 AS quantity, net
    FROM credited_lines(${companyId}::bigint, ${id}::bigint)`.execute(db);
  const { rows: vat } = await sql<TreatedSubtotal>`
    SELECT vat_treatment, vat_rate, net, vat
    FROM credited_vat(${companyId}::bigint, ${id}::bigint)`.execute(db);
  return { lines: new Map(lines.map(({ lineId, ...sums }) => [lineId, sums])), vat };
}
