import type { RefusedAddress, StoppedBy } from '../../domain/delivery/delivery.schema.ts';
import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import { type NewEvent, SYSTEM, recordEvents } from '../invoice/history.repository.ts';
import type { Trx } from '../platform/db/database.ts';
import type { Answer } from './carrier.ts';
import * as addresses from './delivery-addresses.repository.ts';
import type { AddressedRow } from './delivery-addresses.repository.ts';
import * as tries from './delivery-try.repository.ts';
import type { Lease } from './delivery-try.repository.ts';
import {
  addressesOf,
  remainingOf,
  type DeliveryId,
  type Failure,
  type HistoryRow,
} from './delivery.rows.ts';

/**
 * Records that a delivery came back, whatever its status was.
 * @param hasArrived whether the recipient has seen it all the same, so that a credit note must follow; unchanged when
 *   absent
 */
export async function recordReturned(
  trx: Trx,
  delivery: DeliveryId,
  failureReason: string,
  hasArrived?: boolean,
): Promise<void> {
  const failed = await tries.markFailed(trx, delivery, { failureReason, hasArrived });
  await recordFailed(trx, failed, { failureReason }, SYSTEM);
}

/**
 * Records that a delivery came back from one of its addresses (DEL-23): it fails with the last of them.
 * @param hasArrived as in `recordReturned`
 */
export async function recordAddressReturned(
  trx: Trx,
  delivery: DeliveryId,
  refused: RefusedAddress,
  hasArrived?: boolean,
): Promise<void> {
  const row = await addresses.lockAddresses(trx, delivery);
  if (row) await recordAddressesFailed(trx, row, [refused], { hasArrived });
}

/**
 * Records that addresses of a delivery failed for good. The delivery fails with the last of them. The caller has locked
 * it.
 *
 * @param stoppedBy why they are not sent to any more, unless they were refused
 */
export async function recordAddressesFailed(
  trx: Trx,
  row: AddressedRow,
  failed: readonly RefusedAddress[],
  {
    stoppedBy,
    hasArrived,
  }: Pick<Failure, 'stoppedBy'> & { readonly hasArrived?: boolean | undefined },
): Promise<void> {
  const added = failed.filter((one) => !row.refused.some(({ address }) => address === one.address));
  const last = added.at(-1);
  if (row.status === 'FAILED' || !last) return;
  const refused = [...row.refused, ...added];
  const isRefused = (address: string) => refused.some((one) => one.address === address);
  await addresses.saveAddresses(trx, row, {
    ...row,
    refused,
    remaining: row.remaining?.filter((address) => !isRefused(address)) ?? null,
    unreached: [...row.unreached, ...(stoppedBy ? [] : added.map(({ address }) => address))],
  });
  if (addressesOf(row).every(isRefused)) {
    await recordReturned(trx, row, last.reason, hasArrived);
    return;
  }
  const events = added.map(({ address, reason: failureReason }) =>
    toFailed(narrowed(row, [address]), { failureReason, stoppedBy }),
  );
  await recordEvents(trx, SYSTEM, events);
}

export type Accepted = Extract<Answer, { readonly kind: 'ACCEPTED' }>;

/** Records the addresses that got a delivery, those that were refused, and those that are tried again (DEL-23). */
export async function recordReached(
  trx: Trx,
  lease: Lease,
  { reference: carrierReference, askAgain, refused = [], delayed = [] }: Accepted,
): Promise<void> {
  const hasOneAddress = lease.copies.length === 0 && lease.remaining === null;
  const row = hasOneAddress ? undefined : await addresses.lockAddresses(trx, lease);
  const [sent] = await tries.markSent(trx, lease, { carrierReference, askAgain });
  if (!sent) return;
  if (!row) {
    await recordEvents(trx, SYSTEM, [toEvent(sent, 'SENT')]);
    return;
  }
  // Another worker may have reached some of them, if it was slow to lose its lease.
  const open = remainingOf(row);
  const ofOpen = (some: readonly RefusedAddress[]) =>
    some.filter(({ address }) => open.includes(address));
  const remaining = ofOpen(delayed).map(({ address }) => address);
  const waitingReason = [...new Set(ofOpen(delayed).map(({ reason }) => reason))].join(' ') || null;
  const rejected = new Set([...refused, ...delayed].map(({ address }) => address));
  const reached = open.filter((address) => !rejected.has(address));
  const after = { ...row, status: 'SENT', remaining, waitingReason } as const;
  await addresses.saveAddresses(trx, row, after);
  if (reached.length > 0)
    await recordEvents(trx, SYSTEM, [toEvent(narrowed(sent, reached), 'SENT')]);
  await recordAddressesFailed(trx, after, ofOpen(refused), {});
}

export async function recordFailed(
  trx: Trx,
  failed: readonly HistoryRow[],
  failure: Failure,
  author: HistoryAuthor,
): Promise<void> {
  await recordEvents(
    trx,
    author,
    failed.map((row) => toFailed(row, failure)),
  );
}

/** The event in the invoice's history. */
export function toEvent(
  { companyId, invoiceId, deliveryType, recipient, copies, reminderPrincipal }: HistoryRow,
  kind: 'QUEUED' | 'SENT' | 'FAILED',
): NewEvent {
  const reminder = reminderPrincipal === null ? {} : { reminder: true };
  const further = copies.length === 0 ? {} : { copies };
  const details = { deliveryType, recipient, ...further, ...reminder };
  return { companyId, invoiceId, kind, details };
}

/** A delivery with these of its addresses alone; with all when null. */
export function narrowed(row: HistoryRow, addresses: readonly string[] | null): HistoryRow {
  const [recipient = row.recipient, ...copies] = addresses ?? [row.recipient, ...row.copies];
  return { ...row, recipient, copies };
}

export function toFailed(
  row: HistoryRow,
  {
    failureReason,
    stoppedBy = null,
  }: Omit<Failure, 'stoppedBy'> & { stoppedBy?: StoppedBy | null | undefined },
): NewEvent {
  const event = toEvent(row, 'FAILED');
  const stopped = stoppedBy ? { stoppedBy } : {};
  return { ...event, details: { ...event.details, reason: failureReason, ...stopped } };
}
