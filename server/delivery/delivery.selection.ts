import { expressionBuilder, sql, type RawBuilder } from 'kysely';
import { jsonArrayFrom } from '../db/json-rows.ts';

import type { Tables } from '../db/tables.ts';
import { LISTED } from './delivery.rows.ts';

/**
 * The deliveries of each invoice itself that a statement selects, oldest first; not of its reminders.
 * What everybody reads all day is one statement: a second one for the deliveries took half as long again.
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
export function lastFailed(): RawBuilder<boolean> {
  return sql<boolean>`(
    SELECT last.status = 'FAILED' AND last.stopped_by IS NULL FROM delivery last
    WHERE last.company_id = invoice.company_id AND last.invoice_id = invoice.id
      AND last.reminder_principal IS NULL
    ORDER BY last.id DESC LIMIT 1)`;
}
