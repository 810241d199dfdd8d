import type { DeliveryBody, DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import { amountDue } from '../../domain/invoice/claim.ts';
import type { Ore } from '../../domain/money.ts';
import { lockCompany } from '../company/profile.service.ts';
import type { Actor, Context } from '../context.ts';
import { findCustomersByIds } from '../customer/customer.service.ts';
import type { Carrier } from './carrier.ts';
import { carrierOf, sentTypes } from './carriers-in-use.service.ts';
import { leaveToHousekeeping } from './waiting-deliveries.repository.ts';
import { findDeliveries, findReminderDeliveries } from './delivery-list.service.ts';
import { makeDeliveries, nameDeliveries, type Planned } from './delivery-making.service.ts';
import { findArrivals, judge, UNTRIED, judgeReminder } from './delivery-order.service.ts';
import { recordMade } from './delivery-record.service.ts';
import type { Arrival, Failed, FailedFilter } from './delivery.repository.ts';
import * as repository from './delivery.repository.ts';
import { isUnconfirmed, type ListedDelivery } from './delivery.rows.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import { authorOf, lockInvoice, lockInvoiceById, staffAuthor } from '../invoice/invoice.service.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import type { Trx } from '../platform/db/database.ts';
import { countAgainst } from '../platform/limits/rate-limit.ts';

const BATCH = 500;
/** Deliveries of one document that people may ask for in an hour (DEL-9). */
const BY_HAND_AN_HOUR = 5;
const HOUR = 3600;

/**
 * Sends an invoice whose delivery failed, or was stopped, once more. The document is the one that was
 * registered, byte for byte where it was rendered before.
 *
 * @throws AppError not_found, cancelled_invoice_unsent, delivery_not_failed, delivery_type_unavailable,
 * too_many_requests, and what its carrier says
 */
export async function resend(context: Context, actor: Actor, uuid: string): Promise<void> {
  const { companyId } = actor;
  await context.db.transaction().execute(async (trx) => {
    const invoice = await lockInvoice(trx, companyId, uuid);
    const planned = await planAgain(context, trx, { invoice, byHand: true });
    await allowByHand(trx, companyId, `${planned.invoiceId}`);
    await makeDeliveries(context, trx, [planned], authorOf(actor));
  });
}

interface Requeued {
  readonly requeued: number;
  /** Why others are left as they are, and how many. */
  readonly left: ReadonlyMap<ErrorCode, number>;
}

/**
 * Sends invoices again whose last delivery failed, as 'Send på nytt' does for each. Housekeeping
 * gives them their jobs: an operator's command has no queue.
 */
export async function requeueFailed(
  context: Pick<Context, 'config' | 'db'>,
  filter: Pick<FailedFilter, 'since' | 'reason'>,
): Promise<Requeued> {
  let requeued = 0;
  const left = new Map<ErrorCode, number>();
  for (let afterId = 0; ;) {
    const failed = await repository.findFailed(context.db, { ...filter, afterId, most: BATCH });
    for (const delivery of failed) {
      const refusal = await requeue(context, delivery);
      if (refusal === null) requeued += 1;
      else left.set(refusal, (left.get(refusal) ?? 0) + 1);
    }
    const last = failed.at(-1);
    if (!last || failed.length < BATCH) return { requeued, left };
    afterId = last.id;
  }
}

/** Returns why it is left as it is, or null. */
async function requeue(
  context: Pick<Context, 'config' | 'db'>,
  { companyId, invoiceId }: Failed,
): Promise<ErrorCode | null> {
  try {
    await context.db.transaction().execute(async (trx) => {
      const invoice = await lockInvoiceById(trx, companyId, invoiceId);
      const planned = await planAgain(context, trx, { invoice, byHand: false });
      const named = await nameDeliveries(context, trx, [planned]);
      const made = await recordMade(trx, named, staffAuthor(null));
      const ids = made.map(({ id }) => id);
      await leaveToHousekeeping(trx, companyId, ids);
    });
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

/**
 * Sends a registered invoice as somebody asks for it, for the first time or again, and returns its id.
 *
 * @throws AppError not_found, draft_unsent, cancelled_invoice_unsent, delivery_under_way,
 * delivery_type_unavailable, too_many_requests, and what its carrier says
 */
export async function sendByHand(
  context: Context,
  actor: Actor,
  uuid: string,
  { deliveryType, recipient }: DeliveryBody,
): Promise<number> {
  const { companyId } = actor;
  return context.db.transaction().execute(async (trx) => {
    const invoice = await lockInvoice(trx, companyId, uuid);
    if (invoice.status === 'DRAFT') throw new AppError('draft_unsent');
    if (invoice.status === 'CANCELLED') throw new AppError('cancelled_invoice_unsent');
    const made = await findMade(trx, invoice);
    if (made.some((one) => isInTheWay(one, deliveryType))) {
      throw new AppError('delivery_under_way');
    }
    const wish = { deliveryType, recipient, made, byHand: true };
    const planned = await plan(context, trx, invoice, wish);
    await allowByHand(trx, companyId, `${invoice.id}`);
    await makeDeliveries(context, trx, [planned], authorOf(actor));
    return invoice.id;
  });
}

/** Whether another delivery of its document must wait for this one: not for an EHF that may never end. */
function isInTheWay(made: ListedDelivery, deliveryType: DeliveryType): boolean {
  return made.status === 'QUEUED' && (made.deliveryType === deliveryType || !isUnconfirmed(made));
}

/** Counts what people ask for of one document. @throws AppError too_many_requests */
async function allowByHand(trx: Trx, companyId: number, document: string): Promise<void> {
  const key = `delivery-by-hand:${companyId}:${document}`;
  await countAgainst(trx, { key, most: BY_HAND_AN_HOUR, seconds: HOUR });
}

/**
 * Another delivery of an invoice, which the caller holds, when its last one failed or was stopped: by the
 * same carrier.
 *
 * @throws AppError not_found, cancelled_invoice_unsent, delivery_not_failed, delivery_type_unavailable, and what its
 * carrier says
 */
async function planAgain(
  context: Pick<Context, 'config'>,
  trx: Trx,
  { invoice, byHand }: { readonly invoice: InvoiceRow; readonly byHand: boolean },
): Promise<Planned> {
  if (invoice.status === 'CANCELLED') throw new AppError('cancelled_invoice_unsent');
  if (invoice.deliveryStatus !== 'FAILED') throw new AppError('delivery_not_failed');
  const made = await findMade(trx, invoice);
  const deliveryType = made.at(-1)?.deliveryType ?? invoice.deliveryType;
  return plan(context, trx, invoice, { deliveryType, recipient: null, made, byHand });
}

/** The deliveries of an invoice so far, oldest first. */
async function findMade(
  trx: Trx,
  { companyId, id }: InvoiceRow,
): Promise<readonly ListedDelivery[]> {
  return (await findDeliveries(trx, companyId, [id])).get(id) ?? [];
}

interface Wish {
  readonly deliveryType: DeliveryType;
  /** Where to; null for where the customer is reached. */
  readonly recipient: string | null;
  readonly made: readonly ListedDelivery[];
  readonly byHand: boolean;
}

/**
 * A manual resend overrides the stop reason, and sends again what was sent before.
 *
 * @throws AppError delivery_type_unavailable, and what its carrier says
 */
async function plan(
  { config }: Pick<Context, 'config'>,
  trx: Trx,
  invoice: InvoiceRow,
  { deliveryType, recipient: wished, made, byHand }: Wish,
): Promise<Planned> {
  const { id: invoiceId, companyId } = invoice;
  if (!sentTypes(config).includes(deliveryType)) {
    throw new AppError('delivery_type_unavailable', { subject: deliveryType });
  }
  const carrier = carrierOf(deliveryType);
  const arrivals = await findArrivals(trx, [companyId], [invoice]);
  const arrival = arrivals.get(invoice.creditsInvoiceId ?? 0);
  const recipient = wished ?? (await findRecipient(trx, carrier, invoice, arrival));
  if (!recipient) throw new AppError(carrier.withoutAddress);
  const [obstacle] = await carrier.findObstacles(trx, [{ companyId, recipient }]);
  if (obstacle) throw new AppError(obstacle.code);
  const verdict = judge(invoice, arrival, UNTRIED);
  const isAgain = made.some((one) => one.deliveryType === deliveryType && one.status !== 'FAILED');
  const forced = isAgain || (byHand && (verdict === 'PAID' || verdict === 'CANCELLED'));
  return { companyId, invoiceId, deliveryType, recipient, stoppedBy: null, forced };
}

/**
 * Where a document goes that is sent again: a credit note to where its invoice arrived, unless it was
 * refused there; all else to the customer's address as it is now, since a wrong address is what most
 * deliveries fail of, and to the frozen one when the customer was deleted or the document names it.
 */
async function findRecipient(
  trx: Trx,
  carrier: Carrier,
  { companyId, id, customerId, buyer }: InvoiceRow,
  arrival: Arrival | undefined,
): Promise<string | null> {
  if (arrival?.deliveryType === carrier.type) {
    const { recipient } = arrival;
    const refused = await repository.wasRefused(trx, { companyId, invoiceId: id, recipient });
    if (!refused) return recipient;
  }
  const followed = carrier.isAddressInDocument || customerId === null ? [] : [customerId];
  const [customer] = (await findCustomersByIds(trx, companyId, followed)).values();
  return (customer && carrier.addressOf(customer)) ?? carrier.addressOf(buyer);
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
  const findMade = async () =>
    (await findReminderDeliveries(trx, companyId, [invoiceId])).get(documentId) ?? [];
  const made = await findMade();
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
  const latest = (await findMade()).at(-1);
  if (!latest) throw new Error(`Document ${documentId} has no delivery`);
  return latest;
}
