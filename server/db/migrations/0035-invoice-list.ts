import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * How names are sorted: as Norwegian has them, capital or small, whatever locale the database was made
 * with. In ASCII, {, | and } follow z, as æ, ø and å do.
 */
export const invoiceList: Migration = { up, runsBeside: '0005-staff' };

const LETTERS = [
  ['ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'],
  ['ÆæÄäØøÖöÅå', '{{{{||||}}'],
  ['ÀÁÂÃàáâãÇçÈÉÊËèéêëÌÍÎÏìíîï', 'aaaaaaaacceeeeeeeeiiiiiiii'],
  ['ÑñÒÓÔÕòóôõÙÚÛùúûÜüÝýÿ', 'nnoooooooouuuuuuyyyyy'],
] as const;

async function up(db: Kysely<unknown>): Promise<void> {
  const from = LETTERS.map(([letters]) => letters).join('');
  const to = LETTERS.map(([, places]) => places).join('');
  // A name may be as long as it likes, but not an entry of an index.
  await sql`
    CREATE FUNCTION name_order(name text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$ SELECT translate(left(name, 60), ${sql.lit(from)}, ${sql.lit(to)}) COLLATE "C" $$
  `.execute(db);
}
