import { hasCheckDigit, type KidModulus } from '../../../domain/kid.ts';
import type { KidAgreement } from '../../../domain/profile/profile.schema.ts';
import type { ShownEntry } from './bank-entry.repository.ts';

/** The modulus of KIDs made without an agreement. */
const MODULUS: KidModulus = 'MOD10';

/**
 * Whether the check digit shows that the KID of an entry is mistyped. The KID of an existing invoice is always
 * right: it may come from an earlier agreement.
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
