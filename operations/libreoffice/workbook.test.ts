import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { day, money, number, text, type Cell, type Table } from '../../domain/export/table.ts';
import { printWorkbook } from '../../server/export/workbook.ts';

const run = promisify(execFile);

const TEXTS = [
  '=1+1',
  '+47 12 34 56 78',
  '@SUM(A1)',
  '<b>&"\'',
  'a;b,c',
  'to\nlinjer',
  '😀 Ørsta',
  '_x0041_',
  'x'.repeat(300),
  '00012345678903',
];
/** Sheets as CSV: commas, UTF-8, values as they are and not as they are shown. */
const AS_CSV = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,false,false,false,false,-1';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faktur-libreoffice-'));
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

test('LibreOffice reads a workbook as it was written: texts, numbers and dates', async () => {
  const rows = TEXTS.map((value, index): Cell[] => [value, -123_450 - index, '2026-02-28', 1.5]);
  const file = join(folder, 'book.xlsx');
  await writeFile(file, printWorkbook([tableOf('Fakturaer', rows), tableOf('Åpne poster', [])]));

  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
  for (const format of [AS_CSV, 'fods']) {
    await run('soffice', ['--headless', profile, '--convert-to', format, '--outdir', folder, file]);
  }

  const lines = TEXTS.map((value, index) => {
    const amount = -1234.5 - index / 100;
    return `"${value.replaceAll('"', '""')}","${amount}","02/28/2026","1.5"`;
  });
  expect(await readFile(join(folder, 'book-Fakturaer.csv'), 'utf8')).toBe(
    `${['"Tekst","Beløp","Dato","Antall"', ...lines].join('\n')}\n`,
  );
  // The CSV does not tell a number from a text that looks like one.
  const cells = await readFile(join(folder, 'book.fods'), 'utf8');
  const types = [...cells.matchAll(/office:value-type="(\w+)"/g)].map(([, type]) => type);
  const headings = Array.from({ length: 4 }, () => 'string');
  const row = ['string', 'float', 'date', 'float'];
  expect(types).toEqual([...headings, ...TEXTS.flatMap(() => row), ...headings]);
  expect(cells).not.toContain('table:formula');
  const empty = await readFile(join(folder, 'book-Åpne poster.csv'), 'utf8');
  expect(empty).toBe('"Tekst","Beløp","Dato","Antall"\n');
});

function tableOf(name: string, rows: readonly (readonly Cell[])[]): Table {
  return {
    name,
    columns: [text('Tekst', 20), money('Beløp'), day('Dato'), number('Antall')],
    async *rows() {
      yield rows;
    },
  };
}
