import { todayInOslo } from '../../domain/date.ts';
import type { Delivery } from '../../domain/delivery/delivery.schema.ts';
import type { Invoice } from '../../domain/invoice/invoice.schema.ts';
import { mayStillLeave } from '../../domain/late-payment/reminder-law.ts';
import { ore, oreToKroner } from '../../domain/money.ts';
import type { Reminder } from '../../domain/reminder/reminder.schema.ts';
import { lockCompany } from '../company/profile.repository.ts';
import { authorOf, recordEvents } from '../invoice/history.repository.ts';
import { lockInvoice, requireInvoice } from '../invoice/invoice.repository.ts';
import type { Actor, Context } from '../context.ts';
import { mailReminder } from '../delivery/delivery-by-hand.service.ts';
import { findReminderDeliveries } from '../delivery/delivery.repository.ts';
import { presentDelivery, type ListedDelivery } from '../delivery/delivery.rows.ts';
import { findReminderPdf } from '../document/show-document.service.ts';
import { AppError } from '../errors.ts';
import { describeInvoice } from '../issuing/invoice.presenter.ts';
import type { Db } from '../platform/db/database.ts';
import { findReminders, letGo, type ReminderRow } from './reminder.repository.ts';

/** The reminders of an invoice, in their order. @throws AppError not_found */
export async function listReminders(
  { db }: Context,
  { companyId }: Actor,
  invoiceUuid: string,
): Promise<Reminder[]> {
  const { id } = await requireInvoice(db, companyId, invoiceUuid);
  // Read the deliveries before the reminders. A stopped delivery waives its reminder in the same transaction, so a
  // response that shows the stop also shows the waiver.
  const deliveries = await findReminderDeliveries(db, companyId, [id]);
  const rows = await findReminders(db, companyId, [id]);
  return rows.map((row) => presentReminder(row, deliveries.get(row.documentId)));
}

/** A reminder as the API shows it, with its deliveries, the oldest first. */
export function presentReminder(
  row: ReminderRow,
  deliveries: readonly ListedDelivery[] = [],
): Reminder {
  const latest = deliveries.at(-1);
  return {
    uuid: row.uuid,
    kind: row.kind,
    step: row.step,
    date: row.sentOn,
    dueDate: row.dueDate,
    ...presentClaim(row),
    deliveryStatus: latest?.status ?? null,
    delivery: latest ? presentDelivery(latest) : null,
    waived: isWaived(row),
  };
}

/** The amounts of a reminder in kroner, and their sum. */
export function presentClaim({
  principal,
  fee,
  interest,
  compensation,
  earlier,
}: Pick<ReminderRow, 'principal' | 'fee' | 'interest' | 'compensation' | 'earlier'>) {
  return {
    principal: oreToKroner(principal),
    fee: oreToKroner(fee),
    interest: oreToKroner(interest),
    compensation: oreToKroner(compensation),
    earlier: oreToKroner(earlier),
    amount: oreToKroner(ore(principal + fee + interest + compensation + earlier)),
  };
}

/**
 * Whether no fee, interest or compensation is left: the reminder was stopped, was paid before, or was waived by
 * hand.
 */
function isWaived({ waivedAt, isLetGo, feeWaived, interestLeft }: ReminderRow): boolean {
  return waivedAt !== null || isLetGo || (feeWaived && interestLeft === 0);
}

/**
 * Waives the unpaid fees, compensation and interest of an invoice's reminders (REM-20). @throws AppError not_found
 */
export async function waiveReminders(
  { db }: Context,
  actor: Actor,
  invoiceUuid: string,
): Promise<Invoice> {
  const { companyId } = actor;
  return db.transaction().execute(async (trx) => {
    await lockCompany(trx, companyId);
    const { id: invoiceId, reminderAmount } = await lockInvoice(trx, companyId, invoiceUuid);
    if (reminderAmount > 0) {
      await letGo(trx, companyId, invoiceId, reminderAmount);
      const details = { waived: oreToKroner(reminderAmount) };
      await recordEvents(trx, authorOf(actor), [
        { companyId, invoiceId, kind: 'REMINDED', details },
      ]);
    }
    return describeInvoice(trx, companyId, invoiceUuid);
  });
}

interface ReminderName {
  readonly invoiceUuid: string;
  readonly reminderUuid: string;
}

/** The PDF of an existing reminder. @throws AppError not_found, too_many_pdfs, pdf_not_printable */
export async function showReminder(
  context: Context,
  { companyId }: Actor,
  name: ReminderName,
  signal: AbortSignal,
) {
  const { documentId } = await findReminder(context.db, companyId, name);
  return findReminderPdf(context, { companyId, documentId }, signal);
}

/**
 * Mails the same reminder document again, while it still asks for the amount due.
 * @throws AppError not_found, reminder_deadline_passed, and those of `mailReminder`
 */
export async function deliverReminder(
  context: Context,
  actor: Actor,
  name: ReminderName,
  recipient: string | null,
): Promise<Delivery> {
  const { companyId } = actor;
  return context.db.transaction().execute(async (trx) => {
    const found = await findReminder(trx, companyId, name);
    const { invoiceId, documentId, principal } = found;
    if (!mayStillLeave(found, todayInOslo())) throw new AppError('reminder_deadline_passed');
    if (isWaived(found)) throw new AppError('reminder_outdated');
    const reminder = { invoiceId, documentId, principal };
    return presentDelivery(await mailReminder(context, trx, actor, { ...reminder, recipient }));
  });
}

async function findReminder(
  db: Db,
  companyId: number,
  { invoiceUuid, reminderUuid }: ReminderName,
): Promise<ReminderRow> {
  const { id } = await requireInvoice(db, companyId, invoiceUuid);
  const rows = await findReminders(db, companyId, [id]);
  const row = rows.find(({ uuid }) => uuid === reminderUuid);
  if (!row) throw new AppError('not_found');
  return row;
}
