import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import { importedFields } from '../../../domain/customer/customer.schema.ts';
import {
  countTitleLines,
  findColumns,
  hasHeading,
  setColumn,
  targetOf,
} from '../import/import-kind.ts';
import { cellKey, toRows } from '../import/rows.ts';
import { readTable } from '../import/list-file.ts';
import { CUSTOMER_COLUMNS as COLUMNS, customerKind, explain } from './customer-kind.tsx';
import {
  countUnrecognisable,
  CUSTOMER_ROWS,
  type CustomerRow,
  isCut,
  padPostalCodes,
} from './customer-rows.ts';

// IMP-7
describe('columns', () => {
  test.each([
    ['Kundenr.', 'customerNumber'],
    ['Medlems-nr', 'customerNumber'],
    ['FIRMANAVN', 'name'],
    ['E-postadresse', 'email'],
    ['e-mail', 'email'],
    ['Org. nr', 'orgNumber'],
    ['Mva-nummer', 'vatNumber'],
    ['organisation_number', 'orgNumber'],
    ['Mobil', 'phoneNumber'],
    ['Address 1', 'address1'],
    ['Postnr.', 'postalCode'],
    ['Zip code', 'postalCode'],
    ['Poststed', 'city'],
    ['Postnr/sted', 'postalPlace'],
    ['Landkode', 'country'],
    ['Kontaktperson', 'contactName'],
    ['Deres ref.', 'reference'],
    ['Betalingsfrist', 'dueDays'],
    ['Leveringsmåte', 'deliveryType'],
    ['Privat', 'isPrivate'],
    ['Født', null],
  ])('headed %s are %s', (heading, target) => {
    expect(targetOf(COLUMNS, heading)).toBe(target);
  });

  test('are recognised by the names in the form and the API', () => {
    const fields = Object.keys(importedFields.shape).map((field) => [
      targetOf(COLUMNS, field),
      field,
    ]);
    expect(fields.filter(([found, field]) => found !== field)).toEqual([]);
    const labels = Object.entries(COLUMNS.labels).map(([target, label]) => [
      targetOf(COLUMNS, label),
      target,
    ]);
    expect(labels.filter(([found, target]) => found !== target)).toEqual([]);
  });

  // IMP-8
  test('headed by words of two meanings have the other one beside a column of the first', () => {
    const columnsOf = (headings: string) =>
      findColumns(COLUMNS, readTable(`${headings}\n1;2;3`), true);
    expect(columnsOf('Kontakt;Fakturaepost;By')).toEqual(['name', 'email', 'city']);
    expect(columnsOf('Kontakt;Firma;By')).toEqual(['contactName', 'name', 'city']);
    expect(columnsOf('Navn;Faktura e-post;E-post')).toEqual(['name', 'invoiceEmails', 'email']);
  });

  test('without headings are recognised by their content', () => {
    const table = readTable('Kari Dal\tkari@example.no\t+47 912 34 567\tKaia 2\t6150\tØrsta');
    expect(hasHeading(COLUMNS, table)).toBe(false);
    expect(findColumns(COLUMNS, table, false)).toEqual([
      'name',
      'email',
      'phoneNumber',
      'address1',
      'postalCode',
      'city',
    ]);
    expect(hasHeading(COLUMNS, readTable('Navn;Alder\nKari;40'))).toBe(true);
    // A year is a heading when other headings are beside it.
    expect(
      hasHeading(COLUMNS, readTable('Navn;E-post;2025;2026\nKari;kari@example.no;100;200')),
    ).toBe(true);
    expect(hasHeading(COLUMNS, readTable('By;4791234567;100\nKari;4791234568;200'))).toBe(false);
  });

  test.each([
    [2, 'Medlemsliste;;\n\nSist endret;1. november;\nNr;Navn;E-post\n1;Kari;kari@example.no'],
    [1, 'Kunde;;\nNr;Navn;E-post\n1;Kari;kari@example.no'],
    // No title lines: headings first, a customer first, or no headings at all.
    [0, 'Nr;Navn;Født\n1;Kari;1990'],
    [0, 'Kari;kari@example.no;Oslo\nNavn;E-post;'],
    [0, 'Medlemsliste\nKari Dal\nOla Nes'],
  ])('have %i lines above them in %j', (count, text) => {
    expect(countTitleLines(COLUMNS, readTable(text))).toBe(count);
  });

  test('have different targets', () => {
    const columns = findColumns(COLUMNS, readTable('Navn;Kunde;E-post\n1;2;3'), true);
    expect(columns).toEqual(['name', null, 'email']);
    expect(setColumn(columns, 1, 'name')).toEqual([null, 'name', 'email']);
    expect(setColumn(columns, 0, null)).toEqual([null, null, 'email']);
  });
});

describe('rows', () => {
  const OPTIONS = { corrections: new Map(), skipped: new Set<number>() };

  test('are normalised for the form', () => {
    const table = readTable(
      [
        'Nr;Fornavn;Etternavn;Mobil;Orgnr;Adresse;Postnr/sted',
        '1 001;Kari;Dal;+47 912 34 567;NO 974 760 673 MVA;"Kaia 2\n3. etg";150 Oslo',
        'A7;Ola;;004722334455;;;',
        ';Max;;4791234567;;;10115 Berlin',
        ';Åsa;;;;;123 45 Stockholm',
      ].join('\n'),
    );
    const columns = findColumns(COLUMNS, table, true);
    const rows = padPostalCodes(
      toRows<CustomerRow>(CUSTOMER_ROWS, table.lines.slice(1), { ...OPTIONS, columns }),
    );
    expect(rows).toEqual([
      {
        line: 2,
        row: {
          customerNumber: 1001,
          name: 'Kari Dal',
          phoneNumber: '91234567',
          orgNumber: '974760673',
          address1: 'Kaia 2, 3. etg',
          postalCode: '0150',
          city: 'Oslo',
        },
      },
      { line: 3, row: { customerNumber: 'A7', name: 'Ola', phoneNumber: '22334455' } },
      // A spreadsheet removes a plus sign. Foreign postal codes stay in the city.
      { line: 4, row: { name: 'Max', phoneNumber: '91234567', city: '10115 Berlin' } },
      { line: 5, row: { name: 'Åsa', city: '123 45 Stockholm' } },
    ]);
  });

  // IMP-8, IMP-10
  test('have the values of the API for countries, days, deliveries and private persons', () => {
    const columns = ['country', 'dueDays', 'deliveryType', 'isPrivate', 'invoiceEmails'] as const;
    const { lines } = readTable(
      'Sverige;14 dager;E-post;Ja;a@b.no, c@d.no\nGermany;30;ehf;bedrift;a@b.no\nse;snart;due;tja;a@',
    );
    expect(
      toRows<CustomerRow>(CUSTOMER_ROWS, lines, { ...OPTIONS, columns }).map(({ row }) => row),
    ).toEqual([
      {
        country: 'SE',
        dueDays: 14,
        deliveryType: 'EMAIL',
        isPrivate: true,
        invoiceEmails: ['a@b.no', 'c@d.no'],
      },
      {
        country: 'DE',
        dueDays: 30,
        deliveryType: 'EHF',
        isPrivate: false,
        invoiceEmails: ['a@b.no'],
      },
      // The API names these values as faults.
      {
        country: 'se',
        dueDays: 'snart',
        deliveryType: 'due',
        isPrivate: 'tja',
        invoiceEmails: ['a@'],
      },
    ]);
    const words = [
      'UK;netto 10',
      'storbritannia;30 dgr',
      'Holland;Netto pr. 14 dager',
      'Norge;30 d.',
    ];
    const { lines: others } = readTable(words.join('\n'));
    expect(
      toRows<CustomerRow>(CUSTOMER_ROWS, others, { ...OPTIONS, columns }).map(({ row }) => row),
    ).toEqual([
      { country: 'GB', dueDays: 10 },
      { country: 'GB', dueDays: 30 },
      { country: 'NL', dueDays: 14 },
      { country: 'NO', dueDays: 30 },
    ]);
    const several = readTable('Land;E-post\nNorge;a@b.no c@d.no\nNorge;"a@b.no;c@d.no"').lines;
    const addresses = { columns: ['country', 'invoiceEmails'], ...OPTIONS } as const;
    expect(
      toRows<CustomerRow>(CUSTOMER_ROWS, several.slice(1), addresses).map(
        ({ row }) => row.invoiceEmails,
      ),
    ).toEqual([
      ['a@b.no', 'c@d.no'],
      ['a@b.no', 'c@d.no'],
    ]);
    expect(explain('dueDays', 'due_days must be a number')).toContain('dager');
    expect(explain('customerNumber', 'customer_number must be a number')).toContain('Kundenummer');
  });

  // IMP-10
  test('have a VAT number, which of a Norwegian firm is its organisation number', () => {
    const columns = ['name', 'vatNumber', 'orgNumber', 'country'] as const;
    const { lines } = readTable(
      'Ås;NO 974 760 673 MVA;;\nBo;974760673MVA;;Norge\nCe;SE556677889901;;Sverige\nDe;123456789;;Tyskland',
    );
    expect(
      toRows<CustomerRow>(CUSTOMER_ROWS, lines, { ...OPTIONS, columns }).map(({ row }) => row),
    ).toEqual([
      { name: 'Ås', orgNumber: '974760673' },
      { name: 'Bo', orgNumber: '974760673', country: 'NO' },
      { name: 'Ce', vatNumber: 'SE556677889901', country: 'SE' },
      // The API names it as a fault.
      { name: 'De', vatNumber: '123456789', country: 'DE' },
    ]);
    const { columns: without } = customerKind(new Set());
    expect(targetOf(without, 'Mva-nummer')).toBe('orgNumber');
    expect(without.labels).not.toHaveProperty('vatNumber');
  });

  test('say with einvoice alone whether EHF comes first (IMP-10)', () => {
    const { columns: withEhf } = customerKind(new Set(['einvoice']));
    expect(targetOf(withEhf, 'EHF når kunden kan motta')).toBe('ehfFirst');
    expect(targetOf(customerKind(new Set()).columns, 'EHF når kunden kan motta')).toBeNull();
    const { lines } = readTable('Ås;nei\nBo;ja');
    const columns = ['name', 'ehfFirst'] as const;
    expect(
      toRows<CustomerRow>(CUSTOMER_ROWS, lines, { ...OPTIONS, columns }).map(({ row }) => row),
    ).toEqual([
      { name: 'Ås', ehfFirst: false },
      { name: 'Bo', ehfFirst: true },
    ]);
  });

  test('are counted when another import would not know their customers again', () => {
    const { lines } = readTable(
      'Nr;Orgnr;E-post\n7;;\n;974760673;\n;;Kari@dal.no\n;;felles@dal.no\n;;Felles@dal.no\n;;\n',
    );
    const columns = ['customerNumber', 'orgNumber', 'email'] as const;
    const rows = toRows<CustomerRow>(CUSTOMER_ROWS, lines.slice(1), { ...OPTIONS, columns });
    expect(countUnrecognisable(rows, new Set())).toBe(2);
    expect(
      countUnrecognisable(
        [
          ...rows,
          ...toRows<CustomerRow>(CUSTOMER_ROWS, [{ number: 9, cells: ['', '', ''] }], {
            ...OPTIONS,
            columns,
          }),
        ],
        new Set([4]),
      ),
    ).toBe(2);
  });

  test('are read without the characters that a spreadsheet puts around digits', () => {
    const { lines } = readTable(
      `Nr;Navn;Postnr;Mobil;Orgnr\n7.0;Kari;'0150;="+47 91234567";'974760673\n;Ola;150.0;;="974760673"`,
    );
    const columns = ['customerNumber', 'name', 'postalCode', 'phoneNumber', 'orgNumber'] as const;
    const rows = padPostalCodes(
      toRows<CustomerRow>(CUSTOMER_ROWS, lines.slice(1), { ...OPTIONS, columns }),
    );
    expect(rows.map(({ row }) => row)).toEqual([
      {
        customerNumber: 7,
        name: 'Kari',
        postalCode: '0150',
        phoneNumber: '91234567',
        orgNumber: '974760673',
      },
      { name: 'Ola', postalCode: '0150', orgNumber: '974760673' },
    ]);
  });

  test('use corrections in place of cells, and may be left out', () => {
    const { lines } = readTable('Navn;Postnr\nKari;150\nOla;4');
    const options = { ...OPTIONS, columns: ['name', 'postalCode'] as const };
    expect(toRows<CustomerRow>(CUSTOMER_ROWS, lines, options).map(isCut)).toEqual([
      false,
      true,
      false,
    ]);
    const corrections = new Map([
      [cellKey(2, 'email'), 'kari@example.no'],
      [cellKey(2, 'postalCode'), ''],
    ]);
    const skipped = new Set([1, 3]);
    expect(toRows<CustomerRow>(CUSTOMER_ROWS, lines, { ...options, corrections, skipped })).toEqual(
      [{ line: 2, row: { name: 'Kari', email: 'kari@example.no' } }],
    );
  });
});

test('every English rule of the API for a row is translated to Norwegian', () => {
  const source = readFileSync('server/customer/customer-import.test.ts', 'utf8');
  const messages = [...source.matchAll(/\[\d, '(\w+)', '(\w+ (?:must|is) [^']+)'\]/g)];
  expect(messages.length).toBeGreaterThan(7);
  for (const [, field = '', message = ''] of messages) {
    const camel = field.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    expect(explain(camel, message)).toMatch(/\p{L}/u);
  }
});
