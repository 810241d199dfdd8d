import { z } from 'zod';

/**
 * A whole number in a path or query. Only digits count: JavaScript would also take '0x10', '1e1'
 * and ' 1 ' for numbers, and every thing would have many addresses.
 */
export function urlNumber(most: number) {
  return z.preprocess(
    (value) =>
      typeof value === 'string' && /^(0|[1-9]\d{0,15})$/.test(value) ? Number(value) : value,
    z.number().int().positive().max(most),
  );
}
