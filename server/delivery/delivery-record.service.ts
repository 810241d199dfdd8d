import type { StoppedBy } from '../../domain/delivery/delivery.schema.ts';
import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import type { Db, Trx } from '../db/database.ts';
import { recordEvents, SYSTEM, type NewEvent } from '../history/history.service.ts';
import { stopUnsent } from './delivery-order.repository.ts';
import * as repository from './delivery.repository.ts';
import type { Acceptance, Failure, Lease, NewDelivery, Told } from './delivery.repository.ts';

/** Makes deliveries. Some fail before they begin. */
export async function makeDeliveries(
  trx: Trx,
  deliveries: readonly NewDelivery[],
  author: HistoryAuthor,
): Promise<Awaited<ReturnType<typeof repository.insertDeliveries>>> {
  const made = await repository.insertDeliveries(trx, deliveries);
  const events = made.map(({ failureReason, stoppedBy, ...told }) =>
    failureReason === null ? toEvent(told, 'QUEUED') : toFailed(told, { failureReason, stoppedBy }),
  );
  await recordEvents(trx, author, events);
  return made;
}

/** Records that the mail server accepted the mails of one company's deliveries. */
export async function recordSent(db: Db, accepted: readonly Acceptance[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const sent = await repository.markSent(trx, accepted);
    const events = sent.map((told) => toEvent(told, 'SENT'));
    await recordEvents(trx, SYSTEM, events);
  });
}

/** Records that a delivery is given up, unless another worker has it by now. */
export async function recordGivenUp(db: Db, lease: Lease, failure: Failure): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const failed = await repository.giveUp(trx, lease, failure);
    await recordFailed(trx, failed, failure, SYSTEM);
  });
}

/** Records that a delivery came back, whatever was thought of it before. */
export async function recordReturned(trx: Trx, id: number, failureReason: string): Promise<void> {
  const failed = await repository.markFailed(trx, id, failureReason);
  await recordFailed(trx, failed, { failureReason }, SYSTEM);
}

/** As `stopUnsent`, for whoever is its cause. */
export async function recordStopped(
  trx: Trx,
  invoice: Parameters<typeof stopUnsent>[1],
  failure: Required<Failure>,
  author: HistoryAuthor,
): Promise<void> {
  await recordFailed(trx, await stopUnsent(trx, invoice, failure), failure, author);
}

async function recordFailed(
  trx: Trx,
  failed: readonly Told[],
  failure: Failure,
  author: HistoryAuthor,
): Promise<void> {
  await recordEvents(
    trx,
    author,
    failed.map((told) => toFailed(told, failure)),
  );
}

function toEvent(
  { companyId, invoiceId, deliveryType, recipient }: Told,
  kind: 'QUEUED' | 'SENT' | 'FAILED',
): NewEvent {
  return { companyId, invoiceId, kind, details: { deliveryType, recipient } };
}

function toFailed(
  told: Told,
  {
    failureReason,
    stoppedBy = null,
  }: Omit<Failure, 'stoppedBy'> & { stoppedBy?: StoppedBy | null },
): NewEvent {
  const event = toEvent(told, 'FAILED');
  const stopped = stoppedBy ? { stoppedBy } : {};
  return { ...event, details: { ...event.details, reason: failureReason, ...stopped } };
}
