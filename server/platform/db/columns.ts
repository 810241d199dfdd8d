import { sql, type AliasedRawBuilder, type ColumnType, type RawBuilder } from 'kysely';

import { quantityParts } from '../../../domain/invoice/invoice-line.schema.ts';

export type Timestamp = ColumnType<Date, Date | string, Date | string>;
/** Kysely does not unwrap Generated<ColumnType>, so this is written out. */
export type GeneratedTimestamp = ColumnType<Date, Date | string | undefined, Date | string>;

/** Selects a line's quantity, its whole part plus its thousandths. */
export function exactQuantity(line: string): AliasedRawBuilder<number, 'quantity'> {
  const [whole, thousandths] = [sql.ref(`${line}.quantity`), sql.ref(`${line}.thousandths`)];
  // Added as decimals, so that the result is the double nearest to the decimal value.
  return sql<number>`(${whole} + ${thousandths} * 0.001)::float8`.as('quantity');
}

/** Converts a line to the columns of its table. */
export function toStoredLine<Line extends { readonly quantity: number }>(line: Line) {
  const { whole, thousandths } = quantityParts(line.quantity);
  return { ...line, quantity: whole, thousandths };
}

/**
 * A condition of an update: the row still has the version on which the update is based. It is part of the update
 * itself, so the second of two concurrent updates sees the first. Without a version it is always true.
 */
export function isStill(version: number | null | undefined): RawBuilder<boolean> {
  const based = version ?? null;
  return sql<boolean>`(${based}::integer IS NULL OR version = ${based}::integer)`;
}
