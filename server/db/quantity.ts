import { sql, type AliasedRawBuilder } from 'kysely';

import { quantityParts } from '../../domain/invoice/quantity.ts';

/** A line's quantity as it is read: the thousandths beside the whole number are part of it. */
export function exactQuantity(line: string): AliasedRawBuilder<number, 'quantity'> {
  const [whole, thousandths] = [sql.ref(`${line}.quantity`), sql.ref(`${line}.thousandths`)];
  // Added as decimals, so that the number is the nearest there is to what was written.
  return sql<number>`(${whole} + ${thousandths} * 0.001)::float8`.as('quantity');
}

/** A line as its table has it. */
export function toStoredLine<Line extends { readonly quantity: number }>(line: Line) {
  const { whole, thousandths } = quantityParts(line.quantity);
  return { ...line, quantity: whole, thousandths };
}
