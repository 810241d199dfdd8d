import type { InvoiceDocument } from '../../domain/document/invoice-document.ts';
import type { Buyer, Seller } from '../../domain/parties.ts';
import type { InvoiceLine } from '../../domain/invoice/invoice.totals.ts';
import { makeKid } from '../../domain/kid.ts';
import { ore } from '../../domain/money.ts';

export const sampleSeller: Seller = {
  name: 'Fjordlys Design AS',
  orgNumber: '123456785',
  email: 'post@fjordlys.example',
  vatRegistered: true,
  foretaksregisteret: true,
  address1: 'Storgata 12',
  address2: null,
  postalCode: '0184',
  city: 'Oslo',
};

export const sampleBuyer: Buyer = {
  customerNumber: 1042,
  name: 'Bærums Verk Kaffebrenneri AS',
  orgNumber: '987654325',
  email: 'regnskap@kaffe.example',
  address1: 'Verksgata 15',
  address2: null,
  postalCode: '1353',
  city: 'Bærums Verk',
  country: null,
  contactName: null,
  invoiceEmails: null,
};

/** A line priced in kroner. */
export function sampleLine(
  description: string,
  quantity: number,
  kroner: number,
  vatRate: InvoiceLine['vatRate'] = 25,
  unit: string | null = null,
): InvoiceLine {
  return {
    description,
    quantity,
    netUnitAmount: ore(Math.round(kroner * 100)),
    vatRate,
    vatTreatment: null,
    unit,
    productNumber: null,
  };
}

/** A registered invoice of three lines at three rates, with changes. */
export function sampleInvoice(changes: Partial<InvoiceDocument> = {}): InvoiceDocument {
  return {
    kind: 'INVOICE',
    invoiceNumber: 10_027,
    issueDate: '2026-11-21',
    dueDate: '2026-12-05',
    deliveryDate: '2026-11-19',
    reference: 'Kari Nordmann',
    kid: makeKid(1042, 10_027),
    kidModulus: null,
    bankAccountNumber: '12341112344',
    credits: null,
    seller: sampleSeller,
    buyer: sampleBuyer,
    buyerVatNumber: null,
    deliveryCountry: null,
    lines: [
      sampleLine('Profildesign og logo', 1, 18_500),
      sampleLine('Kaffe til arbeidsmøte', 3, 149.9, 15),
      sampleLine('Trykte bøker', 12, 249, 0),
    ],
    message: null,
    logo: null,
    vatSubtotals: null,
    quoteNumber: null,
    attachments: null,
    ...changes,
  };
}

/** The credit note of an invoice, with the next number. */
export function sampleCreditNote(original: InvoiceDocument = sampleInvoice()): InvoiceDocument {
  const number = original.invoiceNumber ?? 1;
  return {
    ...original,
    kind: 'CREDIT_NOTE',
    invoiceNumber: number + 1,
    issueDate: '2026-11-24',
    dueDate: '2026-11-24',
    kid: makeKid(original.buyer.customerNumber, number + 1),
    credits: { invoiceNumber: number, issueDate: original.issueDate, extent: null },
    message: null,
  };
}
