import { amountDue } from '../../domain/invoice/claim.ts';
import type { Ore } from '../../domain/money.ts';
import type { Actor, Context } from '../context.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { AppError } from '../errors.ts';
import { authorOf } from '../invoice/history.service.ts';
import { lockInvoiceById } from '../invoice/invoice.service.ts';
import { lockCompany } from '../company/profile.service.ts';
import { allowByHand, findRecipient } from './delivery-again.service.ts';
import { findOfReminders } from './delivery-list.repository.ts';
import { carrierOf, makeDeliveries } from './delivery-making.service.ts';
import { judgeReminder } from './delivery-order.service.ts';
import type { ListedDelivery } from './delivery.rows.ts';

/** The deliveries of the reminders of these invoices, by the id of their document; the oldest first. */
export async function findReminderDeliveries(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<Map<number, ListedDelivery[]>> {
  if (invoiceIds.length === 0) return new Map();
  const rows = await findOfReminders(db, companyId, invoiceIds);
  return Map.groupBy(rows, ({ documentId }) => documentId);
}

interface WantedReminder {
  readonly invoiceId: number;
  readonly documentId: number;
  readonly principal: Ore;
  /** Where to; null for where the customer is reached. */
  readonly recipient: string | null;
}

/**
 * Mails a reminder that was made as somebody asks for it, for the first time or again: the same document,
 * as long as it asks for what is due.
 *
 * @throws AppError not_found, reminder_outdated, invoice_disputed, delivery_under_way,
 * recipient_without_email, address_suppressed, too_many_requests
 */
export async function mailReminder(
  context: Context,
  trx: Trx,
  actor: Actor,
  { invoiceId, documentId, principal, recipient: wished }: WantedReminder,
): Promise<ListedDelivery> {
  const { companyId } = actor;
  await lockCompany(trx, companyId);
  const invoice = await lockInvoiceById(trx, companyId, invoiceId);
  const made = await findMade(trx, companyId, invoiceId, documentId);
  if (made.some(({ status }) => status === 'QUEUED')) throw new AppError('delivery_under_way');
  const isAgain = made.some(({ status }) => status !== 'FAILED');
  const verdict = judgeReminder({ ...invoice, amountDue: amountDue(invoice) }, principal);
  if (verdict === 'DISPUTED') throw new AppError('invoice_disputed');
  if (verdict !== 'SEND') throw new AppError('reminder_outdated');
  const carrier = carrierOf('EMAIL');
  const recipient = wished ?? (await findRecipient(trx, carrier, invoice, undefined));
  if (!recipient) throw new AppError(carrier.withoutAddress);
  const [obstacle] = await carrier.findObstacles(trx, [{ companyId, recipient }]);
  if (obstacle) throw new AppError(obstacle.code);
  await allowByHand(trx, companyId, `reminder:${documentId}`);
  const planned = { companyId, invoiceId, deliveryType: 'EMAIL', recipient } as const;
  const reminder = { documentId, principal };
  const added = { ...planned, reminder, forced: isAgain, stoppedBy: null };
  await makeDeliveries(context, trx, [added], authorOf(actor));
  const latest = (await findMade(trx, companyId, invoiceId, documentId)).at(-1);
  if (!latest) throw new Error(`Document ${documentId} has no delivery`);
  return latest;
}

async function findMade(
  trx: Trx,
  companyId: number,
  invoiceId: number,
  documentId: number,
): Promise<readonly ListedDelivery[]> {
  const deliveries = await findReminderDeliveries(trx, companyId, [invoiceId]);
  return deliveries.get(documentId) ?? [];
}
