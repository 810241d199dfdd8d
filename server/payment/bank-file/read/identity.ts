import { hash } from 'node:crypto';

import type { IsoDate } from '../../../../domain/date.ts';
import type { Ore } from '../../../../domain/money.ts';
import { DigestCounts } from './digest-counts.ts';

/** By what Nets counts a transaction. */
export interface OcrNumbers {
  /** Of the record that ends the transmission, as written there: DDMMYY. */
  readonly transmissionDate: string;
  readonly transmission: string;
  readonly assignment: string;
  readonly transaction: string;
}

/** By what a bank refers to a detail of an entry of camt. */
export interface CamtReferences {
  /** `AcctSvcrRef` of the entry. */
  readonly entry: string | null;
  /** `AcctSvcrRef`, `TxId` or `UETR` of the detail. */
  readonly detail: string | null;
  /** Which detail of its entry it is, from 1; 0 is the entry's sum. */
  readonly ordinal: number;
  /** Which it is, from 1, of those in the statement with the same references and amount. */
  readonly repeat: number;
}

export interface OcrParts extends OcrNumbers {
  readonly account: string;
  readonly amount: Ore;
  readonly kid: string | null;
}

export interface CamtParts extends CamtReferences {
  readonly account: string;
  readonly amount: Ore;
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
  const { account, amount, entry, repeat } = parts;
  if (entry === null && parts.detail === null) return null;
  return digest(['camt', account, amount, entry, ...withinEntry(parts), repeat]);
}

function withinEntry({ detail, ordinal }: CamtReferences): [string, string | number] {
  return detail === null ? ['ordinal', ordinal] : ['detail', detail];
}

/** The key of what the bank gives no reference. */
export function contentKey(fingerprint: string, date: IsoDate, occurrence: number): string {
  return digest(['content', fingerprint, date, occurrence]);
}

/** The fingerprint of money; see `EntryIdentity`. */
export function fingerprintOf({ account, amount, kids, text }: Content): string {
  const named = kids.map(({ kid }) => kid).toSorted();
  const content = named.length > 0 ? named.join(' ') : comparable(text ?? '');
  return digest(['money', account, amount, content]);
}

function comparable(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, ' ').trim().slice(0, TEXT_COMPARED).trim();
}

/** Counts, within a file, how often the same money on the same date has come. */
export function createOccurrences(): (fingerprint: string, date: IsoDate) => number {
  const count = createCounter();
  return (fingerprint, date) => count([fingerprint, date]);
}

/** Counts, within a statement, how often the same references have come; without any they never do. */
export function createRepeats(): (parts: Omit<CamtParts, 'repeat'>) => number {
  const count = createCounter();
  return (parts) => {
    const { account, amount, entry, detail } = parts;
    if (entry === null && detail === null) return 1;
    return count([account, amount, entry, ...withinEntry({ ...parts, repeat: 1 })]);
  };
}

/** Says how often something has come, from 1. */
function createCounter(): (parts: Parts) => number {
  const counts = new DigestCounts();
  return (parts) => counts.add(hash('sha256', JSON.stringify(parts), 'buffer'));
}

type Parts = readonly (string | number | null)[];

function digest(parts: Parts): string {
  return hash('sha256', JSON.stringify(parts), 'hex');
}
