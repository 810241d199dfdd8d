import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * How names are sorted: as Norwegian has them, capital or small, whatever locale the database was made
 * with. Æ, ø and å are the characters after z in ASCII.
 */
export const invoiceList: Migration = { up, runsBeside: '0005-staff' };

const LETTERS: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...'abcdefghijklmnopqrstuvwxyz'].map((letter) => [letter, letter])),
  a: 'aàáâã',
  c: 'cç',
  e: 'eèéêë',
  i: 'iìíîï',
  n: 'nñ',
  o: 'oòóôõ',
  u: 'uùúû',
  y: 'yýÿü',
  '{': 'æä',
  '|': 'øö',
  '}': 'å',
};

async function up(db: Kysely<unknown>): Promise<void> {
  const pairs = Object.entries(LETTERS).flatMap(([place, letters]) =>
    [...new Set([...letters, ...letters.replaceAll('ÿ', '').toUpperCase()])]
      .filter((letter) => letter !== place)
      .map((letter) => [letter, place] as const),
  );
  const from = pairs.map(([letter]) => letter).join('');
  const to = pairs.map(([, place]) => place).join('');
  // A name may be as long as it likes, but not an entry of an index.
  await sql`
    CREATE FUNCTION name_order(name text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$ SELECT translate(left(name, 60), ${sql.lit(from)}, ${sql.lit(to)}) COLLATE "C" $$
  `.execute(db);
}
