import { expressionBuilder } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';

import type { Tables } from '../db/tables.ts';
import { LISTED } from './delivery.rows.ts';

/**
 * The deliveries of each invoice that a statement selects, oldest first. What everybody reads all day is
 * one statement: a second one for the deliveries took half as long again.
 */
export function deliveriesOfInvoice() {
  return jsonArrayFrom(
    expressionBuilder<Tables, 'invoice'>()
      .selectFrom('delivery')
      .select(LISTED.map((column) => `delivery.${column}` as const))
      .whereRef('delivery.companyId', '=', 'invoice.companyId')
      .whereRef('delivery.invoiceId', '=', 'invoice.id')
      .orderBy('delivery.id'),
  );
}
