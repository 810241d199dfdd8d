import { expect, test } from 'vitest';

import { contentsText, dayText, deletionText, numbersOf, periodText } from './export-labels.ts';

// EXP-85
test('what will be in an export is one line', () => {
  const some = {
    invoices: 1128,
    creditNotes: 4,
    gross: 431_250,
    firstNumber: 1001,
    lastNumber: 2132,
  };
  expect(contentsText(some)).toBe(
    '1\u00A0128 fakturaer, 4 kreditnotaer, 431\u00A0250,00\u00A0kr, nummer 1001–2132',
  );
  const one = { invoices: 1, creditNotes: 0, gross: 1250, firstNumber: 7, lastNumber: 7 };
  expect(contentsText(one)).toBe('1 faktura, 1\u00A0250,00\u00A0kr, nummer 7');
  const note = { invoices: 0, creditNotes: 1, gross: -1250, firstNumber: 8, lastNumber: 8 };
  expect(contentsText(note)).toBe(
    '0 fakturaer, 1 kreditnota, \u22121\u00A0250,00\u00A0kr, nummer 8',
  );
});

test('an export of nothing has no numbers', () => {
  expect(numbersOf({ firstNumber: null, lastNumber: null })).toBeNull();
});

test('a period from the first day is told by its end', () => {
  expect(periodText({ from: null, to: '2026-10-31' })).toBe('Til og med 31.10.2026');
  expect(periodText({ from: '2026-10-01', to: '2026-10-31' })).toBe('01.10.2026\u00A0– 31.10.2026');
  expect(periodText({ from: '2026-10-01', to: '2026-10-01' })).toBe('01.10.2026');
});

// EXP-88
test('a day is that of Oslo, with its year when it is another', () => {
  expect(dayText('2026-11-02T23:30:00Z', '2026-11-26')).toBe('3.11.');
  expect(dayText('2025-12-31T23:30:00Z', '2026-11-26')).toBe('1.1.');
  expect(dayText('2025-12-31T12:00:00Z', '2026-11-26')).toBe('31.12.2025');
});

test('the deletion of a file ends a link that was mailed, and no other', () => {
  const sentTo = 'regnskap@example.no';
  const link = 'Lenken som regnskap@example.no har fått, slutter å virke.';
  expect(deletionText({ sentTo, linkSentAt: '2026-11-02T12:00:00Z' })).toContain(link);
  expect(deletionText({ sentTo, linkSentAt: null })).toContain('Filen kan ikke hentes mer.');
  expect(deletionText({ sentTo: null, linkSentAt: null })).toContain('Filen kan ikke hentes mer.');
});
