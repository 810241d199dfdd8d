import type { InvoiceDocument } from '../domain/document/invoice-document.ts';
import { invoiceTotals } from '../domain/invoice/invoice.totals.ts';
import { makeKid } from '../domain/kid.ts';
import { sampleBuyer, sampleInvoice, sampleLine } from '../server/testing/invoice-documents.ts';

/** Customers of an account that has no neighbours. */
export const CUSTOMERS = 1000;
/** Companies share some customers' names. */
export const NAMES = 10_000;
export const FIRST_NAMES = [
  'Solvik',
  'Åsheim',
  'Nordlys',
  'Fjordgløtt',
  'Bjørkely',
  'Ærfugl',
  'Tømte',
];
export const TRADES = [
  'Kaffebrenneri',
  'Elektro',
  'Båtbyggeri',
  'Snekkeri',
  'Regnskap',
  'Rørservice',
];
export const BANK_ACCOUNT = '12341112344';

/** The name of a company's customer. */
export function customerName(companyId: number, customerNumber: number): string {
  const name = (companyId * 7 + customerNumber) % NAMES;
  return `${FIRST_NAMES[name % FIRST_NAMES.length]} ${TRADES[name % TRADES.length]} ${name} AS`;
}

const LINES = [sampleLine('Profildesign', 2, 1250), sampleLine('Kaffe til møtet', 3, 149.9, 15)];
const { net, vat } = invoiceTotals(LINES);

/** Content that all sample invoices share. */
export const SAMPLE_CONTENT = { lines: LINES, net, vat };

/** The same lines, as a call gives them. */
export const SAMPLE_LINES = LINES.map((line) => ({
  invoiced_quantity: line.quantity,
  description: line.description,
  net_unit_amount: line.netUnitAmount / 100,
  vat_rate_percentage: line.vatRate,
}));

/** A registered invoice with the sample content, as printed; each has another buyer. */
export function sampleDocument(invoiceNumber: number): InvoiceDocument {
  const customerNumber = 1 + (invoiceNumber % CUSTOMERS);
  return sampleInvoice({
    invoiceNumber,
    issueDate: '2022-01-01',
    dueDate: '2022-01-15',
    deliveryDate: '2022-01-01',
    reference: null,
    kid: makeKid(customerNumber, invoiceNumber),
    buyer: {
      ...sampleBuyer,
      customerNumber,
      name: customerName(1, customerNumber),
      email: `faktura${customerNumber}@kunde.example`,
      address1: `Verksgata ${customerNumber}`,
    },
    lines: LINES,
  });
}
