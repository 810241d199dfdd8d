import { expressionBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';

import type { Tables } from '../platform/db/tables.ts';
import { LISTED } from './delivery.rows.ts';

/**
 * The deliveries of each invoice itself that a statement selects, oldest first; not of its reminders.
 * The list is read all day, in one statement: a second one for the deliveries took half as long again.
 */
export function deliveriesOfInvoice() {
  return jsonArrayFrom(
    expressionBuilder<Tables, 'invoice'>()
      .selectFrom('delivery')
      .select(LISTED.map((column) => `delivery.${column}` as const))
      .whereRef('delivery.companyId', '=', 'invoice.companyId')
      .whereRef('delivery.invoiceId', '=', 'invoice.id')
      .where('delivery.reminderPrincipal', 'is', null)
      .orderBy('delivery.id'),
  );
}

/**
 * Whether the latest delivery of an invoice that a statement selects has failed, and was not stopped because
 * the invoice needed none.
 */
export function lastFailed() {
  return expressionBuilder<Tables, 'invoice'>()
    .selectFrom('delivery')
    .select(sql<boolean>`delivery.status = 'FAILED' AND delivery.stopped_by IS NULL`.as('failed'))
    .whereRef('delivery.companyId', '=', 'invoice.companyId')
    .whereRef('delivery.invoiceId', '=', 'invoice.id')
    .where('delivery.reminderPrincipal', 'is', null)
    .orderBy('delivery.id', 'desc')
    .limit(1);
}
