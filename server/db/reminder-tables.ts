import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import type { ReminderStep } from '../../domain/late-payment/reminder-steps.ts';
import type { Ore } from '../../domain/money.ts';
import type { ReminderKind } from '../../domain/late-payment/reminder-law.ts';
import type { GeneratedTimestamp, Timestamp } from './column-types.ts';

/** The tables of reminders. */
export interface ReminderTables {
  reminder: ReminderTable;
  reminderSettings: ReminderSettingsTable;
  reminderDay: ReminderDayTable;
}

/** Rows are added; later only `waivedAt` is set, once, and `letGo` grows. */
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
  /** From which day interest was counted; null of older ones: the due date of the invoice. */
  paymentDeadline: string | null;
  /** Øre that somebody has waived of what this one and those before it ask for. */
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

/** What happens once a day for a company that reminds automatically; the days are in Oslo. */
interface ReminderDayTable {
  companyId: number;
  finishedOn: string | null;
  toldOn: string | null;
  toldMany: Generated<number>;
}
