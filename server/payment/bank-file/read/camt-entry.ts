import type { IsoDate } from '../../../../domain/date.ts';
import { ore, type Ore } from '../../../../domain/money.ts';
import type { FaultList } from './bank-file-fault.ts';
import { shortPath, type CamtPart, type CamtValue, type Direction } from './camt-part.ts';
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
export function readAmount({ text, line, path }: CamtValue, faults: FaultList): Ore | null {
  const amount = decimalToOre(text);
  if (amount === null) {
    const rule = 'er ikke et beløp med høyst to desimaler';
    const message = `Amt ${rule}: «${text.slice(0, 60)}».`;
    faults.add({ message, line, element: shortPath(path) });
  }
  return amount;
}

/** A transaction of an entry. */
export interface Detail {
  readonly line: number;
  /** Signed when its entry has ended; null when it has none in kroner. */
  amount: Ore | null;
  /** Its own; null means the entry's. */
  readonly direction: Direction | null;
  readonly reference: string | null;
  readonly payer: string | null;
  readonly payerAccount: string | null;
  readonly kids: readonly NamedKid[];
  readonly invoiceNumbers: readonly string[];
  readonly text: string | null;
}

/** Reads a TxDtls. */
export function readDetail(part: CamtPart, faults: FaultList): Detail {
  const amounts = [part.amount('Amt'), part.amount('AmtDtls/TxAmt/Amt')];
  // It is not used, but there may be only one.
  part.amount('AmtDtls/InstdAmt/Amt');
  const own = amounts.find((amount) => amount?.currency === KRONER);
  const transactionId = part.text('Refs/TxId');
  const uetr = part.text('Refs/UETR');
  return {
    line: part.line,
    amount: own ? readAmount(own, faults) : null,
    direction: part.direction('CdtDbtInd'),
    reference:
      part.text('Refs/AcctSvcrRef') ??
      (transactionId === NOT_PROVIDED ? null : transactionId) ??
      uetr,
    payer: cleanText(part.text('RltdPties/Dbtr/Nm', 'RltdPties/Dbtr/Pty/Nm') ?? ''),
    payerAccount: part.account('RltdPties/DbtrAcct/Id'),
    ...readRemittance(part),
  };
}

function readRemittance(part: CamtPart): Pick<Detail, 'kids' | 'invoiceNumbers' | 'text'> {
  const kids = new Map<string, Ore | null>();
  const others: string[] = [];
  const invoiceNumbers: string[] = [];
  for (const remittance of part.parts) {
    const reference = remittance.text('CdtrRefInf/Ref');
    const amount = remittance.amount('RfrdDocAmt/RmtdAmt');
    const kid = reference === null ? null : parseKid(reference);
    if (kid !== null) kids.set(kid, together(kids.get(kid), kronerOf(amount)));
    // Any other reference, such as 'RF…' of ISO 11649, is no KID, but a person may recognise it.
    else if (reference !== null) others.push(reference);
    invoiceNumbers.push(...remittance.texts('RfrdDocInf/Nb'));
  }
  const unstructured = part.texts('RmtInf/Ustrd');
  const written = unstructured.length > 0 ? unstructured : [...others, ...invoiceNumbers];
  const additional = part.text('AddtlTxInf') ?? '';
  const text = cleanText(written.join(' ')) ?? cleanText(additional);
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

function kronerOf(amount: CamtValue | null): Ore | null {
  return amount?.currency === KRONER ? decimalToOre(amount.text) : null;
}

/** The batch that an NtryDtls states, and where its transactions end among those of the entry. */
export interface Batch {
  readonly isBatch: boolean;
  readonly count: string | null;
  readonly amount: CamtValue | null;
  readonly end: number;
}

/** Reads an NtryDtls. @param end how many transactions of the entry have been read */
export function readBatch(part: CamtPart, end: number): Batch {
  const count = part.text('Btch/NbOfTxs');
  return { isBatch: part.has('Btch'), count, amount: part.amount('Btch/TtlAmt'), end };
}

/** An Ntry; its amounts are not signed yet. */
export interface CamtEntry {
  readonly line: number;
  readonly amount: CamtValue | null;
  readonly direction: Direction | null;
  readonly isReversal: boolean;
  readonly status: string | null;
  /** The booking date, else the value date. */
  readonly date: IsoDate | null;
  readonly reference: string | null;
  readonly additional: string | null;
  readonly details: readonly Detail[];
  readonly batches: readonly Batch[];
}

/** Reads an Ntry whose parts have been read. */
export function readEntry(
  part: CamtPart,
  details: readonly Detail[],
  batches: readonly Batch[],
): CamtEntry {
  const direction = part.direction('CdtDbtInd');
  for (const detail of details) {
    if (detail.amount !== null)
      detail.amount = signed(detail.amount, detail.direction ?? direction);
  }
  const booked = part.date('BookgDt');
  const valued = part.date('ValDt');
  return {
    line: part.line,
    amount: part.amount('Amt'),
    direction,
    isReversal: part.flag('RvslInd') === true,
    status: part.text('Sts', 'Sts/Cd', 'Sts/Prtry'),
    date: booked ?? valued,
    reference: part.text('AcctSvcrRef'),
    additional: cleanText(part.text('AddtlNtryInf') ?? ''),
    details,
    batches,
  };
}

export const BOOKED = 'BOOK';

/** The reason why an entry is not a customer's payment (BANK-13, BANK-15); null when it is one. */
export function whyIgnored({
  status,
  amount,
  direction,
  isReversal,
}: CamtEntry): IgnoredReason | null {
  if (status !== BOOKED) return 'NOT_BOOKED';
  if (amount?.currency !== KRONER) return 'OTHER_CURRENCY';
  if (direction === 'CRDT') return isReversal ? 'REVERSED_DEBIT' : null;
  return isReversal ? null : 'DEBIT';
}

/** A booked entry with its signed amount. */
interface BookedEntry extends Omit<CamtEntry, 'amount'> {
  readonly account: string;
  readonly date: IsoDate;
  readonly amount: Ore;
}

/** The payments of an entry: its transactions, or the entry as a whole. */
export function findPayments(
  entry: BookedEntry,
  findings: Findings,
  repeatOf: ReturnType<typeof createRepeats>,
): void {
  const { account, reference } = entry;
  const add = (found: Omit<FoundEntry, 'counted'>, detail: string | null, ordinal: number) => {
    const references = { entry: reference, detail, ordinal };
    const repeat = repeatOf({ account, amount: found.amount, ...references });
    findings.add({ ...found, counted: { by: 'CAMT', ...references, repeat } });
  };
  const total = whyTotal(entry);
  if (total) add({ ...whole(entry), kind: 'TOTAL', totalReason: total }, null, 0);
  else if (entry.details.length === 0) add(whole(entry), null, 1);
  else {
    for (const [index, detail] of entry.details.entries()) {
      const own = detail.reference === reference ? null : detail.reference;
      add(ofDetail(entry, detail), own, index + 1);
    }
  }
}

/** The reason why only the entry's sum is usable; null when its details are valid. */
function whyTotal({ amount, details, batches }: BookedEntry): TotalReason | null {
  const { length } = details;
  if (length === 0) return batches.some(({ isBatch }) => isBatch) ? 'NO_DETAILS' : null;
  let start = 0;
  for (const batch of batches) {
    if (!isAsSaid(batch, details.slice(start, batch.end))) return 'DETAILS_DO_NOT_ADD_UP';
    start = batch.end;
  }
  const isWithout = details.some((detail) => detail.amount === null);
  if (isWithout) return length === 1 ? null : 'DETAIL_WITHOUT_AMOUNT';
  return sumOf(details) === amount ? null : 'DETAILS_DO_NOT_ADD_UP';
}

/** Signed øre; transactions without an amount are left out. */
function sumOf(details: readonly Detail[]): number {
  return details.reduce((sum, { amount }) => sum + (amount ?? 0), 0);
}

/** Whether a batch has the number of transactions and the sum that it states. */
function isAsSaid(said: Batch, details: readonly Detail[]): boolean {
  if (said.count !== null && Number(said.count) !== details.length) return false;
  const sum = sumOf(details);
  if (said.amount?.currency !== KRONER || sum === 0) return true;
  return sumToOre(said.amount.text) === Math.abs(sum);
}

function whole(entry: BookedEntry): Omit<FoundEntry, 'counted'> {
  const { line, reference, additional: text } = entry;
  const nobody = { payer: null, payerAccount: null, kids: [], invoiceNumbers: [] };
  const detail = { line, reference, amount: null, direction: null, text, ...nobody };
  return ofDetail(entry, detail);
}

function ofDetail(entry: BookedEntry, detail: Detail): Omit<FoundEntry, 'counted'> {
  const { date, account, reference } = entry;
  const { direction: _, ...rest } = detail;
  const amount = detail.amount ?? entry.amount;
  const additional = entry.details.length === 1 ? entry.additional : null;
  const [first, ...others] = detail.kids;
  return {
    ...rest,
    amount,
    account,
    date,
    kind: amount < 0 ? 'REVERSAL' : 'PAYMENT',
    totalReason: null,
    kid: others.length === 0 ? (first?.kid ?? null) : null,
    text: detail.text ?? additional,
    reference: detail.reference ?? reference,
    statementLine: { reference, date, sum: entry.amount },
  };
}
