import type { IsoDate } from '../../../domain/date.ts';

/**
 * How an invoice stands that is not simply to be paid: stamped on the paper, with what came of it. What is
 * stamped so is never the original.
 */
export type Stamp =
  | { readonly kind: 'DRAFT' }
  | { readonly kind: 'PAID'; readonly paidDate: IsoDate }
  | { readonly kind: 'CREDITED'; readonly creditNoteNumber: number };

export const STAMP_WORDS: Readonly<Record<Stamp['kind'], string>> = {
  DRAFT: 'UTKAST',
  PAID: 'BETALT – KOPI',
  CREDITED: 'KREDITERT – KOPI',
};

/** Whether nothing is left to pay, whatever the sum. */
export function isSettled(stamp: Stamp | null): stamp is Exclude<Stamp, { kind: 'DRAFT' }> {
  return stamp !== null && stamp.kind !== 'DRAFT';
}
