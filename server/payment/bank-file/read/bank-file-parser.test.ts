import { describe, expect, it } from 'vitest';

import { camtFile, camtText } from '../../../testing/bank-files/camt-file.ts';
import { ocrFile } from '../../../testing/bank-files/ocr-file.ts';
import { createRandom, type Random } from '../../../testing/bank-files/random.ts';
import { faultsOf, readAtOnce } from '../../../testing/bank-files/read-at-once.ts';

const PAYER = 'Øyvind Åsheim';
const STATEMENTS = [{ entries: [{ amount: '1.00', details: [{ payer: PAYER }] }] }];
const TEXT = camtText({ statements: STATEMENTS });
const payments = [
  { amount: 100, kid: '18' },
  { amount: 50, type: 21, text: 'Å ja' },
];
const OCR = ocrFile([{ assignments: [{ payments }] }]);
const FILES: Readonly<Record<string, Buffer>> = {
  OCR,
  CAMT054: Buffer.from(TEXT),
  CAMT053: camtFile({
    format: 'CAMT053',
    version: '08',
    statements: [
      {
        entries: [
          {
            amount: '100.00',
            details: [{ amount: '60.00', kids: [{ kid: '18' }] }, { amount: '40.00' }],
          },
          { amount: '1.00', direction: 'DBIT', reversal: true, date: '2026-11-20T10:00:00Z' },
        ],
        balances: [
          { code: 'OPBD', amount: '1.00' },
          { code: 'CLBD', amount: '100.00' },
        ],
        totals: '<TtlNtries><NbOfNtries>2</NbOfNtries><Sum>101</Sum></TtlNtries>',
      },
    ],
  }),
};

/** The number of randomly changed files. */
const MUTATIONS = 5000;

function lineOf(text: string): number {
  return TEXT.slice(0, TEXT.indexOf(text)).split('\n').length;
}

// BANK-9
describe('a file', () => {
  it.each([
    ['nothing of the kind', 'Dato;Beløp\n1.1.2026;100', 'verken OCR giro, camt.054 eller camt.053'],
    ['a PDF', '%PDF-1.7', 'Den er en PDF'],
    ['packed', 'PK\u0003\u0004', 'pakk den ut'],
    ['packed by gzip', '\u001F\u008B\u0008\u0000', 'Den er pakket: pakk den ut først'],
    ['packed by 7-Zip', '7z\u00BC\u00AF\u0027\u001C', 'Den er pakket: pakk den ut først'],
    ['packed by bzip2', 'BZh91AY&SY', 'Den er pakket: pakk den ut først'],
    ['packed by xz', '\u00FD7zXZ\u0000', 'Den er pakket: pakk den ut først'],
    ['packed by RAR', 'Rar!\u001A\u0007', 'Den er pakket: pakk den ut først'],
    ['Telepay', 'AH100TBII', 'Telepay'],
    ['binary', '\u0000\u0001\u0002', 'verken'],
  ])('that is %s is refused', (_, content, message) => {
    expect(faultsOf(Buffer.from(content, 'latin1'))).toMatchObject([
      { line: 1, message: expect.stringContaining(message) },
    ]);
  });

  it.each(Object.entries(FILES))(
    'of format %s that is cut anywhere is refused, unless only white space is missing',
    (format, bytes) => {
      const whole = readAtOnce(bytes);
      expect(whole.summary.format).toBe(format);
      for (let length = 0; length < bytes.length; length++) {
        const cut = bytes.subarray(0, length);
        if (faultsOf(cut).length > 0) continue;
        expect(bytes.subarray(length).toString().trim()).toBe('');
        expect(readAtOnce(cut).entries).toEqual(whole.entries);
      }
    },
  );

  it('gives the same result in pieces of any size', () => {
    const bytes = FILES['CAMT053'] ?? OCR;
    const whole = readAtOnce(bytes);
    for (const size of [1, 3, 64, 500]) expect(readAtOnce(bytes, size)).toEqual(whole);
  });
});

describe('the encoding of camt', () => {
  const declared = (name: string) => TEXT.replace('UTF-8', name);
  const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

  it.each<[string, Uint8Array]>([
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${TEXT}`)],
    ['UTF-8 undeclared', Buffer.from(TEXT.slice(TEXT.indexOf('<Doc')))],
    ['ISO-8859-1', Buffer.from(declared('iso-8859-1'), 'latin1')],
    ['Windows-1252', Buffer.from(declared('windows-1252'), 'latin1')],
    ['UTF-16LE with a mark', Buffer.from(`\uFEFF${declared('UTF-16')}`, 'utf16le')],
    ['UTF-16LE', Buffer.from(declared('UTF-16'), 'utf16le')],
    ['UTF-16BE with a mark', utf16be(`\uFEFF${declared('utf-16')}`)],
    ['UTF-16BE undeclared', utf16be(`\uFEFF${TEXT.slice(TEXT.indexOf('<Doc'))}`)],
  ])('may be %s', (_, bytes) => {
    for (const size of [1, 1000]) {
      expect(readAtOnce(bytes, size).entries).toMatchObject([{ payer: PAYER }]);
    }
  });

  it.each<[string, Uint8Array, number, string]>([
    ['not the UTF-8 that it says', Buffer.from(TEXT, 'latin1'), lineOf(PAYER), 'ikke er UTF-8'],
    ['not the UTF-16 that it says', Buffer.from(declared('UTF-16')), 1, 'innholdet er det ikke'],
    ['UTF-16 and says UTF-8', Buffer.from(`\uFEFF${TEXT}`, 'utf16le'), 1, 'innholdet er UTF-16'],
    ['marked and says ISO-8859-1', Buffer.from(`\uFEFF${declared('ISO-8859-1')}`), 1, 'er UTF-8'],
    ['of another encoding', Buffer.from(declared('EBCDIC-CP-NO')), 1, 'Tegnsettet må være'],
    [
      'half a character short',
      Buffer.from(`\uFEFF${declared('UTF-16')}`, 'utf16le').subarray(0, -1),
      lineOf('</Document>'),
      'UTF-16',
    ],
  ])('are refused when they are %s', (_, bytes, line, message) => {
    for (const size of [1, 7, 5000]) {
      let fault: unknown;
      try {
        readAtOnce(bytes, size);
      } catch (error) {
        fault = error;
      }
      expect(fault).toMatchObject({
        faults: [{ line, message: expect.stringContaining(message) }],
      });
    }
  });
});

it('refuses a file with more payments than the limit', () => {
  const details = '<TxDtls/>'.repeat(500_001);
  const fault = faultsOf(Buffer.from(TEXT.replace('<NtryDtls>', `<NtryDtls>${details}`)))[0];
  expect(fault?.message).toContain('mer enn 500000 innbetalinger');
});

// BANK-12
describe('XML', () => {
  const inside = (content: string) => Buffer.from(TEXT.replace('<GrpHdr>', `${content}<GrpHdr>`));
  const before = (content: string) => Buffer.from(TEXT.replace('<Document', `${content}<Document`));

  it.each<[string, Uint8Array, string]>([
    ['a document type', before('<!DOCTYPE Document>'), 'DOCTYPE'],
    [
      'an entity from a file',
      before('<!DOCTYPE D [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
      'DOCTYPE',
    ],
    [
      'entities of entities',
      before('<!DOCTYPE D [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>'),
      'DOCTYPE',
    ],
    ['an entity declaration among the elements', inside('<!ENTITY x SYSTEM y>'), 'velformet'],
    ['an unknown entity', inside('<x>&aring;</x>'), 'velformet'],
    ['a character that is none', inside('<x>&#0;</x>'), 'velformet'],
    ['a control character', inside('<x>\u0007</x>'), 'tegn som ikke er tillatt'],
    ['one in an attribute', inside('<x a="\u0007"/>'), 'tegn som ikke er tillatt'],
    ['great depth', inside('<x>'.repeat(100)), 'inni hverandre'],
    ['a long name', inside(`<${'x'.repeat(300)}/>`), 'for lang'],
    ['an endless name', inside(`<${'x'.repeat(500_000)}`), 'for lang'],
    ['a long attribute', inside(`<x a="${'x'.repeat(20_000)}"/>`), 'for lang'],
    [
      'too many attributes',
      inside(`<x ${Array.from({ length: 60 }, (_, i) => `a${i}=""`).join(' ')}/>`),
      'for lang',
    ],
    ['long text', inside(`<x>${'x'.repeat(200_000)}</x>`), 'for lang'],
    ['long text in parts', inside(`<x>${'<![CDATA[xxxxxxxx]]>'.repeat(20_000)}</x>`), 'for lang'],
    ['a long value', Buffer.from(TEXT.replace(PAYER, 'x'.repeat(3000))), 'for lang'],
    ['an unknown prefix', inside('<x:y/>'), 'velformet'],
    ['a second root', Buffer.from(`${TEXT}<Document/>`), 'velformet'],
    ['text behind', Buffer.from(`${TEXT}x`), 'velformet'],
    ['tags that cross', inside('<x><y></x></y>'), 'velformet'],
    ['nothing but space', Buffer.from(`<?xml version="1.0"?>${' '.repeat(100)}`), 'velformet'],
  ])('with %s is refused', (_, bytes, message) => {
    const [fault] = faultsOf(bytes);
    expect(fault?.message).toContain(message);
    expect(fault?.line).toBeGreaterThan(0);
  });

  it('may have comments, instructions, CDATA and names of JavaScript', () => {
    const more =
      '<!-- a --><?b c?><constructor a="1" hasOwnProperty=""/><__proto__ __proto__="x"/>';
    const text = TEXT.replace('<GrpHdr>', `${more}<GrpHdr>`).replace(PAYER, `<![CDATA[${PAYER}]]>`);
    expect(readAtOnce(Buffer.from(text)).entries).toMatchObject([{ payer: PAYER }]);
  });
});

describe('random changes', () => {
  it.each(Object.entries(FILES))('to %s lead to a result or a refusal', (_, bytes) => {
    const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);
    const random = createRandom(seed);
    let refused = 0;
    for (let round = 0; round < MUTATIONS; round++) {
      const mutant = mutate(bytes, random);
      try {
        refused += faultsOf(mutant).length > 0 ? 1 : 0;
      } catch (cause) {
        throw new Error(`seed ${seed}, round ${round}: ${JSON.stringify(mutant.toString())}`, {
          cause,
        });
      }
    }
    expect(refused, `seed ${seed}`).toBeGreaterThan(MUTATIONS / 2);
  });
});

const BITS = [
  '<',
  '>',
  '&',
  '/',
  '"',
  '=',
  '\n',
  '\0',
  '\u00FF',
  '9',
  '-',
  'NY',
  ' ',
  '<Ntry>',
  '</Ntry>',
  '<x>',
  '<!--',
  ']]>',
  '999999999999999999',
];

/** Makes one to four changes: replaces a byte, or removes, doubles, moves or inserts a piece. */
function mutate(bytes: Buffer, random: Random): Buffer {
  let mutant = bytes;
  for (let left = 1 + random.below(4); left > 0; left--) {
    const at = random.below(mutant.length + 1);
    const end = Math.min(mutant.length, at + random.below(random.pick([3, 30, 300])));
    const [before, piece, behind] = [
      mutant.subarray(0, at),
      mutant.subarray(at, end),
      mutant.subarray(end),
    ];
    const change = random.pick<Buffer[]>([
      [before, Buffer.from([random.below(256)]), mutant.subarray(at + 1)],
      [before, behind],
      [before, piece, piece, behind],
      [behind, piece, before],
      [before, Buffer.from(random.pick(BITS), 'latin1'), mutant.subarray(at)],
    ]);
    mutant = Buffer.concat(change);
  }
  return mutant;
}
