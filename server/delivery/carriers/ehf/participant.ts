import { base32, sha256 } from '../../../platform/crypto.ts';

/** The document types that are sent through Peppol. */
export const PEPPOL_TYPES = ['INVOICE', 'CREDIT_NOTE'] as const;
export type PeppolType = (typeof PEPPOL_TYPES)[number];

/** Scheme of identifiers in Peppol, and the one of Norwegian organisation numbers in it (ISO 6523). */
const SCHEME = 'iso6523-actorid-upis';
export const PEPPOL_ORGANISATION = '0192';
const BILLING = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1';

/** The network's names of the document types. */
export const DOCUMENT_TYPES: Readonly<Record<PeppolType, string>> = {
  INVOICE: `busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##${BILLING}`,
  CREDIT_NOTE: `busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2::CreditNote##${BILLING}`,
};
export const PROCESS = 'cenbii-procid-ubl::urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';
/** The transport in use. */
export const TRANSPORT = 'peppol-transport-as4-v2_0';

/** An organisation's participant identifier with its scheme, for paths of the network's services. */
export function participantOf(orgNumber: string): string {
  return `${SCHEME}::${PEPPOL_ORGANISATION}:${orgNumber}`;
}

/**
 * A participant's name in the zone of the Service Metadata Locator: SHA-256 of the lower-case value without its scheme,
 * in base32 without padding (OpenPeppol SML 1.3.0).
 *
 * @param value such as `0192:974760673`
 */
export function participantName(value: string, zone: string): string {
  const hash = sha256(value.toLowerCase());
  return `${base32(hash)}.${SCHEME}.${zone}`;
}

/** The name of an organisation in the zone. */
export function organisationName(orgNumber: string, zone: string): string {
  return participantName(`${PEPPOL_ORGANISATION}:${orgNumber}`, zone);
}
