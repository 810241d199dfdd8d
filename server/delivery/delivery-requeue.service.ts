import type { Context } from '../context.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import { staffAuthor } from '../history/history.service.ts';
import { lockInvoiceById } from '../invoice/invoice.service.ts';
import { prepareAgain } from './delivery-dispatch.service.ts';
import { leaveToHousekeeping } from './delivery-limit.repository.ts';
import { makeDeliveries } from './delivery-record.service.ts';
import * as repository from './delivery.repository.ts';
import type { Failed, FailedFilter } from './delivery.repository.ts';

const BATCH = 500;

interface Requeued {
  readonly requeued: number;
  /** Why others are left as they are, and how many. */
  readonly left: ReadonlyMap<ErrorCode, number>;
}

/**
 * Sends invoices again whose last delivery failed, as 'Send på nytt' does for each. Housekeeping
 * gives them their jobs: an operator's command has no queue.
 */
export async function requeueFailed(
  context: Pick<Context, 'config' | 'db'>,
  filter: Pick<FailedFilter, 'since' | 'reason'>,
): Promise<Requeued> {
  let requeued = 0;
  const left = new Map<ErrorCode, number>();
  for (let afterId = 0; ;) {
    const failed = await repository.findFailed(context.db, { ...filter, afterId, most: BATCH });
    for (const delivery of failed) {
      const refusal = await requeue(context, delivery);
      if (refusal === null) requeued += 1;
      else left.set(refusal, (left.get(refusal) ?? 0) + 1);
    }
    const last = failed.at(-1);
    if (!last || failed.length < BATCH) return { requeued, left };
    afterId = last.id;
  }
}

/** Returns why it is left as it is, or null. */
async function requeue(
  context: Pick<Context, 'config' | 'db'>,
  { companyId, invoiceId }: Failed,
): Promise<ErrorCode | null> {
  try {
    await context.db.transaction().execute(async (trx) => {
      const invoice = await lockInvoiceById(trx, companyId, invoiceId);
      const delivery = await prepareAgain(context, trx, companyId, {
        invoice,
        byHand: false,
      });
      const made = await makeDeliveries(trx, [delivery], staffAuthor(null));
      await leaveToHousekeeping(
        trx,
        made.map(({ id }) => id),
      );
    });
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}
