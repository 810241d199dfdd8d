import { sql } from 'kysely';

import type { Ore } from '../../domain/money.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { Row, Tables } from '../platform/db/tables.ts';

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
  'paymentDeadline',
  'letGo',
] as const satisfies readonly (keyof Tables['reminder'])[];

type Stored = Row<'reminder', (typeof COLUMNS)[number]>;
export type NewReminder = Omit<Stored, 'id' | 'uuid' | 'waivedAt' | 'letGo'> &
  Row<'reminder', 'byType' | 'byName'>;

/** A reminder, with what is left of its claim after the recount for earlier payments (REM-19). */
export interface ReminderRow extends Stored {
  /** Øre. */
  readonly interestLeft: Ore;
  /** Whether its fee and compensation are waived. */
  readonly feeWaived: boolean;
  /** Whether a person waived the rest of it ('Ettergi'). */
  readonly isLetGo: boolean;
}

/** Adds a reminder; its document must exist. */
export async function insertReminder(trx: Trx, reminder: NewReminder): Promise<ReminderRow> {
  const row = await trx
    .insertInto('reminder')
    .values(reminder)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  return { ...row, interestLeft: row.interest, feeWaived: false, isLetGo: false };
}

/** The reminders of these invoices, in the order of their steps. */
export async function findReminders(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<ReminderRow[]> {
  return db
    .selectFrom('reminder')
    .leftJoin('reminderRecount as recount', (join) =>
      join
        .onRef('recount.companyId', '=', 'reminder.companyId')
        .onRef('recount.reminderId', '=', 'reminder.id'),
    )
    .select(COLUMNS.map((column) => `reminder.${column}` as const))
    .select((row) => [
      row.fn.coalesce('recount.interest', 'reminder.interest').as('interestLeft'),
      sql<boolean>`recount.fee_waived IS TRUE`.as('feeWaived'),
      sql<boolean>`bool_or(reminder.let_go > 0)
        OVER (PARTITION BY reminder.invoice_id ORDER BY reminder.step DESC)`.as('isLetGo'),
    ])
    .where('reminder.companyId', '=', companyId)
    .where(sql<boolean>`reminder.invoice_id = ANY(${[...invoiceIds]}::bigint[])`)
    .orderBy('reminder.invoiceId')
    .orderBy('reminder.step')
    .execute();
}

/** Waives an amount (øre) of what the reminders of an invoice ask for. The caller holds the invoice. */
export async function letGo(
  trx: Trx,
  companyId: number,
  invoiceId: number,
  amount: Ore,
): Promise<void> {
  await sql`
    UPDATE reminder SET let_go = let_go + ${amount}
    WHERE company_id = ${companyId} AND invoice_id = ${invoiceId} AND step = (
      SELECT max(last.step) FROM reminder last
      WHERE last.company_id = ${companyId} AND last.invoice_id = ${invoiceId})`.execute(trx);
}
