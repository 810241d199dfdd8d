import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import type { Ore } from '../../domain/money.ts';
import type { ReminderKind } from '../../domain/late-payment/reminder-law.ts';
import type { GeneratedTimestamp, Timestamp } from './column-types.ts';

/** The tables of reminders. */
export interface ReminderTables {
  reminder: ReminderTable;
  reminderSettings: ReminderSettingsTable;
}

/** Rows are added; later only `waivedAt` is set, once. */
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
  createdAt: GeneratedTimestamp;
  byType: HistoryAuthor['type'];
  byName: string;
}

/** A step as the settings keep it. */
export interface StoredReminderStep {
  /** After the due date. */
  readonly days: number;
  readonly kind: ReminderKind;
  readonly fee: boolean;
  readonly interest: boolean;
}

interface ReminderSettingsTable {
  companyId: number;
  automatic: boolean;
  approve: boolean;
  steps: ColumnType<readonly StoredReminderStep[], string, string>;
  minimumAmount: Ore;
  waiveRest: boolean;
  version: GeneratedAlways<number>;
}
