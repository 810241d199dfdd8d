import type { Context } from '../context.ts';
import type { Db } from '../platform/db/database.ts';
import { countPending, countSent } from '../invoice/invoice-standing.service.ts';
import { isFirst } from '../platform/limits/rate-limit.ts';
import * as repository from './delivery.repository.ts';

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
