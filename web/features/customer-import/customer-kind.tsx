import { COUNTRIES, countryName } from '../../../domain/country.ts';
import type { Feature } from '../../../domain/api/endpoint.ts';
import type {
  CustomerImportResult,
  IMPORTED_FIELDS,
} from '../../../domain/customer/customer-import.schema.ts';
import { importCustomers } from '../../../domain/customer/customer-import.endpoints.ts';
import {
  DELIVERY_TYPE_NAMES,
  type DeliveryType,
} from '../../../domain/delivery/delivery.schema.ts';
import { formatOrgNumber, isValidOrgNumber } from '../../../domain/parties.ts';
import type { Sentence } from '../../../domain/api/rules.ts';
import { tidyOrgNumber, tidyPhoneNumber } from '../../../domain/text.ts';
import { callWithProgress } from '../../lib/upload.ts';
import { paths } from '../../lib/paths.ts';
import { type ColumnKind, explainRule, type ImportKind, mostAre } from '../import/import-kind.ts';
import { CUSTOMER_ROWS, type CustomerRow } from './customer-rows.ts';

/** The meaning of a column: a field, or a part that is joined with another column into a field. */
type Target = (typeof IMPORTED_FIELDS)[number] | 'firstName' | 'lastName' | 'postalPlace';

/** In the order of the menu. */
const LABELS: Readonly<Record<Target, string>> = {
  customerNumber: 'Kundenummer',
  name: 'Navn',
  firstName: 'Fornavn',
  lastName: 'Etternavn',
  email: 'E-post',
  orgNumber: 'Organisasjonsnummer',
  phoneNumber: 'Telefonnummer',
  address1: 'Adresse',
  address2: 'Adresselinje 2',
  postalCode: 'Postnummer',
  city: 'Poststed',
  postalPlace: 'Postnummer og poststed',
  country: 'Land',
  contactName: 'Kontaktperson',
  invoiceEmails: 'E-post for fakturaer',
  reference: 'Referanse',
  dueDays: 'Dager til forfall',
  deliveryType: 'Leveringsmetode',
  isPrivate: 'Privatperson',
  vatNumber: 'Mva-nummer',
  ehfFirst: 'EHF når kunden kan motta',
};

/** Known headings from people and other programs, in lower case, without spaces and punctuation. */
const HEADINGS: Readonly<Record<Target, string>> = {
  customerNumber:
    'kundenummer kundenr kundeno knr nr nummer no medlemsnummer medlemsnr medlemnr id kundeid ' +
    'customernumber customerno customerid number membernumber memberid accountnumber',
  name:
    'navn kunde kundenavn firma firmanavn bedrift bedriftsnavn selskap medlem fulltnavn ' +
    'kontakt name customer customername company companyname fullname displayname member',
  firstName: 'fornavn firstname givenname forname forename',
  lastName: 'etternavn lastname surname familyname',
  email:
    'epost epostadresse mail mailadresse email emailadress emailadresse emailaddress ' +
    'fakturaepost epostfaktura',
  orgNumber:
    'organisasjonsnummer organisasjonsnr orgnummer orgnr org orgno orgnumber ' +
    'organisationnumber organizationnumber foretaksnummer companyid',
  phoneNumber:
    'telefon telefonnummer telefonnr tlf tlfnr mobil mobilnummer mobilnr mobiltelefon mob ' +
    'phone phonenumber phoneno mobile mobilephone mobilenumber cellphone telephone',
  address1:
    'adresse adresse1 adresselinje adresselinje1 gate gateadresse gatenavn postadresse ' +
    'fakturaadresse address address1 addressline1 street streetaddress postaladdress ' +
    'billingaddress billingaddress1',
  address2: 'adresse2 adresselinje2 address2 addressline2 co billingaddress2',
  postalCode: 'postnummer postnr pnr zip zipcode postalcode postcode billingpostalcode',
  city: 'poststed sted by city town place billingcity',
  postalPlace: 'postnummerogpoststed postnrogpoststed postnrsted postnummersted postnrpoststed',
  country: 'land landkode country countrycode billingcountry',
  contactName:
    'kontaktperson kontaktnavn att attn attention vedrørende contactname contactperson contact',
  invoiceEmails:
    'epostforfakturaer epostforfaktura fakturaeposter fakturaadresseepost fakturamottakere ' +
    'epostadresser invoiceemail invoiceemails billingemail',
  reference:
    'referanse ref deresreferanse deresref kundereferanse kundensreferanse bestiller reference ' +
    'yourreference yourref buyerreference',
  dueDays:
    'dagertilforfall forfallsdager forfall betalingsfrist betalingsbetingelser betalingsbetingelse ' +
    'betalingsvilkår kredittdager frist duedays paymentterms paymentdays',
  deliveryType:
    'leveringsmetode leveringsmåte levering sendemåte utsending fakturaformat deliverytype delivery',
  isPrivate: 'privatperson privat privatkunde kundetype isprivate private customertype',
  vatNumber: 'mvanummer mvanr mvano momsnummer momsregistreringsnummer vat vatnumber vatno vatid',
  ehfFirst: 'ehfnårkundenkanmotta ehfførst ehf ehffirst einvoice',
};

/** Headings that mean another field when a further column has the field that they usually mean. */
const BESIDE: ReadonlyMap<string, Target> = new Map([
  ['kontakt', 'contactName'],
  ['fakturaepost', 'invoiceEmails'],
  ['epostfaktura', 'invoiceEmails'],
]);

function isOfCustomer(cell: string): boolean {
  return cell.includes('@') || /^[\d\s+]{3,}$/.test(cell);
}

function guess(cells: readonly string[], taken: ReadonlySet<string>): Target | null {
  const most = (is: (cell: string) => boolean) => mostAre(cells, is);
  if (most((cell) => /^\S+@\S+$/.test(cell))) return 'email';
  if (most((cell) => isValidOrgNumber(tidyOrgNumber(cell)))) return 'orgNumber';
  if (most((cell) => /^[2-9]\d{7}$/.test(tidyPhoneNumber(cell)))) return 'phoneNumber';
  if (most((cell) => /^\d{4}$/.test(cell))) return taken.has('name') ? 'postalCode' : null;
  if (most((cell) => /^\d{4} \p{L}/u.test(cell))) return 'postalPlace';
  if (most((cell) => /\p{L}.*\d/u.test(cell)) && taken.has('name')) return 'address1';
  if (!most((cell) => /\p{L}/u.test(cell))) return null;
  return taken.has('name') ? (taken.has('postalCode') ? 'city' : null) : 'name';
}

export const CUSTOMER_COLUMNS: ColumnKind = {
  labels: LABELS,
  headings: HEADINGS,
  beside: BESIDE,
  isOfRecord: isOfCustomer,
  guess,
};

/** How a list of customers is read, with these features. */
export function customerKind(
  features: ReadonlySet<Feature>,
): ImportKind<CustomerRow, CustomerImportResult> {
  const { vatNumber: vatWords, ehfFirst: ehfWords, ...words } = HEADINGS;
  const { vatNumber, ehfFirst, ...others } = LABELS;
  const [hasVat, hasEhf] = [features.has('vat'), features.has('einvoice')];
  const labels = { ...others, ...(hasVat && { vatNumber }), ...(hasEhf && { ehfFirst }) };
  const headings = {
    ...words,
    ...(hasVat ? { vatNumber: vatWords } : { orgNumber: `${words.orgNumber} ${vatWords}` }),
    ...(hasEhf && { ehfFirst: ehfWords }),
  };
  return { ...CUSTOMERS, columns: { ...CUSTOMER_COLUMNS, labels, headings } };
}

const CUSTOMERS: ImportKind<CustomerRow, CustomerImportResult> = {
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
  send: async (request, sending) => callWithProgress(importCustomers, request, sending),
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
  const { country, contactName, reference, dueDays, deliveryType } = row;
  const { isPrivate, vatNumber, ehfFirst } = row;
  return [
    isCountry(country) ? countryName(country) : country,
    vatNumber && `mva-nr. ${vatNumber}`,
    contactName && `Att. ${contactName}`,
    reference && `ref. ${reference}`,
    dueDays && `${dueDays} dager`,
    deliveryType && (DELIVERY_TYPE_NAMES[deliveryType as DeliveryType] ?? deliveryType),
    isPrivate === true ? 'privatperson' : undefined,
    ehfFirst === false ? 'ikke EHF' : undefined,
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
  '{0} must be a VAT number that begins with its country':
    'Skriv mva-nummeret med landkode, som SE556677889901',
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
