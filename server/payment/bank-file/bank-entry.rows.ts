import { hash } from 'node:crypto';

import type { BankFileFormat } from '../../../domain/bank-file/bank-file.schema.ts';
import { ore } from '../../../domain/money.ts';
import type { Row } from '../../platform/db/tables.ts';
import type { NewPayment } from '../payment-posting.service.ts';
import { hashPayerAccount } from '../payer-account.service.ts';
import type { Incoming, Match } from './match/match.ts';
import { fingerprintOf } from './read/identity.ts';
import type { ReadEntry } from './read/read-entry.ts';

/** An entry as the file tells it; bytes are hex, as they travel to the database and back. */
export interface EntryRow extends Omit<
  Row<'bankEntry'>,
  | 'id'
  | 'uuid'
  | 'companyId'
  | 'payerAccountHash'
  | 'key'
  | 'fingerprint'
  | 'bookedKey'
  | 'outcome'
  | 'invoiceId'
  | 'placements'
  | 'suggestion'
> {
  readonly payerHash: string | null;
  readonly key: string;
  readonly fingerprint: string;
  /** Of a reversal: what the payment looks like that it takes back. */
  readonly takesBack: string | null;
}

/** An entry that is there. */
export interface StoredEntry extends EntryRow {
  readonly id: number;
}

/** An entry with what it is. */
export interface JudgedEntry<E extends EntryRow = EntryRow> {
  readonly entry: E;
  readonly match: Match;
}

/** What identifies money keeps 128 bits of its SHA-256: two of a company's are never the same by chance. */
const HASH_LENGTH = 32;
/** A text beyond it is cut: nobody reads on. */
const TEXT_LENGTH = 2000;

interface Place {
  readonly secretKey: string;
  readonly companyId: number;
  readonly fileId: number;
  readonly format: BankFileFormat;
}

/** The row of an entry that was read. */
export function toEntryRow(
  { secretKey, companyId, fileId, format }: Place,
  position: number,
  read: ReadEntry,
): EntryRow {
  const { kind, totalReason, kids, invoiceNumbers, payerAccount, statementLine } = read;
  const row = {
    fileId,
    position,
    format,
    kind: kind === 'TOTAL' && totalReason === 'NO_DETAILS' ? 'BATCH' : kind,
    date: read.date,
    amount: read.amount,
    account: read.account,
    kid: read.kid,
    kids: kids.length > 1 ? kids.map(({ kid, amount }) => ({ kid, amount })) : null,
    invoiceNumbers: invoiceNumbers.length > 0 ? [...invoiceNumbers] : null,
    text: readable(read.text),
    payer: readable(read.payer),
    payerHash:
      payerAccount === null
        ? null
        : hashPayerAccount(secretKey, companyId, payerAccount).toString('hex'),
    reference: cleaned(read.reference),
    lineReference: cleaned(statementLine.reference),
    lineDate: statementLine.date,
    lineSum: statementLine.sum,
    key: keyOf(read, fileId),
    fingerprint: read.fingerprint.slice(0, HASH_LENGTH),
    occurrence: read.occurrence,
  } satisfies Omit<EntryRow, 'takesBack'>;
  return Object.assign(row, { takesBack: takesBackOf(row) });
}

/**
 * Without a reference of the bank another file may tell of other money alike: the key is of its file alone
 * then, and the fingerprint makes what is alike a possible copy, for a person.
 */
function keyOf({ key, isKeyByReference }: ReadEntry, fileId: number): string {
  const whole = isKeyByReference ? key : hash('sha256', `${fileId} ${key}`, 'hex');
  return whole.slice(0, HASH_LENGTH);
}

/** The fingerprint of the payment that a reversal takes back; null of what is none. */
export function takesBackOf(entry: Omit<EntryRow, 'takesBack'>): string | null {
  return entry.kind === 'REVERSAL' ? oppositeFingerprint(entry) : null;
}

/** The fingerprint of what takes an entry back, or is taken back by it: the same of the opposite amount. */
export function oppositeFingerprint({
  account,
  amount,
  kid,
  kids,
  text,
}: Omit<EntryRow, 'takesBack'>): string {
  const named = kids ?? (kid === null ? [] : [{ kid }]);
  return fingerprintOf({ account, amount: ore(0 - amount), kids: named, text }).slice(
    0,
    HASH_LENGTH,
  );
}

/** What of an entry says which invoice it is for. */
export function toIncoming(entry: EntryRow): Incoming {
  const { amount, account, kid, kids, invoiceNumbers, text, payerHash } = entry;
  return {
    amount,
    account,
    kids: kids ?? (kid === null ? [] : [{ kid, amount: null }]),
    invoiceNumbers: invoiceNumbers ?? [],
    text,
    payerHash,
  };
}

/** What all rows of an entry have in common. */
export function moneyOf(entry: StoredEntry): Omit<NewPayment, 'invoiceId' | 'amount'> {
  const { id, date, amount, account, kid, text, payer, payerHash, reference } = entry;
  return {
    paidOn: date,
    source: 'BANK',
    // A sum whose parts are not known may be of reversals.
    kind: amount < 0 ? 'REVERSAL' : 'PAYMENT',
    account,
    kid,
    text,
    payer,
    payerAccountHash: payerHash === null ? null : Buffer.from(payerHash, 'hex'),
    reference,
    entryId: id,
  };
}

/** Runs of one transaction: each takes some statements, and others of the company wait. */
const RUNS_AT_ONCE = 20;

/**
 * Entries that are booked, or taken back, together: payments, or reversals. A reversal and the payment of the same
 * file that it takes back are steps of their own. These are the first runs, when there are many.
 */
export function runsOf<E extends Pick<EntryRow, 'kind'>>(entries: readonly E[]): E[][] {
  const runs: E[][] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    if (run && isReversal(run[0]) === isReversal(entry)) run.push(entry);
    else if (runs.length === RUNS_AT_ONCE) break;
    else runs.push([entry]);
  }
  return runs;
}

function isReversal(entry: Pick<EntryRow, 'kind'> | undefined): boolean {
  return entry?.kind === 'REVERSAL';
}

/** As `cleaned`, of what people read and nothing is recognised by: a reference keeps the bank's bytes. */
function readable(text: string | null): string | null {
  return cleaned(text?.normalize('NFC') ?? null);
}

/** As the database can hold it. */
function cleaned(text: string | null): string | null {
  if (text === null) return null;
  const plain = text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, TEXT_LENGTH);
  return plain === '' ? null : plain.toWellFormed();
}
