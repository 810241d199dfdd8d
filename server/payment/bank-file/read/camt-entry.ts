import { ore, type Ore } from '../../../../domain/money.ts';
import type { BatchDraft, Detail, EntryDraft, StatementDraft } from './camt-drafts.ts';
import { KRONER } from './camt-detail.ts';
import type { FoundEntry, Findings } from './findings.ts';
import type { createRepeats } from './identity.ts';
import type { IgnoredReason, TotalReason } from './read-entry.ts';
import { cleanText, sumToOre } from './values.ts';

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
