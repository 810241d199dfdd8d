import { z } from 'zod';

/**
 * A whole number in a path or query. Digits only: JavaScript also accepts '0x10', '1e1' and ' 1 ' as numbers, which
 * would give one thing many addresses.
 */
export function urlNumber(most: number) {
  return z.preprocess(
    (value) =>
      typeof value === 'string' && /^(0|[1-9]\d{0,15})$/.test(value) ? Number(value) : value,
    z.number().int().positive().max(most),
  );
}
