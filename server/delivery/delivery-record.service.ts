import { setTimeout as sleep } from 'node:timers/promises';

import type { RefusedAddress, StoppedBy } from '../../domain/delivery/delivery.schema.ts';
import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import type { Context } from '../context.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { type NewEvent, SYSTEM, recordEvents, staffAuthor } from '../invoice/history.repository.ts';
import { tryEach, TryLater } from '../platform/jobs/job.ts';
import type { Answer, Carrier, CarrierLimits, Obstacle, Trouble } from './carrier.ts';
import * as tries from './delivery-try.repository.ts';
import type { Lease } from './delivery-try.repository.ts';
import { judgeDelivery, stoppedReason, type Verdict } from './delivery-order.service.ts';
import * as repository from './delivery.repository.ts';
import type { Made, NewDelivery } from './delivery.repository.ts';
import type { DeliveryId, Failure, HistoryRow } from './delivery.rows.ts';

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
  const made = await repository.insertDeliveries(trx, deliveries);
  const events = made.map(({ failureReason, stoppedBy, ...row }) =>
    failureReason === null ? toEvent(row, 'QUEUED') : toFailed(row, { failureReason, stoppedBy }),
  );
  await recordEvents(trx, author, events);
  return made;
}

/** Gives up a delivery and adds the event, unless another worker holds it by now. */
async function recordGivenUp(db: Db, lease: Lease, failure: Failure): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const failed = await tries.giveUp(trx, lease, failure);
    await recordFailed(trx, failed, failure, SYSTEM);
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
  const [row] = await tries.markAddressRefused(trx, delivery, refused);
  if (!row) return;
  if (row.refused.length > row.copies.length) {
    await recordReturned(trx, delivery, refused.reason, hasArrived);
  } else await recordEvents(trx, SYSTEM, [toRefused(row, refused)]);
}

/** Records that waiting deliveries have failed, for the reason that they waited for; each in its own transaction. */
export async function recordWaitedInVain(db: Db, deliveries: readonly DeliveryId[]): Promise<void> {
  await tryEach(deliveries, async (delivery) => {
    await db.transaction().execute(async (trx) => {
      for (const { failureReason, ...row } of await tries.giveUpWaiting(trx, delivery)) {
        await recordFailed(trx, [row], { failureReason }, SYSTEM);
      }
    });
  });
}

/**
 * Ends a delivery by EHF whose result stays unknown, for an operator; returns the outcome. It may have arrived, so a
 * credit note still follows it.
 */
export async function endUnderWay(
  db: Db,
  uuid: string,
): Promise<'ended' | 'unknown' | 'over' | 'held'> {
  return db.transaction().execute(async (trx) => {
    const delivery = await repository.findByUuid(trx, uuid);
    if (delivery?.deliveryType !== 'EHF') return 'unknown';
    if (delivery.status !== 'QUEUED') return 'over';
    if (delivery.isHeld) return 'held';
    const failure = { failureReason: NO_OUTCOME_REASON, hasArrived: undefined };
    const failed = await tries.markFailed(trx, delivery, failure);
    await recordFailed(trx, failed, failure, staffAuthor(null));
    return failed.length > 0 ? 'ended' : 'over';
  });
}

/** Like `stopUnsent`, with the events of its author. */
export async function recordStopped(
  trx: Trx,
  invoice: Pick<HistoryRow, 'companyId' | 'invoiceId'>,
  failure: Required<Failure>,
  author: HistoryAuthor,
): Promise<void> {
  await recordFailed(trx, await tries.stopUnsent(trx, invoice, failure), failure, author);
}

async function recordFailed(
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

/** The event in the invoice's history. */
function toEvent(
  { companyId, invoiceId, deliveryType, recipient, copies, reminderPrincipal }: HistoryRow,
  kind: 'QUEUED' | 'SENT' | 'FAILED',
): NewEvent {
  const reminder = reminderPrincipal === null ? {} : { reminder: true };
  const further = copies.length === 0 ? {} : { copies };
  const details = { deliveryType, recipient, ...further, ...reminder };
  return { companyId, invoiceId, kind, details };
}

/** One of several addresses did not get a delivery. */
function toRefused(row: HistoryRow, { address, reason }: RefusedAddress): NewEvent {
  return toFailed({ ...row, recipient: address, copies: [] }, { failureReason: reason });
}

function toFailed(
  row: HistoryRow,
  {
    failureReason,
    stoppedBy = null,
  }: Omit<Failure, 'stoppedBy'> & { stoppedBy?: StoppedBy | null },
): NewEvent {
  const event = toEvent(row, 'FAILED');
  const stopped = stoppedBy ? { stoppedBy } : {};
  return { ...event, details: { ...event.details, reason: failureReason, ...stopped } };
}

/** The carrier that tried a delivery. */
export interface TriedBy {
  readonly carrier: Carrier;
  readonly limits: CarrierLimits;
}

/**
 * Records that a delivery was accepted. Retries while the database is unavailable: an unrecorded delivery would be sent
 * again.
 */
export async function recordSent(
  { db, log }: Pick<Context, 'db' | 'log'>,
  { companyId, id }: Lease,
  { reference, askAgain, refused = [] }: Extract<Answer, { readonly kind: 'ACCEPTED' }>,
): Promise<void> {
  const deadline = performance.now() + RECORDING_LIMIT;
  for (let pause = 50; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    try {
      await db.transaction().execute(async (trx) => {
        const answer = { carrierReference: reference, askAgain, refused };
        const sent = await tries.markSent(trx, { companyId, id }, answer);
        const events = sent.map((row) => toEvent(row, 'SENT'));
        const without = sent.flatMap((row) => refused.map((one) => toRefused(row, one)));
        await recordEvents(trx, SYSTEM, [...events, ...without]);
      });
      log.info({ companyId, deliveryId: id }, 'delivered');
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      log.error({ err: error }, 'an accepted delivery could not be recorded; trying again');
      await sleep(pause);
    }
  }
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
  { kind, reason, error, askAgain }: Trouble,
): Promise<void> {
  const canBeAsked = carrier.ask !== undefined;
  // A refusal by a carrier that knows its documents proves that the document never arrived.
  const isKnown = kind === 'REFUSED' && canBeAsked;
  const mayHaveArrived = kind === 'UNKNOWN' || (held.mayHaveArrived && !isKnown);
  const lease = { ...held, mayHaveArrived };
  if (isOver(lease, kind, limits)) {
    await giveUp(context, lease, reason, error);
    return;
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

/** Gives a delivery up. @param error for the log */
export async function giveUp(
  context: Context,
  lease: Lease,
  failureReason: string,
  error: unknown,
): Promise<void> {
  context.log.warn({ deliveryId: lease.id, err: error }, 'delivery given up');
  await recordGivenUp(context.db, lease, { failureReason });
}
