import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';
import { LINE_TABLES } from './0034-units.ts';

/** Looks at what was there before: all of it is whole, and has no unit. */
export const unitsValidated: Migration = { up, online: true, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of LINE_TABLES) {
    for (const rule of ['quantity', 'unit']) {
      await sql`
        ALTER TABLE ${sql.table(name)} VALIDATE CONSTRAINT ${sql.ref(`${name}_${rule}`)}
      `.execute(db);
    }
  }
}
