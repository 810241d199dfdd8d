import { todayInOslo } from '../../domain/date.ts';
import type { Delivery } from '../../domain/delivery/delivery.schema.ts';
import type { Invoice } from '../../domain/invoice/invoice.schema.ts';
import { mayStillLeave } from '../../domain/late-payment/reminder-law.ts';
import { oreToKroner } from '../../domain/money.ts';
import type { MadeReminder, Reminder } from '../../domain/reminder/reminder.schema.ts';
import type { Actor, Context } from '../context.ts';
import type { Db } from '../platform/db/database.ts';
import { presentDelivery } from '../delivery/delivery.rows.ts';
import { mailOf } from '../delivery/carriers/email/reminder.mail.ts';
import { mailReminder } from '../delivery/delivery-by-hand.service.ts';
import { findReminderDeliveries } from '../delivery/delivery-list.service.ts';
import { drawReminder, findReminderPdf } from '../document/show-document.service.ts';
import { AppError } from '../errors.ts';
import { authorOf, recordEvents } from '../invoice/history.service.ts';
import { describeInvoice } from '../issuing/invoice-answer.service.ts';
import { lockInvoice, requireInvoice } from '../invoice/invoice.service.ts';
import { lockCompany } from '../company/profile.service.ts';
import { findRemindersSoFar } from './reminder-past.service.ts';
import { planReminder, type ReminderPlan, type Wish } from './reminder-plan.service.ts';
import { isWaived, presentPlan, presentReminder } from './reminder.presenter.ts';
import { findReminders, letGo, type ReminderRow } from './reminder.repository.ts';
import { remind, requireReachable } from './reminder.service.ts';

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

/** Creates a reminder that a person asks for. @throws AppError as `remind` */
export async function createReminder(
  context: Context,
  actor: Actor,
  invoiceUuid: string,
  wish: Wish,
): Promise<MadeReminder> {
  const { companyId } = actor;
  const { id: invoiceId } = await requireInvoice(context.db, companyId, invoiceUuid);
  // On a double click both requests expect the same step; the second one fails because the step is taken.
  const findSoFar = await findRemindersSoFar(context.db, companyId, [invoiceId]);
  const step = findSoFar(invoiceId).step + 1;
  return context.db.transaction().execute(async (trx) => {
    const request = { companyId, invoiceId, step, wish };
    const { row, recipient } = await remind(context, trx, authorOf(actor), request);
    const deliveries = await findReminderDeliveries(trx, companyId, [invoiceId]);
    const reminder = presentReminder(row, deliveries.get(row.documentId));
    return { ...reminder, recipient, mail: null };
  });
}

/** Computes the reminder that `createReminder` would make; writes nothing. @throws AppError as `remind` */
export async function tryReminder(
  context: Context,
  { companyId }: Actor,
  invoiceUuid: string,
  wish: Wish,
): Promise<MadeReminder> {
  const plan = await planNow(context, companyId, invoiceUuid, wish);
  const { document, recipient } = plan;
  await requireReachable(context.db, companyId, recipient);
  const { subject, text } = mailOf(document, null);
  return { ...presentPlan(plan), recipient, mail: recipient === null ? null : { subject, text } };
}

/** The PDF of a reminder before it is made. @throws AppError as `planReminder`, too_many_pdfs, pdf_not_printable */
export async function previewReminder(
  context: Context,
  { companyId }: Actor,
  { invoiceUuid, wish }: { readonly invoiceUuid: string; readonly wish: Wish },
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { document } = await planNow(context, companyId, invoiceUuid, wish);
  return drawReminder(context, document, { owner: companyId, signal });
}

async function planNow(
  { config, db }: Context,
  companyId: number,
  invoiceUuid: string,
  wish: Wish,
): Promise<ReminderPlan> {
  const invoice = await requireInvoice(db, companyId, invoiceUuid);
  return planReminder({ config, db }, invoice, wish, todayInOslo());
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
