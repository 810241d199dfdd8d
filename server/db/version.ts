import { sql, type RawBuilder } from 'kysely';

/**
 * Whether the row of an update is still the version that the update is based on. Asked in the update
 * itself, so that of two at once the second finds what the first has left. Always so where the caller
 * does not say.
 */
export function isStill(version: number | null | undefined): RawBuilder<boolean> {
  const based = version ?? null;
  return sql<boolean>`(${based}::integer IS NULL OR version = ${based}::integer)`;
}
