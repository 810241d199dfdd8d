import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { create } from 'xmlbuilder2';

import type { InvoiceDocument } from '../../../domain/document/invoice-document.ts';
import { formatOre, ore } from '../../../domain/money.ts';
import { renderEhf } from '../ehf.ts';
import {
  sampleBuyer,
  sampleCreditNote,
  sampleInvoice,
  sampleLine,
  sampleSeller,
} from '../../testing/invoice-documents.ts';
import {
  paymentLine,
  readWithPoppler,
  removeFolder,
  temporaryFolder,
  type ReadPdf,
} from '../../testing/poppler.ts';
import { sampleConfirmation, sampleQuote } from '../../testing/quote-documents.ts';
import { DISC, STRIPES } from '../../testing/logos.ts';
import type { PdfInput } from './document-printer.ts';
import { createPdfRenderer, type PdfRenderer } from './renderer.ts';

const DRAFT = { kind: 'DRAFT' } as const;
const PAID = { kind: 'PAID', paidDate: '2026-12-01', amount: ore(2_663_016) } as const;
const CREDITED = { kind: 'CREDITED', creditNoteNumber: 10_028 } as const;

const log = { warn: vi.fn<() => void>(), error: vi.fn<() => void>() };
let folder = '';
let renderer: PdfRenderer;

beforeAll(() => {
  folder = temporaryFolder();
  renderer = createPdfRenderer({ processes: 2, log });
});

afterAll(async () => {
  await renderer.close();
  removeFolder(folder);
});

async function print(document: InvoiceDocument, stamp: PdfInput['stamp'] = null): Promise<ReadPdf> {
  return readWithPoppler(folder, await renderer.render({ document, stamp, xml: null, logo: null }));
}

/** The text without what only places it. */
async function words(document: InvoiceDocument, stamp: PdfInput['stamp'] = null): Promise<string> {
  return (await print(document, stamp)).text().replaceAll(/\s+/g, ' ');
}

// DOC-10
describe('a PDF', () => {
  const document = sampleInvoice();
  const xml = renderEhf(document);
  let bytes: Buffer;
  let pdf: ReadPdf;
  let source: string;

  beforeAll(async () => {
    bytes = Buffer.from(await renderer.render({ document, stamp: null, xml, logo: null }));
    pdf = readWithPoppler(folder, bytes);
    source = bytes.toString('latin1');
  });

  it('is sound', () => {
    expect(pdf.complaints()).toEqual([]);
    expect(offObjects(bytes)).toEqual([]);
  });

  it('is declared as PDF/A-3a and PDF/UA-1', () => {
    const xmp = pdf.info('-meta');
    expect(xmp).toContain('<pdfaid:part>3</pdfaid:part>');
    expect(xmp).toContain('<pdfaid:conformance>A</pdfaid:conformance>');
    expect(xmp).toMatch(/<pdfuaid:part xmlns:pdfuaid="[^"]+">1<\/pdfuaid:part>/);
    expect(xmp).toContain('<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>');
    expect(create(xmp).root().node.nodeName).toBe('x:xmpmeta');
  });

  it('has an output intent with a profile', () => {
    expect(source).toMatch(/\/OutputIntents (\[\d+ 0 R\]|\d+ 0 R)/);
    expect(source).toMatch(/\/S \/GTS_PDFA1/);
    expect(source).toMatch(/\/DestOutputProfile \d+ 0 R/);
  });

  // DOC-8
  it('has title and language, and shows the title', () => {
    expect(pdf.info()).toMatch(/Title: +Faktura 10027 fra Fjordlys Design AS/);
    expect(source).toContain('/Lang (nb-NO)');
    expect(source).toContain('/DisplayDocTitle true');
  });

  it('is dated by the invoice, not by the clock', () => {
    expect(pdf.info('-isodates')).toMatch(/CreationDate: +2026-11-21T00:00:00Z/);
    expect(pdf.info('-meta')).toContain('<xmp:CreateDate>2026-11-21T00:00:00Z</xmp:CreateDate>');
  });

  it('is tagged: headings, and tables with heads', () => {
    expect(pdf.info()).toMatch(/Tagged: +yes/);
    expect(source).toContain('/StructTreeRoot');
    const structure = pdf.info('-struct');
    for (const tag of ['Document', 'H1', 'H2', 'Table', 'THead', 'TH', 'TBody', 'TR', 'TD']) {
      expect(structure).toMatch(new RegExp(`^ *${tag}\\b`, 'm'));
    }
  });

  it('carries the EHF as an alternative', () => {
    expect(pdf.attachments()).toEqual({ 'Faktura-10027.xml': xml });
    expect(source).toContain('/AFRelationship /Alternative');
    expect(source).toMatch(/\/AF \[\d+ 0 R\]/);
    expect(source).toContain('/Subtype /application#2Fxml');
  });

  it('embeds every font', () => {
    const fonts = pdf.fonts().trimEnd().split('\n').slice(2);
    expect(fonts.length).toBeGreaterThan(0);
    expect(fonts.filter((line) => !/SpaceGrotesk-\w+ .* yes yes yes /.test(line))).toEqual([]);
  });

  it('reads from top to bottom', () => {
    const text = pdf.text('reading');
    const order = [
      'FAKTURA',
      'Fjordlys Design AS',
      'Bærums Verk Kaffebrenneri AS',
      'Fakturanummer',
      'Beskrivelse',
      'Profildesign og logo',
      'Kaffe til arbeidsmøte',
      'Sum å betale',
      'Kontonummer',
      'Side 1 av 1',
    ].map((it) => text.indexOf(it));
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((left, right) => left - right));
  });

  // DOC-11
  it('always comes out the same, from any process', async () => {
    const again = await Promise.all(
      Array.from({ length: 6 }, async () =>
        renderer.render({ document, stamp: null, xml, logo: null }),
      ),
    );
    expect(again.map((it) => bytes.equals(it))).toEqual(again.map(() => true));
    const fresh = createPdfRenderer({ processes: 1, log });
    expect(bytes.equals(await fresh.render({ document, stamp: null, xml, logo: null }))).toBe(true);
    await fresh.close();
  });
});

/** The objects that are not where the cross-reference table says (ISO 32000-1 § 7.5.4). */
function offObjects(pdf: Buffer): number[] {
  const file = pdf.toString('latin1');
  const table = file.slice(Number(/startxref\n(\d+)/.exec(file)?.[1]));
  const entries = [...table.matchAll(/^(\d{10}) \d{5} n/gm)].map(([, offset]) => Number(offset));
  expect(entries.length).toBeGreaterThan(100);
  return entries.filter((offset, index) => !file.startsWith(`${index + 1} 0 obj`, offset));
}

function manyLines(count: number) {
  return Array.from({ length: count }, (_, index) =>
    sampleLine(`Vare nummer ${index + 1}.`, (index % 9) + 1, 100 + index, index % 2 ? 25 : 15),
  );
}

describe('an invoice on paper', () => {
  // DOC-4, DOC-5, DOC-6
  it('has what the law asks for', async () => {
    const text = await words(sampleInvoice());
    for (const part of [
      'Org.nr 123 456 785 MVA',
      'Foretaksregisteret',
      'Storgata 12 ',
      '0184 Oslo',
      'Verksgata 15 ',
      '1353 Bærums Verk',
      'Org.nr 987 654 325',
      'Fakturanummer 10027',
      'Fakturadato 21.11.2026',
      'Forfallsdato 05.12.2026',
      'Leveringsdato 19.11.2026',
      'Kundenummer 1042',
      'Deres referanse Kari Nordmann',
      'Kaffe til arbeidsmøte 3 149,90 15 % 449,70',
      '25 % 18 500,00 4 625,00',
      '15 % 449,70 67,46',
      '2 988,00 0,00',
      'Trykte bøker 12 249,00',
      'Sum eks. mva 21 937,70',
      'Sum å betale 26 630,16',
      'norske kroner',
    ]) {
      expect(text).toContain(part);
    }
  });

  // DOC-8
  it('shows the message above the lines, as it was written', async () => {
    const long = `${'Lang'.repeat(60)} slutt`;
    const message = `Hei Kari!\nTakk for #sist\n\n${long}\n \n*Hilsen* oss`;
    const document = sampleInvoice({ message });
    const all = (await print(document)).text();
    const places = ['Hei Kari!', 'Takk for #sist', 'slutt', '*Hilsen* oss', 'Beskrivelse'].map(
      (it) => all.indexOf(it),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(Math.min(...places)).toBeGreaterThan(0);
    expect(all).toMatch(/Hei Kari!\s*\n\s*Takk/);
  });

  // KID-2
  it('says how to pay', async () => {
    const text = await words(sampleInvoice());
    expect(text).toContain('Kontonummer KID/melding Forfallsdato Å betale');
    expect(text).toContain('1234.11.12344 000104200000100272 05.12.2026 kr 26 630,16');
  });

  // KID-5
  it('calls the KID of an agreement by its name', async () => {
    const document = sampleInvoice({ kidModulus: 'MOD10' });
    expect(await words(document)).toContain('Kontonummer KID Forfallsdato Å betale');
    expect(await words(document, PAID)).toContain('Kontonummer KID Betalt dato Betalt beløp');
  });

  it.each([12_500, 126_630.16, 9_876_543, 987_654_321.5])(
    'keeps the amount apart from a long KID and the due date: %d kroner',
    async (kroner) => {
      for (const digits of [18, 20, 22, 25]) {
        const kid = '9876543210'.repeat(3).slice(0, digits);
        const lines = [sampleLine('Rådgivning', 1, kroner, 0)];
        const pdf = await print(sampleInvoice({ kid, kidModulus: 'MOD11', lines }));
        const { text, space } = paymentLine(pdf, kid);
        const amount = formatOre(ore(kroner * 100)).replaceAll(/\s/g, ' ');
        expect(text).toBe(`1234.11.12344 ${kid} 05.12.2026 kr ${amount}`);
        expect(space).toBeGreaterThan(12);
      }
    },
  );

  it('asks for its number as the message when it has no KID', async () => {
    expect(await words(sampleInvoice({ kid: null }))).toContain('Faktura 10027');
  });

  // DOC-5, VAT-7
  it('speaks of no VAT when the seller is outside of it', async () => {
    const seller = { ...sampleSeller, vatRegistered: false, foretaksregisteret: false };
    const lines = [sampleLine('Foredrag', 1, 4500, 0)];
    const text = await words(sampleInvoice({ seller, lines }));
    expect(text).toContain('ikke registrert i Merverdiavgiftsregisteret');
    expect(text).not.toMatch(/MVA|Mva|mva|Foretaksregisteret|0 %/);
    expect(text).toContain('Sum å betale 4 500,00');
  });

  it('shows VAT that is charged without registration, for the seller to see', async () => {
    const seller = { ...sampleSeller, vatRegistered: false };
    const text = await words(sampleInvoice({ seller }));
    expect(text).toContain('25 % 18 500,00 4 625,00');
    expect(text).not.toContain('MVA');
  });

  // DOC-9
  it.each([
    ['UTKAST', DRAFT],
    ['BETALT – KOPI', PAID],
    ['KREDITERT – KOPI', CREDITED],
  ])('is stamped: %s', async (word, stamp) => {
    const document =
      stamp === DRAFT ? sampleInvoice({ invoiceNumber: null, kid: null }) : sampleInvoice();
    const pdf = await print(document, stamp);
    for (const order of ['layout', 'reading'] as const) expect(pdf.text(order)).toContain(word);
    expect(pdf.info('-struct-text')).toContain(`"${word}"`);
    expect((await print(sampleInvoice())).text()).not.toContain(word);
  });

  it('does not ask again for what is paid', async () => {
    const text = await words(sampleInvoice(), PAID);
    expect(text).toContain('Sum inkl. mva 26 630,16');
    expect(text).toContain('Kontonummer KID/melding Betalt dato Betalt beløp');
    expect(text).toContain('1234.11.12344 000104200000100272 01.12.2026 kr 26 630,16');
    expect(text).not.toMatch(/å betale/i);
  });

  it('asks for nothing once it is credited, and names the credit note', async () => {
    const text = await words(sampleInvoice(), CREDITED);
    expect(text).toContain('Sum inkl. mva 26 630,16');
    expect(text).toContain('skal ikke betales');
    expect(text).toContain('Kreditert med kreditnota Kreditert beløp 10028 kr 26 630,16');
    expect(text).not.toMatch(/å betale|Kontonummer|KID/i);
  });

  it('has no number as a draft', async () => {
    const document = sampleInvoice({ invoiceNumber: null, kid: null });
    expect(await words(document, DRAFT)).toContain('Fakturanummer Tildeles senere');
    expect((await print(document, DRAFT)).info()).toContain('Faktura, utkast fra');
  });
});

describe('a logo on paper', () => {
  const draw = async (logo: Buffer) => {
    const document = sampleInvoice();
    return Buffer.from(await renderer.render({ document, stamp: null, xml: null, logo }));
  };

  // DOC-8
  it('is drawn above the heading, with words for whoever does not see it', async () => {
    const bytes = await draw(DISC);
    const pdf = readWithPoppler(folder, bytes);
    expect(pdf.complaints()).toEqual([]);
    expect(offObjects(bytes)).toEqual([]);
    expect(pdf.info('-struct')).toMatch(/^ *Figure\b/m);
    expect(pdf.text('reading').split(/\s+/)).toEqual(
      (await print(sampleInvoice())).text('reading').split(/\s+/),
    );
    const source = bytes.toString('latin1');
    const alt = [...source.matchAll(/\/Alt (?:\(([^)]*)\)|<([0-9A-Fa-f]+)>)/g)].map(
      ([, plain, hex = '']) => plain ?? Buffer.from(hex, 'hex').swap16().toString('utf16le'),
    );
    expect(alt.join()).toContain('Logoen til Fjordlys Design AS');
    // Its own colours are named by a profile, and what is seen through has a mask.
    expect(source).toMatch(/\/Subtype \/Image[^]*?\/SMask \d+ 0 R/);
    expect(source).toMatch(/\/ICCBased/);
  });

  it('leaves no trace of itself on the next document', async () => {
    const bare = await renderer.render({
      document: sampleInvoice(),
      stamp: null,
      xml: null,
      logo: null,
    });
    await Promise.all([1, 2, 3].map(async () => draw(STRIPES)));
    const [one, other] = await Promise.all([draw(DISC), draw(STRIPES)]);
    expect(one.equals(other)).toBe(false);
    const again = await renderer.render({
      document: sampleInvoice(),
      stamp: null,
      xml: null,
      logo: null,
    });
    expect(Buffer.from(again).equals(bare)).toBe(true);
  });
});

// QUO-11, QUO-41
describe.each([
  ['a quote', sampleQuote(), 'Tilbud 12', '2026-11-21'],
  ['an order confirmation', sampleConfirmation(), 'Ordrebekreftelse 12', '2026-11-24'],
] as const)('%s on paper', (_, document, name, date) => {
  it('is sound, PDF/A-3a and PDF/UA-1, tagged, and always the same', async () => {
    const bytes = Buffer.from(await renderer.render({ document, stamp: null, logo: DISC }));
    const pdf = readWithPoppler(folder, bytes);
    expect(pdf.complaints()).toEqual([]);
    expect(offObjects(bytes)).toEqual([]);
    const xmp = pdf.info('-meta');
    expect(xmp).toContain('<pdfaid:part>3</pdfaid:part>');
    expect(xmp).toContain('<pdfaid:conformance>A</pdfaid:conformance>');
    expect(xmp).toMatch(/<pdfuaid:part xmlns:pdfuaid="[^"]+">1<\/pdfuaid:part>/);
    expect(pdf.info()).toContain(`${name} fra Fjordlys Design AS`);
    expect(pdf.info()).toMatch(/Tagged: +yes/);
    expect(pdf.info('-isodates')).toMatch(new RegExp(`CreationDate: +${date}T00:00:00Z`));
    const source = bytes.toString('latin1');
    for (const part of ['/Lang (nb-NO)', '/DisplayDocTitle true', '/S /GTS_PDFA1']) {
      expect(source).toContain(part);
    }
    const structure = pdf.info('-struct');
    for (const tag of ['H1', 'H2', 'Figure', 'Table', 'THead', 'TH', 'TBody', 'TD']) {
      expect(structure).toMatch(new RegExp(`^ *${tag}\\b`, 'm'));
    }
    const again = await renderer.render({ document, stamp: null, logo: DISC });
    expect(bytes.equals(again)).toBe(true);
  });
});

describe('an invoice of a quote on paper', () => {
  // QUO-57
  it('says of which quote it is, above its lines', async () => {
    const text = await words(sampleInvoice({ quoteNumber: 12 }));
    expect(text).toMatch(/FAKTURA.* Gjelder tilbud 12 .*Beskrivelse/);
    expect(await words(sampleInvoice())).not.toContain('tilbud');
  });
});

describe('a credit note on paper', () => {
  // DOC-7, INV-24
  it('refers to what it credits and asks for nothing', async () => {
    const text = await words(sampleCreditNote());
    expect(text).toContain('KREDITNOTA');
    expect(text).toContain('Krediterer faktura 10027 av 21.11.2026');
    expect(text).toContain('Beløpet krediteres');
    expect(text).toContain('26 630,16');
    expect(text).not.toMatch(/betale|Forfall|Kontonummer|KID/);
  });

  it.each([
    ['PART', 'Krediterer en del av faktura 10027'],
    ['REST', 'Krediterer resten av faktura 10027'],
  ] as const)('says how much of its invoice it credits: %s (CRE-13)', async (extent, sentence) => {
    const note = sampleCreditNote();
    const credits = note.credits && { ...note.credits, extent };
    expect(await words({ ...note, credits })).toContain(sentence);
  });
});

describe('many lines', () => {
  it.each([40, 200, 500])('go on over pages, with a head on each: %d', async (count) => {
    const pdf = await print(sampleInvoice({ lines: manyLines(count) }));
    const pages = Number(/Pages: +(\d+)/.exec(pdf.info())?.[1]);
    const texts = pdf.text().split('\f').slice(0, -1);
    expect(texts).toHaveLength(pages);
    for (const [index, page] of texts.entries()) {
      expect(page).toContain(`Side ${index + 1} av ${pages}`);
      const head = page.includes('Vare nummer') ? /Beskrivelse +Antall/ : /Kontonummer/;
      expect(page).toMatch(head);
    }
    const numbers = [...pdf.text().matchAll(/Vare nummer (\d+)\./g)].map(([, it]) => Number(it));
    expect(numbers).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    expect(texts.at(-1)).toContain('Kontonummer');
  });
});

describe('the end of the lines', () => {
  it('leaves the sums and how to pay on one page', { timeout: 30_000 }, async () => {
    for (const count of [13, 14, 15, 16, 17, 18, 19, 20, 21]) {
      const lines = manyLines(count);
      const last = (await print(sampleInvoice({ lines }))).text().split('\f').at(-2);
      expect(last).toMatch(/Sum å betale[^]*Kontonummer/);
    }
  });
});

describe('what people write', () => {
  // DOC-12
  it('is never markup', async () => {
    const hostile = '#set text(red) $x^2$ *b* _i_ <l> @r `c` // - = \\ #panic("x") "';
    const pdf = await print(
      sampleInvoice({
        reference: hostile,
        seller: { ...sampleSeller, name: hostile },
        buyer: { ...sampleBuyer, name: hostile },
        lines: [sampleLine(hostile, 1, 1)],
      }),
    );
    const text = pdf.text('reading').replaceAll(/\s/g, '');
    expect(text.split(hostile.replaceAll(' ', '')).length - 1).toBeGreaterThanOrEqual(4);
  });

  it('may be long', async () => {
    const amount = 987_654_321.5;
    const description = 'Konsulentbistand ved utvikling av ny nettbutikk. '.repeat(6).trim();
    const unbroken = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbau'.repeat(3);
    const pdf = await print(
      sampleInvoice({
        seller: { ...sampleSeller, name: 'Samvirkelag for Bærekraftig Havbruk '.repeat(3) },
        buyer: { ...sampleBuyer, name: unbroken, address1: unbroken },
        reference: unbroken,
        lines: [sampleLine(description, 1, amount), sampleLine(unbroken, 9_999, -1_234.56, 15)],
      }),
    );
    expect(pdf.complaints()).toEqual([]);
    const text = pdf.text();
    expect(text).toContain('987 654 321,50');
    expect(text).toContain('Kontonummer');
    const boxes = [...pdf.info('-box').matchAll(/MediaBox: +\S+ +\S+ +(\S+)/g)];
    expect(Number(boxes[0]?.[1])).toBeLessThan(600);
  });

  it('stays within its column, and is copied as it was written', async () => {
    const reference = 'BESTILLING20261234567890';
    const name = 'EIENDOMSFORVALTNINGSSELSKAPET';
    const pdf = await print(
      sampleInvoice({ reference, seller: { ...sampleSeller, name: `${name} AS` } }),
    );
    const copied = pdf.text('reading').replaceAll('\n', '');
    expect(copied).toContain(reference);
    expect(copied).toContain(name);
    expect(pdf.info()).toContain(`Faktura 10027 fra ${name} AS`);
    const lines = pdf.text().split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBe(
      Math.max(...lines.filter((line) => line.includes('Side 1 av 1')).map((it) => it.length)),
    );
  });

  // DOC-12
  it('breaks within a word only where its letters need more room than a line', async () => {
    const narrow = 'lj'.repeat(17);
    const wide = 'e\u0323\u0301W'.repeat(17);
    const value = async (reference: string) =>
      /Deres referanse ([^]*?)\n\s*Beskrivelse/.exec(
        (await print(sampleInvoice({ reference }))).text('reading'),
      )?.[1];
    expect(await value(narrow)).toBe(narrow);
    const lines = (await value(wide))?.split('\n') ?? [];
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.join('').normalize('NFC')).toBe(wide.normalize('NFC'));
    expect(lines.filter((line) => /^\p{M}/u.test(line))).toEqual([]);
  });

  it('has one line at the head and the foot of a page', async () => {
    const name = 'Samvirkelag for Bærekraftig Havbruk '.repeat(7);
    const seller = { ...sampleSeller, name };
    const [, second] = (await print(sampleInvoice({ seller, lines: manyLines(40) })))
      .text()
      .split('\f');
    const lines = second?.split('\n').filter((line) => line.includes('Samvirkelag'));
    expect(lines).toEqual([
      expect.stringMatching(/….*Faktura 10027/),
      expect.stringMatching(/….*Org\.nr 123 456 785 MVA +Side 2 av 2/),
    ]);
  });

  it('comes in every script, and what no font has is told', async () => {
    log.warn.mockClear();
    const name = 'Кофе Ελλάς شركة 株式会社 한국 ไทย हिन्दी 😀';
    const pdf = await print(
      sampleInvoice({ buyer: { ...sampleBuyer, name }, reference: 'a𓀀\u0000\uD800' }),
    );
    const text = pdf.text('reading');
    for (const word of ['Кофе', 'Ελλάς', '株式会社', '한국', '😀']) expect(text).toContain(word);
    expect(log.warn).toHaveBeenCalledExactlyOnceWith(
      { invoiceNumber: 10_027, characters: ['U+13000'] },
      expect.any(String),
    );
    expect(pdf.fonts()).not.toMatch(/ no +(yes|no) +(yes|no) +\d/);
  });
});
