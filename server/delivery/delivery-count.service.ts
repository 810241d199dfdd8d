import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { countDelivered } from '../invoice/invoice-standing.service.ts';
import * as repository from './delivery.repository.ts';

/** E-mail invoices of all companies by what has become of them; `failed` counts every failed try. */
export async function countDeliveries(
  db: Db,
): Promise<Record<'pending' | 'queued' | 'deferred' | 'sent' | 'failed', number>> {
  const [delivered, unsent] = await Promise.all([countDelivered(db), repository.countUnsent(db)]);
  return { ...delivered, ...unsent };
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
