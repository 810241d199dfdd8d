// Random documents. In a file of their own: fast-check takes a second of a processor to make its texts.

import fc from 'fast-check';

import { COUNTRIES } from '../../domain/country.ts';
import type { InvoiceDocument } from '../../domain/document/invoice-document.ts';
import { OFFERED_VAT_RATES } from '../../domain/invoice/invoice-line.schema.ts';
import { invoiceTotals, type InvoiceLine } from '../../domain/invoice/invoice.totals.ts';
import { COMMON_UNITS, OTHER_UNITS } from '../../domain/invoice/unit-names.ts';
import { KID_MODULI, makeKid } from '../../domain/kid.ts';
import { ore } from '../../domain/money.ts';
import type { QuoteDocument } from '../../domain/quote/quote-document.ts';
import { VAT_TREATMENT_NAMES, vatRateOn, type VatTreatment } from '../../domain/vat-treatment.ts';
import { sampleSeller } from './invoice-documents.ts';
import { sampleConfirmation, sampleQuote } from './quote-documents.ts';

// Texts that people type. They have spaces so that they can wrap.
const wildText = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom('Blåbærsyltetøy', 'og', 'AS', 'Ærlig', 'Ø', '12 %') },
      { weight: 2, arbitrary: fc.constantFrom('& < > "', ']]>', '&amp;', "'", '#set', '$x$', '`') },
      { weight: 1, arbitrary: fc.constantFrom('😀', '👩‍👩‍👧', '株式会社', 'Кофе', 'شركة', 'Ελλάς') },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }) },
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((words) => words.join(' '));

const date = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2039-12-31'), noInvalidDate: true })
  .map((instant) => instant.toISOString().slice(0, 10));

/** A message to a customer, with paragraphs. */
const anyMessage = fc.option(
  fc
    .array(fc.oneof(wildText, fc.constant('')), { minLength: 1, maxLength: 6 })
    .map((it) => it.join('\n')),
  { nil: null },
);
const optionalText = fc.option(wildText, { nil: null });
const address = {
  address1: optionalText,
  address2: optionalText,
  postalCode: fc.constantFrom('0184', '9990', null),
  city: fc.constantFrom('Oslo', 'Ålesund', 'Karasjok', null),
};

/** Lines of mixed rates and discounts; the prices reach from øre to hundreds of millions. */
export const anyLine: fc.Arbitrary<InvoiceLine> = fc.record({
  description: wildText,
  quantity: fc.oneof(
    fc.integer({ min: 1, max: 20 }),
    fc.integer({ min: 1, max: 9_999 }),
    fc.integer({ min: 1, max: 99_999 }).map((thousandths) => thousandths / 1000),
  ),
  netUnitAmount: fc
    .oneof(
      fc.integer({ min: -99_999, max: 999_999 }),
      fc.integer({ min: -1_000, max: 99_999_999 }),
      fc.constantFrom(0, 1, 33, 10_001),
    )
    .map(ore),
  vatRate: fc.constantFrom(...OFFERED_VAT_RATES),
  vatTreatment: fc.constant(null),
  unit: fc.constantFrom(null, ...COMMON_UNITS, ...OTHER_UNITS, 'C62', 'X1A'),
  productNumber: fc.constantFrom(null, null, 'KL-1', '0040', 'Ål & "<1>"', '#A# 😀', '\uFFFF'),
});

/** Treatments of a registered seller. */
const anyTreatment = fc.constantFrom(
  ...VAT_TREATMENT_NAMES.filter((name) => name !== 'NOT_REGISTERED'),
);

interface Untreated {
  readonly vatRegistered: boolean;
  readonly lines: readonly InvoiceLine[];
  /** Null for a document that states rates alone. */
  readonly treatments: readonly VatTreatment[] | null;
}

function treated({ vatRegistered, lines, treatments }: Untreated, date: string): InvoiceLine[] {
  return lines.map((line, index): InvoiceLine => {
    const chosen = treatments?.[index] ?? null;
    if (!vatRegistered) return { ...line, vatRate: 0, vatTreatment: chosen && 'NOT_REGISTERED' };
    if (chosen === null) return line;
    return { ...line, vatRate: vatRateOn(chosen, date) ?? 0, vatTreatment: chosen };
  });
}

/** Invoices and credit notes that can be registered and have valid organisation numbers. */
export const anyDocument: fc.Arbitrary<InvoiceDocument> = fc
  .record({
    kind: fc.constantFrom('INVOICE', 'CREDIT_NOTE'),
    number: fc.integer({ min: 1, max: 999_999 }),
    dates: fc.tuple(date, date, date),
    reference: optionalText,
    kidModulus: fc.constantFrom(null, ...KID_MODULI),
    vatRegistered: fc.boolean(),
    foretaksregisteret: fc.boolean(),
    seller: fc.record({ name: wildText, ...address }),
    buyer: fc.record({ name: wildText, ...address }),
    email: fc.constantFrom(null, 'kjøper@eksempel.example'),
    country: fc.constantFrom(null, ...COUNTRIES),
    contactName: fc.oneof(fc.constant(null), wildText),
    customerNumber: fc.integer({ min: 1, max: 9_999_999 }),
    buyerNumber: fc.constantFrom('987654325', '974760673', '991825827', '923609016'),
    message: anyMessage,
    quoteNumber: fc.option(fc.integer({ min: 1, max: 2_147_483_647 }), { nil: null }),
    lines: fc.array(anyLine, { minLength: 1, maxLength: 12 }),
    treatments: fc.option(fc.array(anyTreatment, { minLength: 12, maxLength: 12 }), { nil: null }),
  })
  .map((it): InvoiceDocument => {
    const [issueDate, dueDate, deliveryDate] = it.dates;
    const lines = treated(it, deliveryDate);
    const has = (treatment: VatTreatment) =>
      lines.some(({ vatTreatment }) => vatTreatment === treatment);
    return {
      kind: it.kind,
      invoiceNumber: it.number + 1,
      issueDate,
      dueDate,
      deliveryDate,
      reference: it.reference,
      kid: makeKid(it.customerNumber, it.number + 1),
      kidModulus: it.kind === 'INVOICE' ? it.kidModulus : null,
      bankAccountNumber: '12341112344',
      credits:
        it.kind === 'INVOICE'
          ? null
          : { invoiceNumber: it.number, issueDate: deliveryDate, extent: null },
      seller: {
        ...sampleSeller,
        ...it.seller,
        vatRegistered: it.vatRegistered,
        foretaksregisteret: it.foretaksregisteret,
      },
      buyer: {
        ...it.buyer,
        customerNumber: it.customerNumber,
        orgNumber: it.buyerNumber,
        email: it.email,
        country: it.country,
        contactName: it.contactName,
        invoiceEmails: null,
      },
      buyerVatNumber: has('REVERSE') ? `NO${it.buyerNumber}MVA` : null,
      deliveryCountry: has('EXPORT') ? 'SE' : null,
      lines,
      message: it.kind === 'INVOICE' ? it.message : null,
      logo: null,
      vatSubtotals: null,
      quoteNumber: it.kind === 'INVOICE' ? it.quoteNumber : null,
      attachments: null,
    };
  })
  .filter(({ lines }) => invoiceTotals(lines).gross >= 0);

/** Quotes and order confirmations with texts as people type them. */
export const anyQuote: fc.Arbitrary<QuoteDocument> = fc
  .record({
    document: anyDocument,
    texts: anyDocument,
    quoteNumber: fc.integer({ min: 1, max: 999_999 }),
    revision: fc.integer({ min: 1, max: 12 }),
    priceKind: fc.constantFrom('FIXED', 'ESTIMATE', 'INDICATION'),
    isPrivate: fc.boolean(),
    isAccepted: fc.boolean(),
  })
  .map(({ document, texts, isAccepted, ...rest }) => {
    const { seller, buyer, lines, reference, message, issueDate, dueDate: validUntil } = document;
    const parts = { seller, buyer, lines, reference, message, issueDate, validUntil };
    const own = { title: texts.reference, terms: texts.message };
    const quote = sampleQuote(Object.assign(rest, parts, own));
    return isAccepted ? sampleConfirmation(quote, texts.buyer.name) : quote;
  });
