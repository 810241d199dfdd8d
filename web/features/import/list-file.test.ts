import { describe, expect, test } from 'vitest';

import { encodingOf, readTable, textOf } from './list-file.ts';

const TEXT = 'Navn;E-post;Poststed\r\nÅse Ærlig;ase@example.no;Ørsta\r\n';

function utf16(text: string, isBigEndian = false): Uint8Array {
  const bytes = Buffer.from(text, 'utf16le');
  return new Uint8Array(isBigEndian ? bytes.swap16() : bytes);
}

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const utf8 = (text: string) => new TextEncoder().encode(text);

describe('a file', () => {
  test.each([
    ['UTF-8', utf8(TEXT)],
    ['UTF-8 with a mark', utf8(`\uFEFF${TEXT}`)],
    ['Windows-1252', latin1(TEXT)],
    ['UTF-16 of Excel', utf16(`\uFEFF${TEXT}`)],
    ['UTF-16 the other way round', utf16(`\uFEFF${TEXT}`, true)],
    ['UTF-16 without a mark', utf16(TEXT)],
  ])('in %s is decoded correctly', (_, bytes) => {
    expect(textOf(bytes, encodingOf(bytes)).replace('\uFEFF', '')).toBe(TEXT);
  });

  test.each([
    ['nothing', new Uint8Array(), 'tom'],
    ['spaces', utf8(' \r\n\r\n'), 'tom'],
    ['packed by gzip', new Uint8Array([0x1f, 0x8b, 0x08, 0x00]), 'pakket fil'],
    ['a workbook', utf8('PK\u0003\u0004 xl/workbook.xml'), 'Excel-fil'],
    ['an old workbook', latin1('\u00D0\u00CF\u0011\u00E0'), 'eldre Excel-fil'],
    ['a PDF', utf8('%PDF-1.7'), 'PDF'],
    [
      'a picture',
      latin1('\u0089PNG\r\n\u001A\n\u0000\u0000\u0000\rIHDR\u0000'),
      'ikke en tekstfil',
    ],
  ])('of %s is refused with advice', (_, bytes, message) => {
    expect(() => textOf(bytes, encodingOf(bytes))).toThrow(message);
  });
});

describe('a list', () => {
  test.each([
    ['semicolons', ';', 'Navn;Adresse\nKari;"Kaia 2; 3. etg"\nOla;Vei 1, 2'],
    ['commas', ',', 'Navn,Adresse\nKari,"Kaia 2; 3. etg"\nOla,"Vei 1, 2"'],
    ['tabs', '\t', 'Navn\tAdresse\nKari\tKaia 2; 3. etg\nOla\tVei 1, 2'],
    [
      'a delimiter named by Excel',
      ',',
      'sep=,\r\nNavn,Adresse\r\nKari,Kaia 2; 3. etg\r\nOla,"Vei 1, 2"',
    ],
  ])('with %s is recognised', (_, delimiter, text) => {
    const table = readTable(text);
    expect(table.delimiter).toBe(delimiter);
    expect(table.lines.map(({ cells }) => cells)).toEqual([
      ['Navn', 'Adresse'],
      ['Kari', 'Kaia 2; 3. etg'],
      ['Ola', 'Vei 1, 2'],
    ]);
  });

  test('is split by the delimiter of most lines, also below a title', () => {
    expect(
      readTable('Kunder pr. 1.11; alle\n\nNr,Navn,By\n1,Kari,Oslo\n2,Ola,Volda').delimiter,
    ).toBe(',');
  });

  test('has line breaks and quotes in quoted cells, and lines are numbered as in the spreadsheet', () => {
    const table = readTable(
      'Navn;Adresse\r\n\r\n"Kari ""K"" Dal";"Kaia 2\r\n3. etasje"\r\n;\r\nOla;\r\n',
    );
    expect(table.lines).toEqual([
      { number: 1, cells: ['Navn', 'Adresse'] },
      { number: 3, cells: ['Kari "K" Dal', 'Kaia 2\n3. etasje'] },
      { number: 5, cells: ['Ola', ''] },
    ]);
  });

  test('may have a single column', () => {
    expect(readTable('Kari Dal\nOla Nes\n').lines).toHaveLength(2);
  });

  test('with a quote that is never closed is refused, and the row is named', () => {
    expect(() => readTable('Navn;By\nKari;"Oslo\nOla;Volda')).toThrow(/^Rad 2: .* lukkes aldri/);
    // If the parser read on to the next quote at the end of a cell, Ola would become part of Kaia's name.
    const nicknamed = 'Navn;By\n"Kaia" Dal;Oslo\nOla Nes;Volda\n"Berg, Per";Bergen';
    expect(() => readTable(nicknamed)).toThrow(/^Rad 2: En celle begynner med et anførselstegn/);
    const doubled = readTable('Navn;By\n"""Kaia"" Dal";Oslo');
    expect(doubled.lines[1]?.cells).toEqual(['"Kaia" Dal', 'Oslo']);
    expect(() => readTable(';;\n;;')).toThrow('ingen rader');
  });
});
