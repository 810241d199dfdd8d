import { todayInOslo, type IsoDate } from '../../domain/date.ts';
import { principalOf, reminderAmount } from '../../domain/document/reminder-document.ts';
import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import { ore, oreToKroner } from '../../domain/money.ts';
import { isHalfBooked } from '../payment/bank-file/bank-file.service.ts';
import type { Context } from '../context.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { carrierOf } from '../delivery/carriers-in-use.service.ts';
import { makeDeliveries } from '../delivery/delivery-making.service.ts';
import { issueReminder } from '../document/document.service.ts';
import { AppError } from '../errors.ts';
import { recordEvents } from '../invoice/history.service.ts';
import { lockInvoiceById } from '../invoice/invoice.service.ts';
import { lockCompany } from '../company/profile.service.ts';
import { planReminder, type ReminderPlan, type Wish } from './reminder-plan.service.ts';
import * as repository from './reminder.repository.ts';
import type { ReminderRow } from './reminder.repository.ts';

export interface ReminderRequest {
  readonly companyId: number;
  readonly invoiceId: number;
  /** The expected step; null for the next. */
  readonly step: number | null;
  readonly wish: Wish;
  /** The day on which it is made, in Oslo: today unless stated. */
  readonly today?: IsoDate;
}

/** A reminder that was just made. */
export interface Reminded extends ReminderPlan {
  readonly row: ReminderRow;
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
): Promise<Reminded> {
  await lockCompany(trx, companyId);
  await requireWholeFiles(context, trx, companyId);
  const invoice = await lockInvoiceById(trx, companyId, invoiceId);
  const plan = await planReminder({ config: context.config, db: trx }, invoice, wish, today);
  if (step !== null && step !== plan.step) {
    throw new AppError('reminder_step_taken', { subject: step });
  }
  await requireReachable(trx, companyId, plan.recipient);
  const row = await insert(trx, author, { companyId, invoiceId, plan });
  await deliver(context, trx, author, row, plan.recipient);
  return { ...plan, row };
}

/**
 * A half booked file may contain the payment of this invoice. The company is locked, so no booking can begin.
 * @throws AppError bank_file_under_way
 */
async function requireWholeFiles(
  { config }: Pick<Context, 'config'>,
  trx: Trx,
  companyId: number,
): Promise<void> {
  if (!config.features.has('payments')) return;
  if (await isHalfBooked(trx, companyId)) throw new AppError('bank_file_under_way');
}

/** @throws AppError address_suppressed */
export async function requireReachable(
  db: Db,
  companyId: number,
  recipient: string | null,
): Promise<void> {
  if (recipient === null) return;
  const [obstacle] = await carrierOf('EMAIL').findObstacles(db, [{ companyId, recipient }]);
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
  const { kind, date, dueDate, fee, interest, compensation, earlier } = document;
  const row = await repository.insertReminder(trx, {
    companyId,
    invoiceId,
    documentId,
    step,
    kind,
    sentOn: date,
    dueDate,
    paymentDeadline: deadline,
    principal: principalOf(document),
    fee,
    interest: interest?.amount ?? ore(0),
    compensation,
    earlier,
    byType: author.type,
    byName: author.name,
  });
  const amount = oreToKroner(reminderAmount(document));
  const details = { reminderKind: kind, step, dueDate, amount };
  await recordEvents(trx, author, [{ companyId, invoiceId, kind: 'REMINDED', details }]);
  return row;
}

/** Without an address there is no delivery: the reminder is printed. */
async function deliver(
  context: Context,
  trx: Trx,
  author: HistoryAuthor,
  { companyId, invoiceId, documentId, principal }: ReminderRow,
  recipient: string | null,
): Promise<void> {
  if (recipient === null) return;
  const deliveryType = 'EMAIL';
  const reminder = { documentId, principal };
  const planned = { companyId, invoiceId, deliveryType, recipient, reminder } as const;
  await makeDeliveries(context, trx, [{ ...planned, stoppedBy: null, forced: false }], author);
}
