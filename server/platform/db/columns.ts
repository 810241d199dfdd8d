import { sql, type ColumnType, type RawBuilder } from 'kysely';

export type Timestamp = ColumnType<Date, Date | string, Date | string>;
/** Kysely does not unwrap Generated<ColumnType>, so this is written out. */
export type GeneratedTimestamp = ColumnType<Date, Date | string | undefined, Date | string>;

/**
 * A condition of an update: the row still has the version on which the update is based. It is part of the update
 * itself, so the second of two concurrent updates sees the first. Without a version it is always true.
 */
export function isStill(version: number | null | undefined): RawBuilder<boolean> {
  const based = version ?? null;
  return sql<boolean>`(${based}::integer IS NULL OR version = ${based}::integer)`;
}
