import { sql } from 'kysely';

import type { Db, Trx } from '../db/database.ts';
import type { Row, Tables } from '../db/tables.ts';

const COLUMNS = [
  'id',
  'uuid',
  'companyId',
  'invoiceId',
  'documentId',
  'step',
  'kind',
  'sentOn',
  'dueDate',
  'principal',
  'fee',
  'interest',
  'compensation',
  'earlier',
  'waivedAt',
] as const satisfies readonly (keyof Tables['reminder'])[];

export type ReminderRow = Row<'reminder', (typeof COLUMNS)[number]>;
export type NewReminder = Omit<ReminderRow, 'id' | 'uuid' | 'waivedAt'> &
  Row<'reminder', 'byType' | 'byName'>;

/** Adds a reminder, whose document is there already. */
export async function insertReminder(trx: Trx, reminder: NewReminder): Promise<ReminderRow> {
  return trx.insertInto('reminder').values(reminder).returning(COLUMNS).executeTakeFirstOrThrow();
}

/** The reminders of these invoices, in the order of their steps. */
export async function findReminders(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<ReminderRow[]> {
  return db
    .selectFrom('reminder')
    .select(COLUMNS)
    .where('companyId', '=', companyId)
    .where(sql<boolean>`invoice_id = ANY(${[...invoiceIds]}::bigint[])`)
    .orderBy('invoiceId')
    .orderBy('step')
    .execute();
}
