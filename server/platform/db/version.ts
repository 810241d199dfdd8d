import { sql, type RawBuilder } from 'kysely';

/**
 * A condition of an update: the row still has the version on which the update is based. It is part of the update
 * itself, so the second of two concurrent updates sees the first. Without a version it is always true.
 */
export function isStill(version: number | null | undefined): RawBuilder<boolean> {
  const based = version ?? null;
  return sql<boolean>`(${based}::integer IS NULL OR version = ${based}::integer)`;
}
