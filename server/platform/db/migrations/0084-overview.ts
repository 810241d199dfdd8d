import { sql } from 'kysely';

import { createIndex, type Migration } from '../migration.ts';

/** 0084: the overview reads its sums from these indexes alone. */
export const overviewIndexes: Migration = {
  online: true,
  up: async (db) => {
    await createIndex(db, {
      name: 'invoice_figures',
      on: sql`invoice (company_id, issue_date)
        INCLUDE (kind, net_amount, vat_amount, customer_id) WHERE status <> 'DRAFT'`,
    });
    await createIndex(db, {
      name: 'invoice_paid',
      on: sql`invoice (company_id, paid_date) INCLUDE (issue_date) WHERE status = 'PAID'`,
    });
  },
};
