import { z } from 'zod/mini';

import { rule } from '../api/rules.ts';
import { requiredText } from '../text.ts';

/** PRD-2. */
export const PRODUCT_NUMBER_LENGTH = 20;

/** A product number as the owner knows it, printed on invoices. It is a part of an address: no slash, '.' or '..'. */
export const productNumber = requiredText(PRODUCT_NUMBER_LENGTH).check(
  z.refine(
    (number) => !number.includes('/') && !/^\.+$/.test(number),
    rule('{0} must not contain a slash, nor consist of dots'),
  ),
);

/** Two numbers with the same key are the same number (PRD-2). */
export function productKey(number: string): string {
  return number.normalize('NFC').toLowerCase();
}
