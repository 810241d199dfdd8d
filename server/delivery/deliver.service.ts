import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import type { Context } from '../context.ts';
import {
  findOriginal,
  findOriginalReminder,
  type DocumentWithFiles,
} from '../document/document-file.service.ts';
import { handlerOf, TryLater, type Job, type JobHandler } from '../platform/jobs/job.ts';
import {
  deliverEhfJob,
  deliverJob,
  dispatchJob,
  failureNoticeJob,
  type DeliverJob,
} from '../platform/jobs/jobs.ts';
import { ObjectStoreAway } from '../platform/object-store/object-store.ts';
import { PdfNotPrintable } from '../document/pdf/renderer.ts';
import type { Absent, Answer, HandOver, Trouble } from './carrier.ts';
import { CARRIERS } from './carriers-in-use.service.ts';
import * as repository from './delivery-try.repository.ts';
import type { Lease, TriedRow } from './delivery-try.repository.ts';
import { dispatch } from './delivery-making.service.ts';
import { isTooLate, judgeDelivery } from './delivery-order.service.ts';
import {
  giveUp,
  recordReturned,
  recordSent,
  recordSetback,
  stop,
  type TriedBy,
} from './delivery-record.service.ts';
import { remainingOf, type CarriedRow, type DeliveryId } from './delivery.rows.ts';
import { reportFailures, type OtherFailures } from './failure-notice.service.ts';

/**
 * Sends a delivery, polls its status, or does nothing. Running it again, or twice at once, sends nothing twice; see
 * `leaseDuration`.
 *
 * @throws Error when the job must be retried
 */
type Deliver = (job: DeliverJob, signal: AbortSignal) => Promise<void>;

/**
 * Shortest time between the carrier's time limit and the end of the lease (milliseconds): enough to notice a dead
 * database connection, and to record the result on another.
 */
const LEASE_MARGIN = 15_000;
/** Tries to print before a delivery fails: about a quarter of an hour. */
const PRINT_TRIES = 10;
const NOT_PRINTABLE_REASON = 'PDF-en kunne ikke lages. Vi har fått beskjed om feilen.';
const UNKNOWN_REASON = 'Fakturaen kunne ikke sendes';

/**
 * How long a delivery is leased (milliseconds): the carrier's time limit, and as much again to record the result. No
 * other worker sends the delivery during the lease.
 */
export function leaseDuration(timeout: number): number {
  return timeout + Math.max(timeout, LEASE_MARGIN);
}

const EVERY_FIVE_MINUTES = '*/5 * * * *';

/** Jobs that deliver registered invoices, and mail failures to owners, also those of others. */
export function deliveryJobs(context: Context, others: OtherFailures): JobHandler[] {
  const deliver = createDeliverer(context);
  return [
    handlerOf(dispatchJob, async (order, signal) => dispatch(context, order, signal), {
      // So that a large company does not block the others for seconds.
      batches: 2,
    }),
    handlerOf(deliverJob, deliver, { batches: placesOf(context, deliverJob) }),
    handlerOf(deliverEhfJob, deliver, {
      batches: placesOf(context, deliverEhfJob),
      feature: 'ehf',
    }),
    handlerOf(failureNoticeJob, async (order) => reportFailures(context, order, others), {
      // So that one mail lists failures of the same cause.
      cron: EVERY_FIVE_MINUTES,
    }),
  ];
}

/** Deliveries of a queue that this process works on at once: the places of its carriers. */
function placesOf({ config }: Context, job: Job<DeliverJob>): number {
  return CARRIERS.filter((carrier) => carrier.job === job)
    .map((carrier) => carrier.limits(config).places)
    .reduce((sum, places) => sum + places, 0);
}

/** Creates the handler of this process's delivery jobs. */
export function createDeliverer(context: Context): Deliver {
  const carriers = new Map(
    CARRIERS.filter((carrier) => carrier.isOn(context.config)).map((carrier) => [
      carrier.type,
      { carrier, limits: carrier.limits(context.config) },
    ]),
  );
  // Deliveries in progress in this process, which needs no lease to know them.
  const underWay = new Set<number>();
  return async ({ companyId, deliveryId: id }, signal) => {
    if (underWay.has(id)) throw new TryLater('This process already works on it');
    underWay.add(id);
    try {
      await deliver(context, carriers, { companyId, id }, signal);
    } finally {
      underWay.delete(id);
    }
  };
}

/** The five steps of docs/decisions/0008-delivery.md, which keep DEL-14. */
async function deliver(
  context: Context,
  carriers: ReadonlyMap<DeliveryType, TriedBy>,
  name: DeliveryId,
  signal: AbortSignal,
): Promise<void> {
  const delivery = await repository.findDelivery(context.db, name);
  if (!delivery || delivery.status === 'FAILED' || delivery.deferredUntil !== null) return;
  const by = carriers.get(delivery.deliveryType);
  if (!by) throw new TryLater(`Nothing is sent as ${delivery.deliveryType}`);
  const remaining = remainingOf(delivery);
  if (remaining.length === 0) return pollSent(context, by, delivery);
  if (delivery.isTooEarly) throw new TryLater('The carrier asked to wait');
  if (await pollUnsent(context, by, delivery, signal)) return;
  // A credit note never arrives before its invoice. Waiting counts as no try and needs no lease.
  if (judgeDelivery(delivery, { ...delivery, canBeAsked: false }) === 'WAIT') {
    throw new TryLater('The invoice that it credits is on its way');
  }
  const prepared = await prepare(context, by, delivery);
  if (!prepared) return;
  const lease = await leaseToSend(context, by, delivery, { signal });
  // Judged after the lease is visible to others: a user who cancels the invoice from now on sees that it is being sent.
  const [recipient = '', ...copies] = remaining;
  const [[obstacle], now] = await Promise.all([
    by.carrier.findObstacles(context.db, [{ ...delivery, recipient, copies }]),
    repository.getDelivery(context.db, name),
  ]);
  const verdict = judgeDelivery(now, { ...lease, canBeAsked: by.carrier.ask !== undefined });
  const isLate = verdict === 'SEND' && isTooLate(prepared.contents);
  const against = obstacle ?? (isLate ? 'TOO_LATE' : verdict);
  if (against === 'SEND') await record(context, by, lease, await answerOf(prepared.handOver));
  else await stop(context, lease, against);
}

interface Prepared {
  readonly contents: DocumentWithFiles;
  readonly handOver: HandOver;
}

/** The document and its hand-over; null when the delivery was given up. */
async function prepare(
  context: Context,
  { carrier, limits }: TriedBy,
  delivery: TriedRow,
): Promise<Prepared | null> {
  try {
    const find = delivery.reminderPrincipal === null ? findOriginal : findOriginalReminder;
    const contents = await find(context, delivery);
    const { amountDue, creditedAmount } = delivery.invoice;
    const remaining = remainingOf(delivery);
    const prepared = { ...delivery, amountDue, creditedAmount, remaining };
    const handOver = await carrier.prepare(context, prepared, contents);
    return { contents, handOver };
  } catch (error) {
    // Waiting for the object store counts as no try.
    if (error instanceof TryLater || error instanceof ObjectStoreAway) throw error;
    const attempt = await repository.countAttempt(context.db, delivery);
    const isUnprintable = error instanceof PdfNotPrintable;
    const most = isUnprintable ? PRINT_TRIES : limits.tries;
    if (!attempt || attempt.attempts - attempt.excusedAttempts < most) throw error;
    await giveUp(context, attempt, isUnprintable ? NOT_PRINTABLE_REASON : UNKNOWN_REASON, error);
    return null;
  }
}

/** Leases a delivery. After this, only the carrier may take time. @param remaining see `leaseDelivery` */
async function leaseToSend(
  { db }: Context,
  { limits }: TriedBy,
  delivery: DeliveryId,
  { signal, remaining = 0 }: { readonly signal: AbortSignal; readonly remaining?: number },
): Promise<Lease> {
  signal.throwIfAborted();
  const milliseconds = leaseDuration(limits.timeout);
  const lease = await repository.leaseDelivery(db, delivery, milliseconds, remaining);
  if (!lease) throw new TryLater('Another worker holds it, or died while holding it');
  return lease;
}

async function answerOf<T>(call: () => Promise<T>): Promise<T | Trouble> {
  try {
    return await call();
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    return { kind: 'UNKNOWN', reason: UNKNOWN_REASON, error };
  }
}

/**
 * Asks the carrier, if it can be asked, for the result of earlier tries, and records it. False when the delivery must
 * be handed over. Asking needs no lease: the lease of a killed worker would delay by minutes what the carrier knows.
 */
async function pollUnsent(
  context: Context,
  by: TriedBy,
  delivery: CarriedRow,
  signal: AbortSignal,
): Promise<boolean> {
  const { carrier } = by;
  if (!carrier.ask || delivery.attempts === 0) return false;
  const answer = (await answerOf(async () => carrier.ask?.(context, delivery))) ?? NEVER_HANDED;
  const remaining = remainingLease(answer, by.limits.timeout);
  const lease = await leaseToSend(context, by, delivery, { signal, remaining });
  if (answer.kind !== 'ABSENT') {
    await record(context, by, lease, answer);
    return true;
  }
  const mayHaveArrived = lease.mayHaveArrived && answer.mayHaveArrived;
  const setback = { reason: null, isExcused: true, mayHaveArrived };
  await repository.releaseDelivery(context.db, lease, setback);
  return false;
}

const NEVER_HANDED: Absent = { kind: 'ABSENT', mayHaveArrived: false };

/**
 * How long the lease of another worker may still last when its delivery is taken over (milliseconds). A delivery that
 * the carrier knows, or recognises when handed over twice, waits for no lease. One that it does not know yet may be in
 * a call of that worker, until the time limit. One whose status is unavailable is left to that worker.
 */
function remainingLease(answer: Answer | Absent, timeout: number): number {
  const whole = leaseDuration(timeout);
  if (answer.kind === 'ABSENT') return answer.mayHaveArrived ? whole : whole - timeout;
  const isKnown = ['ACCEPTED', 'UNDER_WAY', 'REFUSED'].includes(answer.kind);
  return isKnown ? whole : 0;
}

/** Asks again about a SENT delivery: a refusal may reach the carrier later. */
async function pollSent(
  context: Context,
  { carrier }: TriedBy,
  delivery: CarriedRow,
): Promise<void> {
  if (!carrier.ask || delivery.isTooEarly !== false) return;
  const answer = await carrier.ask(context, delivery);
  if (answer.kind === 'REFUSED') {
    await context.db
      .transaction()
      .execute(async (trx) => recordReturned(trx, delivery, answer.reason, false));
  } else if ('error' in answer) {
    if (answer.askAgain !== undefined) {
      await repository.askAgainLater(context.db, delivery, answer.askAgain);
    }
    throw answer.error;
  } else {
    const seconds = answer.kind === 'ABSENT' ? undefined : answer.askAgain;
    await repository.askAgainLater(context.db, delivery, seconds);
  }
}

/** Records the carrier's answer. @throws Error when the job must be retried */
async function record(context: Context, by: TriedBy, lease: Lease, answer: Answer): Promise<void> {
  if (answer.kind === 'ACCEPTED') await recordSent(context, by, lease, answer);
  else await recordSetback(context, by, lease, answer);
}
