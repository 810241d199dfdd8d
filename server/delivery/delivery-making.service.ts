import { randomUUID } from 'node:crypto';

import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import type { Ore } from '../../domain/money.ts';
import type { Context } from '../context.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { findDocumentIds } from '../document/document.service.ts';
import type { Carrier } from './carrier.ts';
import { CARRIERS } from './carrier-list.ts';
import { stoppedReason } from './delivery-order.service.ts';
import { recordMade } from './delivery-record.service.ts';
import * as repository from './delivery.repository.ts';
import type { DeliveryRow } from './delivery.rows.ts';

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

/** The carrier of this type. @throws Error when nothing does */
export function carrierOf(type: DeliveryType): Carrier {
  const carrier = CARRIERS.find((other) => other.type === type);
  if (!carrier) throw new Error(`Nothing is sent as ${type}`);
  return carrier;
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
