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

/**
 * Whether the latest delivery of an invoice that a statement selects has failed, and was not stopped because
 * the invoice needed none, or an address failed and was not put right since (DEL-23).
 */
export function lastFailed() {
  return expressionBuilder<Tables, 'invoice'>()
    .selectFrom('delivery')
    .select(
      sql<boolean>`delivery.status = 'FAILED' AND delivery.stopped_by IS NULL
        OR delivery.unreached <> '{}'`.as('failed'),
    )
    .whereRef('delivery.companyId', '=', 'invoice.companyId')
    .whereRef('delivery.invoiceId', '=', 'invoice.id')
    .where('delivery.reminderPrincipal', 'is', null)
    .orderBy('delivery.id', 'desc')
    .limit(1);
}

/** The invoices of a company that an address of a delivery did not get: more than `lastFailed` finds. */
export function withMissedAddress(companyId: number) {
  return sql`SELECT missed.invoice_id FROM delivery missed
    WHERE missed.company_id = ${companyId} AND missed.unreached <> '{}'`;
}
