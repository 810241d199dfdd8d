import { type Buyer, type Seller, isValidOrgNumber } from '../../../domain/parties.ts';
import { EhfNotPossible } from '../../platform/http/ehf-not-possible.ts';
import { identified, VAT_SCHEME, type XmlContent } from './ubl.ts';
import { requiredXmlText, xmlText } from '../../platform/xml/xml-text.ts';

/** @throws EhfNotPossible when the organisation number fails its check digit (PEPPOL-COMMON-R041) */
export function supplierParty(seller: Seller): XmlContent {
  if (!isValidOrgNumber(seller.orgNumber)) throw new EhfNotPossible('seller_number_invalid');
  return party(seller, seller.orgNumber, taxSchemes(seller));
}

/**
 * The buyer gets no VAT number: whether they are registered is not known.
 *
 * @throws EhfNotPossible when the organisation number is missing or fails its check digit
 */
export function customerParty(buyer: Buyer): XmlContent {
  if (buyer.orgNumber === null) throw new EhfNotPossible('buyer_number_missing');
  if (!isValidOrgNumber(buyer.orgNumber)) throw new EhfNotPossible('buyer_number_invalid');
  return party(buyer, buyer.orgNumber, []);
}

function taxSchemes(seller: Seller): XmlContent[] {
  const vat = { 'cbc:CompanyID': `NO${seller.orgNumber}MVA`, 'cac:TaxScheme': VAT_SCHEME };
  // NO-R-002; foretaksregisterloven § 10-2.
  const register = { 'cbc:CompanyID': 'Foretaksregisteret', 'cac:TaxScheme': identified('TAX') };
  return [...(seller.vatRegistered ? [vat] : []), ...(seller.foretaksregisteret ? [register] : [])];
}

function party(who: Seller | Buyer, orgNumber: string, schemes: readonly XmlContent[]): XmlContent {
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
      'cac:Contact': email === null ? null : { 'cbc:ElectronicMail': email },
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
    // Only companies in Enhetsregisteret get this far, and customers have no country of their own.
    'cac:Country': { 'cbc:IdentificationCode': 'NO' },
  };
}
