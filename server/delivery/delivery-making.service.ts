import { randomUUID } from 'node:crypto';

import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import type { Ore } from '../../domain/money.ts';
import { findOpen } from '../company/company-state.repository.ts';
import { findEmailOfAccount } from '../account/account.repository.ts';
import {
  findUndelivered,
  findUndeliveredCompanies,
  lockUndelivered,
  type Undelivered,
} from '../invoice/undelivered.repository.ts';
import { staffAuthor, SYSTEM } from '../invoice/history.repository.ts';
import type { Caller, Context } from '../context.ts';
import { carrierOf, sentTypes } from './carriers-in-use.service.ts';
import { findArrivals, judge, stoppedReason, UNTRIED } from './delivery-order.service.ts';
import { recordFailed, recordMade } from './delivery-record.service.ts';
import { stopUnsent } from './delivery-try.repository.ts';
import * as repository from './delivery.repository.ts';
import type { DeliveryRow } from './delivery.rows.ts';
import { findDocumentIds } from '../document/document.repository.ts';
import type { Trx, Db } from '../platform/db/database.ts';
import { analyzeAfterBulk } from '../platform/db/upkeep.ts';
import { dispatchJob } from '../platform/jobs/jobs.ts';
import { tryEach } from '../platform/jobs/job.ts';

/** Deliveries made in one transaction, which is of one company. */
const BATCH = 500;
const WITHOUT_ADDRESS = 'Kunden mangler adressen som fakturaen skal til';

/** Queues the sending of every registered, unsent invoice and credit note of all companies. Repeating it sends nothing twice. */
export async function sendAll(context: Context, { accountId }: Caller): Promise<void> {
  await context.jobs.enqueue(context.db, dispatchJob, { companyId: null, staffId: accountId });
}

/**
 * Makes a delivery for every registered invoice that must be sent and has none, in the order of their numbers, with a
 * job for each that may leave today; of one company or, with null, of all. Each batch is a transaction. A company whose
 * batch fails does not stop the others.
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
      ? await findOpen(
          context.db,
          await findUndeliveredCompanies(context.db, sentTypes(context.config)),
        )
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
    // The first batch follows a large registration; the last one has added many deliveries.
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

/** The destination of each undelivered invoice, or the reason not to send it. */
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
    // A credit note takes the way of its invoice, unless that way is no longer in use.
    const way = arrival && deliveryTypes.includes(arrival.deliveryType) ? arrival : undefined;
    const recipient = way?.recipient ?? addressOf(invoice);
    return {
      companyId: invoice.companyId,
      invoiceId: invoice.invoiceId,
      deliveryType: way?.deliveryType ?? invoice.deliveryType,
      recipient: recipient ?? '',
      copies: way?.copies ?? copiesOf(invoice),
      failureReason: recipient === null ? WITHOUT_ADDRESS : null,
      stoppedBy: verdict === 'SEND' || verdict === 'WAIT' ? null : verdict,
      forced: false,
    };
  });
}

/**
 * The address frozen with an invoice. Registering requires one, except for a credit note whose invoice went to a typed
 * address; the credit note is stopped when that invoice did not arrive.
 */
function addressOf({ deliveryType, buyer }: Undelivered): string | null {
  return carrierOf(deliveryType).addressOf(buyer) || null;
}

function copiesOf({ deliveryType, buyer }: Undelivered): readonly string[] {
  return carrierOf(deliveryType).copiesOf?.(buyer) ?? [];
}

interface Cancellation {
  readonly companyId: number;
  readonly invoiceId: number;
  readonly noteId: number;
  readonly author: HistoryAuthor;
}

/**
 * Stops the deliveries of a cancelled invoice and of its credit note that must not leave any more, in the transaction
 * that cancels it. A delivery that is being sent stays, and so does a credit note that waits for it.
 */
export async function stopCancelled(
  context: Context,
  trx: Trx,
  { companyId, invoiceId, noteId, author }: Cancellation,
): Promise<void> {
  const stoppedBy = 'CANCELLED';
  const failure = { failureReason: stoppedReason(stoppedBy, false), stoppedBy } as const;
  const unsent = await stopUnsent(trx, { companyId, invoiceId }, failure);
  await recordFailed(trx, unsent, failure, author);
  const deliveryTypes = sentTypes(context.config);
  const ids = [invoiceId, noteId];
  const undelivered = await findUndelivered(trx, companyId, { deliveryTypes, ids });
  const planned = await plan(trx, undelivered, deliveryTypes);
  const stopped = planned.filter(({ stoppedBy }) => stoppedBy !== null);
  if (stopped.length > 0) await makeDeliveries(context, trx, stopped, author);
}

/** A delivery to make, before it has a document and a uuid. */
export interface Planned extends Pick<
  repository.NewDelivery,
  'companyId' | 'invoiceId' | 'deliveryType' | 'recipient' | 'stoppedBy' | 'forced'
> {
  /** The further addresses of the same mail; none when absent. */
  readonly copies?: readonly string[];
  /** The reason why it fails at once, such as a missing address. */
  readonly failureReason?: string | null;
  /** The reminder that it brings; the invoice itself when absent. */
  readonly reminder?: { readonly documentId: number; readonly principal: Ore };
  /** The addresses of an earlier delivery that failed and stay so; none when absent. */
  readonly unreached?: readonly string[];
  readonly part?: repository.NewDelivery['part'];
}

/**
 * Makes deliveries and, in the same transaction, a job for each that may leave today. A delivery that must not be sent,
 * or whose address is refused, fails at once.
 */
export async function makeDeliveries(
  context: Context,
  trx: Trx,
  planned: readonly Planned[],
  author: HistoryAuthor,
): Promise<void> {
  const made = await recordMade(trx, await nameDeliveries(context, trx, planned), author);
  const queued = made.filter(({ status }) => status !== 'FAILED');
  await enqueueDeliveries(context, trx, await allotToday(context, trx, queued));
}

/** Completes deliveries with their documents and uuids, and with the reasons why some fail at once. */
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
      copies: [...(delivery.copies ?? [])],
      unreached: [...(delivery.unreached ?? [])],
      documentId,
      reminderPrincipal: reminder?.principal ?? null,
      uuid,
      carrierKey: carrierOf(deliveryType).keyOf(config, { companyId: delivery.companyId, uuid }),
      failureReason: stoppedBy ? stoppedReason(stoppedBy, false) : refused,
    };
  });
}

type Waiting = Pick<DeliveryRow, 'id' | 'companyId' | 'recipient' | 'copies' | 'deliveryType'>;

/** Returns the deliveries that may leave today; their carriers defer the others. */
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
 * Adds jobs for existing deliveries. Companies take turns: the job with the fewest earlier deliveries of its own company
 * runs first. So a single invoice overtakes a mailing of thousands, and two mailings share the capacity.
 *
 * @returns the number of deliveries that had no job
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
