import type { Actor, Context } from '../context.ts';
import { findCustomersByIds } from '../customer/customer.service.ts';
import type { Trx } from '../db/database.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import { authorOf, staffAuthor } from '../history/history.service.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import { lockInvoice, lockInvoiceById } from '../invoice/invoice.service.ts';
import type { Carrier } from './carrier.ts';
import { leaveToHousekeeping } from './deferral.repository.ts';
import {
  carrierOf,
  makeDeliveries,
  nameDeliveries,
  type Planned,
} from './delivery-making.service.ts';
import { wasRefused, type Arrival } from './delivery-order.repository.ts';
import { findArrivals, judge } from './delivery-order.service.ts';
import { recordMade } from './delivery-record.service.ts';
import * as repository from './delivery.repository.ts';
import type { Failed, FailedFilter } from './delivery.repository.ts';

const BATCH = 500;

/**
 * Sends an invoice whose delivery failed, or was stopped, once more. The document is the one that was
 * registered, byte for byte where it was rendered before.
 *
 * @throws AppError not_found, cancelled_invoice_unsent, delivery_not_failed, and what its carrier says
 */
export async function resend(context: Context, actor: Actor, uuid: string): Promise<void> {
  const { companyId } = actor;
  await context.db.transaction().execute(async (trx) => {
    const invoice = await lockInvoice(trx, companyId, uuid);
    const planned = await planAgain(trx, companyId, { invoice, byHand: true });
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
      const planned = await planAgain(trx, companyId, { invoice, byHand: false });
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
 * Another delivery of an invoice, which the caller holds, when its last one failed or was stopped. What
 * somebody asks for by hand who has seen why it was stopped is not stopped for that again.
 *
 * @throws AppError not_found, cancelled_invoice_unsent, delivery_not_failed, and what its carrier says
 */
async function planAgain(
  trx: Trx,
  companyId: number,
  { invoice, byHand }: { readonly invoice: InvoiceRow | null; readonly byHand: boolean },
): Promise<Planned> {
  if (!invoice) throw new AppError('not_found');
  if (invoice.status === 'CANCELLED') throw new AppError('cancelled_invoice_unsent');
  if (invoice.deliveryStatus !== 'FAILED') throw new AppError('delivery_not_failed');
  const { id: invoiceId, deliveryType } = invoice;
  const carrier = carrierOf(deliveryType);
  const arrivals = await findArrivals(trx, [companyId], [invoice]);
  const arrival = arrivals.get(invoice.creditsInvoiceId ?? 0);
  const recipient = await findRecipient(trx, carrier, invoice, arrival);
  if (!recipient) throw new AppError(carrier.withoutAddress);
  const [obstacle] = await carrier.findObstacles(trx, [{ companyId, recipient }]);
  if (obstacle) throw new AppError(obstacle.code);
  const verdict = judge(invoice, arrival, { forced: false, mayHaveArrived: false });
  const forced = byHand && (verdict === 'PAID' || verdict === 'CANCELLED');
  return { companyId, invoiceId, deliveryType, recipient, stoppedBy: null, forced };
}

/**
 * Where a document goes that is sent again: a credit note to where its invoice arrived, unless it was
 * refused there; all else to the customer's address as it is now, since a wrong address is what most
 * deliveries fail of, and to the frozen one when the customer was deleted.
 */
async function findRecipient(
  trx: Trx,
  carrier: Carrier,
  { companyId, id, customerId, buyer }: InvoiceRow,
  arrival: Arrival | undefined,
): Promise<string | null> {
  if (arrival) {
    const { recipient } = arrival;
    const refused = await wasRefused(trx, { companyId, invoiceId: id, recipient });
    if (!refused) return recipient;
  }
  const customers = await findCustomersByIds(trx, companyId, customerId ? [customerId] : []);
  const customer = customers.get(customerId ?? 0);
  return (customer && carrier.addressOf(customer)) ?? (buyer && carrier.addressOf(buyer));
}
