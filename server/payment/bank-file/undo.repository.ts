import { sql } from 'kysely';

import type { IsoDate } from '../../../domain/date.ts';
import type { Ore } from '../../../domain/money.ts';
import type { PaymentKind } from '../../../domain/payment/payment.schema.ts';
import { isReleased } from '../payment.selection.ts';
import type { Db } from '../../platform/db/database.ts';

/** A payment of a file that was refunded, or reversed by another file. */
export interface GoneElsewhere {
  readonly kind: PaymentKind;
  readonly paidOn: IsoDate;
  readonly amount: Ore;
  readonly payer: string | null;
}

/** The first payment of a file that was refunded or reversed by another file. */
export async function findGoneElsewhere(
  db: Db,
  companyId: number,
  fileId: number,
): Promise<GoneElsewhere | null> {
  const { rows } = await sql<GoneElsewhere>`
    SELECT opposite.kind, original.paid_on::text, original.amount, original.payer
    FROM bank_entry entry
    JOIN payment original ON original.company_id = ${companyId} AND original.entry_id = entry.id
    JOIN payment opposite ON opposite.company_id = ${companyId}
      AND opposite.undoes_id = original.id AND NOT opposite.undone
    LEFT JOIN bank_entry taker ON taker.company_id = ${companyId} AND taker.id = opposite.entry_id
    WHERE entry.company_id = ${companyId} AND entry.file_id = ${fileId}
      AND entry.booked_key IS NOT NULL AND original.undone
      AND (opposite.kind = 'REFUND' OR opposite.kind = 'REVERSAL'
        AND taker.file_id <> ${fileId} AND NOT ${isReleased('opposite')})
    ORDER BY entry.position LIMIT 1`.execute(db);
  return rows[0] ?? null;
}
