import { sql } from 'kysely';

import { createIndex, type Migration } from '../migration.ts';

/** 0080: exports read the payments of a period, and find the rows to which one was moved. */
export const paymentsByDay: Migration = {
  online: true,
  up: async (db) => {
    await createIndex(db, {
      name: 'payment_by_day',
      on: sql`payment (company_id, paid_on, id)`,
    });
    await createIndex(db, {
      name: 'payment_moved',
      on: sql`payment (company_id, from_id) WHERE from_id IS NOT NULL`,
    });
  },
};
