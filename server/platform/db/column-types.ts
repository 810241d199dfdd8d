import type { ColumnType } from 'kysely';

export type Timestamp = ColumnType<Date, Date | string, Date | string>;
/** Kysely does not unwrap Generated<ColumnType>, so this is written out. */
export type GeneratedTimestamp = ColumnType<Date, Date | string | undefined, Date | string>;
