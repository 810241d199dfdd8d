import { sql, type RawBuilder } from 'kysely';

/** Trigram indexes need three letters; a shorter word is looked for where words begin. */
const TRIGRAM = 3;

/**
 * Folds text for search. JavaScript knows that Ø is ø whatever locale the database was made with.
 * The leading space lets a search for the beginning of a word use the index too.
 */
export function searchText(...parts: (string | number | null)[]): string {
  return ` ${parts
    .filter((part) => part !== null && part !== '')
    .join(' ')
    .normalize('NFC')
    .toLowerCase()}`;
}

/** A condition that finds every word of the query in a column made by `searchText`. */
export function matches(column: string, query: string): RawBuilder<boolean> {
  const words = searchText(query).trim().split(/\s+/).filter(Boolean);
  if (words.length === 0) return sql<boolean>`true`;
  const conditions = words.map((word) => sql`${sql.ref(column)} LIKE ${pattern(word)}`);
  return sql<boolean>`(${sql.join(conditions, sql` AND `)})`;
}

function pattern(word: string): string {
  const escaped = word.replaceAll(/[\\%_]/g, String.raw`\$&`);
  return word.length < TRIGRAM ? `% ${escaped}%` : `%${escaped}%`;
}

/**
 * How good a match is, smallest first: the text begins with the query, a word does, or neither.
 */
export function matchRank(column: string, query: string): RawBuilder<number> {
  const start = searchText(query).trim();
  return sql<number>`CASE
    WHEN starts_with(${sql.ref(column)}, ${` ${start}`}) THEN 0
    WHEN strpos(${sql.ref(column)}, ${` ${start}`}) > 0 THEN 1
    ELSE 2 END`;
}
