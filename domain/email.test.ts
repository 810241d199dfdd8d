import { domainToASCII, domainToUnicode } from 'node:url';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { asciiEmail, readableEmail } from './email.ts';

describe('an address whose domain has letters beyond ASCII', () => {
  test.each([
    ['kari@bjørnsrud.no', 'kari@xn--bjrnsrud-64a.no'],
    ['post@brønnøysund.no', 'post@xn--brnnysund-m8ac.no'],
    ['post@blåbærsyltetøy.gulbrandsen.priv.no', 'post@xn--blbrsyltety-y8ao3x.gulbrandsen.priv.no'],
    ['a@ø.xn--p1ai', 'a@xn--pda.xn--p1ai'],
    ['a@čáhcesuolu.no', 'a@xn--hcesuolu-7ya35b.no'],
    ['a@müller.æøå.example', 'a@xn--mller-kva.xn--5cab8c.example'],
  ])('%s is mailed as %s', (readable, ascii) => {
    expect(asciiEmail(readable)).toBe(ascii);
    expect(asciiEmail(ascii)).toBe(ascii);
    expect(readableEmail(ascii)).toBe(readable);
    expect(readableEmail(readable)).toBe(readable);
  });

  test('is stored in one form, however its letters are composed', () => {
    expect(asciiEmail('a@bla\u030Abær.no')).toBe(asciiEmail('a@blåbær.no'));
  });

  test.each([
    'kari@example.no',
    'kari@xn--.no',
    'kari@xn--a.no',
    'kari@xn--bjrnsrud-q1!.no',
    'kari@',
    'kari',
    '',
    'a@b@c.no',
    'kari@bjørnsrud.no:80',
    'kari@ø/x.no',
    'kari@ø%2ex.no',
    'kari@ø x.no',
    'kari@bjørn\u200Bsrud.no',
    '\u00F8@example.no',
  ])('is left alone where there is none: %j', (email) => {
    expect(asciiEmail(email)).toBe(email);
    expect(readableEmail(email)).toBe(email);
  });

  test('is not shown with letters that look like Latin ones', () => {
    // Cyrillic а, р, е: 'аррӏе.no'.
    expect(readableEmail('a@xn--80ak6aa92e.no')).toBe('a@xn--80ak6aa92e.no');
  });

  test('is encoded as Node encodes it, for any name', () => {
    const letter = fc.constantFrom(...Array.from('abcxyzæøåäöüéčđŋšŧž0189'));
    const label = fc.string({ unit: letter, minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(label, (name) => {
        const ascii = domainToASCII(`${name}.no`);
        fc.pre(ascii !== '');
        expect(asciiEmail(`a@${name}.no`)).toBe(`a@${ascii}`);
        expect(readableEmail(`a@${ascii}`)).toBe(`a@${domainToUnicode(ascii)}`);
      }),
    );
  });
});
