import { randomUUID } from 'node:crypto';

import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import type { Ore } from '../../domain/money.ts';
import { findEmailOfAccount } from '../account/account.service.ts';
import type { Actor, Context } from '../context.ts';
import { carrierOf, sentTypes } from './carriers-in-use.service.ts';
import { findArrivals, judge, stoppedReason, UNTRIED } from './delivery-order.service.ts';
import { recordStopped, recordMade } from './delivery-record.service.ts';
import * as repository from './delivery.repository.ts';
import type { DeliveryRow } from './delivery.rows.ts';
import { findDocumentIds } from '../document/document.service.ts';
import {
  findUndelivered,
  findUndeliveredCompanies,
  lockUndelivered,
  staffAuthor,
  SYSTEM,
  type Undelivered,
} from '../invoice/invoice.service.ts';
import type { Trx, Db } from '../platform/db/database.ts';
import { analyzeAfterBulk } from '../platform/db/upkeep.ts';
import { dispatchJob } from '../platform/jobs/jobs.ts';
import { tryEach } from '../platform/limits/try-each.ts';

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
  const invoices = await lockUndelivered(trx, companyId, { deliveryTypes, most: BATCH });
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
  const undelivered = await findUndelivered(trx, companyId, { deliveryTypes, ids });
  const planned = await plan(trx, undelivered, deliveryTypes);
  const stopped = planned.filter(({ stoppedBy }) => stoppedBy !== null);
  if (stopped.length > 0) await makeDeliveries(context, trx, stopped, author);
}

/** A delivery before it has a name. */
export interface Planned extends Pick<
  repository.NewDelivery,
  'companyId' | 'invoiceId' | 'deliveryType' | 'recipient' | 'stoppedBy' | 'forced'
> {
  /** Why it fails before it begins, as one without an address does. */
  readonly failureReason?: string | null;
  /** The reminder that it brings; the invoice itself when absent. */
  readonly reminder?: { readonly documentId: number; readonly principal: Ore };
}

/**
 * Makes deliveries and, in the same transaction, a job for each that may go today. Those that are not to
 * be sent, or may not go where they should, fail at once.
 */
export async function makeDeliveries(
  context: Context,
  trx: Trx,
  planned: readonly Planned[],
  author: HistoryAuthor,
): Promise<void> {
  const made = await recordMade(trx, await nameDeliveries(context, trx, planned), author);
  const queued = made.filter(({ status }) => status === 'QUEUED');
  await enqueueDeliveries(context, trx, await allotToday(context, trx, queued));
}

/** Deliveries as they are inserted: with their documents and names, and why some fail at once. */
export async function nameDeliveries(
  { config }: Pick<Context, 'config'>,
  trx: Trx,
  planned: readonly Planned[],
): Promise<repository.NewDelivery[]> {
  const own = planned.filter(({ reminder }) => !reminder);
  const documents = await findDocumentIds(trx, own);
  const ofTypes = Map.groupBy(planned, ({ deliveryType }) => deliveryType);
  const reasons = new Map<Planned | undefined, string>();
  for (const [type, some] of ofTypes) {
    const obstacles = await carrierOf(type).findObstacles(trx, some);
    some.forEach((delivery, index) => {
      const obstacle = obstacles[index];
      if (obstacle) reasons.set(delivery, obstacle.reason);
    });
  }
  return planned.map(({ reminder, ...delivery }, index) => {
    const { deliveryType, stoppedBy, invoiceId } = delivery;
    const documentId = reminder?.documentId ?? documents.get(invoiceId);
    if (documentId === undefined) throw new Error(`Invoice ${invoiceId} has no document`);
    const uuid = randomUUID();
    const refused = delivery.failureReason ?? reasons.get(planned[index]) ?? null;
    return {
      ...delivery,
      documentId,
      reminderPrincipal: reminder?.principal ?? null,
      uuid,
      carrierKey: carrierOf(deliveryType).keyOf(config, { companyId: delivery.companyId, uuid }),
      failureReason: stoppedBy ? stoppedReason(stoppedBy, false) : refused,
    };
  });
}

type Waiting = Pick<DeliveryRow, 'id' | 'companyId' | 'recipient' | 'deliveryType'>;

/** Which of these may go today, as their carriers say; the others are put off. */
export async function allotToday(
  context: Pick<Context, 'config'>,
  trx: Trx,
  deliveries: readonly Waiting[],
): Promise<Waiting[]> {
  const allotted = new Set<number>();
  for (const [type, own] of Map.groupBy(deliveries, ({ deliveryType }) => deliveryType)) {
    const carrier = carrierOf(type);
    const free = carrier.allotToday ? await carrier.allotToday(context, trx, own) : own;
    for (const { id } of free) allotted.add(id);
  }
  return deliveries.filter(({ id }) => allotted.has(id));
}

/**
 * Adds jobs for deliveries that are there already. Companies take turns: the job goes first that has
 * the fewest deliveries of its own company before it. So one invoice passes a mailing of thousands,
 * and two mailings share what there is.
 *
 * @returns how many had no job
 */
export async function enqueueDeliveries(
  { config, jobs }: Pick<Context, 'config' | 'jobs'>,
  db: Db,
  deliveries: readonly Pick<DeliveryRow, 'id' | 'companyId' | 'deliveryType'>[],
): Promise<number> {
  const ofCompanies = Map.groupBy(deliveries, ({ companyId }) => companyId);
  const queued = await repository.countQueued(db, [...ofCompanies.keys()]);
  const items = [...ofCompanies].flatMap(([companyId, own]) => {
    const before = Math.max(0, (queued.get(companyId) ?? 0) - own.length);
    return own.map(({ id, deliveryType }, index) => {
      const carrier = carrierOf(deliveryType);
      const { firstWait, longestWait } = carrier.limits(config);
      return {
        carrier,
        payload: { companyId, deliveryId: id },
        key: String(id),
        priority: -(before + index),
        waits: { first: firstWait, longest: longestWait },
      };
    });
  });
  let added = 0;
  for (const [{ job }, own] of Map.groupBy(items, ({ carrier }) => carrier)) {
    added += await jobs.enqueueAll(db, job, own);
  }
  return added;
}
