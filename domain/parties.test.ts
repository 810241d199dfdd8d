import { expect, test } from 'vitest';

import {
  formatOrgNumber,
  isValidOrgNumber,
  bankAccountNumber,
  formatBankAccount,
  isValidBankAccount,
} from './parties.ts';
import { validate } from './api/validation.ts';

// PRO-4
test.each([
  '974760673', // Brønnøysundregistrene
  '991825827', // Digdir
  '923609016', // Equinor
  '984851006', // DNB Bank
  '982463718', // Telenor
  '984661185', // Posten Bring
  '123456785',
  '987654325',
])('%s is an organisation number', (number) => {
  expect(isValidOrgNumber(number)).toBe(true);
});

// The check of 00000060 is 10, which is no digit.
test.each(['123456784', '000000600', '000000601', '12345678', '1234567855', '12345678a', ''])(
  '%j is none',
  (text) => {
    expect(isValidOrgNumber(text)).toBe(false);
  },
);

test('it is printed in threes, and other texts as they are', () => {
  expect(formatOrgNumber('974760673')).toBe('974\u00A0760\u00A0673');
  expect(formatOrgNumber('SE 5560')).toBe('SE 5560');
});

// PRO-4
test.each(['12341112344', '12345678903', '86011117947', '15032080119', '97104133219'])(
  '%s ends with its check digit',
  (number) => {
    expect(isValidBankAccount(number)).toBe(true);
  },
);

test.each(['86011117940', '12341112345', '1234'])('%s does not', (number) => {
  expect(isValidBankAccount(number)).toBe(false);
});

// PRO-2
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
