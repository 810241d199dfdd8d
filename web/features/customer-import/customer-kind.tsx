import { COUNTRIES, countryName } from '../../../domain/country.ts';
import type { CustomerImportResult } from '../../../domain/customer/customer-import.schema.ts';
import { importCustomers } from '../../../domain/customer/customer-import.endpoints.ts';
import {
  DELIVERY_TYPE_NAMES,
  type DeliveryType,
} from '../../../domain/delivery/delivery.schema.ts';
import { formatOrgNumber, isValidOrgNumber } from '../../../domain/parties.ts';
import { callWithProgress } from '../../lib/upload.ts';
import { paths } from '../../lib/paths.ts';
import type { ImportKind } from '../import/import-kind.ts';
import { CUSTOMER_COLUMNS } from './customer-columns.ts';
import { CUSTOMER_ROWS, type CustomerRow } from './customer-rows.ts';
import type { Sentence } from '../../../domain/api/rules.ts';
import { explainRule } from '../import/explain.ts';

export const CUSTOMERS: ImportKind<CustomerRow, CustomerImportResult> = {
  words: {
    one: 'kunde',
    many: 'kunder',
    theOne: 'Kunden',
    theMany: 'kundene',
    fresh: 'ny',
    oneOf: 'Én',
    programs: 'Excel, Google Regneark eller medlemssystemet',
    example: 'Navn\tE-post\nKari Dal\tkari@example.no',
    facts: [
      'Kolonner for navn, e-post, telefon, organisasjonsnummer, kundenummer og adresse. Du ser og endrer hva som er hva før noe lagres.',
      'Også land, kontaktperson, e-post for fakturaer (flere i samme celle skilles med komma), referanse, dager til forfall, leveringsmetode (Ingen, E-post eller EHF) og privatperson (ja eller nei).',
      'Kunder du har fra før, kjennes igjen på kundenummer, ellers på organisasjonsnummer eller e-post.',
    ],
    conflict: {
      title: 'Det er ikke nok ledige kundenumre etter det høyeste.',
      help: 'Ta med en kolonne med kundenumre.',
    },
  },
  columns: CUSTOMER_COLUMNS,
  rows: CUSTOMER_ROWS,
  preview: [
    {
      heading: 'E-post',
      cell: ({ email, invoiceEmails = [] }) => [email, ...invoiceEmails].filter(Boolean).join(', '),
    },
    { heading: 'Adresse, telefon og nummer', roomy: true, cell: (row) => <Details row={row} /> },
  ],
  nameOfKnown: ({ customerNumber }) => `Kunde ${customerNumber}`,
  explain,
  send: async (body, { isDry, ...sending }) => {
    const query = isDry ? { dryRun: 'true' as const } : {};
    return callWithProgress(
      importCustomers,
      { query, body: { ...body, rows: [...body.rows] } },
      sending,
    );
  },
  subject: 'customer-import',
  changes: 'customers',
  list: paths.customers,
};

function Details({ row }: { row: CustomerRow }) {
  const place = [row.postalCode, row.city].filter(Boolean).join(' ');
  const orgNumber = row.orgNumber ?? '';
  const number = row.customerNumber === undefined ? '' : `nr. ${row.customerNumber}`;
  const more = [number, formatOrgNumber(orgNumber), row.phoneNumber, row.address1, row.address2];
  return (
    <>
      {[...more, place, ...termsOf(row)].filter(Boolean).join(', ') || '–'}
      {/^\d{9}$/.test(orgNumber) && !isValidOrgNumber(orgNumber) ? (
        <span className="toned" data-tone="amber">
          {' '}
          Kontrollsifferet i organisasjonsnummeret stemmer ikke.
        </span>
      ) : null}
    </>
  );
}

function termsOf(row: CustomerRow): readonly unknown[] {
  const { country, contactName, reference, dueDays, deliveryType, isPrivate } = row;
  return [
    isCountry(country) ? countryName(country) : country,
    contactName && `Att. ${contactName}`,
    reference && `ref. ${reference}`,
    dueDays && `${dueDays} dager`,
    deliveryType && (DELIVERY_TYPE_NAMES[deliveryType as DeliveryType] ?? deliveryType),
    isPrivate === true ? 'privatperson' : undefined,
  ];
}

function isCountry(value: unknown): value is string {
  return COUNTRIES.includes(value as string);
}

const NUMBER = 'Kundenummeret må være et helt tall fra 1 til 9 999 999';

const DAYS = 'Skriv antall dager, fra 1 til 36 500';

/** The contract's rules for a cell. A number is the customer number, or the days until an invoice is due. */
const RULES: Partial<Record<Sentence, string>> = {
  '{0} must be a valid email': 'E-postadressen er ikke gyldig',
  '{0} must be a number': NUMBER,
  '{0} must be an integer': NUMBER,
  '{0} must be a positive number': NUMBER,
  '{0} must be less than or equal to {1}': NUMBER,
  '{0} must be a country code of ISO 3166-1':
    'Landet er ikke kjent. Skriv for eksempel Sverige eller SE',
  '{0} is not for a private person': 'En privatperson har ikke organisasjonsnummer',
  '{0} cannot be EHF for a private person': 'En privatperson kan ikke motta EHF',
  '{0} must be one of the following values: {1}': 'Skriv Ingen, E-post eller EHF',
  '{0} field must have less than or equal to {1} items': 'Det er plass til {1} adresser',
};

export function explain(field: string, message: string): string | null {
  return explainRule(message, CUSTOMER_COLUMNS.labels[field], (sentence) => {
    if (sentence === '{0} must be exactly {1} characters') {
      return field === 'orgNumber'
        ? 'Organisasjonsnummeret skal ha 9 siffer'
        : 'Telefonnummeret skal ha 8 siffer, uten landkode';
    }
    const rule = RULES[sentence];
    return rule === NUMBER && field === 'dueDays' ? DAYS : rule;
  });
}
