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
