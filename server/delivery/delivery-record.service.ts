import { setTimeout as sleep } from 'node:timers/promises';

import type { RefusedAddress } from '../../domain/delivery/delivery.schema.ts';
import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import type { Context } from '../context.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { recordEvents, SYSTEM } from '../invoice/history.repository.ts';
import { tryEach, TryLater } from '../platform/jobs/job.ts';
import type { Answer, Carrier, CarrierLimits, Obstacle, Trouble } from './carrier.ts';
import * as addresses from './delivery-addresses.repository.ts';
import type { AddressedRow } from './delivery-addresses.repository.ts';
import * as tries from './delivery-try.repository.ts';
import type { Lease } from './delivery-try.repository.ts';
import { judgeDelivery, stoppedReason, type Verdict } from './delivery-order.service.ts';
import { insertDeliveries, type Made, type NewDelivery } from './delivery.repository.ts';
import {
  addressesOf,
  narrowed,
  remainingOf,
  toEvent,
  toFailed,
  type DeliveryId,
  type Failure,
  type HistoryRow,
} from './delivery.rows.ts';

/** How long recording an accepted delivery is retried (milliseconds). */
const RECORDING_LIMIT = 10 * 60_000;
const LONGEST_PAUSE = 2_000;
export const NO_OUTCOME_REASON = 'Vi har ikke fått vite om fakturaen kom fram';

/** Adds deliveries, some of which fail at once, and their events. */
export async function recordMade(
  trx: Trx,
  deliveries: readonly NewDelivery[],
  author: HistoryAuthor,
): Promise<Made[]> {
  const made = await insertDeliveries(trx, deliveries);
  const events = made.map(({ failureReason, stoppedBy, remaining, ...row }) =>
    failureReason === null
      ? toEvent(narrowed(row, remaining), 'QUEUED')
      : toFailed(row, { failureReason, stoppedBy }),
  );
  await recordEvents(trx, author, events);
  return made;
}

/** The carrier that tried a delivery. */
export interface TriedBy {
  readonly carrier: Carrier;
  readonly limits: CarrierLimits;
}

type Accepted = Extract<Answer, { readonly kind: 'ACCEPTED' }>;

/**
 * Records that a delivery was accepted. Retries while the database is unavailable: an unrecorded delivery would be sent
 * again.
 *
 * @throws TryLater when an address was refused for the moment
 */
export async function recordSent(
  { db, log }: Pick<Context, 'db' | 'log'>,
  { limits }: TriedBy,
  lease: Lease,
  accepted: Accepted,
): Promise<void> {
  const { companyId, id } = lease;
  const { refused = [], delayed = [] } = accepted;
  const answer = isOver(lease, 'NOT_NOW', limits)
    ? { ...accepted, refused: [...refused, ...delayed], delayed: [] }
    : accepted;
  const deadline = performance.now() + RECORDING_LIMIT;
  for (let pause = 50; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    try {
      await db.transaction().execute(async (trx) => recordReached(trx, lease, answer));
      log.info({ companyId, deliveryId: id }, 'delivered');
      break;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      log.error({ err: error }, 'an accepted delivery could not be recorded; trying again');
      await sleep(pause);
    }
  }
  if (answer.delayed?.length) throw new TryLater('Some addresses were refused for the moment');
}

/** Records the addresses that got a delivery, those that were refused, and those that are tried again (DEL-23). */
async function recordReached(
  trx: Trx,
  lease: Lease,
  { reference: carrierReference, askAgain, refused = [], delayed = [] }: Accepted,
): Promise<void> {
  const hasOneAddress = lease.copies.length === 0 && lease.remaining === null;
  const row = hasOneAddress ? undefined : await addresses.lockAddresses(trx, lease);
  const [sent] = await tries.markSent(trx, lease, { carrierReference, askAgain });
  if (!sent) return;
  if (!row) {
    await recordEvents(trx, SYSTEM, [toEvent(sent, 'SENT')]);
    return;
  }
  // Another worker may have reached some of them, if it was slow to lose its lease.
  const open = remainingOf(row);
  const ofOpen = (some: readonly RefusedAddress[]) =>
    some.filter(({ address }) => open.includes(address));
  const remaining = ofOpen(delayed).map(({ address }) => address);
  const waitingReason = [...new Set(ofOpen(delayed).map(({ reason }) => reason))].join(' ') || null;
  const rejected = new Set([...refused, ...delayed].map(({ address }) => address));
  const reached = open.filter((address) => !rejected.has(address));
  const after = { ...row, status: 'SENT', remaining, waitingReason } as const;
  await addresses.saveAddresses(trx, row, after);
  if (reached.length > 0)
    await recordEvents(trx, SYSTEM, [toEvent(narrowed(sent, reached), 'SENT')]);
  await recordAddressesFailed(trx, after, ofOpen(refused), {});
}

/**
 * Records the answer to a delivery that was not accepted.
 * @throws Error when the job must be retried
 */
export async function recordSetback(
  context: Context,
  way: TriedBy,
  lease: Lease,
  answer: Exclude<Answer, { readonly kind: 'ACCEPTED' }>,
): Promise<void> {
  if (answer.kind !== 'UNDER_WAY') return recordTrouble(context, way, lease, answer);
  if (lease.excusedAttempts >= way.limits.excusedTries) {
    return giveUp(context, lease, NO_OUTCOME_REASON, new Error('No outcome in all this time'));
  }
  const { reference: carrierReference, askAgain } = answer;
  const setback = { reason: null, isExcused: true, mayHaveArrived: true };
  await tries.releaseDelivery(context.db, lease, { ...setback, carrierReference, askAgain });
  throw new TryLater('The carrier has it, and does not know yet whether it arrived');
}

/** Gives up the delivery, stops it when its invoice must not be sent any more, or releases it for a retry. */
async function recordTrouble(
  context: Context,
  { carrier, limits }: TriedBy,
  held: Lease,
  { kind, reason, refused = [], error, askAgain }: Trouble,
): Promise<void> {
  const canBeAsked = carrier.ask !== undefined;
  // A refusal by a carrier that knows its documents proves that the document never arrived.
  const isKnown = kind === 'REFUSED' && canBeAsked;
  const mayHaveArrived = kind === 'UNKNOWN' || (held.mayHaveArrived && !isKnown);
  const lease = { ...held, mayHaveArrived };
  if (isOver(lease, kind, limits)) {
    await giveUp(context, lease, reason, error, refused);
    return;
  }
  if (refused.length > 0 && lease.copies.length > 0) {
    await context.db.transaction().execute(async (trx) => {
      const row = await addresses.lockAddresses(trx, lease);
      if (row?.attempts === lease.attempts) await recordAddressesFailed(trx, row, refused, {});
    });
  }
  const now = await tries.getDelivery(context.db, lease);
  const verdict = judgeDelivery(now, { ...lease, canBeAsked });
  if (verdict !== 'SEND') {
    await stop(context, lease, verdict);
    return;
  }
  const isExcused = kind === 'BLOCKED';
  await tries.releaseDelivery(context.db, lease, {
    reason,
    isExcused,
    mayHaveArrived,
    askAgain,
  });
  throw error;
}

function isOver(
  { attempts, excusedAttempts }: Lease,
  kind: Trouble['kind'],
  { tries, excusedTries }: CarrierLimits,
): boolean {
  if (kind === 'REFUSED') return true;
  if (kind === 'BLOCKED') return excusedAttempts >= excusedTries;
  return attempts - excusedAttempts >= tries;
}

/** Fails a delivery that must not be sent, or releases one that must wait. */
export async function stop(
  context: Context,
  lease: Lease,
  verdict: Exclude<Verdict, 'SEND'> | Obstacle,
): Promise<void> {
  if (verdict === 'WAIT') {
    const { mayHaveArrived } = lease;
    const setback = { reason: null, isExcused: true, mayHaveArrived };
    await tries.releaseDelivery(context.db, lease, setback);
    throw new TryLater('The invoice that it credits is on its way');
  }
  const failure =
    typeof verdict === 'string'
      ? { failureReason: stoppedReason(verdict, lease.mayHaveArrived), stoppedBy: verdict }
      : { failureReason: verdict.reason };
  await recordGivenUp(context.db, lease, failure);
  context.log.info({ deliveryId: lease.id, ...failure }, 'delivery stopped');
}

/** Gives a delivery up. @param error for the log @param refused addresses with a reason of their own */
export async function giveUp(
  context: Context,
  lease: Lease,
  failureReason: string,
  error: unknown,
  refused?: readonly RefusedAddress[],
): Promise<void> {
  context.log.warn({ deliveryId: lease.id, err: error }, 'delivery given up');
  await recordGivenUp(context.db, lease, { failureReason, refused: refused ?? [] });
}

/**
 * Gives up a delivery, or those of its addresses that it has not reached, and adds the events, unless another worker
 * holds it by now.
 */
async function recordGivenUp(
  db: Db,
  lease: Lease,
  { refused = [], ...failure }: Failure & { readonly refused?: readonly RefusedAddress[] },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (lease.copies.length === 0 && lease.status === 'QUEUED') {
      await recordFailed(trx, await tries.giveUp(trx, lease, failure), failure, SYSTEM);
      return;
    }
    const row = await addresses.lockAddresses(trx, lease);
    if (row?.attempts !== lease.attempts) return;
    const given = remainingOf(row).map(
      (address) =>
        refused.find((one) => one.address === address) ?? {
          address,
          reason: failure.failureReason,
        },
    );
    if (row.status === 'QUEUED') {
      const all = {
        ...failure,
        refused: failure.stoppedBy ? row.refused : [...row.refused, ...given],
      };
      await recordFailed(trx, await tries.giveUp(trx, lease, all), failure, SYSTEM);
    } else await recordAddressesFailed(trx, row, given, failure);
  });
}

/** Records that waiting deliveries have failed, for the reason that they waited for; each in its own transaction. */
export async function recordWaitedInVain(db: Db, deliveries: readonly DeliveryId[]): Promise<void> {
  await tryEach(deliveries, async (delivery) => {
    await db.transaction().execute(async (trx) => {
      for (const { failureReason, ...row } of await tries.giveUpWaiting(trx, delivery)) {
        await recordFailed(trx, [row], { failureReason }, SYSTEM);
      }
      const row = await addresses.lockAddresses(trx, delivery);
      if (row?.status !== 'SENT' || !row.isFree || row.waitingReason === null) return;
      const reason = row.waitingReason;
      const waited = remainingOf(row).map((address) => ({ address, reason }));
      await recordAddressesFailed(trx, row, waited, {});
    });
  });
}

/**
 * Records that a delivery came back, whatever its status was.
 * @param hasArrived whether the recipient has seen it all the same, so that a credit note must follow; unchanged when
 *   absent
 */
export async function recordReturned(
  trx: Trx,
  delivery: DeliveryId,
  failureReason: string,
  hasArrived?: boolean,
): Promise<void> {
  const failed = await tries.markFailed(trx, delivery, { failureReason, hasArrived });
  await recordFailed(trx, failed, { failureReason }, SYSTEM);
}

/**
 * Records that a delivery came back from one of its addresses (DEL-23): it fails with the last of them.
 * @param hasArrived as in `recordReturned`
 */
export async function recordAddressReturned(
  trx: Trx,
  delivery: DeliveryId,
  refused: RefusedAddress,
  hasArrived?: boolean,
): Promise<void> {
  const row = await addresses.lockAddresses(trx, delivery);
  if (row) await recordAddressesFailed(trx, row, [refused], { hasArrived });
}

/**
 * Records that addresses of a delivery failed for good. The delivery fails with the last of them. The caller has locked
 * it.
 *
 * @param stoppedBy why they are not sent to any more, unless they were refused
 */
async function recordAddressesFailed(
  trx: Trx,
  row: AddressedRow,
  failed: readonly RefusedAddress[],
  {
    stoppedBy,
    hasArrived,
  }: Pick<Failure, 'stoppedBy'> & { readonly hasArrived?: boolean | undefined },
): Promise<void> {
  const added = failed.filter((one) => !row.refused.some(({ address }) => address === one.address));
  const last = added.at(-1);
  if (row.status === 'FAILED' || !last) return;
  const refused = [...row.refused, ...added];
  const isRefused = (address: string) => refused.some((one) => one.address === address);
  await addresses.saveAddresses(trx, row, {
    ...row,
    refused,
    remaining: row.remaining?.filter((address) => !isRefused(address)) ?? null,
    unreached: [...row.unreached, ...(stoppedBy ? [] : added.map(({ address }) => address))],
  });
  if (addressesOf(row).every(isRefused)) {
    await recordReturned(trx, row, last.reason, hasArrived);
    return;
  }
  const events = added.map(({ address, reason: failureReason }) =>
    toFailed(narrowed(row, [address]), { failureReason, stoppedBy }),
  );
  await recordEvents(trx, SYSTEM, events);
}

/** Adds the events of failed deliveries. */
export async function recordFailed(
  trx: Trx,
  failed: readonly HistoryRow[],
  failure: Failure,
  author: HistoryAuthor,
): Promise<void> {
  await recordEvents(
    trx,
    author,
    failed.map((row) => toFailed(row, failure)),
  );
}
