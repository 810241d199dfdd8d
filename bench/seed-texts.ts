import type { InvoiceDocument } from '../domain/document/invoice-document.ts';
import { makeKid } from '../domain/kid.ts';
import { versionOf, writeText } from '../server/document/document-text.ts';
import { sampleSeller } from '../server/testing/invoice-documents.ts';
import { FIRST_NAMES, NAMES, sampleDocument, TRADES } from './sample-invoices.ts';

// The content of a company's invoices, as SQL over the columns `company_id`, `number`, `customer` (their numbers),
// `kid`, `issue_date` and `credited_date`: millions are written without leaving the server.

/** As `customerName`, in SQL. */
export function customerNameSql(companyId: string, customerNumber: string): string {
  const name = `((${companyId} * 7 + ${customerNumber}) % ${NAMES})`;
  const pick = (words: readonly string[]) =>
    `(ARRAY['${words.join("', '")}'])[1 + ${name} % ${words.length}]`;
  return `${pick(FIRST_NAMES)} || ' ' || ${pick(TRADES)} || ' ' || ${name} || ' AS'`;
}

/**
 * The KID in SQL, as the product makes it: the check digits of the two numbers give that of both.
 * @param most the highest numbers that occur
 */
export function kidSql(most: { readonly customer: number; readonly number: number }): string {
  const ofCustomer = checkDigits((number) => makeKid(number, 0), most.customer);
  const ofNumber = checkDigits((number) => makeKid(0, number), most.number);
  return `(lpad(customer::text, 7, '0') || lpad(number::text, 10, '0')
    || (get_byte(${ofCustomer}, customer::integer) + get_byte(${ofNumber}, number::integer)) % 10)`;
}

function checkDigits(kidOf: (number: number) => string, most: number): string {
  const digits = Buffer.alloc(most + 1);
  for (let index = 0; index <= most; index += 1) digits[index] = Number(kidOf(index).at(-1));
  return `'\\x${digits.toString('hex')}'::bytea`;
}

/** Placeholders in a text, and the SQL expression that replaces each. */
const PLACES: readonly (readonly [placed: string, expression: string])[] = [
  ['@seller@', nameOfCompany('company_id')],
  ['@customer@', customerNameSql('company_id', 'customer')],
  ['@address@', `'Verksgata ' || customer`],
  ['faktura@kunde.example', `'faktura' || customer || '@kunde.example'`],
  ['@kid@', 'kid'],
  ['1999-01-01', 'issue_date'],
  ['1999-01-15', '(issue_date + 14)'],
  ['1998-01-01', 'credited_date'],
  ['1111111', 'customer'],
  ['2222222', 'number'],
  ['3333333', '(number - 1)'],
];

/** A company's name, in SQL. */
export function nameOfCompany(companyId: string): string {
  return `'Firma ' || ${companyId} || ' AS'`;
}

const sample = sampleDocument(1);
const INVOICE: InvoiceDocument = {
  ...sample,
  invoiceNumber: 2_222_222,
  issueDate: '1999-01-01',
  deliveryDate: '1999-01-01',
  dueDate: '1999-01-15',
  kid: '@kid@',
  seller: { ...sampleSeller, name: '@seller@' },
  buyer: {
    ...sample.buyer,
    customerNumber: 1_111_111,
    name: '@customer@',
    email: 'faktura@kunde.example',
    address1: '@address@',
  },
};
const CREDIT_NOTE: InvoiceDocument = {
  ...INVOICE,
  kind: 'CREDIT_NOTE',
  kid: null,
  credits: { invoiceNumber: 3_333_333, issueDate: '1998-01-01', extent: null },
};

/** The texts of documents as the product writes them, with the seller and buyer that it keeps beside them. */
export const SEED_TEXTS = {
  version: versionOf(INVOICE),
  invoice: toSql(writeText(INVOICE, versionOf(INVOICE))),
  creditNote: toSql(writeText(CREDIT_NOTE, versionOf(CREDIT_NOTE))),
  seller: toSql(JSON.stringify(INVOICE.seller)),
  buyer: toSql(JSON.stringify(INVOICE.buyer)),
};

/** An SQL expression for the text with its placeholders replaced. */
function toSql(text: string): string {
  const places = new Map(PLACES);
  const parts = text.split(new RegExp(`(${[...places.keys()].join('|')})`));
  const expressions = parts.map((part) => places.get(part) ?? `'${part}'`);
  return `(${expressions.join(' || ')})`;
}
