import { sql } from 'kysely';

import { createIndex, type Migration } from '../migration.ts';

/** From À to Ž. One becomes two letters, and is left. */
const CAPITALS = Array.from({ length: 0x1_80 - 0xc0 }, (_, at) => String.fromCodePoint(0xc0 + at))
  .filter((letter) => letter.toLowerCase() !== letter && letter.toLowerCase().length === 1)
  .join('');

/**
 * 0106: invoices are found by reference, by words of their lines and by what is left to pay (INV-44). The indexes are
 * of texts as they stand, since a registered invoice never changes, and of nothing that registering writes but a
 * reference.
 */
export const invoiceWords: Migration = {
  online: true,
  up: async (db) => {
    // As `searchText` of JavaScript, for the letters of Europe's Latin alphabets, in any locale of the database.
    await sql`
      CREATE OR REPLACE FUNCTION searched_text(words text) RETURNS text
      LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT ' ' || CASE WHEN octet_length(words) = length(words) THEN lower(words COLLATE "C")
          ELSE translate(lower(words COLLATE "C"), ${sql.lit(CAPITALS)}, ${sql.lit(CAPITALS.toLowerCase())})
          END
      $$`.execute(db);
    await createIndex(db, {
      name: 'invoice_line_search',
      on: sql`invoice_line USING gin (company_id, searched_text(description) gin_trgm_ops)`,
    });
    await createIndex(db, {
      name: 'invoice_reference_search',
      on: sql`invoice USING gin (company_id, searched_text(reference) gin_trgm_ops)
        WHERE reference IS NOT NULL`,
    });
    await createIndex(db, {
      name: 'invoice_part_settled',
      on: sql`invoice (company_id, (gross_amount - credited_amount - paid_amount))
        WHERE kind = 'INVOICE' AND status = 'REGISTERED' AND (paid_amount > 0 OR credited_amount > 0)`,
    });
  },
};
