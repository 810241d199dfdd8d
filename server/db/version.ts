import { sql, type RawBuilder } from 'kysely';

/**
 * A condition of an update: the row is still the version that the update is based on. It is part of the
 * update itself, so that of two updates at once the second sees the first. Without a version it holds.
 */
export function isStill(version: number | null | undefined): RawBuilder<boolean> {
  const based = version ?? null;
  return sql<boolean>`(${based}::integer IS NULL OR version = ${based}::integer)`;
}
