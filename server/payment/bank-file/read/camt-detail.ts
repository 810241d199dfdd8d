import { ore, type Ore } from '../../../../domain/money.ts';
import type { FaultList } from './bank-file-fault.ts';
import type { Detail, DetailDraft, Direction, WrittenAmount } from './camt-drafts.ts';
import type { NamedKid } from './read-entry.ts';
import { cleanText, decimalToOre, parseKid } from './values.ts';

export const KRONER = 'NOK';
/** Banks write this where a reference is required and they have none. */
const NOT_PROVIDED = 'NOTPROVIDED';
/** Length limit of text for people. */
const LONGEST_TEXT = 1000;

/** Signs an amount: money out of the account is negative. */
export function signed(amount: Ore, direction: Direction | null): Ore {
  return ore(direction === 'DBIT' ? 0 - amount : amount);
}

/** An amount in øre; null after a fault. */
export function readAmount(written: WrittenAmount, faults: FaultList): Ore | null {
  const { text, line, element } = written;
  const amount = decimalToOre(text);
  if (amount === null) {
    const rule = 'er ikke et beløp med høyst to desimaler';
    faults.add({ message: `Amt ${rule}: «${text.slice(0, 60)}».`, line, element });
  }
  return amount;
}

/**
 * Converts a transaction to the form kept until its entry ends.
 *
 * @param direction of the entry; used when the transaction has none
 */
export function toDetail(
  draft: DetailDraft,
  direction: Direction | null,
  faults: FaultList,
): Detail {
  const own = [draft.amount, draft.transactionAmount].find((each) => each?.currency === KRONER);
  const amount = own ? readAmount(own, faults) : null;
  const { transactionId } = draft;
  return {
    line: draft.line,
    amount: amount === null ? null : signed(amount, draft.direction ?? direction),
    reference:
      draft.accountServicerReference ??
      (transactionId === NOT_PROVIDED ? null : transactionId) ??
      draft.uetr,
    payer: draft.payer === null ? null : cleanText(draft.payer),
    payerAccount: draft.payerAccount,
    ...readRemittance(draft),
  };
}

function readRemittance(draft: DetailDraft): Pick<Detail, 'kids' | 'invoiceNumbers' | 'text'> {
  const kids = new Map<string, Ore | null>();
  const others: string[] = [];
  for (const { reference, amount } of draft.remittances) {
    const kid = reference === null ? null : parseKid(reference);
    if (kid !== null) kids.set(kid, together(kids.get(kid), kronerOf(amount)));
    // Any other reference, such as 'RF…' of ISO 11649, is no KID, but a person may recognise it.
    else if (reference !== null) others.push(reference);
  }
  const invoiceNumbers = draft.remittances.flatMap(({ numbers }) => numbers);
  const written =
    draft.unstructured.length > 0 ? draft.unstructured : [...others, ...invoiceNumbers];
  const text = cleanText(written.join(' ')) ?? cleanText(draft.additional ?? '');
  return {
    kids: Array.from(kids, ([kid, amount]): NamedKid => ({ kid, amount })),
    invoiceNumbers,
    text: text?.slice(0, LONGEST_TEXT) ?? null,
  };
}

/** The sum paid with a KID that is named more than once; null when one of them has no amount. */
function together(before: Ore | null | undefined, amount: Ore | null): Ore | null {
  if (before === undefined) return amount;
  if (before === null || amount === null) return null;
  const sum = before + amount;
  return Number.isSafeInteger(sum) ? ore(sum) : null;
}

function kronerOf(amount: WrittenAmount | null): Ore | null {
  return amount?.currency === KRONER ? decimalToOre(amount.text) : null;
}
