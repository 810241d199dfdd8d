import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import type { ReminderDocument } from '../../../domain/document/reminder-document.ts';
import { ore } from '../../../domain/money.ts';
import { sampleBuyer } from '../../testing/invoice-documents.ts';
import {
  paymentLine,
  readWithPoppler,
  removeFolder,
  temporaryFolder,
  type ReadPdf,
} from '../../testing/poppler.ts';
import { sampleNotice, sampleReminder } from '../../testing/reminder-documents.ts';
import { createPdfRenderer, type PdfRenderer } from './renderer.ts';

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

async function print(document: ReminderDocument): Promise<ReadPdf> {
  return readWithPoppler(folder, await renderer.render({ document, stamp: null, logo: null }));
}

async function words(document: ReminderDocument): Promise<string> {
  return (await print(document)).text('reading').replaceAll(/\s+/g, ' ');
}

// REM-5
describe('a reminder on paper', () => {
  it('is PDF/A-3a and PDF/UA-1 as an invoice is', async () => {
    const pdf = await print(sampleNotice());
    expect(pdf.complaints()).toEqual([]);
    const xmp = pdf.info('-meta');
    expect(xmp).toContain('<pdfaid:part>3</pdfaid:part>');
    expect(xmp).toContain('<pdfaid:conformance>A</pdfaid:conformance>');
    expect(xmp).toMatch(/<pdfuaid:part xmlns:pdfuaid="[^"]+">1<\/pdfuaid:part>/);
    expect(pdf.info()).toMatch(/Title: +Purring, faktura 10027 fra Fjordlys Design AS/);
    expect(pdf.info()).toMatch(/Tagged: +yes/);
    expect(pdf.info('-isodates')).toMatch(/CreationDate: +2027-01-22T00:00:00Z/);
    const structure = pdf.info('-struct');
    for (const tag of ['H1', 'H2', 'P', 'Table', 'TH', 'TD']) {
      expect(structure).toMatch(new RegExp(`^ *${tag}\\b`, 'm'));
    }
    expect(pdf.attachments()).toEqual({});
  });

  it('is friendly at first, and asks for the invoice alone', async () => {
    const text = await words(sampleReminder());
    for (const part of [
      'BETALINGSPÅMINNELSE',
      'Slikt er lett å overse, så her er en liten påminnelse. Vi setter pris på om du betaler innen 23.12.2026.',
      'Fjordlys Design AS Storgata 12 0184 Oslo Org.nr 123 456 785 MVA',
      'Bærums Verk Kaffebrenneri AS Verksgata 15',
      'Dato 09.12.2026 Ny betalingsfrist 23.12.2026 Fakturanummer 10027 Fakturadato 21.11.2026 Forfalt 05.12.2026',
      'Faktura 10027 av 21.11.2026: Profildesign og logo m.m. 26 630,16',
      'Er noe feil eller uklart, eller trenger du mer tid? Skriv til post@fjordlys.example',
      'Se bort fra denne hvis du nettopp har betalt.',
      '1234.11.12344',
      '000104200000100272',
      'kr 26 630,16',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toMatch(/gebyr|rente|inkasso|mva(?! )/);
    expect(text).not.toContain('Mva');
  });

  it('keeps the amount apart from the longest KID and the due date', async () => {
    const kid = '9876543210987654321098765';
    const pdf = await print(sampleReminder({ kid, kidModulus: 'MOD11' }));
    const { text, space } = paymentLine(pdf, kid);
    expect(text).toBe(`1234.11.12344 ${kid} 23.12.2026 kr 26 630,16`);
    expect(space).toBeGreaterThan(12);
  });

  it('asks for each thing by itself when it asks for more', async () => {
    const text = await words(sampleNotice());
    for (const part of [
      'PURRING',
      'vi kan ikke se at alt er betalt. Vi ber deg betale beløpet nedenfor innen 05.02.2027.',
      'Betalt −10 000,00',
      'Forsinkelsesrente: 12,25 % fra 08.12.2026 til 31.12.2026 (24 dager) og 12,00 % fra 01.01.2027 til 22.01.2027 (22 dager)',
      '302,74',
      'Purregebyr 37,50',
      'Fra tidligere påminnelser 37,50',
      'Rest av fakturaen 16 630,16 Tillegg 377,74 Å betale 17 007,90',
      'Er du uenig i kravet, eller er noe uklart?',
      'kr 17 007,90',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('says unmistakably what follows when it is a notice of collection', async () => {
    const document = sampleNotice({
      kind: 'DEBT_COLLECTION_NOTICE',
      fee: ore(0),
      earlier: ore(0),
      interest: null,
      compensation: ore(46_000),
    });
    const text = await words(document);
    expect(text).toContain('INKASSOVARSEL');
    expect(text).toContain('Betaler du ikke innen 05.02.2027, sender vi kravet til inkasso.');
    expect(text).toContain('Standardkompensasjon (forsinkelsesrenteloven § 3 a) 460,00');
    expect(text).toContain('Tillegg 460,00 Å betale 17 090,16');
  });

  it('stands on one page whatever people write', async () => {
    const hostile = '#set text(red) $x^2$ *b* _i_ <l> @r `c` // - = \\ #panic("x") "';
    const document = sampleNotice({
      reference: hostile,
      buyer: { ...sampleBuyer, name: hostile },
      invoice: { ...sampleNotice().invoice, about: `${'Donaudampfschiff'.repeat(12)} ${hostile}` },
    });
    const pdf = await print(document);
    expect(pdf.complaints()).toEqual([]);
    expect(pdf.info()).toMatch(/Pages: +1\b/);
    expect(pdf.text('reading').replaceAll(/\s/g, '')).toContain(hostile.replaceAll(' ', ''));
  });
});
