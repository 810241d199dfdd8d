import { sql, type RawBuilder } from 'kysely';

/** Current money: rows that are not taken back and do not take another row back. */
export const inForce = sql<boolean>`NOT payment.undone
  AND (payment.undoes_id IS NULL OR payment.kind = 'PAYMENT')`;

/**
 * For a reversal: its file was undone when the invoice took no payment any more, for example after crediting. The
 * reversal stays on the invoice, and its money is a row of its own that comes from it.
 */
export function isReleased(reversal: string): RawBuilder<boolean> {
  const its = (column: string) => sql.ref(`${reversal}.${column}`);
  return sql<boolean>`((
    SELECT count(*) FROM payment taken JOIN payment again
      ON again.company_id = taken.company_id AND again.entry_id = taken.entry_id
    WHERE taken.company_id = ${its('company_id')} AND taken.id = ${its('undoes_id')}
      AND again.from_id = ${its('id')} AND again.kind = 'PAYMENT' AND again.undoes_id IS NULL) > 0)`;
}
