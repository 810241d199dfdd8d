import { hasCheckDigit, type KidModulus } from '../../../domain/kid.ts';
import type { KidAgreement } from '../../../domain/profile/kid-agreement.schema.ts';
import type { ShownEntry } from './bank-entry.repository.ts';

/** KIDs that Faktur makes without an agreement, and of accounts that have none. */
const MODULUS: KidModulus = 'MOD10';

/**
 * Whether the KID of an entry must be mistyped, by its check digit. That of an invoice is right whatever it
 * ends in: the agreement was another once.
 */
export function isKidWrong(entry: ShownEntry, agreement: KidAgreement | null): boolean {
  const { kid, account } = entry;
  if (kid === null || isOfInvoice(entry)) return false;
  const modulus = agreement?.account === account ? agreement.modulus : MODULUS;
  return !hasCheckDigit(kid, modulus);
}

function isOfInvoice({ outcome, invoiceId, suggestion }: ShownEntry): boolean {
  if (outcome === 'UNPLACED') return false;
  if (outcome === 'SUGGESTED') return suggestion?.reason === 'KID';
  return outcome === 'KNOWN' || invoiceId !== null;
}
