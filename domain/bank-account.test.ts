import { expect, test } from 'vitest';

import { validate } from './api/validation.ts';
import { bankAccountNumber, formatBankAccount, isValidBankAccount } from './bank-account.ts';

test.each(['12341112344', '12345678903', '86011117947', '15032080119', '97104133219'])(
  '%s ends with its check digit',
  (number) => {
    expect(isValidBankAccount(number)).toBe(true);
  },
);

test.each(['86011117940', '12341112345', '1234'])('%s does not', (number) => {
  expect(isValidBankAccount(number)).toBe(false);
});

test.each([
  ['1234.11.12345', '12341112345'],
  ['12341112345', '12341112345'],
  [' 12341112345 ', '12341112345'],
])('%j is taken, check digit or not', (typed, digits) => {
  expect(validate(bankAccountNumber(), typed)).toEqual({ ok: true, value: digits });
  expect(formatBankAccount(digits)).toBe('1234.11.12345');
});

test.each(['1234 11 12345', '1234.1112345', '123', '1234111234a'])('%j is not', (typed) => {
  const result = validate(bankAccountNumber(), typed);
  expect(result.ok ? [] : result.faults.map((fault) => fault.message)).toEqual([
    'Bank account number must be in the format "1234.11.12345" or "12341112345"',
  ]);
});
