import { describe, expect, test } from 'vitest';

import { type Feature, FEATURES } from '../../../domain/api/endpoint.ts';
import { findColumns, hasHeading, targetOf } from '../import/import-kind.ts';
import { cellKey, type Corrections, toRows } from '../import/rows.ts';
import { readTable } from '../import/list-file.ts';
import { readList } from '../import/useList.ts';
import { priceIn, productKind, treatmentIn, unitIn } from './product-kind.tsx';

const REGISTERED = { isRegistered: true, treatment: 'STANDARD' } as const;
const KIND = productKind(new Set(FEATURES), REGISTERED);

function rowsOf(text: string, kind = KIND, corrections: Corrections = new Map()) {
  const table = readTable(text);
  const isHeaded = hasHeading(kind.columns, table);
  const columns = findColumns(kind.columns, table, isHeaded);
  const lines = isHeaded ? table.lines.slice(1) : table.lines;
  const options = { columns, corrections, skipped: new Set<number>() };
  return toRows(kind.rows, lines, options).map(({ row }) => row);
}

describe('columns', () => {
  test('are recognised by the names in the form and the API', () => {
    const { labels } = KIND.columns;
    const targets = Object.keys(labels);
    expect(targets.map((target) => targetOf(KIND.columns, target))).toEqual(targets);
    expect(Object.values(labels).map((label) => targetOf(KIND.columns, label))).toEqual(targets);
  });

  test('of units and VAT are there with their features', () => {
    const kind = productKind(new Set<Feature>(['products']), REGISTERED);
    expect(rowsOf('Navn;Enhet;Mva;Pris\nKlipp;timer;15 %;400', kind)).toEqual([
      { name: 'Klipp', netPrice: 400 },
    ]);
  });

  test('without headings are recognised by their content', () => {
    expect(rowsOf('1\tKlipp\ttime\t480,50\t25 %\tKort hår')).toEqual([
      {
        number: '1',
        name: 'Klipp',
        unit: 'HUR',
        netPrice: 480.5,
        vatTreatment: 'STANDARD',
        description: 'Kort hår',
      },
    ]);
  });
});

// PRD-12
describe('values', () => {
  test.each([
    ['kr 480,-', 480],
    ['1.250,50', 1250.5],
    ['\u2212100', -100],
    ['ca. 500', 500],
    ['pr.stk. 45', 45],
    ['Total. 1250', 1250],
    ['1,250.00', 1250],
    ['12,500', undefined],
    ['50 %', undefined],
    ['7,03801E+12', undefined],
    ['gratis', undefined],
    ['', undefined],
  ])('%j is the price %j', (text, price) => {
    expect(priceIn(text)).toBe(price);
  });

  test.each([
    ['stk.', 'EA'],
    ['Timer', 'HUR'],
    ['m2', 'MTK'],
    ['m²', 'MTK'],
    ['XPK', 'XPK'],
    ['kopp', undefined],
  ])('%j is the unit %j', (text, unit) => {
    expect(unitIn(text)).toBe(unit);
  });

  test.each([
    ['25 %', 'STANDARD'],
    ['15', 'FOOD'],
    ['12,0 %', 'REDUCED'],
    ['0 %', 'EXEMPT'],
    ['Høy sats', 'STANDARD'],
    ['fritatt', 'EXEMPT'],
    ['utenfor mva-loven', 'OUTSIDE'],
    ['FOOD', 'FOOD'],
    // The standard tax codes of SAF-T.
    ['3', 'STANDARD'],
    ['31', 'FOOD'],
    ['33', 'REDUCED'],
    ['5', 'EXEMPT'],
    ['6', 'OUTSIDE'],
    ['51', 'REVERSE'],
    ['52', 'EXPORT'],
    ['7', 'NOT_REGISTERED'],
    ['17', undefined],
  ])('%j is the treatment %j', (text, treatment) => {
    expect(treatmentIn(text, true)).toBe(treatment);
  });

  test('ja and nei say whether a product is in use', () => {
    expect(rowsOf('Navn;Aktiv\nKlipp;ja\nVask;Nei\nFarge;')).toEqual([
      { name: 'Klipp', active: true },
      { name: 'Vask', active: false },
      { name: 'Farge' },
    ]);
  });

  test('without VAT is what a seller outside of the register has', () => {
    expect(treatmentIn('0', false)).toBe('NOT_REGISTERED');
    const kind = productKind(new Set(FEATURES), { isRegistered: false, treatment: null });
    const [row = {}] = rowsOf('Navn;Pris inkl. mva.\nKlipp;400', kind);
    expect(row).toEqual({ name: 'Klipp', grossPrice: 400 });
    expect(pricesOf([row], kind)).toEqual(['400,00\u00A0kr']);
  });

  test('a price with VAT is shown without it, by the treatment of its row or the default', () => {
    const list = 'Navn;Pris med mva;Mva\nKlipp;600;\nKaffe;57,50;15\nVare;gratis;25';
    const rows = rowsOf(list);
    expect(rows).toEqual([
      { name: 'Klipp', grossPrice: 600 },
      { name: 'Kaffe', grossPrice: 57.5, vatTreatment: 'FOOD' },
      // The API names this value as a fault.
      { name: 'Vare', grossPrice: 'gratis', vatTreatment: 'STANDARD' },
    ]);
    expect(pricesOf(rows)).toEqual(['480,00\u00A0kr', '50,00\u00A0kr', 'gratis']);
    // The server knows the treatment of a known product.
    expect(PRICE?.cell({ grossPrice: 115 }, { ...KNOWN, netPrice: 100 })).toBe('100,00\u00A0kr');
  });
});

const KNOWN = { row: 1, number: '1', name: 'Kaffe', changes: [] };
const PRICE = KIND.preview.find(({ heading }) => heading === 'Pris eks. mva.');

function pricesOf(rows: readonly object[], { preview } = KIND) {
  const price = preview.find(({ heading }) => heading === 'Pris eks. mva.');
  return rows.map((row) => price?.cell(row));
}

test.each([
  ['1,125', 1.125, '1,125'],
  ['0,9950', 0.995, '0,995'],
  ['99999999999999999', 1e17, '100000000000000000'],
])('the price %j is for the API to refuse, with or without VAT', (text, price, shown) => {
  const rows = rowsOf(`Navn;Pris;Pris inkl. mva.\nUten;${text};\nMed;;${text}`);
  expect(rows).toEqual([
    { name: 'Uten', netPrice: price },
    { name: 'Med', grossPrice: price },
  ]);
  expect(pricesOf(rows)).toEqual([shown, shown]);
});

// PRD-12
test('a price with VAT follows the corrected treatment of its row', () => {
  const list = 'Navn;Pris med mva;Mva\nKontingent;500;utenfor\nKaffe;kr 39,90;mat';
  const corrections = new Map([
    [cellKey(2, 'vatTreatment'), '0 % utenfor mva-loven'],
    [cellKey(3, 'vatTreatment'), '15 %'],
  ]);
  const rows = rowsOf(list, KIND, corrections);
  expect(rows).toEqual([
    { name: 'Kontingent', grossPrice: 500, vatTreatment: 'OUTSIDE' },
    { name: 'Kaffe', grossPrice: 39.9, vatTreatment: 'FOOD' },
  ]);
  expect(pricesOf(rows)).toEqual(['500,00\u00A0kr', '34,70\u00A0kr']);
  const emptied = new Map([...corrections, [cellKey(3, 'grossPrice'), '']]);
  expect(rowsOf(list, KIND, emptied)[1]).toEqual({ name: 'Kaffe', vatTreatment: 'FOOD' });
});

test.each([
  ['Utpris inkl mva', 'grossPrice'],
  ['Salgspris m/mva', 'grossPrice'],
  ['Pris (inkl. mva.)', 'grossPrice'],
  ['Utpris eks mva', 'netPrice'],
  ['Enhetspris ekskl. mva', 'netPrice'],
  ['Mva-kode', 'vatTreatment'],
  ['Innpris', null],
])('the column %j is the %s', (heading, target) => {
  expect(targetOf(KIND.columns, heading)).toBe(target);
});

test('sums at the end of the list are no products', () => {
  const sums = (text: string) => readList(KIND.columns, { name: '', content: text }).sums;
  expect(sums('Navn;Pris\nKlipp;480\nVask;20\nSum;500,00')).toBe('Sum, 500');
  expect(sums('Nr;Navn;Pris\n1;Klipp;480\n;Total:;kr 480\n')).toBe('Total:, kr 480');
  const { table } = readList(KIND.columns, { name: '', content: 'Navn;Pris\nKlipp;480\nSum;480' });
  expect(table.lines).toHaveLength(2);
  // A product of that name has a number, or words beside it.
  expect(sums('Nr;Navn;Pris\n1;Klipp;480\n2;Sum;500')).toBe('');
  expect(sums('Navn;Enhet;Pris\nKlipp;stk;480\nTotal;stk;500')).toBe('');
});

// PRD-12
test('a price that may be thousands is asked about', () => {
  const [row] = rowsOf('Navn;Pris\nSofa;12,500');
  expect(row).toEqual({ name: 'Sofa', netPrice: '12,500' });
  const ask = (text: string) => KIND.explain('netPrice', 'net_price must be a number', text);
  expect(ask('12,500')).toContain('12500 eller 12,50?');
  expect(ask('12,345')).toContain('12345');
  expect(ask('gratis')).toContain('som et tall');
});

test.each([
  ['netPrice', 'net_price is a required field', 'Pris eks. mva. mangler'],
  ['netPrice', 'net_price must be a number', 'Skriv prisen som et tall'],
  ['unit', 'unit must be a code of UN/ECE Recommendation 20', 'Enheten er ikke kjent'],
  ['number', 'number must be at most 20 characters', 'plass til 20 tegn'],
  ['number', 'number must not contain a slash, nor consist of dots', 'skråstrek'],
  ['active', 'active must be a boolean', 'ja eller nei'],
])('a fault of %s is explained: %s', (field, message, norwegian) => {
  expect(KIND.explain(field, message, '')).toContain(norwegian);
});
