import { createRequire } from 'node:module';

import type * as XmlBuilder from 'xmlbuilder2';

import {
  aboutQuote,
  totalsOf,
  type InvoiceDocument,
} from '../../domain/document/invoice-document.ts';
import { DEFAULT_UNIT } from '../../domain/unit.ts';
import { HOME_COUNTRY } from '../../domain/country.ts';
import {
  maySellerUse,
  treatmentOf,
  treatmentOfRate,
  type VatTreatment,
} from '../../domain/vat-treatment.ts';
import { lineNet, type InvoiceLine } from '../../domain/invoice/invoice.totals.ts';
import { ore, oreToDecimal, type Ore } from '../../domain/money.ts';
import { isValidOrgNumber, type Buyer, type Seller } from '../../domain/parties.ts';
import { EHF_OBSTACLES, type EhfObstacle } from '../../domain/document/document.errors.ts';

/** The document cannot be expressed in EHF Billing 3.0. It is frozen, so this is final. The message is in English. */
export class EhfNotPossible extends Error {
  override readonly name = 'EhfNotPossible';
  readonly code: EhfObstacle;

  constructor(code: EhfObstacle) {
    super(EHF_OBSTACLES[code].en);
    this.code = code;
  }
}

// Loads the writer of XML for the first EHF: it has 150 files, a fifteenth of a start.
const load = createRequire(import.meta.url);

const CUSTOMIZATION = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0';
const PROFILE = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';

const UBL = 'urn:oasis:names:specification:ubl:schema:xsd';
const COMMON_NAMESPACES = {
  '@xmlns:cac': `${UBL}:CommonAggregateComponents-2`,
  '@xmlns:cbc': `${UBL}:CommonBasicComponents-2`,
};

/** UN/ECE 4461: credit transfer. */
const CREDIT_TRANSFER = '30';

/** The scheme of VAT categories and VAT numbers (UN/ECE 5153). */
const VAT_SCHEME = identified('VAT');

// XML 1.0 § 2.2 forbids most control characters, U+FFFE and U+FFFF, even as references. It allows the others here, but
// discourages them, and they are invisible.
const UNSPEAKABLE = /[\p{Cc}\p{Noncharacter_Code_Point}]/gu;

/**
 * Elements by their qualified name, in the order of the schema: `@name` is an attribute, `#` the text, an array repeats
 * its element, and null is left out.
 */
interface XmlContent {
  readonly [name: string]: string | XmlContent | readonly XmlContent[] | null;
}

/**
 * A registered invoice or credit note as EHF Billing 3.0 (Peppol BIS Billing 3.0 in UBL 2.1).
 * Amounts are those of totalsOf, to the øre. The same document always gives the same text.
 *
 * @throws EhfNotPossible when EHF cannot express the document
 */
export function renderEhf(document: InvoiceDocument): string {
  assertPossible(document);
  const root = document.kind === 'INVOICE' ? 'Invoice' : 'CreditNote';
  const content: XmlContent = {
    '@xmlns': `${UBL}:${root}-2`,
    ...COMMON_NAMESPACES,
    ...header(document),
    'cac:AccountingSupplierParty': supplierParty(document.seller),
    'cac:AccountingCustomerParty': customerParty(document),
    'cac:Delivery': delivery(document),
    ...payment(document),
    'cac:TaxTotal': taxTotal(document),
    'cac:LegalMonetaryTotal': monetaryTotal(document),
    ...documentLines(document),
  };
  const { create } = load('xmlbuilder2') as typeof XmlBuilder;
  return create({ version: '1.0', encoding: 'UTF-8' }, { [root]: content }).end();
}

/** A file to embed in an EHF. */
interface EmbeddedFile {
  readonly name: string;
  readonly mediaType: string;
  readonly content: Uint8Array;
}

/** The element that the references to files stand before. */
const AFTER_FILES = '<cac:AccountingSupplierParty>';

/** An EHF of `renderEhf` with these files embedded (BT-122, BT-125). Without files it stays as it is. */
export function embedFiles(xml: string, files: readonly EmbeddedFile[]): string {
  const at = xml.indexOf(AFTER_FILES);
  if (at < 0) throw new TypeError('This EHF was not made here');
  const references = files.map(({ name, mediaType, content }) => {
    const named = xmlAttribute(name);
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    return (
      `<cac:AdditionalDocumentReference><cbc:ID>${named}</cbc:ID><cac:Attachment>` +
      `<cbc:EmbeddedDocumentBinaryObject mimeCode="${mediaType}" filename="${named}">` +
      `${bytes.toString('base64')}</cbc:EmbeddedDocumentBinaryObject></cac:Attachment>` +
      `</cac:AdditionalDocumentReference>`
    );
  });
  return xml.slice(0, at) + references.join('') + xml.slice(at);
}

function xmlAttribute(text: string): string {
  return cleaned(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** The reason why a document can have no EHF, or null. */
export function findEhfObstacle(document: InvoiceDocument): EhfObstacle | null {
  try {
    assertPossible(document);
    supplierParty(document.seller);
    customerParty(document);
    return null;
  } catch (error) {
    if (error instanceof EhfNotPossible) return error.code;
    throw error;
  }
}

function assertPossible({ invoiceNumber, kind, credits, seller, lines }: InvoiceDocument): void {
  if (invoiceNumber === null) throw new EhfNotPossible('draft');
  if (lines.length === 0) throw new EhfNotPossible('no_lines');
  if (kind === 'CREDIT_NOTE' && credits === null) throw new EhfNotPossible('no_original');
  // Category O has no tax (BR-O-09), and S would claim a VAT number that does not exist. Without the VAT the amount would
  // differ from the invoice.
  if (!seller.vatRegistered && lines.some((line) => line.vatRate !== 0)) {
    throw new EhfNotPossible('vat_without_registration');
  }
  // BR-E-02, BR-G-02 and BR-AE-02 demand the seller's VAT number; BR-O-02 and BR-O-11 allow category O alone.
  if (lines.some((line) => !maySellerUse(namedTreatment(line, seller), seller.vatRegistered))) {
    throw new EhfNotPossible('treatment_of_others');
  }
}

/** A line's treatment; what its rate means on a document that states rates alone. */
function namedTreatment({ vatTreatment, vatRate }: Part, { vatRegistered }: Seller): VatTreatment {
  return vatTreatment ?? treatmentOfRate(vatRate, vatRegistered);
}

/** When it was delivered and, for goods sent elsewhere, to which country (BT-80). */
function delivery({ deliveryDate, deliveryCountry }: InvoiceDocument): XmlContent {
  return {
    'cbc:ActualDeliveryDate': deliveryDate,
    'cac:DeliveryLocation': deliveryCountry && { 'cac:Address': inCountry(deliveryCountry) },
  };
}

function header(document: InvoiceDocument): XmlContent {
  const isInvoice = document.kind === 'INVOICE';
  return {
    'cbc:CustomizationID': CUSTOMIZATION,
    'cbc:ProfileID': PROFILE,
    'cbc:ID': String(document.invoiceNumber),
    'cbc:IssueDate': document.issueDate,
    'cbc:DueDate': isInvoice ? document.dueDate : null,
    ...(isInvoice ? { 'cbc:InvoiceTypeCode': '380' } : { 'cbc:CreditNoteTypeCode': '381' }),
    // One at most (PEPPOL-EN16931-R002).
    'cbc:Note': xmlNote(noteOf(document)),
    'cbc:DocumentCurrencyCode': 'NOK',
    // R003 requires this or an order. Both sides know the customer number.
    'cbc:BuyerReference':
      xmlText(document.reference) ?? requiredXmlText(String(document.buyer.customerNumber)),
    'cac:BillingReference': document.credits && {
      'cac:InvoiceDocumentReference': {
        ...identified(String(document.credits.invoiceNumber)),
        'cbc:IssueDate': document.credits.issueDate,
      },
    },
  };
}

function noteOf(document: InvoiceDocument): string {
  return [document.message, aboutQuote(document)].filter(Boolean).join('\n');
}

/** How an invoice is paid (DOC-20). A credit note needs no payment, so it names no account. */
function payment({ kind, kid, kidModulus, bankAccountNumber }: InvoiceDocument): XmlContent {
  if (kind === 'CREDIT_NOTE') return { 'cac:PaymentTerms': { 'cbc:Note': 'Beløpet krediteres' } };
  return {
    'cac:PaymentMeans': {
      'cbc:PaymentMeansCode':
        kidModulus === null ? CREDIT_TRANSFER : { '@name': 'KID', '#': CREDIT_TRANSFER },
      'cbc:PaymentID': kid,
      // Without a bank's BIC: the account number is a Norwegian one (BR-61).
      'cac:PayeeFinancialAccount': identified(bankAccountNumber),
    },
  };
}

/** @throws EhfNotPossible when the organisation number fails its check digit (PEPPOL-COMMON-R041) */
function supplierParty(seller: Seller): XmlContent {
  if (!isValidOrgNumber(seller.orgNumber)) throw new EhfNotPossible('seller_number_invalid');
  return party(seller, seller.orgNumber, taxSchemes(seller));
}

/**
 * The buyer has a VAT number only where a treatment demands it: else it is unknown whether the buyer is registered.
 *
 * @throws EhfNotPossible when the organisation number is missing or fails its check digit
 */
function customerParty({ buyer, buyerVatNumber }: InvoiceDocument): XmlContent {
  if (buyer.orgNumber === null) throw new EhfNotPossible('buyer_number_missing');
  if (!isValidOrgNumber(buyer.orgNumber)) throw new EhfNotPossible('buyer_number_invalid');
  return party(buyer, buyer.orgNumber, buyerVatNumber === null ? [] : [registered(buyerVatNumber)]);
}

function taxSchemes(seller: Seller): XmlContent[] {
  const vat = registered(`NO${seller.orgNumber}MVA`);
  // NO-R-002; foretaksregisterloven § 10-2.
  const register = { 'cbc:CompanyID': 'Foretaksregisteret', 'cac:TaxScheme': identified('TAX') };
  return [...(seller.vatRegistered ? [vat] : []), ...(seller.foretaksregisteret ? [register] : [])];
}

/** A VAT number in its scheme. */
function registered(vatNumber: string): XmlContent {
  return { 'cbc:CompanyID': xmlText(vatNumber), 'cac:TaxScheme': VAT_SCHEME };
}

function party(who: Seller | Buyer, orgNumber: string, schemes: readonly XmlContent[]): XmlContent {
  const name = 'contactName' in who ? xmlText(who.contactName ?? null) : null;
  const email = xmlText(who.email);
  // 0192 is Enhetsregisteret among the ICD codes of ISO 6523.
  const identifier = { '@schemeID': '0192', '#': orgNumber };
  return {
    'cac:Party': {
      'cbc:EndpointID': identifier,
      'cac:PostalAddress': postalAddress(who),
      'cac:PartyTaxScheme': schemes,
      'cac:PartyLegalEntity': {
        'cbc:RegistrationName': requiredXmlText(who.name),
        'cbc:CompanyID': identifier,
      },
      'cac:Contact':
        name === null && email === null ? null : { 'cbc:Name': name, 'cbc:ElectronicMail': email },
    },
  };
}

function postalAddress(who: Seller | Buyer): XmlContent {
  const [street = null, additional = null] = [who.address1, who.address2]
    .map(xmlText)
    .filter((line) => line !== null);
  return {
    'cbc:StreetName': street,
    'cbc:AdditionalStreetName': additional,
    'cbc:CityName': xmlText(who.city),
    'cbc:PostalZone': xmlText(who.postalCode),
    ...inCountry(('country' in who && who.country) || HOME_COUNTRY),
  };
}

function inCountry(code: string): XmlContent {
  return { 'cac:Country': { 'cbc:IdentificationCode': code } };
}

/** The VAT of each treatment and rate, and their sum, from totalsOf. */
function taxTotal(document: InvoiceDocument): XmlContent {
  const { seller } = document;
  const totals = totalsOf(document);
  return {
    'cbc:TaxAmount': amount(totals.vat),
    'cac:TaxSubtotal': totals.subtotals.map((part) => ({
      'cbc:TaxableAmount': amount(part.net),
      'cbc:TaxAmount': amount(part.vat),
      'cac:TaxCategory': {
        ...category(part, seller),
        ...reason(part, seller),
        'cac:TaxScheme': VAT_SCHEME,
      },
    })),
  };
}

/** The document's sums, from totalsOf. */
function monetaryTotal(document: InvoiceDocument): XmlContent {
  const { net, gross } = totalsOf(document);
  return {
    'cbc:LineExtensionAmount': amount(net),
    'cbc:TaxExclusiveAmount': amount(net),
    'cbc:TaxInclusiveAmount': amount(gross),
    'cbc:PayableAmount': amount(gross),
  };
}

/** The lines, with the element names of an invoice or of a credit note. */
function documentLines({ kind, lines, seller }: InvoiceDocument): XmlContent {
  const [element, quantityElement] =
    kind === 'INVOICE'
      ? (['cac:InvoiceLine', 'cbc:InvoicedQuantity'] as const)
      : (['cac:CreditNoteLine', 'cbc:CreditedQuantity'] as const);
  return {
    [element]: lines.map((line, index) => ({
      'cbc:ID': String(index + 1),
      [quantityElement]: {
        '@unitCode': line.unit ?? DEFAULT_UNIT,
        '#': String(signedQuantity(line)),
      },
      'cbc:LineExtensionAmount': amount(lineNet(line)),
      'cac:Item': {
        'cbc:Name': requiredXmlText(line.description),
        'cac:SellersItemIdentification': itemNumber(line),
        'cac:ClassifiedTaxCategory': {
          ...category(line, seller),
          'cac:TaxScheme': VAT_SCHEME,
        },
      },
      'cac:Price': { 'cbc:PriceAmount': amount(ore(Math.abs(line.netUnitAmount))) },
    })),
  };
}

/** The product's number (BT-155); null when there is nothing of it that XML allows. */
function itemNumber({ productNumber }: InvoiceLine): XmlContent | null {
  const number = productNumber && xmlText(productNumber);
  return number ? identified(number) : null;
}

/** A price may not be negative (BR-27), so a discount is a negative quantity. */
function signedQuantity(line: InvoiceLine): number {
  return line.netUnitAmount < 0 ? -line.quantity : line.quantity;
}

type Part = Pick<InvoiceLine, 'vatTreatment' | 'vatRate'>;

/** The VAT category (UNCL 5305). Category O is outside the tax, and has no rate at all (BR-O-05). */
function category(part: Part, seller: Seller): XmlContent {
  const { category: code } = treatmentOf(namedTreatment(part, seller));
  return { 'cbc:ID': code, 'cbc:Percent': code === 'O' ? null : String(part.vatRate) };
}

/** Why no VAT is charged. Documents that state rates alone have no code. */
function reason(part: Part, seller: Seller): XmlContent {
  const { ehfReason, ehfReasonCode } = treatmentOf(namedTreatment(part, seller));
  return {
    'cbc:TaxExemptionReasonCode': part.vatTreatment === null ? null : ehfReasonCode,
    'cbc:TaxExemptionReason': ehfReason,
  };
}

/** An amount in kroner with its currency. */
function amount(value: Ore): XmlContent {
  return { '@currencyID': 'NOK', '#': oreToDecimal(value) };
}

/** An element with only an ID. */
function identified(id: string): XmlContent {
  return { 'cbc:ID': id };
}

/**
 * A text that XML 1.0 allows: without forbidden characters, with U+FFFD for lone surrogates, and with single spaces.
 * Null when it is empty, because Peppol allows no empty element (R008).
 *
 * xmlbuilder2 resolves references in its input, and then does not escape text that still looks like one: '&e;' would
 * become an undeclared entity, and the document would not be XML. So every '&' is escaped twice.
 */
function xmlText(text: string | null): string | null {
  return text === null ? null : escaped(cleaned(text));
}

/** The same for a note: it keeps its lines, and contains no code. */
function xmlNote(text: string): string | null {
  const lines = text.split('\n').map(cleaned);
  return escaped(withoutCode(lines.join('\n').trim()));
}

function cleaned(text: string): string {
  return text.toWellFormed().replaceAll(UNSPEAKABLE, ' ').replaceAll(/\s+/g, ' ').trim();
}

function escaped(text: string): string | null {
  return text === '' ? null : text.replaceAll('&', '&amp;amp;');
}

/**
 * Three characters between the first two '#' of a note must be a code of UNCL 4451 (BR-CL-08): 'Ordre #42 #43' has '42 '
 * there. A fourth character, a space, makes them text.
 */
function withoutCode(note: string): string {
  return note.replace(/^([^#]*#)(?=[^#]{3}#)/u, '$1 ');
}

/** A text for a required element; '?' when it is empty. */
function requiredXmlText(text: string): string {
  return xmlText(text) ?? '?';
}
