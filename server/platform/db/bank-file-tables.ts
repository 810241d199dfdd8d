import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

import type { BankFileFormat, EntryOutcome } from '../../../domain/bank-file/bank-file.schema.ts';
import type { HistoryAuthor } from '../../../domain/history/history.schema.ts';
import type { Ore } from '../../../domain/money.ts';
import type { GeneratedTimestamp, Timestamp } from './column-types.ts';
import type { StoredSuggestion } from './payment-tables.ts';

/** The tables of bank files. */
export interface BankFileTables {
  bankFile: BankFileTable;
  bankEntry: BankEntryTable;
  payerAccount: PayerAccountTable;
}

/** Number and sum of the entries with an outcome. */
export interface OutcomeSum {
  readonly outcome: EntryOutcome;
  readonly count: number;
  readonly sum: Ore;
}

/** The part of a payment that is allocated to an invoice. */
export interface StoredPlacement {
  readonly invoiceId: number;
  readonly amount: Ore;
  /** The part that pays its reminders; absent means 0. */
  readonly reminderAmount?: Ore;
}

/** A KID in a payment, with its part of the payment if the file specifies it. */
export interface StoredKid {
  readonly kid: string;
  readonly amount: Ore | null;
}

interface BankFileTable {
  companyId: number;
  id: GeneratedAlways<number>;
  uuid: Generated<string>;
  sha256: Uint8Array;
  name: string;
  format: BankFileFormat;
  state: 'INCOMPLETE' | 'PREVIEW' | 'BOOKING' | 'BOOKED' | 'UNDOING' | 'UNDONE';
  accounts: string[];
  fromDate: string | null;
  toDate: string | null;
  /** Number of entries, including those that another file specifies. */
  count: number;
  ignored: number;
  outcomes: ColumnType<OutcomeSum[], string | undefined, string>;
  doneThrough: Generated<number>;
  bookedCount: Generated<number>;
  createdAt: GeneratedTimestamp;
  bookedAt: Timestamp | null;
  /** The user who requested to undo it. */
  undoneByType: HistoryAuthor['type'] | null;
  undoneByName: string | null;
}

interface BankEntryTable {
  companyId: number;
  id: GeneratedAlways<number>;
  uuid: Generated<string>;
  fileId: number;
  position: number;
  format: BankFileFormat;
  kind: 'PAYMENT' | 'REVERSAL' | 'TOTAL' | 'BATCH';
  date: string;
  amount: Ore;
  account: string;
  kid: string | null;
  kids: readonly StoredKid[] | null;
  invoiceNumbers: string[] | null;
  text: string | null;
  payer: string | null;
  payerAccountHash: Uint8Array | null;
  reference: string | null;
  lineReference: string | null;
  lineDate: string;
  lineSum: Ore;
  key: Uint8Array;
  fingerprint: Uint8Array;
  occurrence: number;
  outcome: EntryOutcome;
  invoiceId: number | null;
  placements: readonly StoredPlacement[] | null;
  suggestion: StoredSuggestion | null;
  bookedKey: Uint8Array | null;
}

interface PayerAccountTable {
  companyId: number;
  hash: Uint8Array;
  customerId: number;
}
