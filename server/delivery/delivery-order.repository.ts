import { sql } from 'kysely';

import type { Db, Trx } from '../platform/db/database.ts';
import {
  IS_UNCONFIRMED,
  TOLD,
  type DeliveryRow,
  type Failure,
  type Told,
} from './delivery.rows.ts';

/**
 * Stops the delivery of an invoice that nobody can have been sent: none that is being mailed, or may
 * have been. Waits for nobody, so that whoever records a mail may wait for this invoice.
 */
export async function stopUnsent(
  trx: Trx,
  { companyId, invoiceId }: Pick<Told, 'companyId' | 'invoiceId'>,
  failure: Required<Failure>,
): Promise<Told[]> {
  return trx
    .updateTable('delivery')
    .set({ status: 'FAILED', failedAt: sql`now()`, ...failure })
    .where('companyId', '=', companyId)
    .where('id', 'in', (delivery) =>
      delivery
        .selectFrom('delivery')
        .select('id')
        .where('companyId', '=', companyId)
        .where('invoiceId', '=', invoiceId)
        .where('status', '=', 'QUEUED')
        .where('leasedUntil', 'is', null)
        .where('mayHaveArrived', '=', false)
        .forUpdate()
        .skipLocked(),
    )
    .returning(TOLD)
    .execute();
}

/** A delivery that has reached somebody, may have, or still can. */
export interface Arrival {
  readonly invoiceId: number;
  readonly status: DeliveryRow['status'];
  readonly deliveryType: DeliveryRow['deliveryType'];
  readonly recipient: string;
  /** Whether it is an EHF of which nobody knows, after days, whether it arrived. */
  readonly isUnconfirmed: boolean;
}

/**
 * The delivery of each of these invoices that has reached its buyer, may have, or still can: the last one, since its
 * address may correct the one before. EHF counts before e-mail, because it is in the buyer's books.
 */
export async function findArrivals(
  db: Db,
  { companyIds, invoiceIds }: { companyIds: readonly number[]; invoiceIds: readonly number[] },
): Promise<Arrival[]> {
  return (
    db
      .selectFrom('delivery')
      .distinctOn('invoiceId')
      .select(['invoiceId', 'status', 'deliveryType', 'recipient'])
      .select(IS_UNCONFIRMED.as('isUnconfirmed'))
      .where(sql<boolean>`company_id = ANY(${[...companyIds]}::bigint[])`)
      .where(sql<boolean>`invoice_id = ANY(${[...invoiceIds]}::bigint[])`)
      .where('reminderPrincipal', 'is', null)
      .where((delivery) =>
        delivery.or([delivery('status', '<>', 'FAILED'), delivery('mayHaveArrived', '=', true)]),
      )
      .orderBy('invoiceId')
      // Accepted deliveries come before those that may have arrived.
      .orderBy(sql`status = 'FAILED' OR ${IS_UNCONFIRMED}`)
      .orderBy(sql`delivery_type <> 'EHF'`)
      .orderBy('id', 'desc')
      .execute()
  );
}

/** Whether an invoice was mailed to an address in vain. */
export async function wasRefused(
  db: Db,
  { companyId, invoiceId, recipient }: { companyId: number; invoiceId: number; recipient: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('delivery')
    .select('id')
    .where('companyId', '=', companyId)
    .where('invoiceId', '=', invoiceId)
    .where('reminderPrincipal', 'is', null)
    .where('recipient', '=', recipient)
    .where('status', '=', 'FAILED')
    .where('stoppedBy', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
