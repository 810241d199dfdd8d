import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

import type { BankFileFormat, EntryOutcome } from '../../../domain/bank-file/bank-file.schema.ts';
import type { HistoryAuthor } from '../../../domain/history/history.schema.ts';
import type { LatePaymentRateKind } from '../../../domain/late-payment/rates.ts';
import type { ReminderKind } from '../../../domain/late-payment/reminder-kind.ts';
import type { ReminderStep } from '../../../domain/late-payment/reminder-steps.ts';
import type { Ore } from '../../../domain/money.ts';
import type { Buyer } from '../../../domain/parties.ts';
import type {
  PaymentKind,
  PaymentSource,
  SuggestionReason,
} from '../../../domain/payment/payment.schema.ts';
import type { GeneratedTimestamp, Timestamp } from './columns.ts';

/** The tables of payments, the bank's files, late payment and reminders. */
export interface PaymentTables {
  bankFile: BankFileTable;
  bankEntry: BankEntryTable;
  payerAccount: PayerAccountTable;
  payment: PaymentTable;
  latePaymentRate: LatePaymentRateTable;
  reminder: ReminderTable;
  reminderRecount: ReminderRecountTable;
  reminderSettings: ReminderSettingsTable;
  reminderDay: ReminderDayTable;
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

/** An invoice to which a user may want to allocate a payment. */
export interface StoredSuggestion {
  readonly reason: SuggestionReason;
  readonly invoiceIds: readonly number[];
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

/**
 * Rows are only added. Later changes: `invoiceId` (once, from null, with `reminderAmount`), `customerId`, and
 * `undone` by a trigger.
 */
interface PaymentTable {
  companyId: number;
  id: GeneratedAlways<number>;
  uuid: Generated<string>;
  invoiceId: number | null;
  customerId: number | null;
  amount: Ore;
  /** The part of the amount that pays reminders. */
  reminderAmount: Ore;
  paidOn: string;
  source: PaymentSource;
  kind: PaymentKind;
  account: string | null;
  kid: string | null;
  text: string | null;
  payer: string | null;
  payerAccountHash: Uint8Array | null;
  reference: string | null;
  entryId: number | null;
  possibleCopy: Generated<boolean>;
  suggestion: ColumnType<StoredSuggestion | null, StoredSuggestion | null | undefined, never>;
  undoesId: number | null;
  fromId: number | null;
  undone: GeneratedAlways<boolean>;
  /** The customer of money on no invoice, as it was then. The database keeps it. */
  buyer: GeneratedAlways<Omit<Buyer, 'email'> | null>;
  createdAt: GeneratedTimestamp;
  byType: HistoryAuthor['type'];
  byName: string;
}

/** Rates that the operator has added. */
interface LatePaymentRateTable {
  kind: LatePaymentRateKind;
  validFrom: string;
  value: number;
  addedAt: GeneratedTimestamp;
}

/** Rows are only added. Later changes: `waivedAt` is set once, and `letGo` grows. */
interface ReminderTable {
  companyId: number;
  id: GeneratedAlways<number>;
  uuid: Generated<string>;
  invoiceId: number;
  documentId: number;
  step: number;
  kind: ReminderKind;
  sentOn: string;
  dueDate: string;
  principal: Ore;
  fee: Ore;
  interest: Ore;
  compensation: Ore;
  earlier: Generated<Ore>;
  waivedAt: Timestamp | null;
  /** The day from which interest was counted; null in older rows, which used the invoice's due date. */
  paymentDeadline: string | null;
  /** Øre waived of the claims of this reminder and the earlier ones. */
  letGo: Generated<Ore>;
  createdAt: GeneratedTimestamp;
  byType: HistoryAuthor['type'];
  byName: string;
}

/** The rest of a reminder's claim after payments dated before it; absent means all. */
interface ReminderRecountTable {
  companyId: number;
  reminderId: number;
  invoiceId: number;
  interest: Ore;
  /** Its fee and its compensation are waived. */
  feeWaived: boolean;
}

interface ReminderSettingsTable {
  companyId: number;
  automatic: boolean;
  approve: boolean;
  /** Written as JSON. */
  steps: ColumnType<readonly ReminderStep[], string, string>;
  minimumAmount: Ore;
  waiveRest: boolean;
  version: GeneratedAlways<number>;
}

/** The daily run for a company with automatic reminders; days are in Oslo. */
interface ReminderDayTable {
  companyId: number;
  finishedOn: string | null;
  toldOn: string | null;
  toldMany: Generated<number>;
}
