import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * Lines of a part of something, and of what. The whole part of a quantity stays where it was, and its
 * thousandths stand beside it: a process of the version before reads and writes whole quantities as it
 * did, and of millions of lines none is written anew.
 */
export const units: Migration = { up, runsBeside: '0005-staff' };

/** In the order in which invoicing reads and locks them. */
export const LINE_TABLES = ['invoice_template_line', 'assignment_line', 'invoice_line'] as const;

async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of LINE_TABLES) {
    await sql`
      ALTER TABLE ${sql.table(name)}
        ADD COLUMN thousandths smallint NOT NULL DEFAULT 0,
        -- Of UN/ECE Recommendation 20; null of what is made without units.
        ADD COLUMN unit text,
        DROP CONSTRAINT ${sql.ref(`${name}_quantity_check`)},
        ADD CONSTRAINT ${sql.ref(`${name}_quantity`)} CHECK (
          quantity >= 0 AND thousandths BETWEEN 0 AND 999 AND (quantity, thousandths) <> (0, 0)
          AND (thousandths = 0 OR unit IS NOT NULL)) NOT VALID,
        ADD CONSTRAINT ${sql.ref(`${name}_unit`)} CHECK (unit ~ '^[0-9A-Z]{2,3}$') NOT VALID
    `.execute(db);
  }
}
