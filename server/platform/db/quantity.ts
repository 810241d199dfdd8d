import { sql, type AliasedRawBuilder } from 'kysely';

import { quantityParts } from '../../../domain/invoice/invoice-line.schema.ts';

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
