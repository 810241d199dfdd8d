import { sql, type Kysely } from 'kysely';

import { createIndex, type Migration } from '../migration.ts';

/**
 * What has a number in each order that a list may have, status by status: of all statuses three of them are
 * put together. Drafts are few, and sorted when they are asked for. And what somebody has to send again.
 */
export const invoiceListIndexes: Migration = { up, online: true, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, place] of [
    ['invoice_by_customer', `(name_order(buyer ->> 'name') COLLATE "C")`],
    ['invoice_by_issue_date', 'issue_date'],
    ['invoice_by_due_date', 'due_date'],
    ['invoice_by_amount', 'gross_amount'],
  ] as const) {
    await createIndex(db, {
      name,
      on: sql`invoice (company_id, status, ${sql.raw(place)}, invoice_number, id)
        WHERE status <> 'DRAFT'`,
    });
  }
  await createIndex(db, {
    name: 'invoice_failed',
    on: sql`invoice (company_id, invoice_number)
      WHERE delivery_status = 'FAILED' AND status = 'REGISTERED'`,
  });
}
