import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/** The index that begins with the company is in place of this key: apart from its making, since this waits for the table. */
export const invoiceLineKeyDropped: Migration = { up, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE invoice_line DROP CONSTRAINT invoice_line_invoice_id_position_key`.execute(db);
}
