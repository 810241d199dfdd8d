import { hash } from 'node:crypto';

import type { IsoDate } from '../../../domain/date.ts';
import type { Ore } from '../../../domain/money.ts';
import type { BankFileFormat, EntryIdentity } from './read-entry.ts';

/** By what Nets counts a transaction. */
export interface OcrParts {
  readonly account: string;
  readonly amount: Ore;
  readonly kid: string | null;
  /** Of the record that ends the transmission, as written there: DDMMYY. */
  readonly transmissionDate: string;
  readonly transmission: string;
  readonly assignment: string;
  readonly transaction: string;
}

/** By what a bank refers to a detail of an entry of camt. */
export interface CamtParts {
  readonly account: string;
  readonly amount: Ore;
  /** `AcctSvcrRef` of the entry. */
  readonly entry: string | null;
  /** `AcctSvcrRef`, `TxId` or `UETR` of the detail. */
  readonly detail: string | null;
  /** Which detail of its entry it is, from 1. */
  readonly ordinal: number;
}

/** What money looks like in every format. */
export interface Content {
  readonly account: string;
  readonly amount: Ore;
  readonly kids: readonly { readonly kid: string }[];
  readonly text: string | null;
}

/** OCR has room for so much text; camt has more. */
const TEXT_COMPARED = 40;
/** Formats date the same payment as much apart: bank date, Nets date, booking date over a weekend. */
const DAYS_BETWEEN_FORMATS = 7;
const DAY = 24 * 60 * 60 * 1000;

/**
 * The key of an OCR transaction. Amount and KID are in it, so that nothing is taken for known which has
 * the numbers of another payment, should Nets ever use them again.
 */
export function ocrKey(parts: OcrParts): string {
  const { transmissionDate, transmission, assignment, transaction } = parts;
  const numbers = [transmissionDate, transmission, assignment, transaction];
  return digest(['ocr', parts.account, parts.amount, parts.kid, ...numbers]);
}

/**
 * The key of a detail by the bank's references, the same in camt.053 and camt.054; null without any.
 * A number of the file is not in it: banks use those again.
 */
export function camtKey(parts: CamtParts): string | null {
  const { account, amount, entry, detail, ordinal } = parts;
  if (detail !== null) return digest(['camt', account, amount, entry, 'detail', detail]);
  if (entry !== null) return digest(['camt', account, amount, entry, 'ordinal', ordinal]);
  return null;
}

/** The key of what the bank gives no reference. */
export function contentKey(fingerprint: string, date: IsoDate, occurrence: number): string {
  return digest(['content', fingerprint, date, occurrence]);
}

/** The fingerprint of money; see `EntryIdentity`. */
export function fingerprintOf({ account, amount, kids, text }: Content): string {
  const named = kids.map(({ kid }) => kid).toSorted();
  const told = named.length > 0 ? named.join(' ') : comparable(text ?? '');
  return digest(['money', account, amount, told]);
}

function comparable(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, ' ').trim().slice(0, TEXT_COMPARED).trim();
}

/** Counts, within a file, how often the same money on the same date has come. */
export function createOccurrences(): (fingerprint: string, date: IsoDate) => number {
  // Numbers take a third of the memory of texts. Of half a million, two are taken for the same once in
  // thirty thousand files, and then the second is only counted higher.
  const counts = new Map<number, number>();
  return (fingerprint, date) => {
    const number = parseInt(digest([fingerprint, date]).slice(0, 13), 16);
    const count = (counts.get(number) ?? 0) + 1;
    counts.set(number, count);
    return count;
  };
}

/** What is compared of two entries of different files. */
export interface Comparable extends Pick<EntryIdentity, 'fingerprint' | 'occurrence'> {
  readonly format: BankFileFormat;
  readonly date: IsoDate;
}

/**
 * Whether two entries of different files, with different keys, may be the same money. In one format
 * the same payment has the same date, and two equal ones are told apart by their occurrence; another
 * format may date them some days apart.
 */
export function mayBeCopy(one: Comparable, other: Comparable): boolean {
  if (one.fingerprint !== other.fingerprint) return false;
  const isSameFormat = one.format === other.format;
  if (isSameFormat) return one.date === other.date && one.occurrence === other.occurrence;
  return Math.abs(Date.parse(one.date) - Date.parse(other.date)) <= DAYS_BETWEEN_FORMATS * DAY;
}

function digest(parts: readonly (string | number | null)[]): string {
  return hash('sha256', JSON.stringify(parts), 'hex');
}
