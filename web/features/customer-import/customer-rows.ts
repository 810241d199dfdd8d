import { COUNTRIES, countryName, HOME_COUNTRY } from '../../../domain/country.ts';
import { IMPORTED_FIELDS } from '../../../domain/customer/customer-import.schema.ts';
import { DELIVERY_TYPE_NAMES } from '../../../domain/delivery/delivery.schema.ts';
import { isNineDigits } from '../../../domain/parties.ts';
import { tidyOrgNumber, tidyPhoneNumber, visibleText } from '../../../domain/text.ts';
import type { RowKind } from '../import/import-kind.ts';
import { answerIn, oneLine, type SourcedRow } from '../import/rows.ts';

type ImportedField = (typeof IMPORTED_FIELDS)[number];

/** A customer in the API's format, without empty fields. */
export type CustomerRow = Readonly<
  Partial<Record<Exclude<ImportedField, keyof Values>, string> & { [F in keyof Values]: Values[F] }>
>;

/** The fields that are not texts. What cannot be read stays as it is, and the API names it as a fault. */
interface Values {
  customerNumber: string | number;
  dueDays: string | number;
  isPrivate: string | boolean;
  ehfFirst: string | boolean;
  invoiceEmails: readonly string[];
}

type CustomerSource = SourcedRow<CustomerRow>;

/** A name and a place in two columns each, or both parts of a place in one. */
function join(cell: (target: string) => string): Readonly<Record<string, string>> {
  const whole = [cell('firstName'), cell('lastName')].filter(Boolean).join(' ');
  // More than four digits is a foreign postal code, which stays in the city.
  const [, code = '', place = ''] =
    /^(?:(\d{3,4})(?!\s*\d))?\s*(.*)$/.exec(cell('postalPlace')) ?? [];
  return {
    name: cell('name') || whole,
    postalCode: cell('postalCode') || code,
    city: cell('city') || place,
    ...vatOf(cell),
  };
}

/** The VAT number of a Norwegian firm is its organisation number. */
function vatOf(cell: (target: string) => string): Readonly<Record<string, string>> {
  const country = cell('country');
  const isAbroad = country !== '' && (countryOf(country) ?? country) !== HOME_COUNTRY;
  const orgNumber = tidyOrgNumber(cell('vatNumber'));
  if (isAbroad || !isNineDigits(orgNumber)) return {};
  return { orgNumber: cell('orgNumber') || orgNumber, vatNumber: '' };
}

function valueOf(field: string, text: string): Values[keyof Values] {
  switch (field) {
    case 'customerNumber':
      return /^\d{1,9}$/.test(text) ? Number(text) : text;
    case 'dueDays':
      return Number(DAYS.exec(text)?.[1] ?? NaN) || text;
    case 'invoiceEmails':
      return text.split(/[\s,;]+/).filter(Boolean);
    case 'isPrivate':
      return answerIn(text) ?? KINDS.get(text.toLowerCase()) ?? text;
    case 'ehfFirst':
      return answerIn(text) ?? text;
    case 'deliveryType':
      return deliveryTypeOf(text) ?? text;
    case 'country':
      return countryOf(text) ?? text;
    default:
      return text;
  }
}

/** '14', '30 dgr', 'netto 10', 'Netto pr. 14 dager' and '10 days net'. */
const DAYS =
  /^(?:netto|net)?\s*(?:per|pr\.?)?\s*(\d{1,9})\s*(?:d|dg|dgr|dag|dager|days?)?\.?\s*(?:netto|net)?$/i;

const KINDS: ReadonlyMap<string, boolean> = new Map([
  ...'privat privatperson privatkunde'.split(' ').map((person) => [person, true] as const),
  ...'bedrift firma næring'.split(' ').map((business) => [business, false] as const),
]);

function deliveryTypeOf(text: string): string | undefined {
  const letters = text.toLowerCase().replaceAll(/[^a-zæøå]/g, '');
  if (['email', 'mail', 'pdf'].includes(letters)) return 'EMAIL';
  const found = Object.entries(DELIVERY_TYPE_NAMES).find(
    ([, name]) => name.toLowerCase().replaceAll('-', '') === letters,
  );
  return found?.[0];
}

/** Other names for countries. */
const COUNTRY_WORDS: readonly (readonly [name: string, code: string])[] = [
  ...'uk|england|skottland|scotland|wales|great britain'
    .split('|')
    .map((name) => [name, 'GB'] as const),
  ['holland', 'NL'],
];

let countries: ReadonlyMap<string, string> | undefined;

/** The code of a country that is named in Norwegian or English. */
function countryOf(name: string): string | undefined {
  countries ??= new Map([
    ...COUNTRY_WORDS,
    ...COUNTRIES.flatMap((code) =>
      ['en', 'nb'].map((language) => [countryName(code, language).toLowerCase(), code] as const),
    ),
  ]);
  return countries.get(name.toLowerCase());
}

/** Whether a postal code seems to have lost its leading zero in a spreadsheet: '150' for '0150'. */
export function isCut({ row }: CustomerSource): boolean {
  return /^\d{3}$/.test(row.postalCode ?? '');
}

/** Adds the missing zero to such postal codes. */
export function padPostalCodes(rows: readonly CustomerSource[]): readonly CustomerSource[] {
  return rows.map((source) => {
    if (!isCut(source)) return source;
    const postalCode = String(source.row.postalCode).padStart(4, '0');
    return { line: source.line, row: { ...source.row, postalCode } };
  });
}

/**
 * Counts new customers that a second import of the list would duplicate. A customer is recognised by number,
 * organisation number, or an e-mail address that no other row has.
 *
 * @param known rows of existing customers, from 1
 */
export function countUnrecognisable(
  rows: readonly CustomerSource[],
  known: ReadonlySet<number>,
): number {
  const addresses = Map.groupBy(rows, ({ row }) => (row.email ?? '').toLowerCase());
  const isUnrecognisable = ({ row }: CustomerSource) =>
    row.customerNumber === undefined &&
    row.orgNumber === undefined &&
    (row.email === undefined || addresses.get(row.email.toLowerCase())?.length !== 1);
  return rows.filter((source, index) => !known.has(index + 1) && isUnrecognisable(source)).length;
}

/** Normalises a cell for its field. */
function tidy(cell: string, target: string): string {
  const text = oneLine(cell, target === 'address1' || target === 'address2' ? ', ' : ' ');
  switch (target) {
    case 'phoneNumber':
      return tidyPhoneNumber(text);
    case 'orgNumber':
      return tidyOrgNumber(text);
    case 'postalCode':
      return visibleText(text);
    case 'customerNumber':
      return visibleText(text).replaceAll(/[\s.](?=\d{3})/g, '');
    case 'email':
      return visibleText(text).replace(/^mailto:/i, '');
    default:
      return text;
  }
}

export const CUSTOMER_ROWS: RowKind = { fields: IMPORTED_FIELDS, tidy, join, valueOf };
