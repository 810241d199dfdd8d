import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

import type { HistoryAuthor } from '../../../domain/history/history.schema.ts';
import type { Ore } from '../../../domain/money.ts';
import type {
  PaymentKind,
  PaymentSource,
  SuggestionReason,
} from '../../../domain/payment/payment.schema.ts';
import type { GeneratedTimestamp } from './column-types.ts';

/** The tables of payments. */
export interface PaymentTables {
  payment: PaymentTable;
  reminderRecount: ReminderRecountTable;
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

/** An invoice to which a user may want to allocate a payment. */
export interface StoredSuggestion {
  readonly reason: SuggestionReason;
  readonly invoiceIds: readonly number[];
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
  createdAt: GeneratedTimestamp;
  byType: HistoryAuthor['type'];
  byName: string;
}
