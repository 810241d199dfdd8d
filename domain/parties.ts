import { z } from 'zod/mini';

import { endsWithMod11 } from './kid.ts';
import { rule } from './api/rules.ts';
import { COUNTRIES, HOME_COUNTRY } from './country.ts';
import { visibleText } from './text.ts';

interface Address {
  readonly address1: string | null;
  readonly address2: string | null;
  readonly postalCode: string | null;
  readonly city: string | null;
}

/** The seller at the time of registration (bff § 5-1-2). */
export interface Seller extends Address {
  readonly name: string;
  readonly orgNumber: string;
  readonly email: string;
  readonly vatRegistered: boolean;
  readonly foretaksregisteret: boolean;
}

/** The buyer at the time of registration: name, and address or organisation number. */
export interface Buyer extends Address {
  readonly customerNumber: number;
  readonly name: string;
  readonly orgNumber: string | null;
  readonly email: string | null;
  // Absent from buyers of before these fields, and null where nothing is filled in, so that their documents stay the same.
  /** A code of ISO 3166-1; null for Norway. */
  readonly country?: string | null | undefined;
  readonly contactName?: string | null | undefined;
  /** Where the document is mailed, instead of `email`; never empty. */
  readonly invoiceEmails?: readonly string[] | null | undefined;
}

/** Where a customer's invoices are mailed; none without an address. */
export function invoiceAddressesOf({
  email,
  invoiceEmails,
}: {
  readonly email: string | null;
  readonly invoiceEmails: readonly string[];
}): readonly string[] {
  if (invoiceEmails.length > 0) return invoiceEmails;
  return email ? [email] : [];
}

export const ORG_NUMBER_LENGTH = 9;

/** Whether a text has the form of an organisation number, whatever its check digit. */
export function isNineDigits(text: string): boolean {
  return /^\d{9}$/.test(text);
}

/**
 * Whether a text is an organisation number with a valid check digit (weights 3 2 7 6 5 4 3 2). A wrong one is a hint
 * in a form, never an error (PRO-4); EHF requires it to be valid (PEPPOL-COMMON-R041). Source: Brønnøysundregistrene,
 * "Om organisasjonsnummeret".
 */
export function isValidOrgNumber(text: string): boolean {
  return isNineDigits(text) && endsWithMod11(text);
}

/** Whether a buyer is a business, of whom the law allows more: a wrong organisation number proves nothing (REM-12). */
export function isBusiness(orgNumber: string | null): boolean {
  return orgNumber !== null && isValidOrgNumber(orgNumber);
}

/** A VAT number begins with its country, as EN 16931 BR-CO-09 demands: 'EL' is Greece, 'XI' Northern Ireland. */
export const vatNumber = z.string().check(
  z.overwrite((text) =>
    visibleText(text)
      .replaceAll(/[\s.-]/g, '')
      .toUpperCase(),
  ),
  z.refine(
    (text) =>
      /^[A-Z]{2}[0-9A-Z]{2,13}$/.test(text) &&
      [...COUNTRIES, 'EL', 'XI'].includes(text.slice(0, 2)),
    rule('{0} must be a VAT number that begins with its country'),
  ),
);

/** The VAT number of a customer; that of a Norwegian firm follows from its organisation number. */
export function vatNumberOf(customer: {
  readonly vatNumber: string | null;
  readonly orgNumber: string | null;
  readonly country: string;
}): string | null {
  if (customer.vatNumber !== null) return customer.vatNumber;
  const { orgNumber, country } = customer;
  return orgNumber === null || country !== HOME_COUNTRY ? null : `NO${orgNumber}MVA`;
}

/** '123456785' → '123 456 785', as printed. Other texts are returned unchanged. */
export function formatOrgNumber(text: string): string {
  return isNineDigits(text) ? text.replace(/(\d{3})(\d{3})(\d{3})/, '$1\u00A0$2\u00A0$3') : text;
}

/** A Norwegian account number as typed, 1234.11.12345 or 11 digits; parses to the 11 digits. */
export function bankAccountNumber() {
  return z.pipe(
    z.string().check(
      z.overwrite(visibleText),
      z.minLength(1),
      z.refine(
        (text) => text === '' || /^(\d{4}\.\d{2}\.\d{5}|\d{11})$/.test(text),
        rule('Bank account number must be in the format "1234.11.12345" or "12341112345"'),
      ),
    ),
    z.transform((text) => text.replaceAll('.', '')),
  );
}

/** Whether 11 digits end with their check digit (weights 5 4 3 2 7 6 5 4 3 2). A wrong one is only a hint (PRO-4). */
export function isValidBankAccount(digits: string): boolean {
  return /^\d{11}$/.test(digits) && endsWithMod11(digits);
}

/** '12341112345' → '1234.11.12345', as it is shown and printed. */
export function formatBankAccount(digits: string): string {
  return digits.replace(/^(\d{4})(\d{2})(\d{5})$/, '$1.$2.$3');
}

/** The IBAN of a Norwegian account of eleven digits (ISO 13616): 'NO9386011117947'. */
export function ibanOf(digits: string): string {
  // 'NO00' as numbers: N is 23, O is 24.
  const check = 98n - (BigInt(`${digits}232400`) % 97n);
  return `NO${String(check).padStart(2, '0')}${digits}`;
}
