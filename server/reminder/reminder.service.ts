import { type IsoDate, todayInOslo } from '../../domain/date.ts';
import type { Delivery } from '../../domain/delivery/delivery.schema.ts';
import {
  principalOf,
  reminderAmount,
  type ReminderDocument,
} from '../../domain/document/reminder-document.ts';
import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import type { Invoice } from '../../domain/invoice/invoice.schema.ts';
import { mayStillLeave } from '../../domain/late-payment/reminder-law.ts';
import { stepByHand } from '../../domain/late-payment/reminder-steps.ts';
import { ore, oreToKroner } from '../../domain/money.ts';
import type {
  ListedReminder,
  MadeReminder,
  Reminder,
} from '../../domain/reminder/reminder.schema.ts';
import { lockCompany } from '../company/profile.repository.ts';
import { findReminderSettings } from '../company/reminder-settings.service.ts';
import type { Actor, Context } from '../context.ts';
import { carrierOf } from '../delivery/carriers-in-use.service.ts';
import { mailOf } from '../delivery/carriers/email/reminder.mail.ts';
import { mailReminder } from '../delivery/delivery-by-hand.service.ts';
import { makeDeliveries } from '../delivery/delivery-making.service.ts';
import { findReminderDeliveries } from '../delivery/delivery.repository.ts';
import { type ListedDelivery, presentDelivery } from '../delivery/delivery.rows.ts';
import { issueReminder } from '../document/document.repository.ts';
import { drawDraft, findReminderPdf } from '../document/show-document.service.ts';
import { AppError } from '../errors.ts';
import { authorOf, recordEvents } from '../invoice/history.repository.ts';
import { lockInvoice, lockInvoiceById, requireInvoice } from '../invoice/invoice.repository.ts';
import { describeInvoice } from '../issuing/invoice.presenter.ts';
import { isHalfBooked } from '../payment/bank-file/bank-file.repository.ts';
import { isRestWaived } from '../payment/reminder-claims.repository.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import {
  findRemindersSoFar,
  planReminder,
  presentCounted,
  type ReminderPlan,
  type Wish,
} from './reminder-plan.service.ts';
import { findReminders, insertReminder, letGo, type ReminderRow } from './reminder.repository.ts';

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
    return { ...reminder, recipient, mail: null, proposed: null };
  });
}

interface ReminderRequest {
  readonly companyId: number;
  readonly invoiceId: number;
  /** The expected step; null for the next. */
  readonly step: number | null;
  readonly wish: Wish;
  /** The day on which it is made, in Oslo: today unless stated. */
  readonly today?: IsoDate;
}

/**
 * Reminds of an invoice. People, batches and automation all use this function. It locks the company and the
 * invoice, reads the amount due anew, applies the law, and writes the document, the reminder, its delivery and the
 * history. Without an address the reminder is printed and has no delivery.
 * @throws AppError bank_file_under_way, not_found, invoice_not_remindable, invoice_disputed, reminder_step_taken,
 * reminder_refused, rate_missing, address_suppressed, profile_incomplete
 */
export async function remind(
  context: Context,
  trx: Trx,
  author: HistoryAuthor,
  { companyId, invoiceId, step, wish, today = todayInOslo() }: ReminderRequest,
): Promise<ReminderPlan & { readonly row: ReminderRow }> {
  await lockCompany(trx, companyId);
  // A half booked file may contain the payment of this invoice. No booking can begin while the company is locked.
  if (context.config.features.has('payments') && (await isHalfBooked(trx, companyId))) {
    throw new AppError('bank_file_under_way');
  }
  const invoice = await lockInvoiceById(trx, companyId, invoiceId);
  const plan = await planReminder({ config: context.config, db: trx }, invoice, wish, today);
  if (step !== null && step !== plan.step) {
    throw new AppError('reminder_step_taken', { subject: step });
  }
  await requireReachable(trx, companyId, plan);
  const row = await insert(trx, author, { companyId, invoiceId, plan });
  await deliver(context, trx, author, row, plan);
  return { ...plan, row };
}

/** @throws AppError address_suppressed */
async function requireReachable(
  db: Db,
  companyId: number,
  { recipient, copies }: Pick<ReminderPlan, 'recipient' | 'copies'>,
): Promise<void> {
  if (recipient === null) return;
  const addressed = { companyId, recipient, copies };
  const [obstacle] = await carrierOf('EMAIL').findObstacles(db, [addressed]);
  if (obstacle) throw new AppError(obstacle.code);
}

interface Planned {
  readonly companyId: number;
  readonly invoiceId: number;
  readonly plan: ReminderPlan;
}

async function insert(
  trx: Trx,
  author: HistoryAuthor,
  { companyId, invoiceId, plan: { step, document, deadline } }: Planned,
): Promise<ReminderRow> {
  const documentId = await issueReminder(trx, companyId, { invoiceId, document });
  const { kind, date, dueDate } = document;
  const row = await insertReminder(trx, {
    companyId,
    invoiceId,
    documentId,
    step,
    kind,
    sentOn: date,
    dueDate,
    paymentDeadline: deadline,
    ...claimOf(document),
    byType: author.type,
    byName: author.name,
  });
  const amount = oreToKroner(reminderAmount(document));
  const details = { reminderKind: kind, step, dueDate, amount };
  await recordEvents(trx, author, [{ companyId, invoiceId, kind: 'REMINDED', details }]);
  return row;
}

/** The amounts that a reminder asks for (øre). */
function claimOf(document: ReminderDocument) {
  const { fee, interest, compensation, earlier } = document;
  const principal = principalOf(document);
  return { principal, fee, interest: interest?.amount ?? ore(0), compensation, earlier };
}

/** Without an address there is no delivery: the reminder is printed. */
async function deliver(
  context: Context,
  trx: Trx,
  author: HistoryAuthor,
  { companyId, invoiceId, documentId, principal }: ReminderRow,
  { recipient, copies }: Pick<ReminderPlan, 'recipient' | 'copies'>,
): Promise<void> {
  if (recipient === null) return;
  const deliveryType = 'EMAIL';
  const reminder = { documentId, principal };
  const planned = { companyId, invoiceId, deliveryType, recipient, copies, reminder } as const;
  await makeDeliveries(context, trx, [{ ...planned, stoppedBy: null, forced: false }], author);
}

/** Computes the reminder that `createReminder` would make; writes nothing. @throws AppError as `remind` */
export async function tryReminder(
  context: Context,
  { companyId }: Actor,
  invoiceUuid: string,
  wish: Wish,
): Promise<MadeReminder> {
  const plan = await planNow(context, companyId, invoiceUuid, wish);
  const { step, document, recipient, late } = plan;
  await requireReachable(context.db, companyId, plan);
  const { steps } = await findReminderSettings(context.db, companyId);
  const { subject, text } = mailOf(document, null, null);
  return {
    uuid: null,
    kind: document.kind,
    step,
    date: document.date,
    dueDate: document.dueDate,
    ...presentClaim(claimOf(document)),
    deliveryStatus: null,
    delivery: null,
    waived: false,
    recipient,
    mail: recipient === null ? null : { subject, text },
    proposed: stepByHand(steps, late, document.date, context.config),
  };
}

/** The PDF of a reminder before it is made. @throws AppError as `planReminder`, too_many_pdfs, pdf_not_printable */
export async function previewReminder(
  context: Context,
  { companyId }: Actor,
  { invoiceUuid, wish }: { readonly invoiceUuid: string; readonly wish: Wish },
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { document } = await planNow(context, companyId, invoiceUuid, wish);
  return drawDraft(context, document, { owner: companyId, signal });
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

/** The reminders of an invoice, in their order. @throws AppError not_found */
export async function listReminders(
  { db }: Context,
  { companyId }: Actor,
  invoiceUuid: string,
): Promise<ListedReminder[]> {
  const { id } = await requireInvoice(db, companyId, invoiceUuid);
  // Read the deliveries before the reminders. A stopped delivery waives its reminder in the same transaction, so a
  // response that shows the stop also shows the waiver.
  const deliveries = await findReminderDeliveries(db, companyId, [id]);
  const rows = await findReminders(db, companyId, [id]);
  const isRestLost = rows.length > 0 && (await isRestWaived(db, companyId, id));
  return rows.map((row) => {
    const reminder = presentReminder(row, deliveries.get(row.documentId));
    const isLost = isRestLost && row.fee + row.interest + row.compensation > 0;
    const counted = presentCounted(row, deliveries.get(row.documentId));
    return Object.assign(reminder, { waived: reminder.waived || isLost, counted });
  });
}

/** A reminder as the API shows it, with its deliveries, the oldest first. */
function presentReminder(row: ReminderRow, deliveries: readonly ListedDelivery[] = []): Reminder {
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
function presentClaim({
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
  { config, db }: Context,
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
    return describeInvoice({ config, db: trx }, companyId, invoiceUuid);
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
