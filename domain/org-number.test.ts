import { expect, test } from 'vitest';

import { formatOrgNumber, isValidOrgNumber } from './org-number.ts';

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

test.each(['123456784', '12345678', '1234567855', '12345678a', ''])('%j is none', (text) => {
  expect(isValidOrgNumber(text)).toBe(false);
});

test('it is printed in threes, and other texts as they are', () => {
  expect(formatOrgNumber('974760673')).toBe('974\u00A0760\u00A0673');
  expect(formatOrgNumber('SE 5560')).toBe('SE 5560');
});
