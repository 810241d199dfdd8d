import { sql } from 'kysely';

/** Money that is there: neither taken back, nor what takes another row back. */
export const inForce = sql<boolean>`NOT payment.undone
  AND (payment.undoes_id IS NULL OR payment.kind = 'PAYMENT')`;
