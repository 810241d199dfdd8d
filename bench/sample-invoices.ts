import { createHash } from 'node:crypto';

import type { InvoiceDocument } from '../domain/document/invoice-document.ts';
import type { Buyer, Seller } from '../domain/parties.ts';
import { invoiceTotals, type InvoiceLine } from '../domain/invoice/invoice.totals.ts';
import { makeKid } from '../domain/kid.ts';
import { ore } from '../domain/money.ts';
import { searchText } from '../domain/search-text.ts';
import { versionOf, writeText } from '../server/document/document-text.ts';

const CUSTOMERS = 1000;
const CREDITED_EVERY = 50;
const FAILED_EVERY = 1000;
/** An unpaid invoice. */
const FAILED_AT = 4;
const DAY = 24 * 60 * 60 * 1000;
const DUE_DAYS = 14;
export const BANK_ACCOUNT = '12341112344';
const FIRST_NAMES = ['Solvik', 'Åsheim', 'Nordlys', 'Fjordgløtt', 'Bjørkely', 'Ærfugl', 'Tømte'];
const TRADES = ['Kaffebrenneri', 'Elektro', 'Båtbyggeri', 'Snekkeri', 'Regnskap', 'Rørservice'];

export const SELLER: Seller = {
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

/** As inserted; the position in the list, from 1, is number and id. */
export const SAMPLE_CUSTOMERS = Array.from({ length: CUSTOMERS }, (_, index) => {
  const number = index + 1;
  const name = `${pick(FIRST_NAMES, index)} ${pick(TRADES, index)} ${number} AS`;
  const email = `faktura${number}@kunde.example`;
  return {
    number,
    name,
    email,
    org_number: '987654325',
    address1: `Verksgata ${number}`,
    postal_code: '1353',
    city: 'Bærums Verk',
    search_text: searchText(number, name, email, '987654325'),
  };
});

const LINES: readonly InvoiceLine[] = [
  {
    quantity: 2,
    unit: null,
    description: 'Profildesign',
    netUnitAmount: ore(125_000),
    vatRate: 25,
  },
  {
    quantity: 3,
    unit: null,
    description: 'Kaffe til møtet',
    netUnitAmount: ore(14_990),
    vatRate: 15,
  },
];
const TOTALS = invoiceTotals(LINES);

const BUYERS = SAMPLE_CUSTOMERS.map((customer): Buyer => ({
  customerNumber: customer.number,
  name: customer.name,
  orgNumber: customer.org_number,
  email: customer.email,
  address1: customer.address1,
  address2: null,
  postalCode: customer.postal_code,
  city: customer.city,
}));
const FIRST_BUYER = BUYERS[0] as Buyer;

/** Five years of issue dates. */
const DATES = Array.from({ length: 365 * 5 }, (_, index) =>
  new Date(Date.parse('2022-01-01') + index * DAY).toISOString().slice(0, 10),
);

function dateOf(day: number): string {
  return DATES.at(day % DATES.length) ?? '2022-01-01';
}

function pick(words: readonly string[], index: number): string {
  return words[index % words.length] ?? '';
}

export type SampleInvoice = ReturnType<typeof sample>;

/** Content that all sample invoices share. */
export const SAMPLE_CONTENT = { lines: LINES, net: TOTALS.net, vat: TOTALS.vat };

/** The same lines, as a call gives them. */
export const SAMPLE_LINES = LINES.map((line) => ({
  invoiced_quantity: line.quantity,
  description: line.description,
  net_unit_amount: line.netUnitAmount / 100,
  vat_rate_percentage: line.vatRate,
}));

/** This many registered invoices; every fiftieth is the credit note of the one before it. */
export function* sampleInvoices(many: number): Generator<SampleInvoice> {
  let previous: Buffer | null = null;
  for (let number = 1; number <= many; number += 1) {
    const invoice = sample(number, many, previous);
    previous = Buffer.from(invoice.hash, 'hex');
    yield invoice;
  }
}

function sample(number: number, many: number, previous: Buffer | null) {
  const isCreditNote = number % CREDITED_EVERY === 0;
  // A credit note goes to the buyer of the invoice before it.
  const buyer = BUYERS[(number - (isCreditNote ? 2 : 1)) % CUSTOMERS] ?? FIRST_BUYER;
  const day = number % DATES.length;
  const issueDate = dateOf(day);
  const kid = isCreditNote ? null : makeKid(buyer.customerNumber, number);
  const kind = isCreditNote ? ('CREDIT_NOTE' as const) : ('INVOICE' as const);
  const document: InvoiceDocument = {
    kind,
    invoiceNumber: number,
    issueDate,
    dueDate: dateOf(day + DUE_DAYS),
    deliveryDate: issueDate,
    reference: null,
    kid,
    kidModulus: null,
    bankAccountNumber: BANK_ACCOUNT,
    credits: isCreditNote ? { invoiceNumber: number - 1, issueDate: dateOf(day - 1) } : null,
    seller: SELLER,
    buyer,
    lines: LINES,
    message: null,
    logo: null,
  };
  const isFailed = number % FAILED_EVERY === FAILED_AT;
  const isSent = number % 2 === 1 || isFailed;
  const isCredited = number % CREDITED_EVERY === CREDITED_EVERY - 1 && number < many;
  const content = textOf(document);
  const hash = createHash('sha256');
  if (previous) hash.update(previous);
  const status = statusOf(number, { isCreditNote, isCredited });
  return {
    id: number,
    customer: buyer.customerNumber,
    kind,
    status,
    delivery_type: isSent ? 'EMAIL' : 'NONE',
    delivery_status: isFailed ? 'FAILED' : isSent ? 'SENT' : null,
    issue_date: issueDate,
    credits: isCreditNote ? number - 1 : null,
    paid_date: status === 'PAID' ? dateOf(day + 10) : null,
    kid,
    previous: previous?.toString('hex') ?? null,
    content,
    hash: hash.update(content).digest('hex'),
  };
}

/** A registered invoice with the sample content, as printed; each has another buyer. */
export function sampleDocument(invoiceNumber: number): InvoiceDocument {
  const buyer = BUYERS[invoiceNumber % CUSTOMERS] ?? FIRST_BUYER;
  return {
    kind: 'INVOICE',
    invoiceNumber,
    issueDate: dateOf(0),
    dueDate: dateOf(DUE_DAYS),
    deliveryDate: dateOf(0),
    reference: null,
    kid: makeKid(buyer.customerNumber, invoiceNumber),
    kidModulus: null,
    bankAccountNumber: BANK_ACCOUNT,
    credits: null,
    seller: SELLER,
    buyer,
    lines: LINES,
    message: null,
    logo: null,
  };
}

function statusOf(
  number: number,
  { isCreditNote, isCredited }: { isCreditNote: boolean; isCredited: boolean },
): string {
  if (isCredited) return 'CANCELLED';
  return isCreditNote || number % 4 === 0 ? 'REGISTERED' : 'PAID';
}

const sellerJson = canonical(SELLER);
const linesJson = JSON.stringify(
  // A document without units has a version whose lines have no unit.
  LINES.map(({ quantity, description, netUnitAmount, vatRate }) => ({
    description,
    netUnitAmount,
    quantity,
    vatRate,
  })),
);
const buyerJson = new Map(BUYERS.map((buyer) => [buyer, canonical(buyer)]));

/** JSON with its properties in alphabetical order. */
function canonical(value: object): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  );
}

/**
 * The result of the product's `writeText`, ten times as fast because most of the text never changes. The first
 * documents are written both ways to prove that the two agree.
 */
function textOf(document: InvoiceDocument): string {
  const { credits, kid, invoiceNumber, issueDate, kind } = document;
  const text =
    `{"bankAccountNumber":"${BANK_ACCOUNT}","buyer":${buyerJson.get(document.buyer)},` +
    `"credits":${JSON.stringify(credits)},"deliveryDate":"${document.deliveryDate}",` +
    `"dueDate":"${document.dueDate}","invoiceNumber":${invoiceNumber},` +
    `"issueDate":"${issueDate}","kid":${JSON.stringify(kid)},"kind":"${kind}",` +
    `"lines":${linesJson},"reference":null,"seller":${sellerJson}}`;
  const isChecked = (invoiceNumber ?? 0) <= 2 * CREDITED_EVERY;
  if (isChecked && text !== writeText(document, versionOf(document))) {
    throw new Error('The samples are no longer written as the product writes its documents');
  }
  return text;
}
