import { describe, expect, test } from 'vitest';

import { type Feature, FEATURES } from '../../../domain/api/endpoint.ts';
import { findColumns, hasHeading, targetOf } from '../import/columns.ts';
import { cellKey, type Corrections, toRows } from '../import/rows.ts';
import { readTable } from '../import/list-file.ts';
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

describe('values', () => {
  test.each([
    ['kr 480,-', 480],
    ['1.250,50', 1250.5],
    ['\u2212100', -100],
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
    ['17', undefined],
  ])('%j is the treatment %j', (text, treatment) => {
    expect(treatmentIn(text, true)).toBe(treatment);
  });

  test('without VAT is what a seller outside of the register has', () => {
    expect(treatmentIn('0', false)).toBe('NOT_REGISTERED');
    const kind = productKind(new Set(FEATURES), { isRegistered: false, treatment: null });
    expect(rowsOf('Navn;Pris inkl. mva.\nKlipp;400', kind)).toEqual([
      { name: 'Klipp', netPrice: 400 },
    ]);
  });

  test('a price with VAT becomes one without, by the treatment of its row or the default', () => {
    const list = 'Navn;Pris med mva;Mva\nKlipp;600;\nKaffe;57,50;15\nVare;gratis;25';
    expect(rowsOf(list)).toEqual([
      { name: 'Klipp', netPrice: 480 },
      { name: 'Kaffe', netPrice: 50, vatTreatment: 'FOOD' },
      // The API names this value as a fault.
      { name: 'Vare', netPrice: 'gratis', vatTreatment: 'STANDARD' },
    ]);
  });
});

test.each([
  ['1,125', 1.125, '1,125'],
  ['0,9950', 0.995, '0,995'],
  ['99999999999999999', 1e17, '100000000000000000'],
])('the price %j is for the API to refuse, with or without VAT', (text, netPrice, shown) => {
  const rows = rowsOf(`Navn;Pris;Pris inkl. mva.\nUten;${text};\nMed;;${text}`);
  expect(rows).toEqual([
    { name: 'Uten', netPrice },
    { name: 'Med', netPrice },
  ]);
  const price = KIND.preview.find(({ heading }) => heading === 'Pris eks. mva.');
  expect(rows.map((row) => price?.cell(row))).toEqual([shown, shown]);
});

test('a price with VAT follows the corrected treatment of its row', () => {
  const list = 'Navn;Pris med mva;Mva\nKontingent;500;utenfor\nKaffe;kr 39,90;mat';
  const corrections = new Map([
    [cellKey(2, 'vatTreatment'), '0 % utenfor mva-loven'],
    [cellKey(3, 'vatTreatment'), '15 %'],
  ]);
  expect(rowsOf(list, KIND, corrections)).toEqual([
    { name: 'Kontingent', netPrice: 500, vatTreatment: 'OUTSIDE' },
    { name: 'Kaffe', netPrice: 34.7, vatTreatment: 'FOOD' },
  ]);
  const emptied = new Map([...corrections, [cellKey(3, 'netPrice'), '']]);
  expect(rowsOf(list, KIND, emptied)[1]).toEqual({ name: 'Kaffe', vatTreatment: 'FOOD' });
});

test.each([
  ['netPrice', 'net_price is a required field', 'Pris eks. mva. mangler'],
  ['netPrice', 'net_price must be a number', 'Skriv prisen som et tall'],
  ['unit', 'unit must be a code of UN/ECE Recommendation 20', 'Enheten er ikke kjent'],
  ['number', 'number must be at most 20 characters', 'plass til 20 tegn'],
  ['number', 'number must not contain a slash, nor consist of dots', 'skråstrek'],
  ['active', 'active must be a boolean', 'ja eller nei'],
])('a fault of %s is explained: %s', (field, message, norwegian) => {
  expect(KIND.explain(field, message)).toContain(norwegian);
});
