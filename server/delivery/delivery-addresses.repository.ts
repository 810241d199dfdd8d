import { sql } from 'kysely';

import type { RefusedAddress } from '../../domain/delivery/delivery.schema.ts';
import type { Trx } from '../platform/db/database.ts';
import { HISTORY_COLUMNS, IS_FREE, type DeliveryId, type DeliveryRow } from './delivery.rows.ts';

const ADDRESSED = [
  ...HISTORY_COLUMNS,
  'id',
  'status',
  'attempts',
  'refused',
  'remaining',
  'unreached',
  'waitingReason',
] as const;

/** A delivery with the state of each of its addresses. */
export interface AddressedRow extends Pick<DeliveryRow, (typeof ADDRESSED)[number]> {
  /** Whether no worker holds it. */
  readonly isFree: boolean;
}

/** Locks a delivery and its addresses until the transaction ends. */
export async function lockAddresses(
  trx: Trx,
  { companyId, id }: DeliveryId,
): Promise<AddressedRow | undefined> {
  return trx
    .selectFrom('delivery')
    .select(ADDRESSED)
    .select(IS_FREE.as('isFree'))
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** Saves the addresses of a delivery that the caller has locked. */
export async function saveAddresses(
  trx: Trx,
  { companyId, id, unreached: before }: AddressedRow,
  {
    refused,
    remaining,
    unreached,
    waitingReason,
  }: Pick<DeliveryRow, 'refused' | 'remaining' | 'unreached' | 'waitingReason'>,
): Promise<void> {
  await trx
    .updateTable('delivery')
    .set({
      refused: asJson(refused),
      remaining: remaining && [...remaining],
      unreached: [...unreached],
      waitingReason,
      ...(remaining?.length === 0 && { leasedUntil: null }),
      ...(unreached.length > before.length && { ownerTold: false }),
    })
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .execute();
}

/** Clears the addresses that failed for good: the customer's own all have it. */
export async function settleUnreached(trx: Trx, companyId: number, uuid: string): Promise<void> {
  await trx
    .updateTable('delivery')
    .set({ unreached: [] })
    .where('companyId', '=', companyId)
    .where('uuid', '=', uuid)
    .execute();
}

/** Refused addresses as the column stores them. */
export function asJson(refused: readonly RefusedAddress[]) {
  return sql<RefusedAddress[]>`${JSON.stringify(refused)}::jsonb`;
}
