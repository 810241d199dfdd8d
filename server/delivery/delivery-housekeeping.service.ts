import type { Context } from '../context.ts';
import { carrierOf, CARRIERS, sentTypes } from './carriers-in-use.service.ts';
import { allotToday, enqueueDeliveries } from './delivery-making.service.ts';
import * as repository from './waiting-deliveries.repository.ts';
import type { Waiting } from './waiting-deliveries.repository.ts';
import { countPending, countSent, hasUndelivered } from '../invoice/invoice.service.ts';
import type { Db } from '../platform/db/database.ts';
import { dispatchJob } from '../platform/jobs/jobs.ts';
import { isFirst } from '../platform/limits/rate-limit.ts';
import { tryEach } from '../platform/limits/try-each.ts';

/** A delivery this old whose job still has not run may have lost it (seconds). */
const DOUBTFUL_AFTER = 120;
const SWEEP = 5000;

/**
 * Finds what should long have been on its way and is not, whatever happened to its job: invoices
 * that nobody made a delivery for, and deliveries without a job.
 */
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
      // A mail server that is away for long leaves many that wait, and all of them have their jobs.
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

/** Adds jobs for what was SENT and is to be asked about again by now. */
export async function askAgain(context: Context): Promise<void> {
  const due = await repository.findToAsk(context.db, SWEEP);
  await enqueueDeliveries(context, context.db, due);
}

/** Lets go what was put off until now, as far as the new day allows. */
export async function releaseDeferred(context: Context): Promise<void> {
  // A company whose rows somebody holds does not hold the others.
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
 * Takes up what a killed process left: only for a database that no other process can have open. A carrier that is
 * asked what became of it may still be at it, and knows when the lease is over.
 */
export async function releaseLeases({ db }: Context): Promise<void> {
  const types = CARRIERS.filter((carrier) => !carrier.ask).map(({ type }) => type);
  await repository.releaseAll(db, types);
}

/** Invoices of all companies that are to be sent: those without a delivery yet, under way, and put off. */
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

/** Deliveries by EHF, of all companies, that have been under way for three days. */
export async function countOverdue(db: Db): Promise<number> {
  return (await repository.findOverdue(db)).length;
}

const HOUR = 3600;
/** Overdue deliveries that a line of the log names. */
const NAMED = 20;

/**
 * Tells the operator, once an hour, what has waited for three days: it goes on waiting. Counted in the database:
 * any minute may be missed, and any process may be the one that looks.
 */
export async function warnOfOverdue({ db, log }: Pick<Context, 'db' | 'log'>): Promise<void> {
  const uuids = await repository.findOverdue(db);
  if (uuids.length === 0 || !(await isFirst(db, { key: 'warn-of-overdue', seconds: HOUR }))) return;
  log.error(
    { overdue: uuids.length, deliveries: uuids.slice(0, NAMED) },
    'deliveries by EHF have waited for three days: npm run ehf -- end DELIVERY',
  );
}
