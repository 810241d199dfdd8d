import { type IMPORTED_FIELDS } from '../../../domain/customer/customer-import.schema.ts';
import { isValidOrgNumber } from '../../../domain/parties.ts';
import { tidyOrgNumber, tidyPhoneNumber } from '../../../domain/text.ts';
import { mostAre } from '../import/columns.ts';
import type { ColumnKind } from '../import/import-kind.ts';

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
