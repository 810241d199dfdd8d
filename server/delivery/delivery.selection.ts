import { expressionBuilder, sql } from 'kysely';

import { jsonArrayFrom } from '../platform/db/json-rows.ts';
import type { Tables } from '../platform/db/tables.ts';
import { LISTED, type JsonDelivery } from './delivery.rows.ts';

/**
 * The deliveries of each invoice itself that a statement selects, oldest first; not of its reminders. They are looked for
 * where the invoice shows the status of one.
 * The list is read all day, in one statement: a second one for the deliveries took half as long again.
 */
export function deliveriesOfInvoice() {
  const deliveries = jsonArrayFrom(
    expressionBuilder<Tables, 'invoice'>()
      .selectFrom('delivery')
      .select(LISTED.map((column) => `delivery.${column}` as const))
      .whereRef('delivery.companyId', '=', 'invoice.companyId')
      .whereRef('delivery.invoiceId', '=', 'invoice.id')
      .where('delivery.reminderPrincipal', 'is', null)
      .orderBy('delivery.id'),
  );
  return sql<
    JsonDelivery[]
  >`CASE WHEN invoice.delivery_status IS NULL THEN '[]' ELSE ${deliveries} END`;
}
