import { ore, type Ore } from '../../../../domain/money.ts';
import type { FaultList } from './bank-file-fault.ts';
import type {
  BatchDraft,
  Detail,
  DetailDraft,
  Direction,
  EntryDraft,
  StatementDraft,
  WrittenAmount,
} from './camt-drafts.ts';
import type { Findings, FoundEntry } from './findings.ts';
import type { createRepeats } from './identity.ts';
import type { IgnoredReason, NamedKid, TotalReason } from './read-entry.ts';
import { cleanText, decimalToOre, parseKid, sumToOre } from './values.ts';

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

export const BOOKED = 'BOOK';

/** An entry whose elements have been read, with its signed amount. */
export interface WholeEntry {
  readonly draft: EntryDraft;
  readonly statement: StatementDraft;
  readonly account: string;
  readonly date: string;
  readonly amount: Ore;
  readonly details: Iterable<Detail> & { readonly length: number };
}

/** The reason why an entry is not a customer's payment (BANK-13, BANK-15); null when it is one. */
export function whyIgnored({
  status,
  amount,
  direction,
  reversal,
}: EntryDraft): IgnoredReason | null {
  if (status !== BOOKED) return 'NOT_BOOKED';
  if (amount?.currency !== KRONER) return 'OTHER_CURRENCY';
  const isReversal = reversal === true;
  if (direction === 'CRDT') return isReversal ? 'REVERSED_DEBIT' : null;
  return isReversal ? null : 'DEBIT';
}

/** The payments of an entry: its transactions, or the entry as a whole. */
export function findPayments(
  entry: WholeEntry,
  findings: Findings,
  repeatOf: ReturnType<typeof createRepeats>,
): void {
  const total = whyTotal(entry);
  const add = (found: Omit<FoundEntry, 'counted'>, detail: string | null, ordinal: number) => {
    const { account, amount } = found;
    const references = { entry: entry.draft.reference, detail, ordinal };
    const repeat = repeatOf({ account, amount, ...references });
    findings.add({ ...found, counted: { by: 'CAMT', ...references, repeat } });
  };
  if (total) {
    add({ ...whole(entry), kind: 'TOTAL', totalReason: total }, null, 0);
    return;
  }
  if (entry.details.length === 0) {
    add(whole(entry), null, 1);
    return;
  }
  let ordinal = 0;
  for (const detail of entry.details) {
    ordinal += 1;
    const isOwn = detail.reference !== entry.draft.reference;
    add(ofDetail(entry, detail), isOwn ? detail.reference : null, ordinal);
  }
}

/** The reason why only the entry's sum is usable; null when its details are valid. */
function whyTotal({ draft, amount, details }: WholeEntry): TotalReason | null {
  const { length } = details;
  if (length === 0) return draft.batches.some(({ isBatch }) => isBatch) ? 'NO_DETAILS' : null;
  if (!draft.batches.every(isAsSaid)) return 'DETAILS_DO_NOT_ADD_UP';
  let sum = 0;
  for (const detail of details) {
    if (detail.amount === null && length > 1) return 'DETAIL_WITHOUT_AMOUNT';
    sum += detail.amount ?? amount;
  }
  return sum === amount ? null : 'DETAILS_DO_NOT_ADD_UP';
}

/** Whether a batch has the number of transactions and the sum that it states. */
function isAsSaid({ saidCount, saidAmount, count, sum }: BatchDraft): boolean {
  if (saidCount !== null && Number(saidCount) !== count) return false;
  if (saidAmount?.currency !== KRONER || sum === 0) return true;
  return sumToOre(saidAmount.text) === Math.abs(sum);
}

function whole(entry: WholeEntry): Omit<FoundEntry, 'counted'> {
  const text = cleanText(entry.draft.additional ?? '');
  const { line, reference } = entry.draft;
  const nobody = { payer: null, payerAccount: null, kids: [], invoiceNumbers: [] };
  return ofDetail(entry, { line, reference, amount: null, text, ...nobody });
}

function ofDetail(entry: WholeEntry, detail: Detail): Omit<FoundEntry, 'counted'> {
  const { draft, date, account } = entry;
  const amount = detail.amount ?? entry.amount;
  const additional = entry.details.length === 1 ? cleanText(draft.additional ?? '') : null;
  const [first, ...others] = new Set(detail.kids.map(({ kid }) => kid));
  return {
    ...detail,
    amount,
    account,
    date,
    kind: amount < 0 ? 'REVERSAL' : 'PAYMENT',
    totalReason: null,
    kid: others.length === 0 ? (first ?? null) : null,
    text: detail.text ?? additional,
    reference: detail.reference ?? draft.reference,
    statementLine: { reference: draft.reference, date, sum: ore(entry.amount) },
  };
}
