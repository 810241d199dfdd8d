import { hash } from 'node:crypto';

import type { BankFileFormat } from '../../../domain/bank-file/bank-file.schema.ts';
import { ore } from '../../../domain/money.ts';
import type { Row } from '../../platform/db/tables.ts';
import type { NewPayment } from '../payment-posting.service.ts';
import { hashPayerAccount } from '../payer-account.repository.ts';
import type { Incoming, Match } from './match/match.ts';
import { fingerprintOf } from './read/identity.ts';
import type { ReadEntry } from './read/read-entry.ts';

/** An entry as read from the file; bytes are hex, as they travel to and from the database. */
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
  /** For a reversal: the fingerprint of the payment that it takes back. */
  readonly takesBack: string | null;
}

/** A stored entry. */
export interface StoredEntry extends EntryRow {
  readonly id: number;
}

/** An entry with its match. */
export interface JudgedEntry<E extends EntryRow = EntryRow> {
  readonly entry: E;
  readonly match: Match;
}

/**
 * Hashes that identify money keep 128 bits of their SHA-256: enough that two of a company's never collide by
 * chance.
 */
const HASH_LENGTH = 32;
/** Longer texts are cut. */
const TEXT_LENGTH = 2000;

interface Place {
  readonly secretKey: string;
  readonly companyId: number;
  readonly fileId: number;
  readonly format: BankFileFormat;
}

/** Maps an entry from the reader to a row. */
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
 * Without a reference of the bank another file may hold other money with equal content. The key then includes the
 * file, and an equal fingerprint makes the entry a possible copy for a person to decide (BANK-17).
 */
function keyOf({ key, isKeyByReference }: ReadEntry, fileId: number): string {
  const whole = isKeyByReference ? key : hash('sha256', `${fileId} ${key}`, 'hex');
  return whole.slice(0, HASH_LENGTH);
}

/** The fingerprint of the payment that a reversal takes back; null for other entries. */
export function takesBackOf(entry: Omit<EntryRow, 'takesBack'>): string | null {
  return entry.kind === 'REVERSAL' ? oppositeFingerprint(entry) : null;
}

/** The fingerprint of the opposite entry: the same content with the opposite amount. */
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

/** The fields of an entry that matching uses. */
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

/** The fields that all payment rows of an entry share. */
export function moneyOf(entry: StoredEntry): Omit<NewPayment, 'invoiceId' | 'amount'> {
  const { id, date, amount, account, kid, text, payer, payerHash, reference } = entry;
  return {
    paidOn: date,
    source: 'BANK',
    // A sum without known parts may consist of reversals.
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

/** Runs per transaction. Each takes several statements, and the company lock is held meanwhile. */
const RUNS_AT_ONCE = 20;

/**
 * Groups entries into runs of payments or of reversals, each booked or taken back together. A reversal and its
 * payment may be in the same file, so they need separate steps. Returns only the first runs when there are many.
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

/**
 * As `cleaned`, for text that only people read. A reference keeps the bank's characters, because it identifies
 * money.
 */
function readable(text: string | null): string | null {
  return cleaned(text?.normalize('NFC') ?? null);
}

/** Removes characters that the database cannot store. */
function cleaned(text: string | null): string | null {
  if (text === null) return null;
  const plain = text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, TEXT_LENGTH);
  return plain === '' ? null : plain.toWellFormed();
}
