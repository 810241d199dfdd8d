import type { IMPORTED_FIELDS } from '../../../domain/customer/customer-import.schema.ts';
import { isValidOrgNumber } from '../../../domain/parties.ts';
import { tidyOrgNumber, tidyPhoneNumber } from '../../../domain/text.ts';
import type { Line, Table } from './table.ts';

/** The meaning of a column: a field, or a part that is joined with another column into a field. */
export type Target = (typeof IMPORTED_FIELDS)[number] | 'firstName' | 'lastName' | 'postalPlace';

/** In the order of the menu. */
export const TARGET_LABELS: Readonly<Record<Target, string>> = {
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
};

export const TARGETS = Object.keys(TARGET_LABELS) as Target[];

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
    'organisationnumber organizationnumber foretaksnummer vatnumber vatno companyid',
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
};

/** Headings that mean another field when a further column has the field that they usually mean. */
const BESIDE: ReadonlyMap<string, Target> = new Map([
  ['kontakt', 'contactName'],
  ['fakturaepost', 'invoiceEmails'],
  ['epostfaktura', 'invoiceEmails'],
]);

const TARGET_OF_HEADING: ReadonlyMap<string, Target> = new Map(
  TARGETS.flatMap((target) => HEADINGS[target].split(' ').map((heading) => [heading, target])),
);

/** The target of each column; null for columns that are not imported. */
export type Columns = readonly (Target | null)[];

export function targetOf(heading: string): Target | null {
  return TARGET_OF_HEADING.get(lettersOf(heading)) ?? null;
}

function lettersOf(heading: string): string {
  return heading
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/[^a-z0-9æøå]/g, '');
}

function targetsOf(headings: readonly string[]): Columns {
  const targets = headings.map(targetOf);
  return headings.map((heading, column) => {
    const target = targets[column] ?? null;
    const beside = BESIDE.get(lettersOf(heading));
    const isTwice = targets.some((other, index) => other === target && index !== column);
    return beside && isTwice ? beside : target;
  });
}

/** The maximum number of lines above the headings. */
const TITLE_LINES_MAX = 10;

/** Counts the lines above the headings, such as a title of the list. */
export function countTitleLines({ lines }: Table): number {
  const at = lines.slice(0, TITLE_LINES_MAX + 1).findIndex((line) => countHeadings(line) > 1);
  const [heading] = lines.slice(Math.max(at, 0));
  const isTitle = (line: Line) => heading && filledIn(line).length < filledIn(heading).length;
  return at > 0 && lines.slice(0, at).every(isTitle) ? at : 0;
}

function countHeadings(line: Line): number {
  return filledIn(line).filter((cell) => targetOf(cell) !== null).length;
}

function filledIn({ cells }: Line): string[] {
  return cells.filter((cell) => cell !== '');
}

/** Whether the first line has column headings rather than a customer. */
export function hasHeading({ lines: [first] }: Table): boolean {
  if (!first) return false;
  const known = countHeadings(first);
  // A single match may be a customer's name. With two, numbers are headings too, such as a year.
  return known > 1 || (known === 1 && !filledIn(first).some(isOfCustomer));
}

function isOfCustomer(cell: string): boolean {
  return cell.includes('@') || /^[\d\s+]{3,}$/.test(cell);
}

/** Recognises the columns by their headings, or by their content when there are no headings. */
export function findColumns(table: Table, isHeaded: boolean): Columns {
  const [first] = table.lines;
  const taken = new Set<Target>();
  const take = (target: Target | null): Target | null => {
    if (target === null || taken.has(target)) return null;
    taken.add(target);
    return target;
  };
  const headed = isHeaded ? targetsOf(first?.cells ?? []) : [];
  return Array.from({ length: table.width }, (_, column) =>
    take(isHeaded ? (headed[column] ?? null) : guess(table.lines, column, taken)),
  );
}

/** The number of lines that are examined to recognise a column. */
const LINES_EXAMINED = 50;

function guess(lines: readonly Line[], column: number, taken: ReadonlySet<Target>): Target | null {
  const cells = lines
    .slice(0, LINES_EXAMINED)
    .map(({ cells: all }) => all[column] ?? '')
    .filter((cell) => cell !== '');
  if (cells.length === 0) return null;
  const mostAre = (is: (cell: string) => boolean) => cells.filter(is).length > cells.length * 0.7;
  if (mostAre((cell) => /^\S+@\S+$/.test(cell))) return 'email';
  if (mostAre((cell) => isValidOrgNumber(tidyOrgNumber(cell)))) return 'orgNumber';
  if (mostAre((cell) => /^[2-9]\d{7}$/.test(tidyPhoneNumber(cell)))) return 'phoneNumber';
  if (mostAre((cell) => /^\d{4}$/.test(cell))) return taken.has('name') ? 'postalCode' : null;
  if (mostAre((cell) => /^\d{4} \p{L}/u.test(cell))) return 'postalPlace';
  if (mostAre((cell) => /\p{L}.*\d/u.test(cell)) && taken.has('name')) return 'address1';
  if (!mostAre((cell) => /\p{L}/u.test(cell))) return null;
  return taken.has('name') ? (taken.has('postalCode') ? 'city' : null) : 'name';
}

/** Sets the target of a column. A column that had the same target loses it. */
export function setColumn(columns: Columns, column: number, target: Target | null): Columns {
  return columns.map((other, index) =>
    index === column ? target : other === target ? null : other,
  );
}
