import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import Papa from 'papaparse';
import { expect, test } from 'vitest';

import { day, money, number, text, type Cell, type Table } from '../../domain/export/table.ts';
import { printCsv } from './csv.ts';

async function fileOf(rows: readonly (readonly Cell[])[]): Promise<string> {
  const table: Table = {
    name: 'Innbetalinger',
    columns: [text('Tekst', 20), money('Beløp'), day('Dato'), number('Antall')],
    async *rows() {
      yield rows;
    },
  };
  const bytes: Uint8Array[] = [];
  for await (const part of printCsv([table], new Date(0))) bytes.push(part);
  const folder = mkdtempSync(join(tmpdir(), 'csv-'));
  try {
    const zip = join(folder, 'some.zip');
    writeFileSync(zip, Buffer.concat(bytes));
    return execFileSync('unzip', ['-p', zip, 'Innbetalinger.csv'], { encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// EXP-62
test('a CSV file is read as it was written', async () => {
  const texts = ['a;b', 'si "hei"', 'to\nlinjer', 'NUL\u0000', '😀 Ørsta', 'x'.repeat(300)];

  const csv = await fileOf(texts.map((value): Cell[] => [value, -10_000, '2026-11-25', 0.333]));

  expect(csv.startsWith('\uFEFFTekst;Beløp;Dato;Antall\r\n')).toBe(true);
  const { data } = Papa.parse<string[]>(csv.slice(1).trimEnd(), { delimiter: ';' });
  expect(data.slice(1)).toEqual(
    texts.map((value) => [value.replace('\0', ''), '-100,00', '2026-11-25', '0,333']),
  );
});

// EXP-62
test('no text is a formula to a spreadsheet', async () => {
  const texts = [
    '=1+1',
    '+1',
    '-1',
    '@a',
    '\t=1',
    ' =1',
    '\u00A0=1',
    '＝1',
    'a\n=1',
    'a\r\n@b',
    '1+1',
  ];

  const csv = await fileOf(texts.map((value): Cell[] => [value, 0, null, null]));

  const { data } = Papa.parse<string[]>(csv.slice(1).trimEnd(), { delimiter: ';' });
  expect(data.slice(1).map(([first]) => first)).toEqual([
    "'=1+1",
    "'+1",
    "'-1",
    "'@a",
    "'\t=1",
    "' =1",
    "'\u00A0=1",
    "'＝1",
    "a\n'=1",
    "a\n'@b",
    '1+1',
  ]);
});
