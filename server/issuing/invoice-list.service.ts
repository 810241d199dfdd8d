import { todayInOslo } from '../../domain/date.ts';
import { VERDICTS, type EInvoiceVerdict } from '../../domain/einvoice/einvoice-duty.ts';
import type {
  InvoiceListQuery,
  InvoicePage,
  ListedStatus,
} from '../../domain/invoice/invoice-list.schema.ts';
import { PAGE_SIZE } from '../../domain/api/pages.ts';
import { COUNTED_MAX } from '../../domain/invoice/invoice.schema.ts';
import type { Actor, Context } from '../context.ts';
import { countQueueable } from '../delivery/carriers-in-use.service.ts';
import { AppError } from '../errors.ts';
import { pagesBeside } from '../platform/http/paging.ts';
import { describe } from './invoice.presenter.ts';
import {
  countFound,
  countQueueableDrafts,
  findPage,
  type InvoiceCounts,
} from './invoice-list.repository.ts';
import { hasFew, isSearch } from './invoice-search.repository.ts';

/** The statuses with stored counts. */
type KeptStatus = Exclude<ListedStatus, 'FAILED'>;

/** A page of the list, with the counts of the whole company. */
export async function listInvoices(
  context: Context,
  { companyId }: Actor,
  query: InvoiceListQuery,
): Promise<InvoicePage> {
  const { db } = context;
  const readsAll = query.query !== '' && (await hasFew(db, companyId));
  const verdicts = verdictsIn(context, query);
  const filter = { ...query, today: todayInOslo(), readsAll, verdicts };
  const [{ invoices, ...counts }, found] = await Promise.all([
    findPage(db, companyId, filter),
    isSearch(filter) ? countFound(db, companyId, filter) : null,
  ]);
  const skipped = query.page > 1 ? 1 : 0;
  const count = found ?? countOf(counts, query.status as KeptStatus | undefined);
  return {
    count,
    ...pagesBeside('/api/invoices/', query, { count, size: PAGE_SIZE }),
    preceding: invoices.slice(0, skipped)[0]?.uuid ?? null,
    summary: {
      drafts: counts.drafts,
      registered: counts.registered,
      sent: counts.sent,
      sentFrom: counts.sentFrom,
      sentTo: counts.sentTo,
      outstanding: counts.outstanding,
      outstandingAmount: counts.outstandingAmount,
      overdue: counts.overdue.many,
      overdueAmount: counts.overdue.amount,
      failed: counts.failed,
      queueable: await queueableOf(context, companyId, counts.drafts),
    },
    results: invoices.slice(skipped).map((row) => describe(row, context.config)),
  };
}

/** The verdicts that a query names; none while `einvoice` is off. @throws AppError unknown_verdict */
function verdictsIn(
  { config: { features } }: Context,
  { einvoice }: InvoiceListQuery,
): readonly EInvoiceVerdict[] | undefined {
  if (einvoice === undefined || !features.has('einvoice')) return undefined;
  const found = einvoice.split(',').map((name) => VERDICTS.find((verdict) => verdict === name));
  if (!found.includes(undefined)) return found.filter((verdict) => verdict !== undefined);
  throw new AppError('unknown_verdict', { field: 'einvoice', subject: VERDICTS.join(', ') });
}

/** Predicts the result of registering all drafts; null above the limit that is examined. */
async function queueableOf(
  context: Context,
  companyId: number,
  drafts: number,
): Promise<InvoicePage['summary']['queueable']> {
  if (drafts === 0) return { drafts: 0, emails: 0, grossAmount: 0 };
  if (drafts > COUNTED_MAX) return null;
  const [[counted], others] = await Promise.all([
    countQueueableDrafts(context.db, companyId, context.config.features.has('vat')),
    countQueueable(context, companyId),
  ]);
  if (!counted) throw new Error('A count is always a row');
  const grossAmount = (Math.round(counted.gross * 100) + others.gross) / 100;
  return { drafts: counted.drafts + others.drafts, emails: counted.emails, grossAmount };
}

function countOf(counts: InvoiceCounts, status: KeptStatus | undefined): number {
  const { drafts, registered, paid, cancelled } = counts;
  const byStatus: Readonly<Record<KeptStatus, number>> = {
    DRAFT: drafts,
    REGISTERED: registered,
    PAID: paid,
    CANCELLED: cancelled,
    OUTSTANDING: counts.outstanding,
    OVERDUE: counts.overdue.many,
  };
  return status === undefined ? drafts + registered + paid + cancelled : byStatus[status];
}
