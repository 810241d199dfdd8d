import { sql } from 'kysely';

import type { Db } from '../platform/db/database.ts';

/** The tables whose rows are a company's: those that say whose, and that of the companies. */
export async function findCompanyTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name = 'company_id'
    ORDER BY 1`.execute(db);
  return ['company', ...rows.map(({ name }) => name)];
}
