import type { Context } from '../context.ts';
import { carrierOf, CARRIERS, sentTypes } from './carriers-in-use.service.ts';
import { allotToday, enqueueDeliveries } from './delivery-making.service.ts';
import { NO_OUTCOME_REASON, recordFailed } from './delivery-record.service.ts';
import { markFailed } from './delivery-try.repository.ts';
import { findByUuid } from './delivery.repository.ts';
import * as repository from './waiting-deliveries.repository.ts';
import type { Waiting } from './waiting-deliveries.repository.ts';
import { staffAuthor } from '../invoice/history.repository.ts';
import { countPending, countSent, hasUndelivered } from '../invoice/undelivered.repository.ts';
import type { Db } from '../platform/db/database.ts';
import { dispatchJob } from '../platform/jobs/jobs.ts';
import { isFirst } from '../platform/limits/rate-limit.ts';
import { tryEach } from '../platform/jobs/job.ts';

/** A delivery of this age that is still queued may have lost its job (seconds). */
const DOUBTFUL_AFTER = 120;
const SWEEP = 5000;

/** Finds invoices without a delivery and deliveries without a job, and adds the missing jobs. */
export async function requeueForgotten(context: Context): Promise<void> {
  const { db, jobs, config } = context;
  if (config.dispatch === 'auto' && (await hasUndelivered(db, sentTypes(config), DOUBTFUL_AFTER))) {
    await jobs.enqueue(db, dispatchJob, { companyId: null });
  }
  for (let after: Waiting | undefined; ;) {
    const waiting = await repository.findWaiting(db, {
      olderThan: DOUBTFUL_AFTER,
      after,
      most: SWEEP,
    });
    for (const [type, own] of Map.groupBy(waiting, ({ deliveryType }) => deliveryType)) {
      // While a mail server is down, many deliveries wait, and all have their jobs.
      const keys = own.map(({ id }) => String(id));
      const lost = await jobs.findKeysWithoutJob(db, carrierOf(type).job, keys);
      const forgotten = own.filter(({ id }) => lost.has(String(id)));
      const missing = await enqueueDeliveries(context, db, forgotten);
      if (missing > 0) context.log.warn({ missing }, 'deliveries lost their jobs');
    }
    if (waiting.length < SWEEP) return;
    after = waiting.at(-1);
  }
}

/** Adds jobs for SENT deliveries that are due to be polled. */
export async function askAgain(context: Context): Promise<void> {
  const due = await repository.findToAsk(context.db, SWEEP);
  await enqueueDeliveries(context, context.db, due);
}

/** Releases deferred deliveries that are due, as far as the new day's limits allow. */
export async function releaseDeferred(context: Context): Promise<void> {
  // A company whose rows are locked does not delay the others.
  await tryEach(await repository.findDueCompanies(context.db), async (companyId) => {
    for (let taken = SWEEP; taken === SWEEP;) {
      taken = await context.db.transaction().execute(async (trx) => {
        const due = await repository.takeDue(trx, companyId, SWEEP);
        await enqueueDeliveries(context, trx, await allotToday(context, trx, due));
        return due.length;
      });
    }
  });
}

/**
 * Releases the deliveries of a killed process. Only for a database that no other process can have open. A carrier that
 * can be asked may still work on its delivery, so those leases run out.
 */
export async function releaseLeases({ db }: Context): Promise<void> {
  const types = CARRIERS.filter((carrier) => !carrier.ask).map(({ type }) => type);
  await repository.releaseAll(db, types);
}

/** Counts the invoices of all companies without a delivery yet, and the queued and deferred deliveries. */
export async function countWaiting(
  db: Db,
): Promise<Record<'pending' | 'queued' | 'deferred', number>> {
  const [pending, waiting] = await Promise.all([countPending(db), repository.countWaiting(db)]);
  return { pending, ...waiting };
}

/** Counts the deliveries of all companies by result; `failed` counts every failed try. */
export async function countDone(db: Db): Promise<Record<'sent' | 'failed', number>> {
  const [sent, failed] = await Promise.all([countSent(db), repository.countFailed(db)]);
  return { sent, failed };
}

/** Counts the deliveries by EHF of all companies without a result for three days. */
export async function countOverdue(db: Db): Promise<number> {
  return (await repository.findOverdue(db)).length;
}

const HOUR = 3600;
/** Most overdue deliveries that a log line lists. */
const NAMED = 20;

/**
 * Logs once an hour the deliveries without a result for three days. The hour is counted in the database, because any
 * process may run this.
 */
export async function warnOfOverdue({ db, log }: Pick<Context, 'db' | 'log'>): Promise<void> {
  const uuids = await repository.findOverdue(db);
  if (uuids.length === 0 || !(await isFirst(db, { key: 'warn-of-overdue', seconds: HOUR }))) return;
  log.error(
    { overdue: uuids.length, deliveries: uuids.slice(0, NAMED) },
    'deliveries by EHF have waited for three days: npm run ehf -- end DELIVERY',
  );
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
    const delivery = await findByUuid(trx, uuid);
    if (delivery?.deliveryType !== 'EHF') return 'unknown';
    if (delivery.status !== 'QUEUED') return 'over';
    if (delivery.isHeld) return 'held';
    const failure = { failureReason: NO_OUTCOME_REASON, hasArrived: undefined };
    const failed = await markFailed(trx, delivery, failure);
    await recordFailed(trx, failed, failure, staffAuthor(null));
    return failed.length > 0 ? 'ended' : 'over';
  });
}
