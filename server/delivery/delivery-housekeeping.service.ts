import type { Context } from '../context.ts';
import { hasUndelivered } from '../invoice/invoice-standing.service.ts';
import { dispatchJob } from '../platform/jobs/jobs.ts';
import { tryEach } from '../platform/limits/try-each.ts';
import { findDueCompanies, takeDue } from './deferral.repository.ts';
import { CARRIERS } from './carrier-list.ts';
import { releaseAll } from './deliver.repository.ts';
import { sentTypes } from './deliverability.service.ts';
import { allotToday, carrierOf, enqueueDeliveries } from './delivery-making.service.ts';
import * as repository from './delivery.repository.ts';
import type { Waiting } from './delivery.repository.ts';

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
  await tryEach(await findDueCompanies(context.db), async (companyId) => {
    for (let taken = SWEEP; taken === SWEEP;) {
      taken = await context.db.transaction().execute(async (trx) => {
        const due = await takeDue(trx, companyId, SWEEP);
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
  await releaseAll(db, types);
}
