import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * How names are sorted: as Norwegian has them, capital or small, whatever locale the database was made
 * with. In ASCII, {, | and } follow z, as æ, ø and å do. Other letters follow these.
 */
export const invoiceList: Migration = { up, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  // A name may be as long as it likes, but not an entry of an index. Few letters: each character of a
  // name is looked for among them, and ten thousand names took 0.4 s with those of all of Europe. Not
  // STRICT, which would keep PostgreSQL from writing it out where it is called.
  await sql`
    CREATE FUNCTION name_order(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT CASE WHEN octet_length(name) = length(name) THEN lower(left(name, 60) COLLATE "C")
        ELSE translate(lower(left(name, 60) COLLATE "C"), 'ÆæÄäØøÖöÅåÉéÈèÜü', '{{{{||||}}eeeeuu')
        END COLLATE "C"
    $$`.execute(db);
}
