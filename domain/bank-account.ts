import { z } from 'zod';

import { sentence } from './api/validation.ts';
import { endsWithMod11 } from './check-digit.ts';
import { visibleText } from './typed-digits.ts';

const FORMAT_MESSAGE = 'Bank account number must be in the format "1234.11.12345" or "12341112345"';

/** A Norwegian account number as typed, 1234.11.12345 or 11 digits; parses to the 11 digits. */
export function bankAccountNumber() {
  return z
    .string()
    .overwrite(visibleText)
    .min(1)
    .refine((text) => text === '' || /^(\d{4}\.\d{2}\.\d{5}|\d{11})$/.test(text), {
      message: FORMAT_MESSAGE,
      params: sentence,
    })
    .transform((text) => text.replaceAll('.', ''));
}

/** Whether 11 digits end with their check digit (weights 5 4 3 2 7 6 5 4 3 2). A wrong one is only a hint (PRO-4). */
export function isValidBankAccount(digits: string): boolean {
  return /^\d{11}$/.test(digits) && endsWithMod11(digits);
}

/** '12341112345' → '1234.11.12345', as it is shown and printed. */
export function formatBankAccount(digits: string): string {
  return digits.replace(/^(\d{4})(\d{2})(\d{5})$/, '$1.$2.$3');
}
