import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { create } from 'xmlbuilder2';

import type { InvoiceDocument } from '../../domain/document/invoice-document.ts';
import { invoiceTotals, lineNet } from '../../domain/invoice/invoice.totals.ts';
import { divideRounded, oreToDecimal } from '../../domain/money.ts';
import { anyDocument } from '../testing/any-documents.ts';
import {
  sampleBuyer,
  sampleCreditNote,
  sampleInvoice,
  sampleLine,
  sampleSeller,
} from '../testing/invoice-documents.ts';
import type { EhfObstacle } from '../../domain/document/document.errors.ts';
import { EhfNotPossible, renderEhf } from './ehf.ts';

/** '-1.5' as -1500. */
function inThousandths(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.');
  expect(fraction.length).toBeLessThanOrEqual(3);
  return BigInt(`${whole}${fraction.padEnd(3, '0')}`);
}

/** The text of every element of that name, in document order. */
function textsOf(xml: string, name: string): string[] {
  const found: string[] = [];
  create(xml).each(
    ({ node }) => {
      if (node.nodeName === name) found.push(node.textContent ?? '');
    },
    false,
    true,
  );
  return found;
}

function textOf(xml: string, name: string): string | undefined {
  return textsOf(xml, name)[0];
}

describe('amounts', () => {
  it('are those of invoiceTotals, to the øre, in any document', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const xml = renderEhf(document);
        const { net, vat, gross, subtotals } = invoiceTotals(document.lines);
        expect(textOf(xml, 'cbc:TaxExclusiveAmount')).toBe(oreToDecimal(net));
        expect(textOf(xml, 'cbc:TaxInclusiveAmount')).toBe(oreToDecimal(gross));
        expect(textOf(xml, 'cbc:PayableAmount')).toBe(oreToDecimal(gross));
        expect(textsOf(xml, 'cbc:LineExtensionAmount')).toEqual(
          [net, ...document.lines.map(lineNet)].map(oreToDecimal),
        );
        expect(textsOf(xml, 'cbc:TaxAmount')).toEqual(
          [vat, ...subtotals.map((part) => part.vat)].map(oreToDecimal),
        );
        expect(textsOf(xml, 'cbc:TaxableAmount')).toEqual(
          subtotals.map((part) => oreToDecimal(part.net)),
        );
      }),
    );
  });

  // DOC-22
  it('multiply out on every line, with no negative price', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const xml = renderEhf(document);
        const element =
          document.kind === 'INVOICE' ? 'cbc:InvoicedQuantity' : 'cbc:CreditedQuantity';
        const quantities = textsOf(xml, element);
        const prices = textsOf(xml, 'cbc:PriceAmount');
        expect(prices.filter((price) => price.startsWith('-'))).toEqual([]);
        const products = quantities.map((quantity, index) => {
          const price = BigInt((prices[index] ?? '').replace('.', ''));
          return divideRounded(inThousandths(quantity) * price, 1000n);
        });
        expect(products).toEqual(document.lines.map((line) => BigInt(lineNet(line))));
      }),
    );
  });
});

describe('an invoice', () => {
  const xml = renderEhf(sampleInvoice());

  // DOC-16
  it('has type 380, its number and its dates', () => {
    expect(textOf(xml, 'cbc:CustomizationID')).toBe(
      'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0',
    );
    expect(textOf(xml, 'cbc:ProfileID')).toBe('urn:fdc:peppol.eu:2017:poacc:billing:01:1.0');
    expect(textOf(xml, 'cbc:InvoiceTypeCode')).toBe('380');
    expect(textOf(xml, 'cbc:ID')).toBe('10027');
    expect(textOf(xml, 'cbc:IssueDate')).toBe('2026-11-21');
    expect(textOf(xml, 'cbc:DueDate')).toBe('2026-12-05');
    expect(textOf(xml, 'cbc:ActualDeliveryDate')).toBe('2026-11-19');
  });

  // DOC-17, DOC-18
  it('names the parties as the law and the network want', () => {
    expect(textsOf(xml, 'cbc:EndpointID')).toEqual(['123456785', '987654325']);
    expect(xml.match(/<cbc:EndpointID schemeID="0192">/g)).toHaveLength(2);
    expect(textsOf(xml, 'cac:PartyTaxScheme')).toEqual([
      'NO123456785MVAVAT',
      'ForetaksregisteretTAX',
    ]);
    expect(textsOf(xml, 'cbc:CompanyID')).toEqual([
      'NO123456785MVA',
      'Foretaksregisteret',
      '123456785',
      '987654325',
    ]);
  });

  // DOC-19
  // QUO-57
  it('says of which quote it is in the one note, after the message', () => {
    const notes = (message: string | null) =>
      textsOf(renderEhf(sampleInvoice({ message, quoteNumber: 12 })), 'cbc:Note');
    expect(notes('Takk for sist!')).toEqual(['Takk for sist!\nGjelder tilbud 12']);
    expect(notes(null)).toEqual(['Gjelder tilbud 12']);
  });

  it('says its message once, with its line breaks', () => {
    const message = 'Takk for sist!\n\nBetal i tide & hils <alle>.';
    const ehf = renderEhf(sampleInvoice({ message }));
    expect(ehf).toContain(
      '<cbc:Note>Takk for sist!\n\nBetal i tide &amp; hils &lt;alle&gt;.</cbc:Note><cbc:Document',
    );
    expect(ehf.match(/<cbc:Note>/g)).toHaveLength(1);
    expect(xml).not.toContain('<cbc:Note>');
    expect(renderEhf(sampleInvoice({ message: '\uFFFF\n\uFFFF' }))).not.toContain('<cbc:Note');
  });

  // DOC-20
  it('is paid with KID to the account', () => {
    expect(textOf(xml, 'cbc:PaymentMeansCode')).toBe('30');
    expect(textOf(xml, 'cbc:PaymentID')).toBe(sampleInvoice().kid);
    expect(textOf(xml, 'cac:PayeeFinancialAccount')).toBe('12341112344');
    expect(xml).not.toContain('FinancialInstitution');
    expect(xml).not.toContain('name="KID"');
  });

  // DOC-20
  it('names the KID of an agreement as the means of payment', () => {
    const agreed = renderEhf(sampleInvoice({ kidModulus: 'MOD11' }));
    expect(agreed).toContain('<cbc:PaymentMeansCode name="KID">30</cbc:PaymentMeansCode>');
    expect(agreed.replace(' name="KID"', '')).toBe(xml);
  });

  // DOC-19
  it("quotes the buyer's reference, or else the customer number", () => {
    expect(textOf(xml, 'cbc:BuyerReference')).toBe('Kari Nordmann');
    expect(textOf(renderEhf(sampleInvoice({ reference: null })), 'cbc:BuyerReference')).toBe(
      '1042',
    );
    expect(textOf(renderEhf(sampleInvoice({ reference: ' \u0000' })), 'cbc:BuyerReference')).toBe(
      '1042',
    );
  });

  // DOC-21
  it('has a category for each rate', () => {
    expect(textsOf(xml, 'cbc:Percent')).toEqual(['25', '15', '0', '25', '15', '0']);
    expect(xml.match(/<cac:TaxCategory><cbc:ID>\w/g)?.map((tag) => tag.at(-1))).toEqual([
      'S',
      'S',
      'Z',
    ]);
  });

  it('counts in the unit of the line, else in pieces, and names the country of the buyer (DOC-22)', () => {
    const lines = [sampleLine('Rådgivning', 7.5, 950, 25, 'HUR'), sampleLine('Vare', 2, 10)];
    const abroad = renderEhf(sampleInvoice({ lines, buyer: { ...sampleBuyer, country: 'SE' } }));
    expect(abroad).toContain('<cbc:InvoicedQuantity unitCode="HUR">7.5<');
    expect(abroad).toContain('<cbc:InvoicedQuantity unitCode="EA">2<');
    expect(textsOf(abroad, 'cac:Country')).toEqual(['NO', 'SE']);
    expect(textsOf(xml, 'cac:Country')).toEqual(['NO', 'NO']);
  });

  it.each([
    ['STANDARD', 'S', null],
    ['EXEMPT', 'Z', null],
    ['EXPORT', 'G', 'VATEX-EU-G'],
    ['OUTSIDE', 'E', null],
    ['REVERSE', 'AE', 'VATEX-EU-AE'],
    ['NOT_REGISTERED', 'O', 'VATEX-EU-O'],
  ] as const)(
    'says why a line is %s by category %s and code %s (VAT-9)',
    (name, category, code) => {
      const line = sampleLine('Vare', 1, 100, name === 'STANDARD' ? 25 : 0);
      const treated = renderEhf(
        sampleInvoice({
          seller: { ...sampleSeller, vatRegistered: name !== 'NOT_REGISTERED' },
          buyerVatNumber: name === 'REVERSE' ? 'NO987654325MVA' : null,
          lines: [{ ...line, vatTreatment: name }],
        }),
      );
      expect(treated).toContain(`<cac:TaxCategory><cbc:ID>${category}<`);
      expect(textOf(treated, 'cbc:TaxExemptionReasonCode') ?? null).toBe(code);
      const hasReason = name !== 'STANDARD' && name !== 'EXEMPT';
      expect(textsOf(treated, 'cbc:TaxExemptionReason')).toHaveLength(hasReason ? 1 : 0);
      expect(treated.includes('NO987654325MVA')).toBe(name === 'REVERSE');
    },
  );

  it('always comes out the same', () => {
    expect(renderEhf(sampleInvoice())).toBe(xml);
  });
});

describe('a seller who is not VAT-registered', () => {
  const seller = { ...sampleSeller, vatRegistered: false };
  const xml = renderEhf(sampleInvoice({ seller, lines: [sampleLine('Foredrag', 1, 4500, 0)] }));

  // DOC-18, DOC-21
  it('stands outside the tax, and says so', () => {
    expect(textsOf(xml, 'cbc:Percent')).toEqual([]);
    expect(textsOf(xml, 'cac:ClassifiedTaxCategory')).toEqual(['OVAT']);
    expect(textOf(xml, 'cbc:TaxExemptionReason')).toContain('ikke registrert');
    expect(textsOf(xml, 'cbc:CompanyID')).toEqual(['Foretaksregisteret', '123456785', '987654325']);
  });
});

describe('a credit note', () => {
  const xml = renderEhf(sampleCreditNote());

  // DOC-7, DOC-16, INV-24
  it('has type 381, positive amounts and a reference to the original', () => {
    expect(textOf(xml, 'cbc:CreditNoteTypeCode')).toBe('381');
    expect(textsOf(xml, 'cbc:ID').slice(0, 2)).toEqual(['10028', '10027']);
    expect(textsOf(xml, 'cbc:IssueDate')).toEqual(['2026-11-24', '2026-11-21']);
    expect(textOf(xml, 'cbc:PayableAmount')).not.toContain('-');
  });

  // DOC-20
  it('asks for no payment', () => {
    expect(xml).not.toContain('PaymentMeans');
    expect(xml).not.toContain('DueDate');
    expect(textOf(xml, 'cac:PaymentTerms')).toBe('Beløpet krediteres');
  });
});

describe('texts', () => {
  const name = (text: string) =>
    textsOf(renderEhf(sampleInvoice({ lines: [sampleLine(text, 1, 1)] })), 'cbc:Name')[0];

  it('keep every character that XML can hold', () => {
    expect(name(`<&>"' ]]> 😀 æøå Ελλάς 株式会社`)).toBe(`<&>"' ]]> 😀 æøå Ελλάς 株式会社`);
  });

  it('lose what XML cannot hold', () => {
    expect(name('a\u0000b\u0007\u001F\uFFFEc\uD83Dd')).toBe('a b c\uFFFDd');
    expect(name('\u0001 \uFFFF')).toBe('?');
  });
});

describe('what EHF cannot say', () => {
  const cases: [EhfObstacle, Partial<InvoiceDocument>][] = [
    ['draft', { invoiceNumber: null, kid: null }],
    ['no_lines', { lines: [] }],
    ['no_original', { kind: 'CREDIT_NOTE' }],
    ['seller_number_invalid', { seller: { ...sampleSeller, orgNumber: '123456784' } }],
    ['buyer_number_missing', { buyer: { ...sampleBuyer, orgNumber: null } }],
    ['buyer_number_invalid', { buyer: { ...sampleBuyer, orgNumber: '123456784' } }],
    [
      'treatment_of_others',
      { lines: [{ ...sampleLine('Vare', 1, 1, 0), vatTreatment: 'NOT_REGISTERED' }] },
    ],
    ['vat_without_registration', { seller: { ...sampleSeller, vatRegistered: false } }],
  ];

  // VAT-9
  it.each(cases)('is refused: %s', (code, changes) => {
    let thrown: unknown;
    try {
      renderEhf(sampleInvoice(changes));
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(EhfNotPossible);
    expect(thrown).toMatchObject({ code, message: expect.stringMatching(/^[a-z].{15,}/) });
  });
});
