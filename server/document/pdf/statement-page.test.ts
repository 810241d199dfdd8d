import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import type { Statement } from '../../../domain/portal/statement.schema.ts';
import { sampleBuyer, sampleInvoice } from '../../testing/invoice-documents.ts';
import {
  readWithPoppler,
  removeFolder,
  temporaryFolder,
  type ReadPdf,
} from '../../testing/poppler.ts';
import { createPdfRenderer, type PdfRenderer } from './renderer.ts';

// PORT-37

let folder = '';
let renderer: PdfRenderer;

beforeAll(() => {
  folder = temporaryFolder();
  const log = { warn: vi.fn<() => void>(), error: vi.fn<() => void>() };
  renderer = createPdfRenderer({ processes: 1, log });
});

afterAll(async () => {
  await renderer.close();
  removeFolder(folder);
});

const NAME = `Nordmarka og Omegns Samvirkelag for Innkjøp av ${'Byggevarer '.repeat(8)}SA`;

/** A statement of invoices over 100 kroner each. */
function statementOf(many: number): Statement {
  const rows = Array.from({ length: many }, (_, index) => ({
    date: '2026-02-03',
    kind: 'INVOICE' as const,
    number: 1001 + index,
    text: `Faktura ${1001 + index}`,
    dueDate: '2026-02-17',
    debit: 100,
    credit: null,
    balance: 500 + 100 * (index + 1),
  }));
  const closing = 500 + 100 * many;
  return {
    customerNumber: 12,
    customerName: NAME,
    from: '2026-01-01',
    to: '2026-11-30',
    opening: 500,
    rows,
    closing,
    reminderAmount: 47.5,
    open: [],
    ages: [{ age: 'OVER_90', amount: closing + 50, count: many }],
    madeAt: '2026-11-30T10:00:00Z',
  };
}

async function print(statement: Statement): Promise<ReadPdf> {
  const { seller, bankAccountNumber } = sampleInvoice();
  const buyer = { ...sampleBuyer, name: NAME };
  const document = {
    kind: 'STATEMENT',
    invoiceNumber: null,
    seller,
    buyer,
    bankAccountNumber,
    statement,
  } as const;
  return readWithPoppler(folder, await renderer.render({ document, stamp: null, logo: null }));
}

it('is PDF/A-3a and PDF/UA-1, and says that it is no invoice', async () => {
  const pdf = await print(statementOf(3));
  expect(pdf.complaints()).toEqual([]);
  const xmp = pdf.info('-meta');
  expect(xmp).toContain('<pdfaid:conformance>A</pdfaid:conformance>');
  expect(xmp).toMatch(/<pdfuaid:part xmlns:pdfuaid="[^"]+">1<\/pdfuaid:part>/);
  expect(pdf.info()).toMatch(/Title: +Kontoutskrift fra Fjordlys Design AS/);
  expect(pdf.info()).toMatch(/Tagged: +yes/);
  const structure = pdf.info('-struct');
  for (const tag of ['H1', 'H2', 'P', 'Table', 'TH', 'TD']) {
    expect(structure).toMatch(new RegExp(`^ *${tag}\\b`, 'm'));
  }
  const text = pdf.text('reading').replaceAll(/\s+/g, ' ');
  for (const part of [
    'KONTOUTSKRIFT Dette er ikke en faktura.',
    NAME.trim().replaceAll(/\s+/g, ' '),
    'Fra og med 01.01.2026 Til og med 30.11.2026 Kundenummer 12',
    'Inngående saldo 01.01.2026 500,00',
    'Faktura 1001 03.02.2026 17.02.2026 100,00 600,00',
    'Utgående saldo 30.11.2026 800,00',
    'Over 90 dager 3 850,00',
    'Til gode −50,00',
    'Purregebyr og renter som ikke er betalt: 47,50',
    '1234.11.12344',
    'kr 800,00',
  ]) {
    expect(text).toContain(part);
  }
  expect(text).not.toContain('Saldo fra forrige side');
});

it('begins each further page of rows with the balance of the page before', async () => {
  const pdf = await print(statementOf(300));
  const pages = pdf.text('layout').split('\f');
  expect(pages.length).toBeGreaterThan(8);
  let carried = 0;
  for (const [index, page] of pages.entries()) {
    const [first] = /Faktura \d+ /.exec(page) ?? [];
    const [, said] = /Saldo fra forrige side\s+([\d\s]+),00/.exec(page) ?? [];
    if (index === 0 || first === undefined) continue;
    const before = 500 + 100 * (Number(first.slice(8)) - 1001);
    expect(Number(said?.replaceAll(/\s/g, ''))).toBe(before);
    carried += 1;
  }
  expect(carried).toBeGreaterThan(7);
});

it('prints all of a text that is longer than a line', async () => {
  const statement = statementOf(2);
  const text =
    'Betaling av faktura 1001, hvorav 70,00 på purregebyr og 12,50 på forsinkelsesrenter';
  const [first, ...others] = statement.rows;
  if (!first) throw new Error('No row');
  const pdf = await print({ ...statement, rows: [{ ...first, text }, ...others] });
  const words = pdf.text('reading').replaceAll(/\s+/g, ' ');
  for (const word of text.split(' ')) expect(words).toContain(word);
});
