import type { Delivery, DeliveryBody } from '../../domain/delivery/delivery.schema.ts';
import type { HistoryEvent } from '../../domain/history/history.schema.ts';
import type { Invoice, NumberOrUuid } from '../../domain/invoice/invoice.schema.ts';
import type { InvoiceStatus } from '../../domain/invoice/invoice.status.ts';
import type { DisputeBody } from '../../domain/reminder/reminder.schema.ts';
import type { Actor, Context } from '../context.ts';
import { resend, sendByHand } from '../delivery/delivery-by-hand.service.ts';
import { findDeliveries } from '../delivery/delivery-list.service.ts';
import { presentDelivery } from '../delivery/delivery.rows.ts';
import { AppError } from '../errors.ts';
import { authorOf, findHistory } from '../invoice/history.service.ts';
import { setDisputed } from '../invoice/dispute.service.ts';
import { requireInvoice } from '../invoice/invoice.service.ts';
import { explainRefusal, markInvoice } from '../payment/payment.service.ts';
import { describeInvoice } from './invoice-answer.service.ts';

/** The history of an invoice or credit note, newest event first. @throws AppError not_found */
export async function getHistory(
  { db }: Context,
  { companyId }: Actor,
  name: NumberOrUuid,
): Promise<HistoryEvent[]> {
  const { id } = await requireInvoice(db, companyId, name);
  return findHistory(db, companyId, id);
}

/**
 * Like `markInvoice`, for a person: returns the changed invoice.
 * @throws AppError as `markInvoice`, paid_by_bank_while_off
 */
export async function updateStatus(
  { config, db }: Context,
  actor: Actor,
  uuid: string,
  status: InvoiceStatus,
): Promise<Invoice> {
  const { companyId } = actor;
  return db.transaction().execute(async (trx) => {
    await markInvoice(trx, companyId, authorOf(actor), { uuid, status }).catch((error: unknown) => {
      throw error instanceof AppError ? explainRefusal(config, error) : error;
    });
    return describeInvoice(trx, companyId, uuid);
  });
}

/** Marks an invoice as disputed, or ends the dispute. @throws AppError as `setDisputed` */
export async function disputeInvoice(
  { db }: Context,
  actor: Actor,
  uuid: string,
  body: DisputeBody,
): Promise<Invoice> {
  const { companyId } = actor;
  return db.transaction().execute(async (trx) => {
    await setDisputed(trx, companyId, authorOf(actor), { uuid, ...body });
    return describeInvoice(trx, companyId, uuid);
  });
}

/** Resends an invoice whose delivery failed. @throws AppError as `resend` */
export async function resendInvoice(
  context: Context,
  actor: Actor,
  uuid: string,
): Promise<Invoice> {
  await resend(context, actor, uuid);
  return describeInvoice(context.db, actor.companyId, uuid);
}

/**
 * Sends a registered invoice by hand, and returns the delivery.
 * @throws AppError as `sendByHand`
 */
export async function deliverInvoice(
  context: Context,
  actor: Actor,
  uuid: string,
  body: DeliveryBody,
): Promise<Delivery> {
  const invoiceId = await sendByHand(context, actor, uuid, body);
  const deliveries = await findDeliveries(context.db, actor.companyId, [invoiceId]);
  const latest = deliveries.get(invoiceId)?.at(-1);
  if (!latest) throw new Error(`Invoice ${invoiceId} has no delivery`);
  return presentDelivery(latest);
}
