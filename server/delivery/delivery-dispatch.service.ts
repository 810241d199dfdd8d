import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import type { Actor, Context } from '../context.ts';
import type { Trx } from '../platform/db/database.ts';
import { analyzeAfterBulk } from '../platform/db/upkeep.ts';
import { staffAuthor, SYSTEM } from '../invoice/history.service.ts';
import {
  findUndelivered,
  findUndeliveredCompanies,
  findUndeliveredAmong,
  type Undelivered,
} from '../invoice/invoice-standing.service.ts';
import { dispatchJob } from '../platform/jobs/jobs.ts';
import { findEmailOfAccount } from '../account/account.service.ts';
import { tryEach } from '../platform/limits/try-each.ts';
import { sentTypes } from './deliverability.service.ts';
import { carrierOf, makeDeliveries, type Planned } from './delivery-making.service.ts';
import { findArrivals, judge, stoppedReason, UNTRIED } from './delivery-order.service.ts';
import { recordStopped } from './delivery-record.service.ts';

/** Deliveries made in one transaction, which is of one company. */
const BATCH = 500;
const WITHOUT_ADDRESS = 'Kunden mangler adressen som fakturaen skal til';

/**
 * Has every registered, unsent invoice of every company sent, and what credits such an invoice that
 * was sent. Doing it twice sends nothing twice.
 */
export async function sendAll(context: Context, { accountId }: Actor): Promise<void> {
  await context.jobs.enqueue(context.db, dispatchJob, { companyId: null, staffId: accountId });
}

/**
 * Makes a delivery for every registered invoice that is to be sent and has none, in the order of their numbers,
 * and a job for what may go; of one company or, with null, of all. Runs in batches, each of
 * them whole or not at all. A company whose batch fails keeps none of the others from theirs.
 */
export async function dispatch(
  context: Context,
  { companyId, staffId }: { readonly companyId: number | null; readonly staffId?: number },
  signal: AbortSignal,
): Promise<void> {
  const author =
    staffId === undefined ? SYSTEM : staffAuthor(await findEmailOfAccount(context.db, staffId));
  const companyIds =
    companyId === null
      ? await findUndeliveredCompanies(context.db, sentTypes(context.config))
      : [companyId];
  await tryEach(companyIds, async (id) => dispatchCompany(context, id, author, signal));
}

async function dispatchCompany(
  context: Context,
  companyId: number,
  author: HistoryAuthor,
  signal: AbortSignal,
): Promise<void> {
  for (let before = 0; ;) {
    signal.throwIfAborted();
    const made = await context.db
      .transaction()
      .execute(async (trx) => dispatchBatch(context, trx, companyId, author));
    // The first batch comes upon all that was registered at once, the last upon all deliveries.
    if (before === 0) await analyzeAfterBulk(context, made);
    else if (made < BATCH) await analyzeAfterBulk(context, before);
    if (made < BATCH) return;
    before += made;
  }
}

async function dispatchBatch(
  context: Context,
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
): Promise<number> {
  const deliveryTypes = sentTypes(context.config);
  const invoices = await findUndelivered(trx, companyId, { deliveryTypes, most: BATCH });
  if (invoices.length > 0) {
    await makeDeliveries(context, trx, await plan(trx, invoices, deliveryTypes), author);
  }
  return invoices.length;
}

/** Where undelivered invoices go, or why they do not. */
async function plan(
  trx: Trx,
  invoices: readonly Undelivered[],
  deliveryTypes: readonly DeliveryType[],
): Promise<Planned[]> {
  const companyIds = [...new Set(invoices.map(({ companyId }) => companyId))];
  const arrivals = await findArrivals(trx, companyIds, invoices);
  return invoices.map((invoice) => {
    const arrival = arrivals.get(invoice.creditsInvoiceId ?? 0);
    const verdict = judge(invoice, arrival, UNTRIED);
    // A credit note goes as its invoice went, and where, unless nothing is sent that way any more.
    const way = arrival && deliveryTypes.includes(arrival.deliveryType) ? arrival : undefined;
    const recipient = way?.recipient ?? addressOf(invoice);
    return {
      companyId: invoice.companyId,
      invoiceId: invoice.invoiceId,
      deliveryType: way?.deliveryType ?? invoice.deliveryType,
      recipient: recipient ?? '',
      failureReason: recipient === null ? WITHOUT_ADDRESS : null,
      stoppedBy: verdict === 'SEND' || verdict === 'WAIT' ? null : verdict,
      forced: false,
    };
  });
}

/**
 * The address that was frozen with an invoice. Registering has seen that there is one, but of a credit
 * note whose invoice went to an address that was typed: it is stopped when that did not arrive.
 */
function addressOf({ deliveryType, buyer }: Undelivered): string | null {
  return carrierOf(deliveryType).addressOf(buyer) || null;
}

interface Cancellation {
  readonly companyId: number;
  readonly invoiceId: number;
  readonly noteId: number;
  readonly author: HistoryAuthor;
}

/**
 * Stops, in the transaction that cancels an invoice, what of it and its credit note is not to be
 * mailed any more. What is being mailed, or waits for that, stays.
 */
export async function stopCancelled(
  context: Context,
  trx: Trx,
  { companyId, invoiceId, noteId, author }: Cancellation,
): Promise<void> {
  const stoppedBy = 'CANCELLED';
  const failure = { failureReason: stoppedReason(stoppedBy, false), stoppedBy } as const;
  await recordStopped(trx, { companyId, invoiceId }, failure, author);
  const deliveryTypes = sentTypes(context.config);
  const ids = [invoiceId, noteId];
  const undelivered = await findUndeliveredAmong(trx, companyId, { deliveryTypes, ids });
  const planned = await plan(trx, undelivered, deliveryTypes);
  const stopped = planned.filter(({ stoppedBy }) => stoppedBy !== null);
  if (stopped.length > 0) await makeDeliveries(context, trx, stopped, author);
}
