import type { BankFileFormat } from '../../../../domain/bank-file/bank-file.schema.ts';
import type { IsoDate } from '../../../../domain/date.ts';
import type { Ore } from '../../../../domain/money.ts';

/** Reasons why something in a file is not an entry. Each is counted. */
export type IgnoredReason =
  /** Pending, or for information only. */
  | 'NOT_BOOKED'
  /** Money out of the account: a fee, or the company's own payment. */
  | 'DEBIT'
  /** The company's own payment returned: not a customer's payment. */
  | 'REVERSED_DEBIT'
  /** Not in kroner: amounts of other currencies are never compared with kroner. */
  | 'OTHER_CURRENCY'
  /** Records of another service of Nets in the same file, such as AvtaleGiro's agreements. */
  | 'OTHER_SERVICE'
  /** Amount 0. */
  | 'ZERO';

type EntryKind =
  | 'PAYMENT'
  /** The bank takes a payment back: the amount is negative. */
  | 'REVERSAL'
  /** A sum without valid details: a person must handle it. */
  | 'TOTAL';

/** Why there is only a sum. */
export type TotalReason =
  /** The bank marks it as a batch and specifies it elsewhere. */
  | 'NO_DETAILS'
  /** Several details, at least one without an amount. */
  | 'DETAIL_WITHOUT_AMOUNT'
  /** The sum or the number of details differs from the entry's. */
  | 'DETAILS_DO_NOT_ADD_UP';

export interface NamedKid {
  /** Digits, perhaps with '-' at the end; blanks are removed, leading zeros are kept. */
  readonly kid: string;
  /** The part of the payment for this KID, if the file says so. */
  readonly amount: Ore | null;
}

/** The line of the account's statement that a payment belongs to. It links the formats. */
interface StatementLine {
  /** The bank's reference of the line; null in OCR, whose line is known only by date and sum. */
  readonly reference: string | null;
  /** Booking date; in OCR the Nets date. */
  readonly date: IsoDate;
  /** The amount on the statement, signed. In OCR the sum of all with the same serial number. */
  readonly sum: Ore;
}

/** Identifies the money. See `identity.ts`. */
export interface EntryIdentity {
  /**
   * SHA-256 (hex) over account, amount and the bank's references. Two entries with the same key are the same
   * money, also in one file: a transmission may be there twice.
   */
  readonly key: string;
  /**
   * Whether the key comes from the bank's references. Otherwise it comes from the content and `occurrence`, and
   * two files with parts of one day may give two payments the same key.
   */
  readonly isKeyByReference: boolean;
  /**
   * SHA-256 (hex) over account, amount and KID or text: the same in every format, even when the bank gives it a
   * new number. It excludes the date, because formats date differently: see `findKnown`.
   */
  readonly fingerprint: string;
  /** Number, from 1, among those in the file with this fingerprint and date. */
  readonly occurrence: number;
}

/** Money that came to an account, or was taken back. */
export interface ReadEntry extends EntryIdentity {
  /** Line in the file, from 1. */
  readonly line: number;
  readonly kind: EntryKind;
  /** The reason for TOTAL. */
  readonly totalReason: TotalReason | null;
  /** The date of the payment: booking date; in OCR the bank date, if it has one, else the Nets date. */
  readonly date: IsoDate;
  /** Kroner in øre, signed, never 0. */
  readonly amount: Ore;
  /** The company's own: 11 digits, or the file's text for an account abroad. */
  readonly account: string;
  /** The KID, if there is exactly one. */
  readonly kid: string | null;
  /** All KIDs; several when one payment covers several invoices. */
  readonly kids: readonly NamedKid[];
  /** Invoice numbers from the field for them. */
  readonly invoiceNumbers: readonly string[];
  /** The payer's text, or else the bank's. */
  readonly text: string | null;
  /** The payer's name from the bank. */
  readonly payer: string | null;
  /** 11 digits, or the IBAN of an account abroad. */
  readonly payerAccount: string | null;
  /** The bank's reference, for display. */
  readonly reference: string | null;
  readonly statementLine: StatementLine;
}

export interface BankFileSummary {
  readonly format: BankFileFormat;
  /** SHA-256 of the file's bytes, hex. */
  readonly sha256: string;
  /** Each account with entries, and the line where it is first named. */
  readonly accounts: readonly { readonly account: string; readonly line: number }[];
  /** The first and the last date of the entries; null without entries. */
  readonly from: IsoDate | null;
  readonly to: IsoDate | null;
  readonly count: number;
  /** Net of reversals. */
  readonly sum: Ore;
  readonly ignored: Readonly<Partial<Record<IgnoredReason, number>>>;
}

/** A completely read file without faults. */
export interface BankFileReading {
  readonly summary: BankFileSummary;
  /** The entries in their order, up to six hundred at a time. May be iterated more than once. */
  readonly batches: AsyncIterable<readonly ReadEntry[]>;
}

/** The company and request for which a file is read. */
export interface ReadingCaller {
  readonly companyId: number;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
}

export interface BankFileReader {
  /**
   * Reads a file in a thread. Returns only after all of it was checked. Companies take turns, each with one file
   * at a time.
   *
   * @throws BankFileFault with the faults of the file
   * @throws TaskFailed when the thread fails
   * @throws AppError unavailable when it did not get its turn in time
   * @throws the signal's reason, and errors from reading the bytes
   */
  read(bytes: AsyncIterable<Uint8Array>, caller: ReadingCaller): Promise<BankFileReading>;
  /** Refuses new files, finishes the current ones and ends the threads. */
  close(): Promise<void>;
}
