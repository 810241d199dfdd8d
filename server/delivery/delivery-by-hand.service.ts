import type {
  Delivery,
  DeliveryBody,
  DeliveryType,
} from '../../domain/delivery/delivery.schema.ts';
import { amountDue } from '../../domain/invoice/claim.ts';
import type { Ore } from '../../domain/money.ts';
import { lockCompany } from '../company/profile.repository.ts';
import { authorOf, staffAuthor } from '../invoice/history.repository.ts';
import { lockInvoice, lockInvoiceById } from '../invoice/invoice.repository.ts';
import type { Actor, Context } from '../context.ts';
import { findCustomersByIds } from '../customer/customer.repository.ts';
import type { Carrier } from './carrier.ts';
import { carrierOf, sentTypes } from './carriers-in-use.service.ts';
import { leaveToHousekeeping } from './waiting-deliveries.repository.ts';
import { makeDeliveries, nameDeliveries, type Planned } from './delivery-making.service.ts';
import { findArrivals, judge, UNTRIED, judgeReminder } from './delivery-order.service.ts';
import { recordMade } from './delivery-record.service.ts';
import * as repository from './delivery.repository.ts';
import {
  findDeliveries,
  findReminderDeliveries,
  type Arrival,
  type Failed,
  type FailedFilter,
} from './delivery.repository.ts';
import { settleUnreached } from './delivery-addresses.repository.ts';
import {
  addressesOf,
  isUnconfirmed,
  presentDelivery,
  remainingOf,
  type ListedDelivery,
} from './delivery.rows.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import type { Trx } from '../platform/db/database.ts';
import { countAgainst } from '../platform/limits/rate-limit.ts';

const BATCH = 500;
/** Manual deliveries of one document per hour (DEL-9). */
const BY_HAND_AN_HOUR = 5;
const HOUR = 3600;

/**
 * Sends an invoice again whose delivery failed or was stopped, or to those of its addresses that failed. The document is
 * the registered one, with the same bytes.
 *
 * @throws AppError not_found, cancelled_invoice_unsent, delivery_not_failed, delivery_under_way,
 * delivery_type_unavailable, too_many_requests, and the refusals of its carrier
 */
export async function resend(context: Context, actor: Actor, uuid: string): Promise<void> {
  const { companyId } = actor;
  await context.db.transaction().execute(async (trx) => {
    const invoice = await lockInvoice(trx, companyId, uuid);
    const planned = await planAgain(context, trx, { invoice, byHand: true });
    if (!planned) return;
    await allowByHand(trx, companyId, `${planned.invoiceId}`);
    await makeDeliveries(context, trx, [planned], authorOf(actor));
  });
}

interface Requeued {
  readonly requeued: number;
  /** The deliveries that were not sent again, counted by reason. */
  readonly left: ReadonlyMap<ErrorCode, number>;
}

/**
 * Sends invoices again whose last delivery failed, like 'Send på nytt' for each. Housekeeping adds their jobs, since an
 * operator's command has no queue.
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

/** Returns the reason why it is not sent again, or null. */
async function requeue(
  context: Pick<Context, 'config' | 'db'>,
  { companyId, invoiceId }: Failed,
): Promise<ErrorCode | null> {
  try {
    await context.db.transaction().execute(async (trx) => {
      const invoice = await lockInvoiceById(trx, companyId, invoiceId);
      const planned = await planAgain(context, trx, { invoice, byHand: false });
      if (!planned) return;
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
 * Sends a registered invoice by hand, for the first time or again, and returns its id.
 *
 * @throws AppError not_found, draft_unsent, cancelled_invoice_unsent, delivery_under_way,
 * delivery_type_unavailable, too_many_requests, and the refusals of its carrier
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

/** Whether this delivery prevents another of the same document. An EHF that may never be confirmed does not. */
function isInTheWay(made: ListedDelivery, deliveryType: DeliveryType): boolean {
  return isOpen(made) && (made.deliveryType === deliveryType || !isUnconfirmed(made));
}

function isOpen(made: ListedDelivery): boolean {
  return remainingOf(made).length > 0;
}

/** Counts manual deliveries of one document. @throws AppError too_many_requests */
async function allowByHand(trx: Trx, companyId: number, document: string): Promise<void> {
  const key = `delivery-by-hand:${companyId}:${document}`;
  await countAgainst(trx, { key, most: BY_HAND_AN_HOUR, seconds: HOUR });
}

/**
 * Plans another delivery by the same carrier, after the last one failed or was stopped, or failed at an address. Null
 * when the customer's addresses have it by now, which puts the others right. The caller holds the invoice.
 *
 * @throws AppError not_found, cancelled_invoice_unsent, delivery_not_failed, delivery_under_way,
 * delivery_type_unavailable, and the refusals of its carrier
 */
async function planAgain(
  context: Pick<Context, 'config'>,
  trx: Trx,
  { invoice, byHand }: { readonly invoice: InvoiceRow; readonly byHand: boolean },
): Promise<Planned | null> {
  if (invoice.status === 'CANCELLED') throw new AppError('cancelled_invoice_unsent');
  const made = await findMade(trx, invoice);
  const latest = made.at(-1);
  if (invoice.deliveryStatus !== 'FAILED') {
    if (!latest || latest.unreached.length === 0) throw new AppError('delivery_not_failed');
    if (isOpen(latest)) throw new AppError('delivery_under_way');
  }
  const deliveryType = latest?.deliveryType ?? invoice.deliveryType;
  const planned = await plan(context, trx, invoice, {
    deliveryType,
    recipient: null,
    made,
    byHand,
  });
  const again =
    latest && carrierOf(deliveryType).copiesOf ? withoutReached(planned, made) : planned;
  if (latest && !again) await settleUnreached(trx, invoice.companyId, latest.uuid);
  return again;
}

/**
 * A delivery to those of its addresses alone that did not get an earlier one (DEL-23); null when there are none. An
 * address that another was typed for is left out.
 */
function withoutReached(planned: Planned, made: readonly ListedDelivery[]): Planned | null {
  const latest = made.at(-1);
  const open = new Set(latest && missedBy(latest));
  const states = made.flatMap((one) => presentDelivery(one).recipients);
  const were = (status: Delivery['status']) =>
    new Set(states.flatMap((one) => (one.status === status ? [one.address.toLowerCase()] : [])));
  const [reached, failed] = [were('SENT'), were('FAILED')];
  const isReached = (address: string) => reached.has(address.toLowerCase());
  const addresses = [planned.recipient, ...(planned.copies ?? [])];
  const remaining = addresses.filter(
    (address) =>
      !isReached(address) &&
      (latest?.status === 'FAILED' || open.has(address) || !failed.has(address.toLowerCase())),
  );
  const sentTime = made.findLast(({ status }) => status === 'SENT')?.sentTime;
  if (!sentTime || !addresses.some(isReached)) return planned;
  if (remaining.length === 0) return latest?.status === 'FAILED' ? planned : null;
  const [recipient = '', ...copies] = addresses.filter(
    (address) => isReached(address) || remaining.includes(address),
  );
  return { ...planned, recipient, copies, forced: true, part: { remaining, sentTime } };
}

/** The addresses that failed for good, by this delivery or before, and were not put right. */
function missedBy(delivery: ListedDelivery): readonly string[] {
  const { status, stoppedBy, unreached } = delivery;
  const isFailed = status === 'FAILED' && stoppedBy === null;
  return isFailed ? [...new Set([...addressesOf(delivery), ...unreached])] : unreached;
}

/** The addresses that stay missed after a delivery to one that was typed: it is one of them, or stands for the first. */
function missedAfter(made: readonly ListedDelivery[], typed: string): readonly string[] {
  const latest = made.at(-1);
  const missed = latest ? missedBy(latest) : [];
  const isTyped = (address: string) => address.toLowerCase() === typed.toLowerCase();
  if (missed.some(isTyped)) return missed.filter((address) => !isTyped(address));
  const hasIt = made.some((one) =>
    presentDelivery(one).recipients.some((each) => each.status === 'SENT' && isTyped(each.address)),
  );
  return hasIt ? missed : missed.slice(1);
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
  /** The address; null for the customer's own. */
  readonly recipient: string | null;
  readonly made: readonly ListedDelivery[];
  readonly byHand: boolean;
}

/**
 * A manual resend overrides the stop reason, and an earlier delivery.
 *
 * @throws AppError delivery_type_unavailable, and the refusals of its carrier
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
  const to = await requireRecipient(trx, carrier, invoice, { wished, arrival });
  const verdict = judge(invoice, arrival, UNTRIED);
  const isAgain = made.some((one) => one.deliveryType === deliveryType && one.status !== 'FAILED');
  const forced = isAgain || (byHand && (verdict === 'PAID' || verdict === 'CANCELLED'));
  const unreached = wished === null || !carrier.copiesOf ? [] : missedAfter(made, wished);
  return { companyId, invoiceId, deliveryType, ...to, stoppedBy: null, forced, unreached };
}

interface Recipients {
  readonly recipient: string;
  readonly copies: readonly string[];
}

/** The addresses for a document, which its carrier accepts; a typed one is the only one. @throws AppError the refusals of its carrier */
async function requireRecipient(
  trx: Trx,
  carrier: Carrier,
  invoice: InvoiceRow,
  { wished, arrival }: { readonly wished: string | null; readonly arrival: Arrival | undefined },
): Promise<Recipients> {
  const { recipient, copies } =
    wished === null
      ? await findRecipients(trx, carrier, invoice, arrival)
      : { recipient: wished, copies: [] };
  if (!recipient) throw new AppError(carrier.withoutAddress);
  const { companyId } = invoice;
  const [obstacle] = await carrier.findObstacles(trx, [{ companyId, recipient, copies }]);
  if (obstacle) throw new AppError(obstacle.code);
  return { recipient, copies };
}

/**
 * The address for a resent document. A credit note goes to the address where its invoice arrived, unless it was refused
 * there. Other documents go to the customer's current address, since most deliveries fail because of a wrong one; to
 * the frozen address when the customer was deleted or the document names it.
 */
async function findRecipients(
  trx: Trx,
  carrier: Carrier,
  { companyId, id, customerId, buyer }: InvoiceRow,
  arrival: Arrival | undefined,
): Promise<Pick<Recipients, 'copies'> & { readonly recipient: string | null }> {
  if (arrival?.deliveryType === carrier.type) {
    const { recipient, copies } = arrival;
    const refused = await repository.wasRefused(trx, { companyId, invoiceId: id, recipient });
    if (!refused) return { recipient, copies };
  }
  const followed = carrier.isAddressInDocument || customerId === null ? [] : [customerId];
  const [customer] = (await findCustomersByIds(trx, companyId, followed)).values();
  const own = customer && carrier.addressOf(customer) ? customer : buyer;
  return { recipient: carrier.addressOf(own), copies: carrier.copiesOf?.(own) ?? [] };
}

interface WantedReminder {
  readonly invoiceId: number;
  readonly documentId: number;
  readonly principal: Ore;
  /** The address; null for the customer's own. */
  readonly recipient: string | null;
}

/**
 * Sends an existing reminder by e-mail, for the first time or again, as long as it states the amount due.
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
  if (made.some(isOpen)) throw new AppError('delivery_under_way');
  const isAgain = made.some(({ status }) => status !== 'FAILED');
  const verdict = judgeReminder({ ...invoice, amountDue: amountDue(invoice) }, principal);
  if (verdict === 'DISPUTED') throw new AppError('invoice_disputed');
  if (verdict !== 'SEND') throw new AppError('reminder_outdated');
  const carrier = carrierOf('EMAIL');
  const to = await requireRecipient(trx, carrier, invoice, { wished, arrival: undefined });
  await allowByHand(trx, companyId, `reminder:${documentId}`);
  const planned = { companyId, invoiceId, deliveryType: 'EMAIL', ...to } as const;
  const reminder = { documentId, principal };
  const added = { ...planned, reminder, forced: isAgain, stoppedBy: null };
  await makeDeliveries(context, trx, [added], authorOf(actor));
  const latest = (await findMade()).at(-1);
  if (!latest) throw new Error(`Document ${documentId} has no delivery`);
  return latest;
}
