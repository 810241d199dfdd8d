import { sql, type RawBuilder } from 'kysely';

import { searchText, searchWords, soughtOf } from '../../../domain/search-text.ts';

/**
 * A condition that finds every word of the query in a text made by `searchText`, or by `searched_text` of the database.
 *
 * @param withoutIndex prevents the use of the trigram index. That index holds all companies, and looks up each row of
 * one company in the list of each trigram, which takes a hundred times as long as reading some rows. The planner
 * wrongly estimates it as cheaper.
 */
export function matches(
  searched: string | RawBuilder<unknown>,
  query: string,
  withoutIndex = false,
): RawBuilder<boolean> {
  const words = searchWords(query);
  if (words.length === 0) return sql<boolean>`true`;
  const indexed = typeof searched === 'string' ? sql.ref(searched) : searched;
  const text = withoutIndex ? sql`(${indexed} || '')` : indexed;
  const conditions = words.map((word) => sql`${text} LIKE ${pattern(word)}`);
  return sql<boolean>`(${sql.join(conditions, sql` AND `)})`;
}

function pattern(word: string): string {
  const escaped = soughtOf(word).replaceAll(/[\\%_]/g, String.raw`\$&`);
  return `%${escaped}%`;
}

/** Rank of a match, best first: the text begins with the query, a word does, or neither. */
export function matchRank(column: string, query: string): RawBuilder<number> {
  const start = searchText(query).trim();
  return sql<number>`CASE
    WHEN starts_with(${sql.ref(column)}, ${` ${start}`}) THEN 0
    WHEN strpos(${sql.ref(column)}, ${` ${start}`}) > 0 THEN 1
    ELSE 2 END`;
}
