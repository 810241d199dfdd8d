import type { Obstacle } from '../../domain/api/error.ts';
import { ARCHIVE_DAYS } from '../../domain/closing/closing.schema.ts';
import type { Context } from '../context.ts';
import { hasCredit } from '../customer/customers-of-closed.repository.ts';
import { sentTypes } from '../delivery/carriers-in-use.service.ts';
import { hasQueued } from '../delivery/waiting-deliveries.repository.ts';
import { AppError, sentenceOf, type ErrorCode, type Language } from '../errors.ts';
import { findArchives, isExporting } from '../export/export.repository.ts';
import { findLastIssued } from '../invoice/invoice-series.repository.ts';
import { hasPending } from '../invoice/undelivered.repository.ts';
import { findLastPayment } from '../payment/payment.repository.ts';
import type { Db } from '../platform/db/database.ts';
import { hasQueued as hasQueuedStatement } from '../portal/statement-delivery.repository.ts';
import { hasQueued as hasQueuedQuote } from '../quote/quote-delivery.repository.ts';

const WORDS = {
  ARCHIVE_MISSING: 'archive_missing',
  DELIVERIES: 'deliveries_under_way',
  EXPORT: 'export_unfinished',
  CREDIT: 'customers_have_credit',
} satisfies Record<Obstacle['code'], ErrorCode>;

const DAY = 24 * 60 * 60 * 1000;

type Archive = Awaited<ReturnType<typeof findArchives>>[number];

/** The obstacles to closing a company, and its archives. */
export interface Standing {
  readonly codes: readonly Obstacle['code'][];
  /** The newest one. */
  readonly archive: Archive | null;
  /** The newest one that has all the books and was fetched lately. */
  readonly whole: Archive | null;
}

/** Finds all that hinders closing a company (CLO-2). Without `export` there is no archive. */
export async function findStanding(
  { config }: Pick<Context, 'config'>,
  db: Db,
  companyId: number,
): Promise<Standing> {
  const hasExport = config.features.has('export');
  const archives = hasExport ? await findArchives(db, companyId) : [];
  const whole = await findWhole(db, companyId, archives);
  const codes: Obstacle['code'][] = [];
  if (hasExport && !whole) codes.push('ARCHIVE_MISSING');
  if (await isSending({ config }, db, companyId)) codes.push('DELIVERIES');
  if (await isExporting(db, companyId)) codes.push('EXPORT');
  if (await hasCredit(db, companyId)) codes.push('CREDIT');
  return { codes, archive: archives[0] ?? null, whole };
}

async function findWhole(
  db: Db,
  companyId: number,
  archives: readonly Archive[],
): Promise<Archive | null> {
  const { lastInvoiceNumber } = await findLastIssued(db, companyId);
  const { id: lastPaymentId } = await findLastPayment(db, companyId);
  const whole = archives.find(
    ({ fetchedAt, throughNumber, throughPaymentId }) =>
      fetchedAt !== null &&
      Date.now() - fetchedAt.getTime() <= ARCHIVE_DAYS * DAY &&
      throughNumber >= (lastInvoiceNumber ?? 0) &&
      throughPaymentId >= (lastPaymentId ?? 0),
  );
  return whole ?? null;
}

/** With `DISPATCH=auto` an invoice is on its way as soon as it is registered. */
async function isSending(
  { config }: Pick<Context, 'config'>,
  db: Db,
  companyId: number,
): Promise<boolean> {
  return (
    (await hasQueued(db, companyId)) ||
    (await hasQueuedStatement(db, companyId)) ||
    (await hasQueuedQuote(db, companyId)) ||
    (config.dispatch === 'auto' && (await hasPending(db, companyId, sentTypes(config))))
  );
}

/** Obstacles as the API shows them. */
export function presentObstacles(
  codes: readonly Obstacle['code'][],
  language: Language,
): Obstacle[] {
  return codes.map((code) => ({
    code,
    message: sentenceOf(new AppError(WORDS[code]), language),
  }));
}
