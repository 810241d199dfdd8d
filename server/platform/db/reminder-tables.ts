import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

import type { HistoryAuthor } from '../../../domain/history/history.schema.ts';
import type { ReminderStep } from '../../../domain/late-payment/reminder-steps.ts';
import type { Ore } from '../../../domain/money.ts';
import type { ReminderKind } from '../../../domain/late-payment/reminder-law.ts';
import type { GeneratedTimestamp, Timestamp } from './column-types.ts';

/** The tables of reminders. */
export interface ReminderTables {
  reminder: ReminderTable;
  reminderSettings: ReminderSettingsTable;
  reminderDay: ReminderDayTable;
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
