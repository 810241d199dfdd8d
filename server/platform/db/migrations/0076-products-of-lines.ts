import { sql } from 'kysely';

import { createIndex, type Migration } from '../migration.ts';

const LINES = ['invoice_template_line', 'invoice_line', 'assignment_line'] as const;

/** 0076: a line keeps the number of its product. A process of the previous version neither reads nor writes it. */
export const productsOfLines: Migration = {
  up: async (db) => {
    for (const table of LINES) {
      await sql`ALTER TABLE ${sql.table(table)} ADD COLUMN product_number text,
        ADD CONSTRAINT ${sql.ref(`${table}_product`)}
          CHECK (length(product_number) BETWEEN 1 AND 20) NOT VALID`.execute(db);
    }
  },
};

/** 0077: an invoice may take the number of a deleted product from an earlier one. */
export const productsOfLinesIndex: Migration = {
  online: true,
  up: async (db) => {
    for (const table of LINES) {
      await sql`ALTER TABLE ${sql.table(table)}
        VALIDATE CONSTRAINT ${sql.ref(`${table}_product`)}`.execute(db);
    }
    await createIndex(db, {
      name: 'invoice_line_product',
      on: sql`invoice_line (company_id, product_number) WHERE product_number IS NOT NULL`,
    });
  },
};
