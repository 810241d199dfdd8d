import { sql } from 'kysely';

import { createIndex, type Migration } from '../migration.ts';

/** 0109: the deliveries of an invoice are read in their order. Sorting them took as long as reading them. */
export const deliveriesInOrder: Migration = {
  online: true,
  up: async (db) => {
    const on = sql`delivery (company_id, invoice_id, id)`;
    await createIndex(db, { name: 'delivery_of_invoice', on });
    await sql`DROP INDEX IF EXISTS delivery_invoice`.execute(db);
  },
};
