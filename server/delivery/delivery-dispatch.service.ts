import { randomUUID } from 'node:crypto';

import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import type { Actor, Context } from '../context.ts';
import { findCustomersByIds } from '../customer/customer.service.ts';
import type { Db, Trx } from '../db/database.ts';
import { noticeBulk } from '../db/upkeep.ts';
import { AppError } from '../errors.ts';
import { authorOf, staffAuthor, SYSTEM } from '../history/history.service.ts';
import {
  findUndelivered,
  findUndeliveredAmong,
  hasUndelivered,
  type Undelivered,
} from '../invoice/invoice-standing.service.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import { lockInvoice } from '../invoice/invoice.service.ts';
import { deliverJob, dispatchJob } from '../jobs/jobs.ts';
import { messageIdOf } from '../mail/outgoing-mail.ts';
import { findEmailOfAccount } from '../session/account.service.ts';
import * as limit from './delivery-limit.repository.ts';
import { allotToday } from './delivery-limit.service.ts';
import { SUPPRESSED_REASON } from './delivery-mail.service.ts';
import { findArrivals, judge, STOPPED_REASONS } from './delivery-order.service.ts';
import * as repository from './delivery.repository.ts';
import { wasRefused, type Arrival } from './delivery-order.repository.ts';
import { makeDeliveries, recordStopped } from './delivery-record.service.ts';

/** Deliveries made in one transaction. */
const BATCH = 500;
/** A delivery this old whose job still has not run may have lost it (seconds). */
const DOUBTFUL_AFTER = 120;
const SWEEP = 5000;

/**
 * Has every registered, unsent invoice of every company sent, and what credits such an invoice that
 * was sent. Doing it twice sends nothing twice.
 */
export async function sendAll(context: Context, { accountId }: Actor): Promise<void> {
  await context.jobs.enqueue(context.db, dispatchJob, { companyId: null, staffId: accountId });
}

/**
 * Makes a delivery for every registered EMAIL invoice that has none, in the order of their numbers,
 * and a job for what is to be mailed; of one company or, with null, of all. Runs in batches, each of
 * them whole or not at all.
 */
export async function dispatch(
  context: Context,
  { companyId, staffId }: { readonly companyId: number | null; readonly staffId?: number },
  signal: AbortSignal,
): Promise<void> {
  const author =
    staffId === undefined ? SYSTEM : staffAuthor(await findEmailOfAccount(context.db, staffId));
  for (let before = 0; ;) {
    signal.throwIfAborted();
    const made = await context.db
      .transaction()
      .execute(async (trx) => dispatchBatch(context, trx, companyId, author));
    // The first batch comes upon all that was registered at once, the last upon all deliveries.
    if (before === 0) await noticeBulk(context, made);
    else if (made < BATCH) await noticeBulk(context, before);
    if (made < BATCH) return;
    before += made;
  }
}

async function dispatchBatch(
  context: Context,
  trx: Trx,
  companyId: number | null,
  author: HistoryAuthor,
): Promise<number> {
  const invoices = await findUndelivered(trx, companyId, BATCH);
  if (invoices.length === 0) return 0;
  const planned = await plan(trx, invoices);
  const suppressed = await repository.findSuppressed(
    trx,
    planned.map(({ recipient }) => recipient),
  );
  const deliveries = planned.map((delivery) => toDelivery(context, delivery, suppressed));
  await insertDeliveries(context, trx, deliveries, author);
  return invoices.length;
}

/** Where undelivered invoices go, or why they do not. */
async function plan(trx: Trx, invoices: readonly Undelivered[]): Promise<Planned[]> {
  const companyIds = [...new Set(invoices.map(({ companyId }) => companyId))];
  const arrivals = await findArrivals(trx, companyIds, invoices);
  return invoices.map((invoice) => {
    const arrival = arrivals.get(invoice.creditsInvoiceId ?? 0);
    const verdict = judge(invoice, arrival, { forced: false, mayHaveArrived: false });
    return {
      companyId: invoice.companyId,
      invoiceId: invoice.invoiceId,
      // A credit note goes where its invoice went.
      recipient: arrival?.recipient ?? invoice.recipient,
      stoppedBy: verdict === 'SEND' || verdict === 'WAIT' ? null : verdict,
      forced: false,
    };
  });
}

interface Cancellation {
  readonly companyId: number;
  readonly invoiceId: number;
  readonly noteId: number;
  readonly author: HistoryAuthor;
}

/**
 * Stops, in the transaction that cancels an invoice, what of it and its credit note is not to be
 * mailed any more. What is being mailed, or waits for that, stays.
 */
export async function stopCancelled(
  context: Context,
  trx: Trx,
  { companyId, invoiceId, noteId, author }: Cancellation,
): Promise<void> {
  const failure = { failureReason: STOPPED_REASONS.CANCELLED, stoppedBy: 'CANCELLED' } as const;
  await recordStopped(trx, { companyId, invoiceId }, failure, author);
  const planned = await plan(trx, await findUndeliveredAmong(trx, companyId, [invoiceId, noteId]));
  const stopped = planned.filter(({ stoppedBy }) => stoppedBy !== null);
  const deliveries = stopped.map((delivery) => toDelivery(context, delivery, new Set()));
  if (deliveries.length > 0) await insertDeliveries(context, trx, deliveries, author);
}

/** Adds deliveries and, in the same transaction, a job for each that has not failed already. */
async function insertDeliveries(
  context: Context,
  trx: Trx,
  deliveries: readonly repository.NewDelivery[],
  author: HistoryAuthor,
): Promise<void> {
  const rows = await makeDeliveries(trx, deliveries, author);
  const queued = rows.filter((row) => row.status === 'QUEUED');
  await enqueueDeliveries(context, trx, await allotToday(context, trx, queued));
}

/**
 * Adds jobs for deliveries that are there already. Companies take turns: the job goes first that has
 * the fewest deliveries of its own company before it. So one invoice passes a mailing of thousands,
 * and two mailings share what there is.
 *
 * @returns how many had no job
 */
async function enqueueDeliveries(
  context: Context,
  db: Db,
  deliveries: readonly { readonly id: number; readonly companyId: number }[],
): Promise<number> {
  const ofCompanies = Map.groupBy(deliveries, ({ companyId }) => companyId);
  const queued = await repository.countQueued(db, [...ofCompanies.keys()]);
  const items = [...ofCompanies].flatMap(([companyId, own]) => {
    const before = (queued.get(companyId) ?? 0) - own.length;
    return own.map(({ id }, index) => ({
      payload: { deliveryId: id },
      key: String(id),
      priority: -(before + index),
    }));
  });
  return context.jobs.enqueueAll(db, deliverJob, items);
}
/** A delivery before it has a name. */
type Planned = Omit<repository.NewDelivery, 'uuid' | 'messageId' | 'failureReason'>;

function toDelivery(
  context: Pick<Context, 'config'>,
  planned: Planned,
  suppressed: ReadonlySet<string>,
): repository.NewDelivery {
  const uuid = randomUUID();
  const refused = suppressed.has(planned.recipient.toLowerCase()) ? SUPPRESSED_REASON : null;
  return {
    ...planned,
    uuid,
    messageId: messageIdOf(uuid, new URL(context.config.publicUrl).hostname),
    failureReason: planned.stoppedBy ? STOPPED_REASONS[planned.stoppedBy] : refused,
  };
}

/**
 * Sends an invoice whose delivery failed, or was stopped, once more. The document is the one that was
 * registered, byte for byte where it was rendered before.
 *
 * @throws AppError not_found, cancelled_invoice_unsent, delivery_not_failed,
 * recipient_without_email, address_suppressed
 */
export async function resend(context: Context, actor: Actor, uuid: string): Promise<void> {
  const { companyId } = actor;
  await context.db.transaction().execute(async (trx) => {
    const invoice = await lockInvoice(trx, companyId, uuid);
    const delivery = await prepareAgain(context, trx, companyId, { invoice, byHand: true });
    await insertDeliveries(context, trx, [delivery], authorOf(actor));
  });
}

/**
 * Another delivery of an invoice, which the caller holds, when its last one failed or was stopped. What
 * somebody asks for by hand who has seen why it was stopped is not stopped for that again.
 *
 * @throws AppError not_found, cancelled_invoice_unsent, delivery_not_failed,
 * recipient_without_email, address_suppressed
 */
export async function prepareAgain(
  context: Pick<Context, 'config'>,
  trx: Trx,
  companyId: number,
  { invoice, byHand }: { readonly invoice: InvoiceRow | null; readonly byHand: boolean },
): Promise<repository.NewDelivery> {
  if (!invoice) throw new AppError('not_found');
  if (invoice.status === 'CANCELLED') throw new AppError('cancelled_invoice_unsent');
  if (invoice.deliveryStatus !== 'FAILED') throw new AppError('delivery_not_failed');
  const arrivals = await findArrivals(trx, [companyId], [invoice]);
  const arrival = arrivals.get(invoice.creditsInvoiceId ?? 0);
  const recipient = await findRecipient(trx, invoice, arrival);
  if (!recipient) throw new AppError('recipient_without_email');
  const suppressed = await repository.findSuppressed(trx, [recipient]);
  if (suppressed.size > 0) throw new AppError('address_suppressed');
  const verdict = judge(invoice, arrival, { forced: false, mayHaveArrived: false });
  const forced = byHand && (verdict === 'PAID' || verdict === 'CANCELLED');
  return toDelivery(
    context,
    { companyId, invoiceId: invoice.id, recipient, stoppedBy: null, forced },
    suppressed,
  );
}

/**
 * Where a document goes that is sent again: a credit note to where its invoice arrived, unless it was
 * refused there; all else to the customer's address as it is now, since a wrong address is what most
 * deliveries fail of, and to the frozen one when the customer was deleted.
 */
async function findRecipient(
  trx: Trx,
  { companyId, id, customerId, buyer }: InvoiceRow,
  arrival: Arrival | undefined,
): Promise<string | null | undefined> {
  if (arrival) {
    const { recipient } = arrival;
    const refused = await wasRefused(trx, { companyId, invoiceId: id, recipient });
    if (!refused) return recipient;
  }
  const customers = await findCustomersByIds(trx, companyId, customerId ? [customerId] : []);
  return customers.get(customerId ?? 0)?.email ?? buyer?.email;
}

/**
 * Finds what should long have been on its way and is not, whatever happened to its job: invoices
 * that nobody made a delivery for, and deliveries without a job.
 */
export async function requeueForgotten(context: Context): Promise<void> {
  const { db, jobs, config } = context;
  if (config.dispatch === 'auto' && (await hasUndelivered(db, DOUBTFUL_AFTER))) {
    await jobs.enqueue(db, dispatchJob, { companyId: null });
  }
  for (let afterId = 0; ;) {
    const waiting = await repository.findWaiting(db, {
      olderThan: DOUBTFUL_AFTER,
      afterId,
      most: SWEEP,
    });
    const missing = await enqueueDeliveries(context, db, waiting);
    if (missing > 0) context.log.warn({ missing }, 'deliveries lost their jobs');
    if (waiting.length < SWEEP) return;
    afterId = waiting.at(-1)?.id ?? afterId;
  }
}

/** Lets go what was put off until now, as far as the new day allows. */
export async function releaseDeferred(context: Context): Promise<void> {
  for (const companyId of await limit.findDueCompanies(context.db)) {
    for (let taken = SWEEP; taken === SWEEP;) {
      taken = await context.db.transaction().execute(async (trx) => {
        const due = await limit.takeDue(trx, companyId, SWEEP);
        await enqueueDeliveries(context, trx, await allotToday(context, trx, due));
        return due.length;
      });
    }
  }
}

/** Takes up what a killed process left: only for a database that no other process can have open. */
export async function releaseLeases(context: Context): Promise<void> {
  await repository.releaseAll(context.db);
}
