import { todayInOslo } from '../../domain/date.ts';
import type { BulkStatusBody } from '../../domain/invoice/invoice-bulk.schema.ts';
import type { Actor, Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { authorOf } from '../invoice/history.service.ts';
import { markMany, type Marked } from '../payment/mark-paid.service.ts';
import { explainRefusal } from '../payment/payment.service.ts';

/**
 * Invoices marked in one transaction; between transactions the embedded database serves other calls. Marked invoices
 * stay marked when a later part fails; a retry lists them as skipped because they have the status.
 */
const BATCH = 20;

/**
 * Marks invoices as paid or unpaid, each once even if named twice; those that cannot be marked are listed with the
 * reason. With `dryRun` nothing is marked. @throws AppError paid_after_today
 */
export async function markInvoices(
  { config, db }: Context,
  actor: Actor,
  { uuids, status, paidDate, dryRun }: BulkStatusBody & { readonly dryRun: boolean },
): Promise<Marked> {
  if (status === 'PAID' && paidDate !== null && paidDate > todayInOslo()) {
    throw new AppError('paid_after_today', { field: 'paidDate' });
  }
  const wanted = [...new Set(uuids)];
  const parts: Marked[] = [];
  for (let start = 0; start < wanted.length; start += BATCH) {
    const part = wanted.slice(start, start + BATCH);
    const marking = { uuids: part, status, paidDate, dryRun };
    parts.push(
      await db
        .transaction()
        .execute(async (trx) => markMany(trx, actor.companyId, authorOf(actor), marking)),
    );
  }
  return {
    updated: parts.flatMap(({ updated }) => updated),
    skipped: parts.flatMap(({ skipped }) =>
      skipped.map(({ uuid, reason }) => ({ uuid, reason: explainRefusal(config, reason) })),
    ),
    payments: parts.flatMap(({ payments }) => payments),
  };
}
