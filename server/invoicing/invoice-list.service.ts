import type { InvoiceListQuery, InvoicePage } from '../../domain/invoice/invoice.schema.ts';
import { PAGE_SIZE } from '../../domain/invoice/invoice.schema.ts';
import type { InvoiceStatus } from '../../domain/invoice/invoice.status.ts';
import type { Actor, Context } from '../context.ts';
import { countQueueableEhf } from './deliverability.service.ts';
import { describeInvoices } from './invoice-answer.service.ts';
import { countFound, findPage, type InvoiceCounts } from './invoice-list.repository.ts';

/** A page of the list, with the counts of the whole account. */
export async function listInvoices(
  context: Context,
  { companyId }: Actor,
  query: InvoiceListQuery,
): Promise<InvoicePage> {
  const { db } = context;
  const isSearch = query.query !== '' || query.customerNumber !== undefined;
  const [{ invoices, ...counts }, found] = await Promise.all([
    findPage(db, companyId, query),
    isSearch ? countFound(db, companyId, query) : null,
  ]);
  const count = found ?? countOf(counts, query.status);
  return {
    count,
    next: query.page * PAGE_SIZE < count ? pagePath(query, query.page + 1) : null,
    previous: query.page > 1 ? pagePath(query, query.page - 1) : null,
    summary: {
      drafts: counts.drafts,
      registered: counts.registered,
      sent: counts.sent,
      sentFrom: counts.sentFrom,
      sentTo: counts.sentTo,
      queueable: await queueableOf(context, companyId, counts),
    },
    results: await describeInvoices(db, companyId, invoices),
  };
}

async function queueableOf(
  context: Context,
  companyId: number,
  { drafts, queueable }: InvoiceCounts,
): Promise<InvoicePage['summary']['queueable']> {
  if (drafts === 0) return { drafts: 0, emails: 0, grossAmount: 0 };
  if (!queueable) return null;
  const { emails, gross } = queueable;
  const ehf = await countQueueableEhf(context, companyId);
  const grossAmount = (Math.round(gross * 100) + ehf.gross) / 100;
  return { drafts: queueable.drafts + ehf.drafts, emails, grossAmount };
}

function countOf(counts: InvoiceCounts, status: InvoiceStatus | undefined): number {
  const byStatus = {
    DRAFT: counts.drafts,
    REGISTERED: counts.registered,
    PAID: counts.paid,
    CANCELLED: counts.cancelled,
  };
  return status === undefined
    ? Object.values(byStatus).reduce((sum, count) => sum + count, 0)
    : byStatus[status];
}

function pagePath({ status, customerNumber, query }: InvoiceListQuery, page: number): string {
  const parameters = new URLSearchParams({ page: String(page) });
  if (status !== undefined) parameters.set('status', status);
  if (customerNumber !== undefined) parameters.set('customer_number', String(customerNumber));
  if (query !== '') parameters.set('query', query);
  return `/api/invoices/?${parameters}`;
}
