import { hash } from 'node:crypto';

import type { IsoDate } from '../../../../domain/date.ts';
import type { Ore } from '../../../../domain/money.ts';
import type { EntryIdentity } from './read-entry.ts';

/** The numbers by which Nets identifies a transaction. */
interface OcrNumbers {
  /** From the end record of the transmission, as written there: DDMMYY. */
  readonly transmissionDate: string;
  readonly transmission: string;
  readonly assignment: string;
  readonly transaction: string;
}

/** The bank's references of a detail of a camt entry. */
interface CamtReferences {
  /** `AcctSvcrRef` of the entry. */
  readonly entry: string | null;
  /** `AcctSvcrRef`, `TxId` or `UETR` of the detail. */
  readonly detail: string | null;
  /** Number of the detail in its entry, from 1; 0 is the entry's sum. */
  readonly ordinal: number;
  /** Number, from 1, among those in the statement with the same references and amount. */
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

/** The fields of a payment that every format has. */
export interface Content {
  readonly account: string;
  readonly amount: Ore;
  readonly kids: readonly { readonly kid: string }[];
  readonly text: string | null;
}

/** The numbers by which the bank counts a payment. */
export type BankNumbers =
  | ({ readonly by: 'OCR' } & OcrNumbers)
  | ({ readonly by: 'CAMT' } & CamtReferences);

interface Identified extends Content {
  readonly date: IsoDate;
  readonly kid: string | null;
}

/** Characters compared: the length of OCR's text field; camt has more. */
const TEXT_COMPARED = 40;

/**
 * The key of an OCR transaction. It includes amount and KID: if Nets ever reused the numbers, another payment
 * would not be taken for a known one.
 */
export function ocrKey(parts: OcrParts): string {
  const { transmissionDate, transmission, assignment, transaction } = parts;
  const numbers = [transmissionDate, transmission, assignment, transaction];
  return digest(['ocr', parts.account, parts.amount, parts.kid, ...numbers]);
}

/**
 * The key of a detail from the bank's references, the same in camt.053 and camt.054; null without any. It excludes
 * the number of the file, because banks reuse those numbers.
 */
export function camtKey(parts: CamtParts): string | null {
  const { account, amount, entry, repeat } = parts;
  if (entry === null && parts.detail === null) return null;
  return digest(['camt', account, amount, entry, ...withinEntry(parts), repeat]);
}

function withinEntry({ detail, ordinal }: CamtReferences): [string, string | number] {
  return detail === null ? ['ordinal', ordinal] : ['detail', detail];
}

/** The key of money without a reference of the bank (BANK-17). */
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

/** Identifies the entries of a file in their order (BANK-16). */
export function createIdentify(): (entry: Identified, counted: BankNumbers) => EntryIdentity {
  // By date and fingerprint; a joined key would cost a file of 50 MB another 30 MB.
  const occurrences = new Map<IsoDate, Map<string, number>>();
  return (entry, counted) => {
    const { date } = entry;
    const fingerprint = fingerprintOf(entry);
    const ofDate = occurrences.get(date) ?? new Map<string, number>();
    const occurrence = (ofDate.get(fingerprint) ?? 0) + 1;
    occurrences.set(date, ofDate.set(fingerprint, occurrence));
    const key =
      counted.by === 'OCR' ? ocrKey({ ...entry, ...counted }) : camtKey({ ...entry, ...counted });
    return {
      key: key ?? contentKey(fingerprint, date, occurrence),
      isKeyByReference: key !== null,
      fingerprint,
      occurrence,
    };
  };
}

/** Counts within a statement how often the same references have occurred; always 1 without references. */
export function createRepeats(): (parts: Omit<CamtParts, 'repeat'>) => number {
  const repeats = new Map<string, number>();
  return (parts) => {
    const { account, amount, entry, detail } = parts;
    if (entry === null && detail === null) return 1;
    const within = withinEntry({ ...parts, repeat: 1 });
    const key = JSON.stringify([account, amount, entry, ...within]);
    const repeat = (repeats.get(key) ?? 0) + 1;
    repeats.set(key, repeat);
    return repeat;
  };
}

type Parts = readonly (string | number | null)[];

/** 128 bits of a SHA-256 (hex): enough that two of a company's payments never collide by chance. */
function digest(parts: Parts): string {
  return hash('sha256', JSON.stringify(parts), 'hex').slice(0, 32);
}
