import { read, utils } from '@e965/xlsx';
import { expect, test } from 'vitest';

import { day, money, number, text, type Cell, type Table } from '../../domain/export/table.ts';
import { printWorkbook } from './workbook.ts';

const NASTY = [
  '=1+1',
  '+47 12 34 56 78',
  '@SUM(A1)',
  '<b>&"\'',
  'a;b',
  'to\nlinjer',
  'NUL\u0000 og \u001B',
  '😀 Ørsta',
  '_x0041_',
  'x'.repeat(300),
  '00012345678903',
];
const KEPT = NASTY.map((value) => (value.startsWith('NUL') ? 'NUL og ' : value));

function tableOf(name: string, rows: readonly (readonly Cell[])[]): Table {
  return {
    name,
    columns: [text('Tekst', 20), money('Beløp'), day('Dato'), number('Antall')],
    async *rows() {
      yield rows;
    },
  };
}

async function workbookOf(tables: readonly Table[]) {
  const bytes: Uint8Array[] = [];
  for await (const part of printWorkbook(tables)) bytes.push(part);
  return read(Buffer.concat(bytes), { cellFormula: true, cellNF: true, cellStyles: true });
}

// EXP-60
test('a workbook keeps texts as texts, amounts as numbers and dates as dates', async () => {
  const rows = NASTY.map((value): Cell[] => [value, -123_450, '2026-02-28', 1.5]);

  const book = await workbookOf([tableOf('Fakturaer', rows), tableOf('Åpne poster', [])]);

  expect(book.SheetNames).toEqual(['Fakturaer', 'Åpne poster']);
  const sheet = book.Sheets['Fakturaer'] ?? {};
  const values = utils.sheet_to_json<unknown[]>(sheet, { header: 1, raw: true });
  expect(values[0]).toEqual(['Tekst', 'Beløp', 'Dato', 'Antall']);
  expect(values.slice(1).map(([first]) => first)).toEqual(KEPT);
  expect(values[1]?.slice(1)).toEqual([-1234.5, new Date('2026-02-28'), 1.5]);
  const cells = Object.entries(sheet).filter(([place]) => /^[A-D]\d+$/.test(place));
  expect(cells.filter(([, cell]) => (cell as { f?: string }).f !== undefined)).toEqual([]);
  expect(sheet['B2']).toMatchObject({ t: 'n', z: '#,##0.00' });
  expect(sheet['A12']).toMatchObject({ t: 's', v: '00012345678903' });
  expect(sheet['!autofilter']).toEqual({ ref: 'A1:D12' });
});

test('a table that is longer than a sheet goes on in another one', async () => {
  const rows = Array.from({ length: 1_048_576 }, (_, index): Cell[] => [null, null, null, index]);

  const bytes: Uint8Array[] = [];
  for await (const part of printWorkbook([tableOf('Linjer', rows)])) bytes.push(part);

  const book = read(Buffer.concat(bytes), { sheets: 1 });
  expect(book.SheetNames).toEqual(['Linjer', 'Linjer 2']);
  const values = utils.sheet_to_json<unknown[]>(book.Sheets['Linjer 2'] ?? {}, { header: 1 });
  expect(values.map((row) => row.at(-1))).toEqual(['Antall', 1_048_575]);
});

test('a table that fails breaks the workbook off', async () => {
  const failing: Table = {
    ...tableOf('Bilag', []),
    async *rows() {
      yield [['x', 1, '2026-01-01', 1]];
      throw new Error('the database is gone');
    },
  };

  await expect(workbookOf([failing])).rejects.toThrow('the database is gone');
});
