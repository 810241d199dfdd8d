import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { countPending, countSent } from '../invoice/invoice-standing.service.ts';
import * as repository from './delivery.repository.ts';

/** Invoices of all companies that are to be sent: those without a delivery yet, under way, and put off. */
export async function countWaiting(
  db: Db,
): Promise<Record<'pending' | 'queued' | 'deferred', number>> {
  const [pending, waiting] = await Promise.all([countPending(db), repository.countWaiting(db)]);
  return { pending, ...waiting };
}

/** What has become of all that ever was to be sent, of all companies; `failed` counts every failed try. */
export async function countDone(db: Db): Promise<Record<'sent' | 'failed', number>> {
  const [sent, failed] = await Promise.all([countSent(db), repository.countFailed(db)]);
  return { sent, failed };
}

/** A delivery that has waited so long is an operator's affair (days). */
const OVERDUE_AFTER = 3;

/** Deliveries of a type, of all companies, that have been under way for three days. */
export async function countOverdue(db: Db, deliveryType: DeliveryType): Promise<number> {
  return repository.countOverdue(db, deliveryType, OVERDUE_AFTER);
}

/** Tells the operator, once an hour, what has waited for three days: it goes on waiting. */
export async function warnOfOverdue({ db, log }: Pick<Context, 'db' | 'log'>): Promise<void> {
  if (new Date().getUTCMinutes() !== 0) return;
  const overdue = await countOverdue(db, 'EHF');
  if (overdue > 0) log.error({ overdue }, 'deliveries by EHF have waited for three days');
}
