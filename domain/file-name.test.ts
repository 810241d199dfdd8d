import { expect, test } from 'vitest';

import { fileNameKey, safeFileName } from './file-name.ts';

test.each([
  ['CON.pdf', '_CON.pdf'],
  ['nul', '_nul'],
  ['Aux.tar.gz', '_Aux.tar.gz'],
  ['com1 .pdf', '_com1.pdf'],
  ['LPT³.csv', '_LPT³.csv'],
  ['con amore.pdf', 'con amore.pdf'],
  ['COM10.pdf', 'COM10.pdf'],
  [`con${' '.repeat(200)}x.pdf`, '_con.pdf'],
  ['C:\\mappe\\prn', '_prn'],
  ['...', 'vedlegg'],
  ['navn. ', 'navn'],
])('%j is stored as %j on every system', (given, name) => {
  expect(safeFileName(given)).toBe(name);
  expect(safeFileName(name)).toBe(name);
});

test('a name has room on Linux, which counts bytes, and ends with a whole character', () => {
  const name = safeFileName(`${'😀'.repeat(100)}.pdf`);
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
  expect(name).toMatch(/^😀+\.pdf$/u);
});

// DOC-24
test('names that differ by case alone are numbered', () => {
  const taken = new Set(['FOTO.JPG', 'Straße.pdf', 'ÅRET.pdf'].map(fileNameKey));
  expect(safeFileName('foto.jpg', taken)).toBe('foto (2).jpg');
  expect(safeFileName('STRASSE.PDF', taken)).toBe('STRASSE (2).PDF');
  expect(safeFileName('a\u030Aret.pdf', taken)).toBe('året (2).pdf');
  taken.add(fileNameKey('_CON.pdf'));
  expect(safeFileName('con.pdf', taken)).toBe('con (2).pdf');
});
