import type { ColumnType } from 'kysely';

export type Timestamp = ColumnType<Date, Date | string, Date | string>;
/** Kysely does not look into Generated<ColumnType>. */
export type GeneratedTimestamp = ColumnType<Date, Date | string | undefined, Date | string>;
