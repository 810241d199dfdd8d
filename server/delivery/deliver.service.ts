import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import type { Context } from '../context.ts';
import {
  findOriginal,
  findOriginalReminder,
  type DocumentWithFiles,
} from '../document/document-file.service.ts';
import { TryLater } from '../platform/jobs/job.ts';
import type { DeliverJob } from '../platform/jobs/jobs.ts';
import { ObjectStoreAway } from '../platform/object-store/object-store.ts';
import { PdfNotPrintable } from '../document/pdf/renderer.ts';
import type { Absent, Answer, HandOver, Trouble } from './carrier.ts';
import { CARRIERS } from './carriers-in-use.service.ts';
import * as repository from './deliver.repository.ts';
import type { Lease, TriedRow } from './deliver.repository.ts';
import { isTooLate, judgeDelivery } from './delivery-order.service.ts';
import {
  giveUp,
  recordReturned,
  recordSent,
  recordSetback,
  stop,
  type TriedBy,
} from './delivery-record.service.ts';
import type { CarriedRow, DeliveryId } from './delivery.rows.ts';

/**
 * Does what is to be done about one delivery: hands it over, asks what became of it, or nothing.
 * Running it again, or twice at once, hands nothing over twice: see `leaseDuration`.
 *
 * @throws Error to be tried again later
 */
type Deliver = (job: DeliverJob, signal: AbortSignal) => Promise<void>;

/**
 * The least that a lease outlives the carrier's time limit by (milliseconds): time to notice that the
 * connection to the database is dead, and to record on another that the delivery was accepted.
 */
const LEASE_MARGIN = 15_000;
/** Tries to print before a delivery fails: a quarter of an hour for what passes. */
const PRINT_TRIES = 10;
const NOT_PRINTABLE_REASON = 'PDF-en kunne ikke lages. Vi har fått beskjed om feilen.';
const UNKNOWN_REASON = 'Fakturaen kunne ikke sendes';

/**
 * How long a delivery is leased (milliseconds): the time that its carrier is given, and as much again
 * for recording the outcome. As long as a lease lasts nobody else hands the delivery over.
 */
export function leaseDuration(timeout: number): number {
  return timeout + Math.max(timeout, LEASE_MARGIN);
}

/** Brings documents to their recipients, for one process. */
export function createDeliverer(context: Context): Deliver {
  const carriers = new Map(
    CARRIERS.filter((carrier) => carrier.isOn(context.config)).map((carrier) => [
      carrier.type,
      { carrier, limits: carrier.limits(context.config) },
    ]),
  );
  // Deliveries that this process works on: known without a lease or a clock.
  const underWay = new Set<number>();
  return async ({ companyId, deliveryId: id }, signal) => {
    if (underWay.has(id)) throw new TryLater('This process is at it');
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
  if (delivery.status === 'SENT') return askWhatBecame(context, by, delivery);
  if (delivery.isTooEarly) throw new TryLater('The carrier asked for some patience');
  if (await askFirst(context, by, delivery, signal)) return;
  // A credit note never arrives before its invoice. Waiting is no try, and takes no lease.
  if (judgeDelivery(delivery, { ...delivery, canBeAsked: false }) === 'WAIT') {
    throw new TryLater('The invoice that it credits is on its way');
  }
  const prepared = await prepare(context, by, delivery);
  if (!prepared) return;
  const lease = await leaseToSend(context, by, delivery, { signal });
  // Judged after the lease is there for others to see: who cancels an invoice from now on knows that
  // it is being sent.
  const [[obstacle], now] = await Promise.all([
    by.carrier.findObstacles(context.db, [delivery]),
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

/** Null when it was given up. */
async function prepare(
  context: Context,
  { carrier, limits }: TriedBy,
  delivery: TriedRow,
): Promise<Prepared | null> {
  try {
    const find = delivery.reminderPrincipal === null ? findOriginal : findOriginalReminder;
    const contents = await find(context, delivery);
    const { amountDue } = delivery.invoice;
    const handOver = await carrier.prepare(context, { ...delivery, amountDue }, contents);
    return { contents, handOver };
  } catch (error) {
    // A document in S3 waits until the store answers; waiting is no try.
    if (error instanceof TryLater || error instanceof ObjectStoreAway) throw error;
    const attempt = await repository.countAttempt(context.db, delivery);
    const isUnprintable = error instanceof PdfNotPrintable;
    const most = isUnprintable ? PRINT_TRIES : limits.tries;
    if (!attempt || attempt.attempts - attempt.excusedAttempts < most) throw error;
    await giveUp(context, attempt, isUnprintable ? NOT_PRINTABLE_REASON : UNKNOWN_REASON, error);
    return null;
  }
}

/** Once it has its lease, nothing may wait but the carrier. @param remaining see `leaseDelivery` */
async function leaseToSend(
  { db }: Context,
  { limits }: TriedBy,
  delivery: DeliveryId,
  { signal, remaining = 0 }: { readonly signal: AbortSignal; readonly remaining?: number },
): Promise<Lease> {
  signal.throwIfAborted();
  const milliseconds = leaseDuration(limits.timeout);
  const lease = await repository.leaseDelivery(db, delivery, milliseconds, remaining);
  if (!lease) throw new TryLater('Another worker has it, or had it when it died');
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
 * Asks a carrier that can be asked what became of earlier tries, and records it. False when it has to
 * be handed over. Asking needs no lease: that of a worker that was killed would hold up for minutes what
 * the carrier knows by now.
 */
async function askFirst(
  context: Context,
  by: TriedBy,
  delivery: CarriedRow,
  signal: AbortSignal,
): Promise<boolean> {
  const { carrier } = by;
  if (!carrier.ask || delivery.attempts === 0) return false;
  const answer = (await answerOf(async () => carrier.ask?.(context, delivery))) ?? NEVER_HANDED;
  const remaining = takenOver(answer, by.limits.timeout);
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
 * How long the lease of another worker may still last for its delivery to be taken over (milliseconds). What the
 * carrier knows, or knows when it is handed it twice, waits for no lease. What it does not know yet may be in a call
 * of that worker, until its time is over; what it cannot tell just now is left as it is.
 */
function takenOver(answer: Answer | Absent, timeout: number): number {
  const whole = leaseDuration(timeout);
  if (answer.kind === 'ABSENT') return answer.mayHaveArrived ? whole : whole - timeout;
  const isKnown = ['ACCEPTED', 'UNDER_WAY', 'REFUSED'].includes(answer.kind);
  return isKnown ? whole : 0;
}

/** Asks once more about what was SENT: a carrier may be told of a refusal later. */
async function askWhatBecame(
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

/** Writes down what the carrier said. @throws Error when it is to be tried again later */
async function record(context: Context, by: TriedBy, lease: Lease, answer: Answer): Promise<void> {
  if (answer.kind === 'ACCEPTED') await recordSent(context, lease, answer);
  else await recordSetback(context, by, lease, answer);
}
