import { endsWithMod11 } from './check-digit.ts';

export const ORG_NUMBER_LENGTH = 9;

/**
 * Whether a text is an organisation number with a valid check digit (weights 3 2 7 6 5 4 3 2). A wrong one is a hint
 * in a form, never an error (PRO-4); EHF requires it to be valid (PEPPOL-COMMON-R041). Source: Brønnøysundregistrene,
 * "Om organisasjonsnummeret".
 */
export function isValidOrgNumber(text: string): boolean {
  return /^\d{9}$/.test(text) && endsWithMod11(text);
}

/** '123456785' → '123 456 785', as printed. Other texts are returned unchanged. */
export function formatOrgNumber(text: string): string {
  return /^\d{9}$/.test(text) ? text.replace(/(\d{3})(\d{3})(\d{3})/, '$1\u00A0$2\u00A0$3') : text;
}
