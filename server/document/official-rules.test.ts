import fs from 'node:fs';
import path from 'node:path';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { ATTACHMENT_TYPES } from '../../domain/attachment/attachment.schema.ts';
import type { InvoiceDocument } from '../../domain/document/invoice-document.ts';
import { invoiceTotals } from '../../domain/invoice/invoice.totals.ts';
import { ore } from '../../domain/money.ts';
import { COMMON_UNITS, OTHER_UNITS } from '../../domain/invoice/unit-names.ts';
import { anyDocument } from '../testing/any-documents.ts';
import {
  sampleBuyer,
  sampleCreditNote,
  sampleInvoice,
  sampleLine,
  sampleSeller,
} from '../testing/invoice-documents.ts';
import { findPeppolRules, validateAll } from '../testing/peppol-validator.ts';
import { VAT_TREATMENT_NAMES, vatRateOn, type VatTreatment } from '../../domain/vat-treatment.ts';
import { UNIT_CODES } from '../product/units.ts';
import { embedFiles, renderEhf } from './ehf.ts';

const notRegistered = { ...sampleSeller, vatRegistered: false, foretaksregisteret: false };
const untaxed = [sampleLine('Foredrag', 2, 4500, 0), sampleLine('Rabatt', 1, -500, 0)];
const nowhere = { address1: null, address2: null, postalCode: null, city: null };

const REGISTERED = VAT_TREATMENT_NAMES.filter((name) => name !== 'NOT_REGISTERED');

/** An invoice with a line and a discount of each treatment. */
function treatedInvoice(
  treatments: readonly VatTreatment[],
  changes: Partial<InvoiceDocument> = {},
): InvoiceDocument {
  const isRegistered = !treatments.includes('NOT_REGISTERED');
  const document = sampleInvoice({
    seller: isRegistered ? sampleSeller : notRegistered,
    buyerVatNumber: treatments.includes('REVERSE') ? 'NO987654325MVA' : null,
    deliveryCountry: treatments.includes('EXPORT') ? 'SE' : null,
    ...changes,
  });
  const lines = treatments.flatMap((vatTreatment) => {
    const vatRate = vatRateOn(vatTreatment, document.deliveryDate) ?? 0;
    const line = sampleLine('Vare', 3, 333.33, vatRate);
    return [line, sampleLine('Rabatt', 1, -12.34, vatRate)].map((each) =>
      Object.assign(each, { vatTreatment }),
    );
  });
  return { ...document, lines };
}

/** Its VAT differs by an øre from what its lines make, and it takes back an earlier reduction. */
function creditForRest(): InvoiceDocument {
  const document = sampleCreditNote(sampleInvoice());
  const lines = [
    sampleLine('Planke', 3, 249.9),
    sampleLine('Prisavslag som er kreditert før', 1, -50),
  ];
  const [part] = invoiceTotals(lines).subtotals;
  return {
    ...document,
    credits: document.credits && { ...document.credits, extent: 'REST' },
    message: 'Skadet under frakt',
    lines,
    vatSubtotals: part ? [{ ...part, vat: ore(part.vat - 1) }] : null,
  };
}

const cases: Record<string, InvoiceDocument> = {
  'three rates': sampleInvoice(),
  'a credit note': sampleCreditNote(),
  'no reference': sampleInvoice({ reference: null }),
  'a discount at each rate': sampleInvoice({
    lines: ([25, 15, 0] as const).flatMap((rate) => [
      sampleLine('Vare', 3, 33.33, rate),
      sampleLine('Rabatt', 2, -12.34, rate),
    ]),
  }),
  'a discount larger than its rate': sampleInvoice({
    lines: [sampleLine('Vare', 1, 1000, 25), sampleLine('Rabatt', 1, -100, 15)],
  }),
  'nothing to pay': sampleInvoice({ lines: [sampleLine('Prøve', 1, 0)] }),
  'not VAT-registered': sampleInvoice({ seller: notRegistered, lines: untaxed }),
  'not VAT-registered, credited': sampleCreditNote(
    sampleInvoice({ seller: notRegistered, lines: untaxed }),
  ),
  'no VAT, in Foretaksregisteret': sampleInvoice({
    seller: { ...notRegistered, foretaksregisteret: true },
    lines: untaxed,
  }),
  ...Object.fromEntries(
    VAT_TREATMENT_NAMES.map((name) => [`${name} alone`, treatedInvoice([name])]),
  ),
  'a credit note of every treatment': sampleCreditNote(treatedInvoice(REGISTERED)),
  'a credit note for the rest, with the øre that are left': creditForRest(),
  'every treatment that may be mixed': treatedInvoice(REGISTERED),
  'export to a Norwegian firm abroad': treatedInvoice(['EXPORT'], { deliveryCountry: 'SJ' }),
  'the low rate of 2020': treatedInvoice(['REDUCED'], { deliveryDate: '2020-06-01' }),
  'hard characters': sampleInvoice({
    reference: '<&>"\' ]]> 😀',
    seller: { ...sampleSeller, name: 'Ærlig & Sønn <AS> "Ø" 😀' },
    buyer: { ...sampleBuyer, name: '株式会社\u0000\u0007\uD800\uFFFE' },
    lines: [sampleLine('\u0001\uFFFF', 1, 1), sampleLine('a\n\tb', 1, 1)],
  }),
  'an invoice of a quote': sampleInvoice({ quoteNumber: 12 }),
  'an invoice of a quote with a message, and parts of its lines': sampleInvoice({
    quoteNumber: 2_147_483_647,
    message: 'Takk for sist!\n\nOla',
    lines: [
      sampleLine('Bad (30 % av tilbud 2147483647)', 1, 3000),
      sampleLine('Flis (rest av tilbud 2147483647)', 1, 0.01, 15),
    ],
  }),
  'a message of several paragraphs': sampleInvoice({
    message: 'Takk for sist!\n\nHusk <å> betale & hilse 😀\nOla',
  }),
  ...Object.fromEntries(
    [
      'Ordre #42 #43 er levert.',
      '#AAA# er ingen kode',
      'Gjelder #ab  # og #',
      '#&😀a#',
      '#\nx\n#',
    ].map((message) => [`a message with '${message}'`, sampleInvoice({ message })]),
  ),
  'a buyer without address and e-mail': sampleInvoice({
    buyer: { ...sampleBuyer, ...nowhere, email: null },
  }),
  'a buyer abroad, with a contact person': sampleInvoice({
    buyer: {
      ...sampleBuyer,
      postalCode: '111 22',
      city: 'Stockholm',
      country: 'SE',
      contactName: 'Åsa <Öberg>',
      invoiceEmails: ['faktura@kund.example', 'asa@kund.example'],
    },
  }),
  'a credit note to a contact person without an address': sampleCreditNote(
    sampleInvoice({ buyer: { ...sampleBuyer, email: null, contactName: 'Åsa Öberg' } }),
  ),
  'five hundred lines': sampleInvoice({
    lines: Array.from({ length: 500 }, (_, index) => sampleLine(`Vare ${index}`, index + 1, 0.01)),
  }),
  'half an hour, and grams': sampleInvoice({
    lines: [
      sampleLine('Rådgivning', 0.5, 950.33, 25, 'HUR'),
      sampleLine('Safran', 0.001, 89_000.5, 15, 'KGM'),
      sampleLine('Rabatt', 1.5, -33.33, 25, 'HUR'),
    ],
  }),
  'every unit that people choose among': sampleInvoice({
    lines: [...COMMON_UNITS, ...OTHER_UNITS].map((unit) => sampleLine(unit, 1.125, 9.99, 25, unit)),
  }),
  'product numbers': sampleInvoice({
    lines: ['KL-1', '0040', '<Ål> & "1"', '#A#', '\uFFFF', null].map((productNumber) =>
      Object.assign(sampleLine('Vare', 1, 10), { productNumber }),
    ),
  }),
  'billions of kroner': sampleInvoice({ lines: [sampleLine('Plattform', 9_999, 99_999_999.99)] }),
};

/** One of each type, with a name that XML must escape. */
const FILES = Object.entries(ATTACHMENT_TYPES).map(([ending, mediaType]) => ({
  name: `Kai & Åse.${ending}`,
  mediaType,
  content: Buffer.from(ending),
}));
const embedded = {
  'an invoice with every type of file': embedFiles(renderEhf(sampleInvoice()), FILES),
  'a credit note with a file': embedFiles(renderEhf(sampleCreditNote()), FILES.slice(0, 1)),
};

/** Other ones in each run, half a second of a processor each. `EHF_DOCUMENTS=1000` for many. */
const RANDOM_DOCUMENTS = Number(process.env['EHF_DOCUMENTS'] ?? 20);

const rules = findPeppolRules();

describe.skipIf(rules === null)('the official rules', () => {
  it('know the units that we take, and no others', () => {
    const text = fs.readFileSync(path.join(rules ?? '', 'data/sch/CEN-EN16931-UBL.sch'), 'utf8');
    const [, codes = ''] = /id="BR-CL-23"[^>]*contains\(' ([^']*)'/.exec(text) ?? [];
    expect([...UNIT_CODES].toSorted()).toEqual(codes.trim().split(' ').toSorted());
    for (const unit of [...COMMON_UNITS, ...OTHER_UNITS]) expect(UNIT_CODES).toContain(unit);
  });

  it('find no fault with embedded files', { timeout: 120_000 }, () => {
    const verdicts = validateAll(rules ?? '', Object.values(embedded));
    expect(verdicts).toHaveLength(2);
    for (const { parse, xsd, asserts } of verdicts) {
      expect(parse).toBeFalsy();
      expect([...xsd, ...asserts.filter(({ flag }) => flag === 'fatal')]).toEqual([]);
    }
  });

  // DOC-15, DOC-22, VAT-9, QUO-57
  it('find no fault with any document', { timeout: 300_000 }, () => {
    const random = fc.sample(anyDocument, RANDOM_DOCUMENTS);
    const documents = [
      ...Object.entries(cases),
      ...random.map((document, index) => [`random ${index}`, document] as const),
    ];
    const verdicts = validateAll(
      rules ?? '',
      documents.map(([, document]) => renderEhf(document)),
    );
    expect(verdicts).toHaveLength(documents.length);
    const faults = documents.flatMap(([name, document], index) => {
      const verdict = verdicts[index];
      const fired = verdict?.asserts.filter(
        ({ id, flag }) =>
          flag === 'fatal' || (id === 'NO-R-002' && document.seller.foretaksregisteret),
      );
      const isClean = !verdict?.parse && verdict?.xsd.length === 0 && fired?.length === 0;
      return isClean ? [] : [{ name, document, verdict }];
    });
    expect(faults).toEqual([]);
    const odd = new Set(verdicts.flatMap(({ asserts }) => asserts.map(({ id }) => id)));
    expect([...odd].filter((id) => id !== 'NO-R-002')).toEqual([]);
  });
});
