import type { BankFileFormat } from '../../../../domain/bank-file/bank-file.schema.ts';
import type { IsoDate } from '../../../../domain/date.ts';
import type { Ore } from '../../../../domain/money.ts';

/** Why what a file tells is no entry. Each is counted. */
export type IgnoredReason =
  /** Pending, or for information. */
  | 'NOT_BOOKED'
  /** Money that left the account: a fee, a payment of one's own. */
  | 'DEBIT'
  /** Money that came back of a payment of one's own: no customer's. */
  | 'REVERSED_DEBIT'
  /** Not in kroner: the amount of another currency is never compared with kroner. */
  | 'OTHER_CURRENCY'
  /** Records of another service of Nets in the same file, such as AvtaleGiro's agreements. */
  | 'OTHER_SERVICE'
  /** Nothing came. */
  | 'ZERO';

type EntryKind =
  /** Somebody paid. */
  | 'PAYMENT'
  /** The bank takes a payment back: the amount is negative. */
  | 'REVERSAL'
  /** A sum of which the file does not rightly say what it consists of: it is for a person. */
  | 'TOTAL';

/** Why there is only a sum. */
export type TotalReason =
  /** The bank says that it is a batch, and specifies it elsewhere. */
  | 'NO_DETAILS'
  /** Several details, and one at least without an amount. */
  | 'DETAIL_WITHOUT_AMOUNT'
  /** The details' sum or count is not the entry's. */
  | 'DETAILS_DO_NOT_ADD_UP';

/** A KID that a payment names. */
export interface NamedKid {
  /** Digits, perhaps with a last '-'; blanks are taken out, leading zeros are not. */
  readonly kid: string;
  /** What of the payment is for it, if the file says so. */
  readonly amount: Ore | null;
}

/** The line of the account's statement that a payment is part of: where formats meet. */
interface StatementLine {
  /** The bank's own for the line; null in OCR, whose statement line is known by date and sum alone. */
  readonly reference: string | null;
  /** When it was booked; in OCR the Nets date. */
  readonly date: IsoDate;
  /** What the statement shows, signed. In OCR the sum of all with the same serial number. */
  readonly sum: Ore;
}

/** Which money it is. See `identity.ts`. */
export interface EntryIdentity {
  /**
   * SHA-256 (hex) over account, amount and what the bank counts by. Two entries with the same key are the
   * same money, in one file too: a transmission that is there twice.
   */
  readonly key: string;
  /**
   * Whether the key is of the bank's references. Without any it is of the content and `occurrence`, and
   * two files with parts of one day may give two payments the same key.
   */
  readonly isKeyByReference: boolean;
  /**
   * SHA-256 (hex) over account, amount and KID or text: the same in every format and however often the
   * bank numbers it anew. The date is not in it, for formats date differently: see `findKnown`.
   */
  readonly fingerprint: string;
  /** Which it is, from 1, of those in the file with this fingerprint and date. */
  readonly occurrence: number;
}

/** Money that came to an account, or was taken back. */
export interface ReadEntry extends EntryIdentity {
  /** Where in the file, from 1. */
  readonly line: number;
  readonly kind: EntryKind;
  /** Why it is a TOTAL. */
  readonly totalReason: TotalReason | null;
  /** The date of the payment: booking date; in OCR the bank date, if it has one, else the Nets date. */
  readonly date: IsoDate;
  /** Kroner in øre, signed, never 0. */
  readonly amount: Ore;
  /** One's own: 11 digits, or what the file has of an account elsewhere. */
  readonly account: string;
  /** The KID, when there is exactly one. */
  readonly kid: string | null;
  /** All KIDs: several when one payment is for several invoices. */
  readonly kids: readonly NamedKid[];
  /** Numbers of invoices that the payer has named in a field for them. */
  readonly invoiceNumbers: readonly string[];
  /** What the payer has written, or else what the bank has. */
  readonly text: string | null;
  /** As the bank names him. */
  readonly payer: string | null;
  /** 11 digits, or the IBAN of an account elsewhere. */
  readonly payerAccount: string | null;
  /** The bank's reference for it, to be shown. */
  readonly reference: string | null;
  /** Of what it is a part on the account's statement. */
  readonly statementLine: StatementLine;
}

/** What a whole file says. */
export interface BankFileSummary {
  readonly format: BankFileFormat;
  /** Of the file's bytes, hex. */
  readonly sha256: string;
  /** Each account that entries are of, and the line where it is first named. */
  readonly accounts: readonly { readonly account: string; readonly line: number }[];
  /** The first and the last date of the entries; null without any. */
  readonly from: IsoDate | null;
  readonly to: IsoDate | null;
  readonly count: number;
  /** Net: what was taken back is deducted. */
  readonly sum: Ore;
  readonly ignored: Readonly<Partial<Record<IgnoredReason, number>>>;
}

/** A file that was read whole, and has no fault. */
export interface BankFileReading {
  readonly summary: BankFileSummary;
  /** The entries in their order, up to six hundred at a time. Can be read more than once. */
  readonly batches: AsyncIterable<readonly ReadEntry[]>;
}

/** For whom a file is read. */
export interface ReadingCaller {
  readonly companyId: number;
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal;
}

export interface BankFileReader {
  /**
   * Reads a file in a thread. Nothing comes of a file before all of it has been checked. Companies take
   * turns, each with one file at a time.
   *
   * @throws BankFileFault with what is wrong with the file
   * @throws BankFileNotRead when the fault is ours
   * @throws AppError unavailable when it did not get its turn in time
   * @throws the signal's reason, and what reading the bytes throws
   */
  read(bytes: AsyncIterable<Uint8Array>, caller: ReadingCaller): Promise<BankFileReading>;
  /** Refuses new files, finishes those begun and ends the threads. */
  close(): Promise<void>;
}
