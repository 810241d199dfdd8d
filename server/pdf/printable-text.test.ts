import { describe, expect, it } from 'vitest';

import { coverageOf } from './font-coverage.ts';
import { readFonts } from './fonts.ts';
import { textCleaner } from './printable-text.ts';

const fonts = readFonts().map(coverageOf);

function clean(text: string): string {
  return textCleaner(fonts).clean(text);
}

function replacedIn(text: string): string[] {
  const cleaner = textCleaner(fonts);
  cleaner.clean(text);
  return [...cleaner.replaced];
}

describe('printable text', () => {
  it.each([
    'Blåbærsyltetøy & sånt',
    'Áššu Čáhci ŋ ŧ ž đ',
    'Łódź Šiauliai Tiếng Việt',
    'Кофейня «Ночь» Ελλάς',
    'شركة القهوة עברית',
    '株式会社 上海贸易 한국어 ไทย हिन्दी',
    '😀 👩‍👩‍👧 🇳🇴 1️⃣',
    '#set $x$ *fet* <a> @b `c` // d',
  ])('keeps %s', (text) => {
    expect(clean(text)).toBe(text.normalize('NFC'));
    expect(replacedIn(text)).toEqual([]);
  });

  it('puts everything on one line', () => {
    expect(clean(' a\r\n\tb\u2028c\u0000d ')).toBe('a b c d');
  });

  it('lets no invisible character make a text read as another', () => {
    expect(clean('abc\u202Efdp.exe\u200F\uFEFF')).toBe('abcfdp.exe');
  });

  it('composes letters and their marks', () => {
    expect(clean('A\u030Angstro\u0308m')).toBe('Ångström');
  });

  it('replaces what no font has, and says so', () => {
    expect(clean('a𓀀b')).toBe('a\uFFFDb');
    expect(replacedIn('a𓀀b\uE000')).toEqual(['U+13000', 'U+E000']);
  });

  it('survives lone surrogates and noncharacters', () => {
    expect(clean('a\uD800b\uFFFFc')).toBe('a\uFFFDbc');
  });

  it('leaves out marks that do not go with their letter', () => {
    expect(clean('😀\u064B')).toBe('😀');
    expect(replacedIn('😀\u064B')).toEqual(['U+064B']);
  });
});
