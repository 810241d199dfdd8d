import { expect, test } from 'vitest';

import { breakable, oneLine } from './line-breaks.ts';

test('only words that are too long for the column get places to break at', () => {
  expect(breakable('Innkjøp ved Kari Nordmann-Andersen', 10)).toBe(
    'Innkjøp ved Kari Nordmann-Andersen',
  );
  expect(breakable('Ola BESTILLING2026123', 10)).toBe('Ola BESTI\u200BLLING\u200B20261\u200B23');
  expect(breakable('Ola BESTILLING2026123', 20)).toBe('Ola BESTILLING2026123');
});

test('a letter and its marks stay together', () => {
  const letter = 'e\u0323\u0301';
  expect(breakable(letter.repeat(12), 5).split('\u200B')).toEqual(
    [5, 5, 2].map((count) => letter.repeat(count)),
  );
});

test('a line has the beginning of what is too long for it', () => {
  expect(oneLine('Fjordlys Design AS', 12)).toBe('Fjordlys Design AS');
  expect(oneLine('Fjordlys Design AS', 6.4)).toBe('Fjordlys…');
  expect(oneLine('👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 2.5)).toBe('👩‍👩‍👧…');
});
